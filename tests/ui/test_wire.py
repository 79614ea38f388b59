"""A connection that drops and returns: the page shows the true state, without anybody doing anything."""

import re
from collections.abc import Callable
from pathlib import Path

import flet as ft
import pytest
from playwright.sync_api import Page, expect

from tests.ui.conftest import RunningHouse, Wire


@pytest.fixture
def house(tmp_path: Path):  # type: ignore[no-untyped-def]
    """A server with the smallest screen that shows what is kept on the server."""
    shown = {"taps": 0}

    def show(page: ft.Page, *_: object) -> None:
        label = ft.Text(f"taps: {shown['taps']}")

        def tap(_: object) -> None:
            shown["taps"] += 1
            label.value = f"taps: {shown['taps']}"
            page.update()

        page.add(label, ft.Button("Tap", on_click=tap))

    running = RunningHouse(tmp_path / "data", show)
    yield running
    running.close()


def test_a_page_whose_connection_returns_is_loaded_anew(
    house: RunningHouse, wire: Wire, phone: Callable[..., Page]
) -> None:
    page = phone("/", base=wire.url)
    page.get_by_role("button", name="Tap").click()
    expect(page.get_by_text("taps: 1")).to_be_visible()
    wire.cut()
    page.wait_for_timeout(1500)
    with page.expect_event("load", timeout=60_000):
        wire.mend()
    page.wait_for_selector("flt-semantics-placeholder", state="attached")
    page.eval_on_selector("flt-semantics-placeholder", "element => element.click()")
    expect(page.get_by_text("taps: 1")).to_be_visible()
    page.get_by_role("button", name="Tap").click()
    expect(page.get_by_text("taps: 2")).to_be_visible()  # without the reload nothing is painted any more
    assert re.search(r":\d+/$", page.url)
