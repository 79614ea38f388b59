"""`companion serve`, as a program of its own."""

import re
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from companion.app.serving import EVERYWHERE, ServeOptions
from companion.errors import UsageError
from companion.text import Language
from companion.ui.certificate import own_certificate
from companion.ui.network import lan_addresses, listen, urls
from companion.ui.server import announcement, terminal_qr
from companion.ui.site import Site


class Program:
    """A running `companion`; its lines until now."""

    def __init__(self, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        self.lines: list[str] = []

    def until(self, words: str) -> str:
        """The line with these words."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)
            if words in line:
                return line
        raise AssertionError(f"no {words!r} in {self.lines}, but {self.stop()}")

    def stop(self) -> tuple[str, str]:
        """End it as Ctrl-C does; what it said since."""
        self.process.send_signal(signal.SIGINT)
        return self.process.communicate(timeout=30)


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Callable[..., Program]]:
    running: list[Program] = []

    def start(*words: str) -> Program:
        running.append(Program(*words, "--data", str(tmp_path / "data"), "--no-browser"))
        return running[-1]

    yield start
    for one in running:
        one.process.kill()
        one.process.communicate()


def test_it_tells_where_to_go_and_ends_quietly(program: Callable[..., Program]) -> None:
    server = program("serve", "--host", "127.0.0.1", "--lang", "fr")
    address = server.until("Sur cette machine").split(":", 1)[1].strip()
    server.until("Ctrl-C")
    base, _, key = address.partition("/house/")
    with httpx.Client(base_url=base, trust_env=False) as client:
        assert client.get("/health").json()["ok"] is True
        assert client.get(f"/house/{key}").status_code == 303
        assert client.get("/house/backup").status_code == 200
    out, err = server.stop()
    assert server.process.returncode == 0
    assert out == ""
    assert "Traceback" not in err
    assert "Error" not in err


def test_a_port_that_is_taken_is_told_and_without_a_port_the_next_one_is_used(program: Callable[..., Program]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused = program("serve", "--host", "127.0.0.1", "--port", str(port))
        _, err = refused.process.communicate(timeout=60)
        assert refused.process.returncode == 2
        assert err.strip().splitlines()[-1] == f"Port {port} is taken; choose another one with --port."
    first = program("serve", "--host", "127.0.0.1").until("On this machine")
    second = program("serve", "--host", "127.0.0.1").until("On this machine")
    ports = [int(re.findall(r":(\d+)/", line)[0]) for line in (first, second)]
    assert ports[0] < ports[1]


def test_without_words_it_serves_the_house(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from companion import __main__

    asked: list[ServeOptions] = []
    monkeypatch.setattr(__main__, "start_server", lambda options: asked.append(options) or 0)
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    assert __main__.main([]) == 0
    assert __main__.main(["serve", "--lang", "ru", "--https", "--port", "9000", "--no-browser"]) == 0
    assert asked[0].host == EVERYWHERE
    assert asked[0].browser
    assert asked[1] == ServeOptions(Language.RU, EVERYWHERE, 9000, True, tmp_path, False)


def test_https_with_a_certificate_for_every_address(program: Callable[..., Program], tmp_path: Path) -> None:
    server = program("serve", "--https")
    address = server.until("On this machine").split(": ", 1)[1].strip()
    told = server.until("SHA-256").rsplit(" ", 1)[1].strip()
    port = int(address.split(":")[2].split("/")[0])
    cert, key = (tmp_path / "data" / "https" / name for name in ("certificate.pem", "key.pem"))
    assert key.stat().st_mode & 0o777 == 0o600
    trusting = ssl.create_default_context(cafile=str(cert))
    for name in ("127.0.0.1", "localhost", *lan_addresses()):
        with (
            socket.create_connection((name, port), timeout=10) as raw,
            trusting.wrap_socket(raw, server_hostname=name) as line,
        ):
            assert line.getpeercert()
    with httpx.Client(verify=trusting, trust_env=False) as client:
        page = client.get(f"https://127.0.0.1:{port}/")
        assert page.headers["set-cookie"].startswith("__Host-companion=")
        assert "Secure" in page.headers["set-cookie"]
    first = own_certificate(tmp_path / "data" / "https", lan_addresses())
    assert first.fingerprint == told  # still good: not made again
    assert own_certificate(tmp_path / "data" / "https", ["203.0.113.7"]).fingerprint != told


def test_a_port_below_the_first_thousand_or_an_address_of_somebody_else() -> None:
    with pytest.raises(UsageError, match="host_unknown"):
        listen("203.0.113.7", None)
    with pytest.raises(UsageError, match="host_unknown"):
        listen("no such name.invalid", 0)


def test_what_other_phones_can_type() -> None:
    addresses = ("192.168.1.5", "10.0.0.3")
    assert urls(EVERYWHERE, 8550, False, addresses) == ("http://192.168.1.5:8550", "http://10.0.0.3:8550")
    assert urls("127.0.0.1", 8550, False, addresses) == urls("localhost", 8550, False, addresses) == ()
    assert urls("::1", 8550, True, addresses) == ()
    assert urls("192.168.1.5", 1, True, addresses) == ("https://192.168.1.5:1",)
    assert urls("fe80::1", 1, True, addresses) == ("https://[fe80::1]:1",)


def test_the_addresses_are_those_of_a_house() -> None:
    assert all(re.fullmatch(r"\d+\.\d+\.\d+\.\d+", address) for address in lan_addresses())
    assert not any(address.startswith(("127.", "0.")) for address in lan_addresses())


@pytest.mark.parametrize("lang", Language)
def test_the_terminal_is_told_who_can_come_in(lang: Language) -> None:
    house = announcement(Site(("http://192.168.1.5:8550",), False), "http://127.0.0.1:8550/house/KEY", None, lang)
    alone = announcement(Site((), False), "http://127.0.0.1:8550/house/KEY", None, lang)
    assert any("192.168.1.5" in line for line in house)
    assert any("--host 127.0.0.1" in line for line in house)
    assert not any("--host" in line for line in alone)


def test_the_qr_code_of_the_terminal_is_a_qr_code() -> None:
    import cv2
    import numpy as np

    lines = terminal_qr("http://192.168.1.5:8550").splitlines()
    upper = {"█": 255, "▀": 255, "▄": 0, " ": 0}
    lower = {"█": 255, "▀": 0, "▄": 255, " ": 0}
    rows = [[table[letter] for letter in line] for line in lines for table in (upper, lower)]
    pixels = np.kron(np.array(rows, dtype=np.uint8), np.ones((8, 8), dtype=np.uint8))
    text, *_ = cv2.QRCodeDetector().detectAndDecode(np.pad(pixels, 40, constant_values=255))
    assert text == "http://192.168.1.5:8550"
