"""Make the pictures of the screens: a house with a game in it, Chromium, one PNG for each screen.

    python docs/make_screenshots.py [--out docs/screens] [--lang fr] [--dark] [--scale 2] [--size 360x740] [--players 8]
        [--dialogs]

Needs the `dev` extra and a Chromium (`--browser`, `/usr/bin/chromium` unless named). The photo is read by the networks
that are shipped. What it writes with its defaults stands in README and in docs/how-to/play-with-the-app.md.
"""

import argparse
import random
import re
import socket
import tempfile
import threading
from pathlib import Path

import flet as ft
from playwright.sync_api import Browser, Page, expect, sync_playwright

from companion.app.evening import propose_out, propose_round
from companion.app.hub import Hub
from companion.app.intake import propose_tiles, propose_total
from companion.app.people import choose_train_colours
from companion.app.place import Place
from companion.app.simulation import Simulator, Strategy, as_onlooker
from companion.app.visitors import Visitor
from companion.rules.fold import apply_all
from companion.rules.house_rules import HouseRules, Preset
from companion.rules.seating import start_game, start_round
from companion.rules.state import Game
from companion.rules.tiles import Tile
from companion.storage.places import Places
from companion.text import Language, say
from companion.ui.routes import House
from companion.ui.screens.app import open_page
from companion.ui.server import Server, asgi_app
from companion.ui.site import Site
from companion.ui.theme import TRAIN_COLOURS
from companion.vision.reader import Reader

NAMES = ("Anna", "Boris", "Chloé", "Dmitri", "Élodie", "François-Xavier", "Galina", "Hugo")
PHOTO = Path(__file__).parent / "samples" / "hand-1.jpg"
QUIET_MS = 400
"""How long a screen must stay as it is before its picture is taken."""
PATIENCE_MS = 120_000
"""Longest wait for a screen, on a machine that is busy with other things."""


def play(hub: Hub, host: Visitor, players: int, rounds: int, whole: bool) -> Place:
    """A game with a few rounds on its sheet; `whole`: it is over, else the last hand is still to be counted."""
    rules = HouseRules.preset(Preset.TRAIN_MEXICAIN).replace(rounds=rounds if whole else None)
    opening = start_game(rules, NAMES[:players], Preset.TRAIN_MEXICAIN)
    place = hub.create((*opening, *start_round(apply_all(Game(), opening), 0)), host)
    choose_train_colours(hub, place.code, [colour.key for colour in TRAIN_COLOURS[:players]])
    chance = random.Random(4)
    for number in range(1, rounds + 1):
        out = chance.randrange(players)
        place.commit(place.propose(propose_out, out))
        for seat in range(players):
            if seat == out or (number == rounds and seat == players - 1 and not whole):
                continue
            if number == rounds and seat == (1 if out != 1 else 0):
                tiles = (Tile(0, 2), Tile(1, 9), Tile(6, 6))
                place.commit(place.propose(propose_tiles, seat, tiles, number))
            else:
                place.commit(place.propose(propose_total, seat, chance.randrange(2, 90), number))
        if number < rounds:
            place.commit(place.propose(propose_round))
    return place


def follow(hub: Hub, host: Visitor, players: int) -> Place:
    """A game whose first round is followed; a double was just laid."""
    rules = HouseRules()
    table = Simulator(rules, NAMES[:players], [Strategy.HEAVIEST] * players, random.Random(7))
    for number, _ in enumerate(table.moves(), start=1):
        now = table.game.table
        if now is not None and now.open_doubles and any(train.marker for train in now.trains) and number > 5 * players:
            break
    place = hub.create(as_onlooker(table.events), host)
    choose_train_colours(hub, place.code, [colour.key for colour in TRAIN_COLOURS[:players]])
    return place


def paths(place: Place, over: Place, followed: Place) -> dict[str, str]:
    """Every screen by the name of its picture."""
    number, seat = len(place.game.rounds), len(place.game.players) - 1
    game = f"/game/{place.code}"
    return {
        "home": "/",
        "new-game": "/new",
        "sheet": game,
        "round": f"{game}/round",
        "table": f"/game/{followed.code}/table",
        "photo": f"{game}/count/{number}/{seat}",
        "chart": f"{game}/chart",
        "tiles": f"{game}/count/{number}/{seat}/tiles",  # apart: a count that is open stays with its way of counting
        "people": f"{game}/people",
        "total": f"{game}/count/{number}/{seat}/total",
        "house-rules": f"{game}/rules",
        "end": f"/game/{over.code}/end",
        "settings": "/settings",
        "help": "/help",
        "about": "/about",
    }


class Shown:
    """The page of the one browser, as the server has it."""

    def __init__(self) -> None:
        self.page: ft.Page | None = None

    def open(self, page: ft.Page, hub: Hub, visitor: Visitor, site: Site) -> None:
        """Show the companion, as the server does."""
        self.page = page
        open_page(page, hub, visitor, site)

    def lead_to(self, path: str) -> None:
        """Show another screen."""
        page = self.page
        assert page is not None

        async def go() -> None:
            page.navigate(path)

        page.run_task(go).result(PATIENCE_MS / 1000)


def signs(players: int, lang: Language) -> dict[str, str]:
    """What stands on a screen, or is said of it, only when its content is there."""
    last = NAMES[players - 1]
    keys = {
        "home": "ui_running",
        "new-game": "ui_every_rule",
        "sheet": "ui_place_sheet",
        "tiles": "ui_grid_hint",
        "total": "ui_total_hint",
        "chart": "ui_chart_words",
        "table": "ui_table_draw",
        "people": "ui_invite_words",
        "house-rules": "ui_house_rules",
        "end": "ui_exports",
        "settings": "ui_settings_words",
        "help": "ui_help_photo",
        "about": "ui_source",
    }
    found = {name: say(key, lang) for name, key in keys.items()}
    return found | {
        "round": say("ui_count_of", lang, name=last),
        "photo": say("ui_tile_n", lang, n=1, first="", second="").split(":")[0],  # outlines wait for their picture
    }


def wait_until_drawn(page: Page, sign: str, last: bytes) -> bytes:
    """The picture of a screen that shows what it is for, and has come to rest; `last` is that of the screen before.

    Names are known before the screen is painted, on a busy machine long before.
    """
    pattern = re.compile(re.escape(sign))
    expect(page.get_by_text(pattern).or_(page.get_by_label(pattern)).first).to_be_attached(timeout=PATIENCE_MS)
    before, now = b"", last
    while now != before or now == last:
        page.wait_for_timeout(QUIET_MS)
        before, now = now, page.screenshot()
    return now


def take(
    browser: Browser, url: str, house: House, shown: Shown, screens: dict[str, str], options: argparse.Namespace
) -> None:
    """Take every picture in one browser, which the server itself leads from screen to screen."""
    width, height = map(int, options.size.split("x"))
    mode = "dark" if options.dark else "light"
    options.out.mkdir(parents=True, exist_ok=True)
    context = browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=options.density,
        locale=options.lang,
        color_scheme=mode,
    )
    page = context.new_page()
    page.request.get(f"{url}/house/{house.keeper_key}", max_redirects=0)
    page.goto(f"{url}/health")
    look = f'"{options.lang}/{mode}/{options.scale:g}/sleep"'
    page.evaluate("look => localStorage.setItem('flutter.companion.look', look)", look)
    page.goto(f"{url}/help")
    page.wait_for_selector("flt-semantics-placeholder", state="attached", timeout=PATIENCE_MS)
    page.eval_on_selector("flt-semantics-placeholder", "element => element.click()")
    words = signs(options.players, Language(options.lang))
    picture = wait_until_drawn(page, words["help"], b"")
    for name, path in screens.items():
        shown.lead_to(path)
        picture = wait_until_drawn(page, words[name], picture)
        save(picture, options.out, name)
        for question, taps, sign in questions(name, Language(options.lang)) if options.dialogs else ():
            for tap in taps:
                control = page.get_by_role("button", name=re.compile(re.escape(tap))).first
                expect(control).to_be_attached(timeout=PATIENCE_MS)
                control.click(force=True)
                page.wait_for_timeout(QUIET_MS)
            save(wait_until_drawn(page, sign, picture), options.out, f"{name}-{question}")
            page.keyboard.press("Escape")
            page.mouse.move(0, 0)
            page.wait_for_timeout(2 * QUIET_MS)
            picture = page.screenshot()
    context.close()


def save(picture: bytes, folder: Path, name: str) -> None:
    """Write a picture and tell where."""
    (folder / f"{name}.png").write_bytes(picture)
    print(folder / f"{name}.png", flush=True)


def questions(screen: str, lang: Language) -> tuple[tuple[str, tuple[str, ...], str], ...]:
    """What can be asked over a screen: the name of the picture, what is tapped for it, what it shows then."""

    def words(key: str, **params: object) -> str:
        return say(key, lang, **params)

    anna, tile = NAMES[0], words("ui_tile_n", n=1, first="", second="").split(":")[0]
    return {
        "home": (("delete", (words("ui_delete_game", names=anna),), words("ui_delete_warning")),),
        "new-game": (
            ("rules", (words("ui_show_rules"),), words("ui_hide_rules")),
            (
                "colours",
                (words("ui_add_person", name=anna), words("ui_train_of", name=anna, colour="")[:-3]),
                words("ui_train_colour", name=anna),
            ),
        ),
        "sheet": (("score", (words("ui_cell_where", name=anna, number=1),), words("ui_correct")),),
        "photo": (("tile", (tile,), words("ui_change_tile")),),
        "table": (
            ("more", (words("ui_table_more"),), words("ui_table_end_round")),
            ("rule", (words("ui_table_pass"),), words("ui_table_insist")),
        ),
        "total": (
            ("nothing", (words("ui_accept"),), words("ui_total_first")),
            ("odd", ("9", "9", "9", "9", words("ui_accept")), words("ui_odd_title")),
        ),
        "people": (("end", (words("ui_end_game"),), words("ui_end_game_words")),),
    }.get(screen, ())  # fmt: skip


def main() -> None:
    """Run the house and take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "screens")
    parser.add_argument("--browser", default="/usr/bin/chromium")
    parser.add_argument("--lang", default="en", choices=["en", "fr", "ru"])
    parser.add_argument("--size", default="390x844", metavar="WxH")
    parser.add_argument("--density", type=float, default=1.0, help="pixels for each logical pixel")
    parser.add_argument("--scale", type=float, default=1.0, help="text size, 1 to 2")
    parser.add_argument("--players", type=int, default=4, choices=range(2, len(NAMES) + 1))
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--dialogs", action="store_true", help="also what is asked over the screens")
    parser.add_argument("--only", nargs="*", default=[], metavar="SCREEN")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        sock.listen(16)
        url = f"http://127.0.0.1:{sock.getsockname()[1]}"
        hub = Hub(Places(Path(folder)), Reader.load)
        host = Visitor.of("the host of the pictures")
        house = House(hub, Site(("http://192.168.1.20:8550",), secure=False))
        ready, shown = threading.Event(), Shown()
        server = Server(asgi_app(house, shown.open), ready=ready.set)
        thread = threading.Thread(target=server.run, args=([sock],))
        thread.start()
        ready.wait(30)
        try:
            over = play(hub, host, options.players, 3, whole=True)
            place = play(hub, host, options.players, 4, whole=False)
            followed = follow(hub, host, options.players)
            scan = place.scan(PHOTO.read_bytes(), options.players - 1, 4)
            screens = {
                name: path
                for name, path in paths(place, over, followed).items()
                if not options.only or name in options.only
            }
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=options.browser, args=["--no-sandbox"])
                while not scan.over:
                    threading.Event().wait(0.1)
                take(browser, url, house, shown, screens, options)
                browser.close()
        finally:
            server.should_exit = True
            thread.join(20)
            hub.close()


if __name__ == "__main__":
    main()
