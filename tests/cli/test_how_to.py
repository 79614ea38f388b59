"""The commands of the how-to pages about games, run in their order."""

import re
import shlex
from pathlib import Path

import pytest

from companion.cli import scan as module
from tests.cli.conftest import Companion
from tests.hands import FakeReader, grey_photo, hand

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to"
REFUSED = {
    "companion scan hand.jpg --save last Bob",  # there are doubts, and nobody is here to look
    "companion scan hand.jpg --save last Zoé --accept",  # the third hand of a round is counted already
    "companion scan hand.jpg --save last Anna --fix 3-8=3-7 --fix =0-1 --keep-photo",
    'companion move last Anna 6-6 --keep-marker --ruling "we leave it on"',
    "companion move last Anna 1-6 --outer 1",
}
"""Lines that show a choice: in a row they contradict each other."""


@pytest.mark.parametrize("page", ["keep-score.md", "follow-a-round.md", "back-up.md"])
def test_the_commands_of_a_page_work(
    page: str, companion: Companion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("hand.jpg", "table.jpg"):
        grey_photo(tmp_path / name)
    monkeypatch.setattr(module, "load_reader", lambda: FakeReader(hand("3-8?", "0-0")))
    text = (HOW_TO / page).read_text("utf-8")
    lines = [line for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
    assert len(lines) >= 8
    for line in lines:
        answer = companion(*shlex.split(line)[1:])
        if line not in REFUSED:
            assert answer.code == 0, (line, answer.err)
            assert answer.out.strip(), line
