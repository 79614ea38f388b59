"""`companion doctor`: what is here, what is missing, and how to get it."""

import json

import click

from companion.app.doctor import Status, examine
from companion.cli.codes import FAILED
from companion.cli.localized import Command, Option, current_language
from companion.text import say


def run(as_json: bool) -> int:
    """Look at everything; the exit code is 2 where something must be mended."""
    lang = current_language()
    words = {status: say(f"doctor_status_{status}", lang) for status in Status}
    width = max(map(len, words.values()))
    problems = 0
    for finding in examine():
        sentence = say(finding.key, lang, **finding.params)
        if as_json:
            click.echo(json.dumps({"status": finding.status, "key": finding.key, "sentence": sentence}))
        else:
            click.echo(f"{words[finding.status]:{width}}  {sentence}")
        problems += finding.status is Status.PROBLEM
    if not as_json:
        click.echo(say("doctor_problems", lang, n=problems) if problems else say("doctor_all_well", lang))
    return FAILED if problems else 0


command = Command("doctor", callback=run, params=[Option(["as_json", "--json"], is_flag=True, help="help_json")])
