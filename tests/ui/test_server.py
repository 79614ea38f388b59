"""The routes beside the screens, as a program without a browser sees them: what they give, and what they refuse."""

import io
import json
import logging
import socket
import zipfile
from collections.abc import Iterator
from html import escape
from pathlib import Path
from xml.etree import ElementTree

import httpx
import pytest
from PIL import Image

from companion.app.intake import propose_count, propose_total
from companion.app.scan_queue import Scan, ScanState
from companion.app.visitors import Visitor
from companion.errors import PhotoError
from companion.text import Language, say
from companion.ui import routes
from companion.ui.guard import COOKIE_DAYS
from companion.ui.routes import MOST_PHOTO_BYTES
from companion.ui.screens.app import ROUTES
from companion.ui.site import SCREENS_AT
from tests.hands import hand
from tests.ui.conftest import RunningHouse

SAME = {"Sec-Fetch-Dest": "empty"}


@pytest.fixture
def client(house: RunningHouse) -> Iterator[httpx.Client]:
    """A browser that knows nothing yet."""
    with httpx.Client(base_url=house.url, timeout=60, trust_env=False) as client:
        client.get("/join")
        yield client


def visitor_of(client: httpx.Client) -> Visitor:
    return Visitor.of(client.cookies["companion"], "127.0.0.1")


def picture(width: int = 320, height: int = 240) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (width, height), (90, 120, 90)).save(file, "JPEG")
    return file.getvalue()


def wait_for(client: httpx.Client, address: str) -> dict[str, object]:
    for _ in range(200):
        answer: dict[str, object] = client.get(address, headers=SAME).json()
        if answer.get("over", True):
            return answer
    raise AssertionError("the photo is never read")


def test_the_server_tells_that_it_is_there_and_nothing_about_games(house: RunningHouse, client: httpx.Client) -> None:
    house.game()
    assert client.get("/health").json() == {"ok": True, "version": "0.1.0"}


def test_a_browser_is_known_by_a_cookie_that_no_script_can_read(client: httpx.Client, house: RunningHouse) -> None:
    cookie = httpx.get(f"{house.url}/", trust_env=False).headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert f"Max-Age={COOKIE_DAYS * 86400}" in cookie
    assert "set-cookie" not in client.get("/").headers  # it keeps the one it has


@pytest.mark.parametrize("path", ["/", "/join", "/game/ABCDEF", "/health", "/web/page.css", "/main.dart.js"])
def test_every_answer_forbids_what_comes_from_elsewhere(client: httpx.Client, path: str) -> None:
    headers = client.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"
    assert "default-src 'self'" in headers["content-security-policy"] or "'none'" in headers["content-security-policy"]
    assert "access-control-allow-origin" not in headers
    assert "server" not in headers


@pytest.mark.parametrize(
    ("host", "ours"),
    [
        ("127.0.0.1", True),
        ("192.168.1.5:8550", True),
        ("[fe80::1]:8550", True),
        ("localhost:1", True),
        (socket.gethostname().split(".")[0].upper() + ".local", True),
        ("evil.example", False),
        ("localhost.evil.example", False),
        ("127.0.0.1.evil.example", False),
        (socket.gethostname() + ".evil.example", False),
        ("", False),
    ],
)
def test_only_names_of_this_machine_are_answered(client: httpx.Client, host: str, ours: bool) -> None:
    assert (client.get("/health", headers={"Host": host}).status_code == 200) is ours


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1"])
def test_pages_from_elsewhere_can_neither_post_nor_open_a_socket(
    house: RunningHouse, client: httpx.Client, origin: str
) -> None:
    code = house.game().code
    assert client.post(f"/game/{code}/capture/0", headers={"Origin": origin}).status_code == 403
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }
    assert client.get("/ws", headers=upgrade | {"Origin": origin}).status_code == 403


@pytest.mark.parametrize(
    "path",
    [
        "/web/../server.py",
        "/web/..%2fserver.py",
        "/web/%2e%2e/%2e%2e/%2e%2e/pyproject.toml",
        "/../../../../etc/passwd",
        "/..%2f..%2f..%2f..%2f..%2fetc%2fpasswd",
        "/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
        "/game/..%2f..%2fetc/photo/passwd.jpg",
        "//etc/passwd",
        "/web/server.py",
        "/docs.json",
        "/openapi.json",
        "/games.sqlite3",
        "/access.sqlite3",
        "/upload.txt",
    ],
)
def test_nothing_else_is_served(house: RunningHouse, path: str) -> None:
    with socket.create_connection(("127.0.0.1", house.port)) as raw:  # clients tidy such paths up
        raw.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: raw.recv(65536), b""))
    assert b"root:" not in answer
    assert b"import" not in answer.split(b"\r\n\r\n", 1)[1][:4000] or b"<!doctype html>" in answer.lower()
    status = int(answer.split()[1])
    assert status in (307, 400, 404) or b"<!doctype html>" in answer.lower()


@pytest.mark.parametrize("path", ["/docs", "/redoc", "/oauth_callback", "/upload"])
def test_the_frameworks_own_doors_are_not_there(client: httpx.Client, path: str) -> None:
    assert client.get(path).status_code == 404
    assert client.put(path, content=b"x").status_code == 405


@pytest.mark.parametrize(
    "path", ["/nothing", "/game", "/game/ABCDEF/nothing", "/game/ABCDEF/count/1", "/new/game", "/404.html"]
)
def test_an_address_that_leads_nowhere_says_so_in_the_visitors_language(client: httpx.Client, path: str) -> None:
    answer = client.get(path, headers={"Accept-Language": "fr-CA,en;q=0.5"})
    assert answer.status_code == 404
    assert escape(say("ui_no_such_page", Language.FR)) in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    "path",
    [
        "/%00",
        "/game/%00",
        "/web/%00",
        "/" + "a" * 300,
        "/game/" + "A" * 5000,
        "/" + "%F0%9F%98%80" * 100,
        "/game/{code}/capture/" + "9" * 5000,
        "/game/{code}/capture/-1",
        "/game/{code}/capture/%C2%B2",
        "/game/{code}/capture/00",
        "/game/{code}/scan/%00",
        "/game/{code}/photo/%00.jpg",
        "/game/{code}/export/%00",
    ],
    ids=lambda path: path[:40],
)
def test_no_address_breaks_the_server(house: RunningHouse, client: httpx.Client, path: str) -> None:
    assert client.get(path.format(code=house.game().code)).status_code == 404


def test_no_header_breaks_the_server(house: RunningHouse, client: httpx.Client) -> None:
    code = house.game().code
    for origin in ("http://[", "//", "http://127.0.0.1:x", "\xff"):
        headers = {b"Origin": origin.encode("latin-1")}
        assert client.post(f"/game/{code}/capture/0", headers=headers).status_code == 403
    for name in (b"Host", b"Cookie", b"Accept-Language"):
        for value in (b"[", b"\xff\xfe", b"companion=" + b"\xff" * 43, b";" * 2000):
            assert client.get("/health", headers={name: value}).status_code in (200, 421)


def test_a_phone_that_leaves_while_it_sends_makes_no_noise(
    house: RunningHouse, client: httpx.Client, caplog: pytest.LogCaptureFixture
) -> None:
    logger = logging.getLogger("uvicorn.error")
    logger.addHandler(caplog.handler)
    place = house.game("Ann", "Bob")
    house.hub.enter(place.code, visitor_of(client)).sit(0)
    head = f"POST /game/{place.code}/capture/0 HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n"
    with socket.create_connection(("127.0.0.1", house.port)) as raw:
        raw.sendall(f"{head}Cookie: companion={client.cookies['companion']}\r\n\r\n".encode() + b"x" * 1000)
        client.get("/health")
    for _ in range(5):  # it has noticed by then
        client.get("/health")
    logger.removeHandler(caplog.handler)
    assert caplog.records == []
    assert place.scans(0) == ()


@pytest.mark.parametrize("lang", Language)
@pytest.mark.parametrize("path", ["/", "/new", "/join/ABCDEF", "/game/ABCDEF", "/game/ABCDEF/count/1/0/tiles"])
def test_the_page_of_the_screens_says_what_it_is(client: httpx.Client, path: str, lang: Language) -> None:
    answer = client.get(path, headers={"Accept-Language": f"{lang}-XX,{lang};q=0.9,de;q=0.8"})
    assert answer.status_code == 200
    assert f'<html lang="{lang}">' in answer.text
    assert say("ui_what_it_is", lang) in answer.text
    assert "Flet application" not in answer.text
    assert answer.text.index("reconnect.js") < answer.text.index("flutter_bootstrap.js")


def test_every_screen_has_an_address_that_the_server_knows() -> None:
    assert {path for path, _ in ROUTES} | {""} == set(SCREENS_AT)


def test_everything_about_a_game_needs_its_code_and_guessing_is_slowed_down(
    house: RunningHouse, client: httpx.Client
) -> None:
    code = house.game().code
    answers = [client.get(f"/game/WRONG{n}/export/csv") for n in range(7)]
    assert [answer.status_code for answer in answers] == [404] * 5 + [429] * 2
    assert int(answers[-1].headers["retry-after"]) >= 1
    assert "wait" in answers[-1].text
    assert client.get(f"/game/{code}/export/csv").status_code == 429  # whoever guesses learns nothing while waiting


def test_only_the_own_seat_can_be_photographed(house: RunningHouse, client: httpx.Client) -> None:
    place = house.game("Ann", "Bob")
    assert client.get(f"/game/{place.code}/capture/0").status_code == 403
    answer = client.post(f"/game/{place.code}/capture/0", content=picture())
    assert answer.status_code == 403
    assert "Ann" in answer.json()["error"]
    house.hub.enter(place.code, visitor_of(client)).sit(0)
    assert client.get(f"/game/{place.code}/capture/0").status_code == 200
    assert client.get(f"/game/{place.code}/capture/1").status_code == 403
    assert client.get(f"/game/{place.code}/capture/7").status_code == 404
    assert place.scans(0) == ()


@pytest.mark.parametrize(
    ("accepted", "asked", "sentence"),
    [
        ("fr-CA,en;q=0.5", "", "Photo des dominos de Zoé"),
        ("de", "", "Photo of Zoé’s tiles"),
        ("fr", "ru", "Фото костяшек: Zoé"),
    ],
)
def test_the_capture_page_speaks_the_language_of_the_browser(
    house: RunningHouse, client: httpx.Client, accepted: str, asked: str, sentence: str
) -> None:
    place = house.game("Zoé", "Bob")
    house.hub.enter(place.code, visitor_of(client)).sit(0)
    page = client.get(f"/game/{place.code}/capture/0?lang={asked}", headers={"Accept-Language": accepted})
    assert sentence in page.text
    assert "script-src 'self';" in page.headers["content-security-policy"]


def test_names_cannot_become_markup(house: RunningHouse, client: httpx.Client) -> None:
    place = house.game("<script>alert(1)</script>", "Bob")
    house.hub.enter(place.code, visitor_of(client)).sit(0)
    page = client.get(f'/game/{place.code}/capture/0?back="><script>alert(2)</script>&round=1').text
    assert "<script>alert" not in page
    assert f'data-back="/game/{place.code}/count/1/0"' in page


@pytest.mark.parametrize("back", ["//evil.example", "https://evil.example", "/game/OTHER", "javascript:alert(1)"])
def test_the_way_back_leads_to_the_game_and_nowhere_else(house: RunningHouse, client: httpx.Client, back: str) -> None:
    place = house.game("Ann", "Bob")
    house.hub.enter(place.code, visitor_of(client)).sit(0)
    page = client.get(f"/game/{place.code}/capture/0", params={"back": back}).text
    assert f'data-back="/game/{place.code}"' in page
    good = f"/game/{place.code}/count/1/0"
    assert f'data-back="{good}"' in client.get(f"/game/{place.code}/capture/0", params={"back": good}).text


def test_a_photo_from_the_capture_page_arrives_where_it_is_waited_for(
    house: RunningHouse, client: httpx.Client
) -> None:
    place = house.game("Ann", "Bob")
    mine = house.hub.enter(place.code, visitor_of(client))
    mine.sit(0)
    answer = client.post(f"/game/{place.code}/capture/0?lang=fr", content=picture())
    assert answer.status_code == 202
    assert wait_for(client, answer.json()["watch"]) == {"sentence": "Les dominos sont lus.", "over": True}
    [scan] = place.scans(0)
    assert scan.reading is not None
    shown = client.get(f"/game/{place.code}/scan/{scan.id}.jpg")
    assert shown.headers["content-type"] == "image/jpeg"
    assert Image.open(io.BytesIO(shown.content)).size == (320, 240)
    assert client.get(f"/game/{place.code}/scan/{scan.id}x.jpg").status_code == 404


@pytest.mark.parametrize("state", [ScanState.DONE, ScanState.FAILED])
def test_a_photo_that_is_finished_while_somebody_asks_is_told_whole_or_not_yet(
    house: RunningHouse, client: httpx.Client, monkeypatch: pytest.MonkeyPatch, state: ScanState
) -> None:
    place = house.game("Ann", "Bob")
    house.hub.enter(place.code, visitor_of(client)).sit(0)
    scan = place.scan(picture(), 0)
    wait_for(client, f"/game/{place.code}/scan/{scan.id}")
    scan.state = ScanState.READING
    say_so = routes.scan_sentence

    def finished_meanwhile(asked: Scan, lang: Language) -> str:
        sentence = say_so(asked, lang)
        if state is ScanState.FAILED:
            asked.error = PhotoError("photo_damaged")
        asked.state = state
        return sentence

    monkeypatch.setattr(routes, "scan_sentence", finished_meanwhile)
    first, second = (client.get(f"/game/{place.code}/scan/{scan.id}").json() for _ in range(2))
    assert first["over"] is False
    assert "error" in second if state is ScanState.FAILED else second["over"]


RUBBISH = {
    "empty": b"",
    "text": b"This is no photo.",
    "svg": b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    "html": b"<!doctype html><script>alert(1)</script>",
    "gif": b"GIF89a" + bytes(500),
    "cut short": picture()[:300],
    "bomb": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\x7f\xff\xff\xff\x7f\xff\xff\xff\x08\x02\0\0\0" + bytes(100),
    "zip": b"PK\x03\x04" + bytes(500),
    "executable": b"\x7fELF" + bytes(500),
}


@pytest.mark.parametrize("name", RUBBISH)
def test_what_is_no_photo_gets_a_sentence_whatever_it_is_called(
    house: RunningHouse, client: httpx.Client, name: str
) -> None:
    place = house.game("Ann", "Bob")
    house.hub.enter(place.code, visitor_of(client)).sit(0)
    answer = client.post(
        f"/game/{place.code}/capture/0",
        content=RUBBISH[name],
        headers={"Content-Type": "image/jpeg", "Content-Disposition": 'filename="../../photo.jpg"'},
    )
    told = wait_for(client, answer.json()["watch"])
    assert isinstance(told["error"], str)
    assert len(told["error"]) > 20
    assert house.reader.photos == []
    assert {file.name.split("-")[0] for file in house.folder.iterdir()} <= {"games.sqlite3", "access.sqlite3"}


def test_a_photo_that_is_too_large_is_refused_with_a_sentence(house: RunningHouse, client: httpx.Client) -> None:
    place = house.game("Ann", "Bob")
    house.hub.enter(place.code, visitor_of(client)).sit(0)
    answer = client.post(f"/game/{place.code}/capture/0", content=bytes(MOST_PHOTO_BYTES + 1))
    assert answer.status_code == 413
    assert "64 MB" in answer.json()["error"]
    answer = client.post(f"/game/{place.code}/capture/0", content=iter([bytes(MOST_PHOTO_BYTES), b"x"]))
    assert answer.status_code == 413
    assert place.scans(0) == ()


def test_the_source_of_the_running_program_is_offered(client: httpx.Client) -> None:
    answer = client.get("/source.zip")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        names = archive.namelist()
        assert archive.read("companion/ui/routes.py") == Path(routes.__file__).read_bytes()
    assert "companion/ui/web/send.js" in names
    assert all(name.startswith("companion/") and "__pycache__" not in name for name in names)


def test_exports(house: RunningHouse, client: httpx.Client) -> None:
    place = house.game("Ann", "Иван")
    place.commit(place.propose(propose_total, 0, 12))
    path = f"/game/{place.code}/export"
    table = client.get(f"{path}/csv?lang=ru")
    assert table.headers["content-disposition"] == f'attachment; filename="mexican-train-{place.code}.csv"'
    assert table.content.startswith(b"\xef\xbb\xbf")
    assert "Иван" in table.content.decode("utf-8-sig")
    ann = client.get(f"{path}/json").json()["players"][0]
    assert (ann["name"], ann["total"]) == ("Ann", 12)
    lines = [json.loads(line) for line in client.get(f"{path}/jsonl").text.splitlines()]
    assert lines[0]["event"] == "GameStarted"
    assert Image.open(io.BytesIO(client.get(f"{path}/png?lang=fr").content)).format == "PNG"
    link = client.get(f"{path}/bgstats")
    assert link.status_code == 303
    assert link.headers["location"].startswith("https://app.bgstatsapp.com/")
    assert client.get(f"{path}/exe").status_code == 404


def test_the_qr_code_leads_to_the_game(house: RunningHouse, client: httpx.Client) -> None:
    place = house.game()
    answer = client.get(f"/game/{place.code}/qr.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert ElementTree.fromstring(answer.content).tag.endswith("svg")


def test_a_kept_photo_is_shown_to_who_knows_the_game(house: RunningHouse, client: httpx.Client) -> None:
    place = house.game("Ann", "Bob")
    place.keep_photos = True
    scan: Scan = place.scan(picture(), 0)
    for _ in range(500):
        if scan.over:
            break
        client.get("/health")
    assert scan.sha256 is not None
    place.commit(place.propose(propose_count, 0, hand("3-12"), scan.sha256))
    shown = client.get(f"/game/{place.code}/photo/{scan.sha256}.jpg")
    assert Image.open(io.BytesIO(shown.content)).format == "JPEG"
    other = house.game("Ann", "Bob")
    assert client.get(f"/game/{other.code}/photo/{scan.sha256}.jpg").status_code == 404
    assert client.get(f"/game/{place.code}/photo/..%2F..%2Fgames.sqlite3.jpg").status_code == 404


def test_the_whole_house_is_for_its_keeper(house: RunningHouse, client: httpx.Client) -> None:
    code = house.game().code
    assert client.get("/house/backup").status_code == 403
    assert client.get("/house/restore").status_code == 403
    assert client.post("/house/restore", content=b"").status_code == 403
    assert client.get("/house/guess").status_code == 403
    client.cookies.clear()  # a browser that has never been here: what the server opens
    assert client.get(f"/house/{house.house.keeper_key}").headers["location"] == "/"
    data = client.get("/house/backup").content
    assert f"games/{code}.jsonl" in zipfile.ZipFile(io.BytesIO(data)).namelist()
    assert "Restore" in client.get("/house/restore").text or "backup" in client.get("/house/restore").text
    assert client.post("/house/restore", content=data).json() == {"sentence": "1 game has been read from the backup."}
    assert "nothing was changed" in client.post("/house/restore", content=b"rubbish").json()["error"]
