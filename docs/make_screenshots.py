"""Make the pictures of the screens: a house with a game in it, Chromium, one PNG for each screen.

    python docs/make_screenshots.py [--out docs/screens] [--lang fr] [--dark] [--scale 2] [--size 360x740] [--players 8]

Needs the `dev` extra and a Chromium (`--browser`, `/usr/bin/chromium` unless named). The photo is read by the networks
that are shipped. What it writes with its defaults stands in README and in docs/how-to/play-with-the-app.md.
"""

import argparse
import random
import socket
import tempfile
import threading
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from companion.app.evening import propose_out, propose_round
from companion.app.hub import Hub, Place
from companion.app.intake import propose_tiles, propose_total
from companion.app.people import choose_train_colours
from companion.app.visitors import Visitor
from companion.rules.fold import apply_all
from companion.rules.house_rules import HouseRules, Preset
from companion.rules.seating import start_game, start_round
from companion.rules.state import Game
from companion.rules.tiles import Tile
from companion.storage.places import Places
from companion.ui.routes import House
from companion.ui.screens.app import open_page
from companion.ui.server import Server, asgi_app
from companion.ui.site import Site
from companion.ui.theme import TRAIN_COLOURS
from companion.vision.reader import Reader

NAMES = ("Anna", "Boris", "Chloé", "Dmitri", "Élodie", "François-Xavier", "Galina", "Hugo")
PHOTO = Path(__file__).parent / "samples" / "hand-1.jpg"
QUIET_MS = 1200
"""How long a screen must stay as it is before its picture is taken."""


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


def paths(place: Place, over: Place) -> dict[str, str]:
    """Every screen by the name of its picture."""
    number, seat = len(place.game.rounds), len(place.game.players) - 1
    game = f"/game/{place.code}"
    return {
        "home": "/",
        "new-game": "/new",
        "sheet": game,
        "round": f"{game}/round",
        "photo": f"{game}/count/{number}/{seat}",
        "tiles": f"{game}/count/{number}/{seat}/tiles",
        "total": f"{game}/count/{number}/{seat}/total",
        "chart": f"{game}/chart",
        "people": f"{game}/people",
        "house-rules": f"{game}/rules",
        "end": f"/game/{over.code}/end",
        "settings": "/settings",
        "help": "/help",
        "about": "/about",
    }


def wait_until_drawn(page: Page) -> None:
    """Until the tree of names has stayed the same for a while."""
    page.wait_for_selector("flt-semantics-placeholder", state="attached", timeout=60_000)
    page.eval_on_selector("flt-semantics-placeholder", "element => element.click()")
    before, same = 0, 0
    while same < 3:
        page.wait_for_timeout(QUIET_MS / 3)
        now = len(page.query_selector_all("flt-semantics"))
        same = same + 1 if now == before and now > 4 else 0
        before = now


def take(browser: Browser, url: str, house: House, screens: dict[str, str], options: argparse.Namespace) -> None:
    """Take every picture, each in a browser of its own: one in the background is not painted."""
    width, height = map(int, options.size.split("x"))
    mode = "dark" if options.dark else "light"
    look = f'"{options.lang}/{mode}/{options.scale:g}/sleep"'
    options.out.mkdir(parents=True, exist_ok=True)
    state = None
    for name, path in screens.items():
        context = browser.new_context(
            viewport={"width": width, "height": height},
            device_scale_factor=options.density,
            locale=options.lang,
            color_scheme=mode,
            storage_state=state,
        )
        page = context.new_page()
        if state is None:
            page.request.get(f"{url}/house/{house.keeper_key}", max_redirects=0)
            page.goto(f"{url}/health")
            page.evaluate("look => localStorage.setItem('flutter.companion.look', look)", look)
            state = context.storage_state()
        page.goto(url + path)
        wait_until_drawn(page)
        page.wait_for_timeout(5 * QUIET_MS if name == "photo" else QUIET_MS)  # the picture comes after the outlines
        page.screenshot(path=options.out / f"{name}.png")
        context.close()
        print(options.out / f"{name}.png")


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
    parser.add_argument("--only", nargs="*", default=[], metavar="SCREEN")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        sock.listen(16)
        url = f"http://127.0.0.1:{sock.getsockname()[1]}"
        hub = Hub(Places(Path(folder)), Reader.load)
        host = Visitor.of("the host of the pictures")
        house = House(hub, Site(("http://192.168.1.20:8550",), secure=False))
        ready = threading.Event()
        server = Server(asgi_app(house, open_page), ready=ready.set)
        thread = threading.Thread(target=server.run, args=([sock],))
        thread.start()
        ready.wait(30)
        try:
            over = play(hub, host, options.players, 3, whole=True)
            place = play(hub, host, options.players, 4, whole=False)
            scan = place.scan(PHOTO.read_bytes(), options.players - 1, 4)
            screens = {
                name: path for name, path in paths(place, over).items() if not options.only or name in options.only
            }
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=options.browser, args=["--no-sandbox"])
                while not scan.over:
                    threading.Event().wait(0.1)
                take(browser, url, house, screens, options)
                browser.close()
        finally:
            server.should_exit = True
            thread.join(20)
            hub.close()


if __name__ == "__main__":
    main()
