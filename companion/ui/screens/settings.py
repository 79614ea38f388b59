"""Settings of this browser: language, light or dark, text size, the screen."""

from dataclasses import replace
from typing import Any

import flet as ft

from companion.text import Language
from companion.ui.env import Mode, use_env
from companion.ui.theme import TEXT_SCALES
from companion.ui.widgets.basics import button, card, choices, heading, muted, screen, switch

LANGUAGES = ((Language.EN, "English"), (Language.FR, "Français"), (Language.RU, "Русский"))
"""Every language in its own words."""


@ft.component
def Settings() -> Any:
    """What this browser remembers for itself."""
    env = use_env()
    look = env.look
    modes = [(mode, env.say(f"ui_mode_{mode}")) for mode in Mode]
    sizes = [(one, f"{one:.0%}") for one in TEXT_SCALES]
    return screen(
        env,
        "/settings",
        env.say("ui_settings"),
        card(
            env,
            heading(env, env.say("ui_language")),
            choices(
                env, LANGUAGES, look.lang, lambda lang: env.set_look(replace(look, lang=lang)), env.say("ui_language")
            ),
        ),
        card(
            env,
            heading(env, env.say("ui_mode")),
            choices(env, modes, look.mode, lambda mode: env.set_look(replace(look, mode=mode)), env.say("ui_mode")),
        ),
        card(
            env,
            heading(env, env.say("ui_text_size")),
            choices(
                env, sizes, look.scale, lambda one: env.set_look(replace(look, scale=one)), env.say("ui_text_size")
            ),
        ),
        card(
            env,
            switch(
                env,
                env.say("ui_awake"),
                look.awake,
                lambda on: env.set_look(replace(look, awake=on)),
                env.say("ui_awake_words" if env.site.secure else "ui_awake_needs_https"),
            ),
        ),
        muted(env, env.say("ui_settings_words")),
        ft.Row(
            [
                button(env, env.say("ui_help"), lambda: env.go("/help"), ft.Icons.HELP_OUTLINE, "outlined"),
                button(env, env.say("ui_about"), lambda: env.go("/about"), ft.Icons.INFO_OUTLINE, "outlined"),
            ],
            wrap=True,
            run_spacing=8,
        ),
        back="/",
    )
