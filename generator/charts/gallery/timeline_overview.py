"""When does each GPU stream and each CPU thread work?"""

from __future__ import annotations

import altair as alt

from generator.charts.axes import Scaled
from generator.charts.cpu import cpu_cost
from generator.charts.data import Record, amount, full_name, label, plural, scalar
from generator.charts.model import Figure
from generator.charts.rowplot import BAR_BOTTOM, BAR_TOP, Item, row_plot, row_y
from generator.charts.theme import ROLES
from generator.charts.timeplot import (
    LEVELS,
    Slice,
    between,
    busy_time,
    merged,
    origin,
    resampled,
    time_axis,
)
from generator.metrics.model import Results
from generator.metrics.values import rows_of
from generator.units import number_text, quantity

GROUP = "timeline"
ORDER = 1

MOST_STREAMS = 8
MOST_THREADS = 8
"""Lines with a row of their own, the busiest of each kind."""
MOST_SLICES = 800
"""Marks of all rows together: beyond, they are made of longer slices."""
COARSER = (200, 100, 50, 25)
"""Slices per row to try, where there are too many marks."""
HEIGHTS = (0.2, 0.4, 0.6, 0.8, 1.0)
"""Height of a mark by level of its busy share: part of the row's bar."""
ENOUGH = 0.95
"""Share of a thread's CPU time that the trace must show; where it shows less, the note says so."""
NARROWEST = 0.07
"""Part of the axis from which on a phase has its name in it."""

Line = tuple[str, str, list[Slice]]
"""Name, role and slices of one row."""


def draw(results: Results) -> Figure | None:
    """A row per line, marks as high as it is busy; None where no line has any work."""
    lines = _lines(results)
    if not lines:
        return None
    phases = [row for row in rows_of(results, "time.phases") if amount(row, "duration") > 0.0]
    stop = _end(results, lines, phases)
    drawn = _fitting(_busiest(lines), stop)
    items = [_phase_item(phases)] if phases else []
    items += [_item(line, stop) for line in drawn]
    axis = time_axis(results, stop)
    return Figure(
        title=_title(results, lines, stop),
        description=f"{plural(len(drawn), 'row')} over {quantity(stop, 's')} since "
        f"{origin(results)}, marks where something runs. {_spoken(lines, stop)}",
        chart=row_plot(
            items,
            axis,
            stop,
            _marks(drawn, axis, len(items)),
            *(_phases(phases, axis, stop, len(items)) if phases else ()),
            zoom=True,
        ),
        metric="time.timeline",
        note=f"The higher a mark, the larger the busy share of its slice: up to {_level_words()}. "
        f"{_kind_words(drawn)}" + _choice(results, drawn) + _lost(results, lines),
    )


def _lines(results: Results) -> list[Line]:
    """GPU streams before CPU threads, the busiest first."""
    found: dict[tuple[bool, str], list[Slice]] = {}
    for row in rows_of(results, "time.timeline"):
        key = (not str(row["kind"]).upper().startswith("GPU"), str(row["line"]))
        place = Slice(amount(row, "start"), amount(row, "stop"), amount(row, "busy"))
        found.setdefault(key, []).append(place)
    order = sorted(found, key=lambda key: (key[0], -busy_time(found[key])))
    lines = [(name, "cpu" if cpu else "kernels", found[cpu, name]) for cpu, name in order]
    return [line for line in lines if busy_time(line[2]) > 0.0]


def _busiest(lines: list[Line]) -> list[Line]:
    streams = [line for line in lines if line[1] == "kernels"]
    threads = [line for line in lines if line[1] == "cpu"]
    return streams[:MOST_STREAMS] + threads[:MOST_THREADS]


def _choice(results: Results, drawn: list[Line]) -> str:
    """Which lines are drawn, of how many, where there are more."""
    kinds = (
        ("kernels", "run.gpu_streams", "GPU streams"),
        ("cpu", "run.cpu_threads", "CPU threads"),
    )
    told = []
    for role, metric, words in kinds:
        here, there = sum(line[1] == role for line in drawn), scalar(results, metric) or 0.0
        if 0 < here < there:
            told.append(f"{here} of {quantity(there, 'count')} {words}")
    first = ", threads that work first" if cpu_cost(results).elapsed else ""
    return f" Drawn are {' and '.join(told)}, the busiest ones{first}." if told else ""


def _end(results: Results, lines: list[Line], phases: list[Record]) -> float:
    stops = [each.stop for _, _, slices in lines for each in slices]
    ends = [amount(row, "start") + amount(row, "duration") for row in phases]
    return max([*stops, *ends, scalar(results, "time.wall") or 0.0])


def _fitting(lines: list[Line], stop: float) -> list[Line]:
    """The rows with few enough marks: neighbours of one level are one, or slices are longer."""
    fine = [(name, role, merged(slices)) for name, role, slices in lines]
    for count in COARSER:
        if sum(len(slices) for _, _, slices in fine) <= MOST_SLICES:
            break
        fine = [(name, role, merged(resampled(s, stop, count))) for name, role, s in lines]
    return fine


def _item(line: Line, stop: float) -> Item:
    name, _, slices = line
    time = busy_time(slices)
    return Item(name, f"{quantity(time, 's')} · {quantity(time / stop, 'ratio')}", ())


def _phase_item(phases: list[Record]) -> Item:
    longest = max(phases, key=lambda row: amount(row, "duration"))
    return Item("Phases", f"{label(longest['phase'])} {quantity(longest['duration'], 's')}", ())


def _title(results: Results, lines: list[Line], stop: float) -> str:
    share = scalar(results, "time.gpu_utilisation")
    if share is not None:
        return f"The GPU is busy {quantity(share, 'ratio')} of the run"
    within, span = scalar(results, "time.span_utilisation"), scalar(results, "time.gpu_span")
    if within is not None and span is not None:
        return (
            f"The GPU is busy {quantity(within, 'ratio')} of the {quantity(span, 's')} from its "
            "first to its last operation"
        )
    name, _, slices = max(lines, key=lambda line: busy_time(line[2]))
    busy = busy_time(slices)
    words = f"for {quantity(busy, 's')}: {quantity(busy / stop, 'ratio')} of the run"
    if cpu_cost(results).elapsed:
        return f"{label(name).capitalize()} was seen at work {words}"
    which = "one thread" if len(lines) == 1 else "the busiest thread"
    return f"{which.capitalize()}, {label(name)}, was seen {words}"


def _lost(results: Results, lines: list[Line]) -> str:
    """How far samples are from the time that the busiest thread ran."""
    threads = [(name, busy_time(slices)) for name, role, slices in lines if role == "cpu"]
    if not threads:
        return ""
    if scalar(results, "time.cpu_load") is None:
        if cpu_cost(results).elapsed:
            return " Blank is a thread that waits, or whose sample came late."
        return " The profile holds no CPU time: samples alone decide how long a thread ran."
    name, seen = max(threads, key=lambda thread: thread[1])
    rows = (row for row in rows_of(results, "cpu.threads") if row.get("label") == name)
    ran = max((amount(row, "time") for row in rows), default=0.0)
    if seen >= ENOUGH * ran:
        return ""
    return (
        f" By its CPU time {label(name)} ran {quantity(ran, 's')}: the trace lacks samples of it."
    )


def _kind_words(lines: list[Line]) -> str:
    roles = {role for _, role, _ in lines}
    streams = "Green: GPU streams. " if "kernels" in roles else ""
    threads = "Blue: CPU threads, as far as they were seen at work." if "cpu" in roles else ""
    return f"{streams}{threads}".strip()


def _spoken(lines: list[Line], stop: float) -> str:
    """The busiest lines in a sentence."""
    shares = (
        f"{label(name)} {quantity(busy_time(slices) / stop, 'ratio')}"
        for name, _, slices in lines[:4]
    )
    return f"Busy share of the first rows: {', '.join(shares)}."


def _level_words() -> str:
    ends = [f"{number_text(end * 100, '1')} %" for end in (*LEVELS, 1.0)]
    return f"{', '.join(ends[:-1])} and {ends[-1]}"


def _marks(lines: list[Line], axis: Scaled, rows: int) -> alt.Chart:
    first = rows - len(lines)
    data = [
        {
            "role": role,
            "start": round(axis.at(each.start), 5),
            "end": round(axis.at(each.stop), 5),
            "top": round(first + row + BAR_BOTTOM - _height(each), 3),
            "bottom": first + row + BAR_BOTTOM,
            "busy": quantity(each.busy, "ratio"),
            "when": between(each.start, each.stop),
        }
        for row, (_, role, slices) in enumerate(lines)
        for each in slices
    ]
    marks: alt.Chart = (
        alt.Chart(alt.Data(values=data))
        .mark_rect(clip=True)
        .encode(
            x="start:Q",
            x2="end:Q",
            y=row_y("top", rows),
            y2="bottom:Q",
            color=alt.Color("role:N", scale=alt.Scale(domain=list(ROLES)), legend=None),
            tooltip=[alt.Tooltip("when:N", title="When"), alt.Tooltip("busy:N", title="Busy")],
        )
    )
    return marks


def _height(each: Slice) -> float:
    return HEIGHTS[each.level] * (BAR_BOTTOM - BAR_TOP)


def _phases(
    phases: list[Record], axis: Scaled, stop: float, rows: int
) -> tuple[alt.Chart, alt.Chart]:
    """The first row: a frame per phase, named where it is wide enough."""
    data: list[Record] = [
        {
            "start": axis.at(amount(row, "start")),
            "end": axis.at(amount(row, "start") + amount(row, "duration")),
            "top": BAR_TOP - 0.02,
            "bottom": BAR_BOTTOM + 0.08,
            "middle": (BAR_TOP + BAR_BOTTOM + 0.06) / 2,
            "room": amount(row, "duration") / stop,
            "name": label(row["phase"]),
            "full": full_name(row["phase"]),
            "when": f"{quantity(row['duration'], 's')} · {quantity(row['share'], 'ratio')}",
        }
        for row in phases
    ]
    tooltip = [alt.Tooltip("full:N", title="Phase"), alt.Tooltip("when:N", title="Duration")]
    frames = (
        alt.Chart(alt.Data(values=data))
        .mark_rect(style="pf-frame", clip=True)
        .encode(x="start:Q", x2="end:Q", y=row_y("top", rows), y2="bottom:Q", tooltip=tooltip)
    )
    names = (
        alt.Chart(alt.Data(values=[row for row in data if amount(row, "room") >= NARROWEST]))
        .mark_text(
            style="pf-frame-name", dx=5, clip=True, limit=alt.expr("max(1, datum.room * width - 8)")
        )
        .encode(x="start:Q", y=row_y("middle", rows), text="name:N")
    )
    return frames, names
