"""The app that one browser sees: the screens, and what surrounds them."""

import asyncio
import functools
import logging
from typing import Any

import flet as ft

from companion.app.hub import Hub
from companion.app.visitors import Visitor
from companion.text import choose_language, say
from companion.ui.env import Env, Look, Mode, Surroundings, use_env
from companion.ui.screens.about import About, Help, HouseRulesInShort
from companion.ui.screens.chart import Chart
from companion.ui.screens.count import Count
from companion.ui.screens.game_end import GameOver
from companion.ui.screens.home import Home
from companion.ui.screens.join import Join, Share
from companion.ui.screens.round_end import RoundNow
from companion.ui.screens.settings import Settings
from companion.ui.screens.setup import NewGame
from companion.ui.screens.sheet import Sheet
from companion.ui.screens.table import Table
from companion.ui.site import Site
from companion.ui.theme import theme
from companion.ui.widgets.basics import button, notice, screen, write

LOOK_KEY = "companion.look"
"""Where a browser remembers its settings."""

log = logging.getLogger(__name__)

ROUTES = (
    ("new", NewGame),
    ("join", Join),
    ("join/:code", Join),
    ("settings", Settings),
    ("help", Help),
    ("about", About),
    ("game/:code", Sheet),
    ("game/:code/round", RoundNow),
    ("game/:code/table", Table),
    ("game/:code/count/:number/:seat/:how?", Count),
    ("game/:code/chart", Chart),
    ("game/:code/people", Share),
    ("game/:code/rules", HouseRulesInShort),
    ("game/:code/end", GameOver),
)
"""Every screen but the first by its address, as in `site.SCREENS_AT`."""


def open_page(page: ft.Page, hub: Hub, visitor: Visitor, site: Site) -> None:
    """Show the companion to one browser."""
    page.theme, page.dark_theme = theme(dark=False), theme(dark=True)
    page.title = say("ui_app", choose_language(visitor.languages))

    async def begin() -> None:
        look = await _remembered(visitor)
        page.theme_mode = ft.ThemeMode(look.mode)
        try:
            page.render_views(App, hub, visitor, site, look)
        except Exception:  # nobody waits for this task: without a line in the log the page would stay blank for ever
            log.exception("the screens could not be drawn")
            raise

    page.run_task(begin)


async def _remembered(visitor: Visitor) -> Look:
    """What the browser remembers, else its own language."""
    look = Look(lang=choose_language(visitor.languages))
    try:
        async with asyncio.timeout(10):  # a busy phone must not lose its large letters
            text = await ft.SharedPreferences().get(LOOK_KEY)
            if isinstance(text, str):
                return Look.from_text(text, look)
    except (TimeoutError, RuntimeError, TypeError) as error:
        log.debug("no settings from the browser: %s", error)
    return look


@ft.component
def App(hub: Hub, visitor: Visitor, site: Site, first: Look) -> Any:
    """The root: keeps the look and the size of the window, and chooses the screen."""
    page = ft.context.page
    look, set_look = ft.use_state(first)
    window, set_window = ft.use_state((page.width or 400.0, page.height or 800.0))
    night, set_night = ft.use_state(page.platform_brightness == ft.Brightness.DARK)

    def listen() -> None:
        page.on_resize = lambda e: set_window((e.width, e.height))
        page.on_platform_brightness_change = lambda _: set_night(page.platform_brightness is ft.Brightness.DARK)

    def change(new: Look) -> None:
        set_look(new)
        page.theme_mode = ft.ThemeMode(new.mode)
        page.update()
        page.run_task(_remember, new)

    ft.use_effect(listen, [])
    kept: Any = ft.use_ref(False)

    def keep() -> None:
        if look.awake or kept.current:
            kept.current = True
            page.run_task(_keep_awake, look.awake)

    ft.use_effect(keep, [look.awake])
    dark = night if look.mode is Mode.SYSTEM else look.mode is Mode.DARK
    env = Env(page, hub, visitor, site, look, change, window[0], window[1], dark)
    routes = [ft.Route(index=True, component=HOME), *(ft.Route(path=path, component=one) for path, one in SCREENS)]
    return Surroundings(env, lambda: ft.Router(routes, not_found=NotFound, manage_views=True))


async def _remember(look: Look) -> None:
    await ft.SharedPreferences().set(LOOK_KEY, look.to_text())


async def _keep_awake(awake: bool) -> None:
    """Over plain HTTP browsers refuse to keep the screen on; then it is as it was."""
    lock: Any = ft.Wakelock()
    try:
        await (lock.enable() if awake else lock.disable())
    except RuntimeError as error:
        log.debug("the browser does not keep its screen on: %s", error)


def _guarded(drawn: Any) -> Any:
    """A screen that, where it cannot be drawn, says so and leads home: one fault must not be a dead end."""
    draw = drawn.__component_impl__

    @functools.wraps(draw)
    def guarded() -> Any:
        env = use_env()
        try:
            return draw()
        except Exception:
            log.exception("%s could not be drawn", draw.__name__)
            return screen(
                env,
                "/",
                env.say("ui_app"),
                notice(env, env.say("ui_broken"), "error"),
                button(env, env.say("ui_home"), lambda: env.go("/"), ft.Icons.HOME_OUTLINED, "filled"),
            )

    return ft.component(guarded)


HOME = _guarded(Home)
SCREENS = tuple((path, _guarded(one)) for path, one in ROUTES)


@ft.component
def NotFound() -> Any:
    """An address that leads nowhere."""
    env = use_env()
    return ft.Column(
        [write(env, env.say("ui_no_such_page")), button(env, env.say("ui_home"), lambda: env.go("/"), kind="filled")]
    )
