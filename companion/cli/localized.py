"""Click in three languages: help by key instead of by text.

The help of a command `scan` stands under `help_scan` (its first line is shown in the list of commands), its
examples under `help_scan_examples`, and the help of an option under the key given as its `help`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import click

from companion.errors import UsageError
from companion.text import Language, say


def current_language() -> Language:
    """The language of the command that runs."""
    return click.get_current_context().find_object(Language) or Language.EN


class Option(click.Option):
    """An option whose help is the key of a sentence."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The option and its help, for the list of options."""
        record = super().get_help_record(ctx)
        return None if record is None else (record[0], say(self.help or "", current_language()))


def language_option() -> Option:
    """`--lang`, which every command takes; `languages` has read it before click does."""
    return Option(["--lang"], metavar="en|fr|ru", expose_value=False, help="help_lang")


@contextmanager
def _section(formatter: click.HelpFormatter, key: str) -> Iterator[None]:
    """A heading with its own punctuation, and what stands under it."""
    formatter.write(f"\n{say(key, current_language())}\n")
    with formatter.indentation():
        yield


def _first_line(name: str) -> str:
    """Of the help of a command."""
    return say(f"help_{name}", current_language()).split("\n")[0]


class _Localized(click.Command):
    """How a command or a group of commands shows its help."""

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """`--help`, shown with a key as the other options are."""
        option = super().get_help_option(ctx)
        if option is not None and not isinstance(option, Option):
            option.__class__ = Option
            option.help = "help_help"
        return option

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The line with the command and its arguments."""
        prefix = say("help_usage", current_language()) + " "
        formatter.write_usage(ctx.command_path, " ".join(self.collect_usage_pieces(ctx)), prefix)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """What the command does, and examples."""
        lang = current_language()
        for paragraph in say(f"help_{self.name}", lang).split("\n"):
            formatter.write_paragraph()
            with formatter.indentation():
                formatter.write_text(paragraph)
        with _section(formatter, "help_examples"):
            for line in say(f"help_{self.name}_examples", lang).split("\n"):
                formatter.write(f"{'':{formatter.current_indent}}{line}\n")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of options."""
        shown = [param for param in self.get_params(ctx) if isinstance(param, Option)]
        rows = [record for param in shown if (record := param.get_help_record(ctx)) is not None]
        with _section(formatter, "help_options"):
            formatter.write_dl(rows)


class Command(_Localized):
    """A command that says everything in the user's language."""

    def __init__(self, name: str, **settings: Any) -> None:
        # words too many are refused in `invoke`, because click would say so in English only
        super().__init__(name, context_settings={"allow_extra_args": True}, **settings)
        self.params.append(language_option())

    def invoke(self, ctx: click.Context) -> Any:
        """Run, unless there are words that belong to nothing. Raises UsageError."""
        if ctx.args:
            raise UsageError("usage_too_much", words=" ".join(ctx.args))
        return super().invoke(ctx)


class Group(_Localized, click.Group):
    """The program itself: its commands, and `--version`."""

    def __init__(self, name: str, commands: tuple[str, ...], version: str) -> None:
        super().__init__(name, invoke_without_command=True, callback=self._show_help)
        self._names, self._version = commands, version
        self.params = [
            Option(["--version"], is_flag=True, is_eager=True, expose_value=False, help="help_version",
                   callback=self._show_version),
            language_option(),
        ]  # fmt: skip

    def _show_version(self, ctx: click.Context, _param: click.Parameter, asked: bool) -> None:
        if asked:
            click.echo(f"{self.name} {self._version}")
            ctx.exit()

    @staticmethod
    def _show_help() -> None:
        ctx = click.get_current_context()
        if ctx.invoked_subcommand is None:
            click.echo(ctx.get_help())

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """In the order in which they were named, which is the order of a game."""
        return list(self._names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command."""
        if cmd_name not in self._names:
            return None
        command: click.Command = import_module(f"companion.cli.{cmd_name}").command
        return command

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of options, and the list of commands."""
        super().format_options(ctx, formatter)
        with _section(formatter, "help_commands"):
            formatter.write_dl([(name, _first_line(name)) for name in self._names])
