"""The mechanism, and that no sentence is missing, unfinished or unreachable in any language."""

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

import companion.text
from companion import errors
from companion.errors import UsageError
from companion.rules.tiles import Tile
from companion.text import AREAS, PLURAL_FORMS, Language, choose_language, error_sentence, plural_form, say, sentences
from companion.vision.readings import Doubt
from tests.syntax import tree_of

PACKAGE = Path(companion.text.__file__).parent.parent
ERROR_NAMES = {
    name for name, value in vars(errors).items() if inspect.isclass(value) and issubclass(value, errors.CompanionError)
}


def fields(sentence: str) -> list[tuple[str, str]]:
    """The (name, format) pairs of a sentence."""
    return [(name, spec or "") for _, name, spec, _ in Formatter().parse(sentence) if name is not None]


def calls() -> Iterator[tuple[str, ast.Call, str]]:
    """Every call in the package with the place where it stands and the name of what is called."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                yield f"{path.relative_to(PACKAGE)}:{node.lineno}", node, name


def literal_keys(nodes: list[ast.expr]) -> list[str]:
    """The texts among the first arguments, both arms of `a if b else c` included."""
    keys = []
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            keys.append(node.value)
        elif isinstance(node, ast.IfExp):
            keys += literal_keys([node.body, node.orelse])
    return keys


@pytest.mark.parametrize(
    ("lang", "number", "form"),
    [("en", 1, 0), ("en", 0, 1), ("en", 2, 1), ("en", -1, 0)]
    + [("fr", 0, 0), ("fr", 1, 0), ("fr", -1, 0), ("fr", 2, 1), ("fr", 21, 1)]
    + [("ru", n, 0) for n in (1, 21, 101, -1, 1001)]
    + [("ru", n, 1) for n in (2, 3, 4, 22, 34, 104)]
    + [("ru", n, 2) for n in (0, 5, 10, 11, 12, 13, 14, 19, 20, 111, 112, 214)],
)
def test_plural_form(lang: str, number: int, form: int) -> None:
    assert plural_form(number, Language(lang)) == form


@pytest.mark.parametrize(
    ("lang", "number", "sentence"),
    [
        ("en", 1, "1 tile, 7 points"),
        ("en", 0, "0 tiles, 7 points"),
        ("fr", 0, "0 domino, 7 points"),
        ("fr", 2, "2 dominos, 7 points"),
        ("ru", 1, "1 костяшка, 7 очков"),
        ("ru", 23, "23 костяшки, 7 очков"),
        ("ru", 11, "11 костяшек, 7 очков"),
    ],
)
def test_say_chooses_the_plural(lang: str, number: int, sentence: str) -> None:
    assert say("scan_summary", Language(lang), tiles=number, points=7) == sentence


def test_parameters_may_be_tiles_tuples_and_sentences() -> None:
    error = UsageError("usage_value", value=Tile(12, 3), option=("--a", "--b"), expected=UsageError("expected_folder"))
    assert error_sentence(error, Language.EN) == "“3-12” does not fit --a, --b: a folder is needed and this is a file."


def test_nothing_falls_back() -> None:
    with pytest.raises(KeyError):
        say("no_such_sentence", Language.FR)
    with pytest.raises(KeyError):
        say("scan_points", Language.FR)


@pytest.mark.parametrize(
    ("tags", "lang"),
    [
        (["fr_CA.UTF-8"], "fr"),
        (["C", "ru-RU"], "ru"),
        (["C.UTF-8"], "en"),
        (["de_DE", "FR"], "fr"),
        ([], "en"),
        ([""], "en"),
    ],
)
def test_choose_language(tags: list[str], lang: str) -> None:
    assert choose_language(tags) == Language(lang)


@pytest.mark.parametrize("lang", Language)
def test_every_module_of_sentences_is_named_as_an_area(lang: Language) -> None:
    modules = {path.stem for path in (PACKAGE / "text" / lang).glob("*.py")} - {"__init__"}
    assert modules == set(AREAS)


def test_languages_have_the_same_keys() -> None:
    for lang in Language:
        assert sentences(lang).keys() == sentences(Language.EN).keys()


@pytest.mark.parametrize("key", sorted(sentences(Language.EN)))
def test_sentence_has_the_same_parameters_in_every_language(key: str) -> None:
    english = {name for name, _ in fields(sentences(Language.EN)[key])}
    for lang in Language:
        assert {name for name, _ in fields(sentences(lang)[key])} == english


@pytest.mark.parametrize("lang", Language)
def test_plural_forms_are_complete(lang: Language) -> None:
    for key, sentence in sentences(lang).items():
        for name, spec in fields(sentence):
            if "|" in spec:
                forms = spec.split("|")
                assert name, key
                assert len(forms) == PLURAL_FORMS[lang], key
                assert all(forms), key


@pytest.mark.parametrize("lang", Language)
def test_sentences_are_written_in_their_language(lang: Language) -> None:
    for key, sentence in sentences(lang).items():
        if key.endswith("_examples"):
            continue  # commands are the same in every language
        plain = "".join(text + ("" if spec is None else spec) for text, _, spec, _ in Formatter().parse(sentence))
        cyrillic = any("а" <= letter <= "я" for letter in plain.lower())
        assert cyrillic == (lang is Language.RU and any(map(str.isalpha, plain))), key
        assert sentence == sentence.strip(), key
        assert "'" not in sentence, f"{key}: write ’"
        if lang is Language.FR:
            assert not any(f" {mark}" in sentence for mark in ";:?!»"), f"{key}: a no-break space goes before the mark"


def test_every_error_that_is_raised_has_its_sentence() -> None:
    found = 0
    for place, call, name in calls():
        if name in ERROR_NAMES and call.args:
            keys = literal_keys(call.args[:1])
            assert keys, f"{place}: the key of an error is a literal"
            given = {keyword.arg for keyword in call.keywords}
            for key in keys:
                found += 1
                assert key in sentences(Language.EN), f"{place}: {key}"
                wanted = {name for name, _ in fields(sentences(Language.EN)[key])}
                assert None in given or wanted <= given, f"{place}: {key} wants {wanted - given}"
    assert found >= 3


def test_every_sentence_that_is_said_exists() -> None:
    for place, call, name in calls():
        if name == "say":
            for key in literal_keys(call.args[:1]):
                assert key in sentences(Language.EN), f"{place}: {key}"


@pytest.mark.parametrize("doubt", Doubt)
def test_every_doubt_has_a_sentence(doubt: Doubt) -> None:
    assert f"doubt_{doubt.lower()}" in sentences(Language.EN)
