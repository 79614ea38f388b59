"""What all tests share."""

import os

import pytest


def pytest_configure(config: pytest.Config) -> None:
    if not config.option.usepdb:  # a program that a test starts must not wait for somebody at the keyboard
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    config.addinivalue_line("markers", "install: makes a fresh environment from a package index; minutes, run in CI")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--install", action="store_true", help="run the tests that install into fresh environments")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if "phone" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.flaky(reruns=2))  # on a busy machine a browser now and then takes no tap
    if config.getoption("--install") or os.environ.get("CI"):
        return
    for item in items:
        if item.get_closest_marker("install"):
            item.add_marker(pytest.mark.skip(reason="installs for minutes: set CI or give --install"))
