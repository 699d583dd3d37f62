"""Which parts of an iteration make the difference between two groups of runs?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from perfolio.charts.altair_rows import ChartRows
from perfolio.charts.axes import ScaledAxis, make_value_axis, scale_axis
from perfolio.charts.bar_rows import (
    BAR_BOTTOM,
    BAR_TOP,
    ROW_HEIGHT,
    BarItem,
    draw_words_above,
    encode_row_y,
    stack_layers,
)
from perfolio.charts.chart_data import plural
from perfolio.charts.comparison.comparison_figure import (
    LESS,
    MORE,
    NANO,
    SAME,
    ComparisonFigure,
    Document,
    encode_fate,
    name_basis,
)
from perfolio.charts.comparison.part_words import name_part
from perfolio.charts.model import ChartFigure
from perfolio.common.units import quantity
from perfolio.comparison.compared_tables import describe_difference, describe_time

SIDES = ("Before", "After")
MOST = 8
"""Parts with a row of their own."""
_SMALL = 0.25
"""Part of the larger side up to which the differences are so small that the axis is cut."""
_MARGIN = 0.5
"""Of the differences: what a cut axis shows below the lowest of them."""
_LEAST = 0.0005
"""Of the larger side: a part with a smaller difference is one of the others."""


@dataclass(frozen=True)
class WaterfallStep:
    """A bar: a side, or a part from the level that the parts before it gave."""

    name: str
    text: str
    begin: int
    """[ns], as all here."""
    end: int
    fate: str
    details: tuple[str, str] = ("", "")
    """Time before and after."""


def draw(document: Document) -> ComparisonFigure | None:
    """The bars from before to after; None where the time is not divided, or nothing differs."""
    parts, whole = document["parts"], document["whole"]
    if not any(part["difference"] for part in parts):
        return None
    steps = make_steps(document)
    start = choose_start(steps)
    top = max(max(step.begin, step.end) for step in steps)
    axis = scale_axis(f"Time of {name_basis(document)}", top / NANO, "s")
    said = ", ".join(f"{step.name} {step.text}" for step in steps[1:-1])
    figure = ChartFigure(
        title=_make_title(document),
        description=f"From {describe_time(whole['before'])} before "
        f"to {describe_time(whole['after'])} after: {said}.",
        chart=draw_steps(steps, axis, start / NANO),
        metric="",
        note="Each bar begins where the one above it ends. The parts add up to the difference."
        + (f" The axis begins at {quantity(start / NANO, 's')}, not at zero." if start else ""),
    )
    rows = [
        (part["part"], part["kind"], part["before"], part["after"], part["difference"])
        for part in parts
    ]
    header = ("part", "kind", "before (ns)", "after (ns)", "difference (ns)")
    return ComparisonFigure(figure, header, rows)


def _make_title(document: Document) -> str:
    whole = document["whole"]["difference"]
    largest = max(document["parts"], key=lambda part: abs(part["difference"]))
    named = name_part(largest["part"], largest["kind"])
    named = named if named.startswith("GPU") else named[:1].lower() + named[1:]
    word = "more" if whole > 0 else "less"
    basis = name_basis(document)
    return (
        f"{basis[:1].upper()}{basis[1:]} takes {describe_time(abs(whole))} {word}; largest part: "
        f"{named}, {describe_difference(largest['difference'])}"
    )


def make_steps(document: Document) -> list[WaterfallStep]:
    """Before, the parts with the largest differences, the others as one, and after."""
    whole = document["whole"]
    before, after = whole["before"], whole["after"]
    least = _LEAST * max(before, after)
    shown = [part for part in document["parts"] if abs(part["difference"]) >= least][:MOST]
    steps = [WaterfallStep("Before", describe_time(before), 0, before, SAME)]
    level = before
    for part in shown:
        change = part["difference"]
        steps.append(
            WaterfallStep(
                name_part(part["part"], part["kind"]), describe_difference(change), level,
                level + change, MORE if change > 0 else LESS,
                (describe_time(part["before"]), describe_time(part["after"])),
            )
        )  # fmt: skip
        level += change
    rest = after - level
    others = sum(1 for part in document["parts"] if part["difference"]) - len(shown)
    if rest or others:
        name = plural(max(others, 1), "other part")
        fate = MORE if rest > 0 else LESS
        steps.append(WaterfallStep(name, describe_difference(rest), level, after, fate))
    return [*steps, WaterfallStep("After", describe_time(after), 0, after, SAME)]


def choose_start(steps: Sequence[WaterfallStep]) -> int:
    """Where the axis begins [ns]: at zero, unless the differences are too small to be seen so."""
    levels = [level for step in steps[1:-1] for level in (step.begin, step.end)]
    low, high = min(levels), max(levels)
    if high - low >= _SMALL * high:
        return 0
    step: int = 10 ** (len(str(high - low)) - 1)
    return int(max(low - _MARGIN * (high - low), 0)) // step * step


def draw_steps(
    steps: Sequence[WaterfallStep],
    axis: ScaledAxis,
    start: float,
    sides: tuple[str, str] = SIDES,
) -> alt.LayerChart:
    """Bars of steps on an axis from `start` [s]; `sides` is what before and after are called."""
    items = [
        BarItem(step.name, step.text, (), dict(zip(sides, step.details, strict=True)))
        for step in steps
    ]
    top = max(max(step.begin, step.end) for step in steps) / NANO
    cut = f", axis begins at {quantity(start, 's')}" if start else ""
    x = alt.X(
        "start:Q",
        scale=alt.Scale(domain=[axis.at(start), axis.at(top)], nice=False, zero=False),
        axis=make_value_axis(f"{axis.title}{cut}"),
    )
    rows = [
        {
            "start": max(axis.at(min(step.begin, step.end) / NANO), axis.at(start)),
            "end": axis.at(max(step.begin, step.end) / NANO),
            "top": place + BAR_TOP,
            "bottom": place + BAR_BOTTOM,
            "fate": step.fate,
            "full": step.name,
            "text": step.text,
            "before": step.details[0] or "-",
            "after": step.details[1] or "-",
        }
        for place, step in enumerate(steps)
    ]
    told = (MORE, LESS) if sides == SIDES else ()
    fates = [fate for fate in told if any(step.fate == fate for step in steps)]
    titles = {"full": "Part", "text": "Value", "before": sides[0], "after": sides[1]}
    bars = (
        alt.Chart(ChartRows(rows))
        .mark_rect(cornerRadius=2)
        .encode(
            x=x,
            x2=alt.X2("end:Q"),
            y=encode_row_y("top", len(steps)),
            y2=alt.Y2("bottom:Q"),
            color=encode_fate(fates),
            tooltip=[alt.Tooltip(f"{name}:N", title=title) for name, title in titles.items()],
        )
    )
    height = ROW_HEIGHT * len(steps)
    return stack_layers(_draw_links(steps, axis), bars, *draw_words_above(items), height=height)


def _draw_links(steps: Sequence[WaterfallStep], axis: ScaledAxis) -> alt.Chart:
    """Lines from the end of each bar to the begin of the next one."""
    rows = [
        {"at": axis.at(step.end / NANO), "top": place + BAR_BOTTOM, "bottom": place + 1 + BAR_TOP}
        for place, step in enumerate(steps[:-1])
    ]
    links: alt.Chart = (
        alt.Chart(ChartRows(rows))
        .mark_rule(style="pf-guide")
        .encode(
            x=alt.X("at:Q"),
            y=encode_row_y("top", len(steps)),
            y2=alt.Y2("bottom:Q"),
        )
    )
    return links
