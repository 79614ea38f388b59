"""A page that spins does not hold up the tests for ever."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Error, Page

from tests.ui.conftest import kill_pages


def test_a_page_that_spins_is_killed_and_the_test_goes_on(phone: Callable[..., Page]) -> None:
    page = phone("/")
    with page.expect_event("crash"):
        assert kill_pages()
    with pytest.raises(Error):
        page.evaluate("1 + 1")
