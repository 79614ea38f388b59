"""The totals as lines over the rounds: each with its player's colour, pattern and letter."""

import flet as ft
import flet_charts as fch

from companion.rules.state import Game
from companion.ui.env import Env
from companion.ui.model import badge_letters, running_totals
from companion.ui.theme import Role
from companion.ui.widgets.basics import muted, write
from companion.ui.widgets.people import badge, seat_colour


def totals_chart(env: Env, game: Game, colours: tuple[str, ...], height: float) -> ft.Control:
    """The chart with its legend; for screen readers the totals are said."""
    totals = running_totals(game)
    rounds = max(map(len, totals)) - 1
    top = max((max(row) for row in totals), default=0)
    low = min((min(row) for row in totals), default=0)
    step = next(one for one in (10, 20, 50, 100, 200, 500, 1000, 5000) if (top - min(low, 0)) / one <= 6)
    highest = (top // step + 1) * step
    lowest = -((-low + step - 1) // step) * step if low < 0 else 0
    letters = badge_letters([player.name for player in game.players])
    series: list[fch.LineChartData] = []
    legend: list[ft.Control] = []
    for seat, row in enumerate(totals):
        colour = seat_colour(colours, seat)
        line = readable(env, colour.ground)
        series.append(
            fch.LineChartData(
                points=[fch.LineChartDataPoint(n, value) for n, value in enumerate(row)],
                color=line,
                stroke_width=3,
                curved=False,
                dash_pattern=list(colour.dashes) or None,
                point=fch.ChartCirclePoint(radius=3, color=line),
            )
        )
        legend.append(
            ft.Row(
                [badge(env, letters[seat], colour, 24), write(env, game.players[seat].name, Role.SMALL)],
                tight=True,
                spacing=6,
            )
        )
    said = "; ".join(
        env.say("ui_total_of", name=player.name, points=totals[player.seat][-1]) for player in game.players
    )
    grid = fch.ChartGridLines(interval=step, color=env.colour("outline_variant"), width=1)
    chart = fch.LineChart(
        data_series=series,
        height=height,
        min_x=0,
        max_x=max(rounds, 1),
        min_y=lowest,
        max_y=highest,
        horizontal_grid_lines=grid,
        left_axis=fch.ChartAxis(
            label_size=44 * min(env.scale, 1.5),
            label_spacing=step,
            labels=[
                fch.ChartAxisLabel(value=value, label=muted(env, str(value), no_wrap=True))
                for value in range(lowest, highest + 1, step)
            ],
        ),
        bottom_axis=fch.ChartAxis(
            label_size=28 * min(env.scale, 1.5),
            label_spacing=1,
            labels=[fch.ChartAxisLabel(value=n, label=muted(env, str(n), no_wrap=True)) for n in range(1, rounds + 1)],
        ),
        interactive=False,
    )
    return ft.Column(
        [
            muted(env, env.say("ui_chart_words")),
            ft.Semantics(label=said, image=True, exclude_semantics=True, content=chart),
            ft.Row(legend, wrap=True, spacing=14, run_spacing=6),
        ],
        spacing=12,
        horizontal_alignment=ft.CrossAxisAlignment.STRETCH,
    )


def readable(env: Env, colour: str) -> str:
    """A train's colour as a line: moved towards the ink until it stands out from the ground."""
    from companion.ui.theme import contrast

    ground, ink = env.colour("surface_container_low"), env.colour("on_surface")
    for part in range(11):
        mixed = "#" + "".join(
            f"{round(int(colour[n : n + 2], 16) * (10 - part) / 10 + int(ink[n : n + 2], 16) * part / 10):02X}"
            for n in (1, 3, 5)
        )
        if contrast(mixed, ground) >= 3:
            return mixed
    return ink
