"""When does each GPU stream and each CPU thread work, and at what?

The whole run is a thin strip at the top; below it, a part of the run is enlarged: one iteration
at first, where iterations are known. Scripts of the page move and enlarge that part.
"""

from __future__ import annotations

import altair as alt

from perfolio.charts.altair_rows import shared
from perfolio.charts.axes import Scaled
from perfolio.charts.chart_data import Record, amount, label, plural, scalar
from perfolio.charts.cpu_cost import cpu_cost
from perfolio.charts.iteration_anatomy import Operation
from perfolio.charts.model import Figure
from perfolio.charts.run_overview import FRAMES, GAP, Overview, iterations
from perfolio.charts.time_charts import (
    LEVELS,
    Slice,
    busy_time,
    merged,
    origin,
    resampled,
    time_axis,
)
from perfolio.charts.timeline_lanes import Burst, Lane, Lanes
from perfolio.charts.zoom import Place, Zoom
from perfolio.common.units import number_text, quantity
from perfolio.metrics.metric_values import rows_of
from perfolio.metrics.model import Results

GROUP = "timeline"
ORDER = 1

MOST_ITERATIONS = 1_000
"""Iterations with a frame of their own."""
MOST_SLICES = 2_000
"""Slices of all lanes together: beyond, they are made of longer ones."""
COARSER = (200, 100, 50, 25)
"""Slices of a lane to try then."""
FEW, PARTS = 3.0, 50
"""Operations are at least a line wide where up to so many iterations are shown, or, where no
iteration is known, this part of the run."""
LEAST = 1e-6
"""The smallest part that is shown [s]."""
MARGIN, GAP_MARGIN = 0.02, 0.4
"""Room that an iteration and a gap have at both sides: part of its length."""
ENOUGH = 0.95
"""Share of a thread's CPU time that the trace must show; where it shows less, the note says so."""

_Slices = dict[tuple[str, str], list[Slice]]
"""Slices of a line by its name and kind."""


def draw(results: Results) -> Figure | None:
    """A lane per line; None where no line has any work."""
    lanes = _lanes(results)
    if not lanes:
        return None
    stop = _end(results, lanes)
    axis = time_axis(results, stop)
    places = _places(results, stop)
    steps = rows_of(results, "time.iteration_times")[:MOST_ITERATIONS]
    chart, bottom = _chart(results, lanes, axis, stop, steps)
    zoom = Zoom(
        key="t",
        what="Timeline",
        whole=axis.at(stop),
        unit=axis.divisor,
        least=axis.at(min(LEAST, stop)),
        places=tuple(
            Place(name, axis.at(begin), axis.at(end)) for name, (begin, end) in places.items()
        ),
        overview=bottom,
    )
    return Figure(
        title=_title(results, lanes, stop),
        description=f"{plural(len(lanes), 'row')} over {quantity(stop, 's')} since "
        f"{origin(results)}, marks where something runs. {_spoken(lanes, stop)}",
        chart=chart.add_params(*zoom.params()),
        metric="time.timeline",
        note=_detail(lanes)
        + f"The higher a mark, the larger the busy share of its slice: up to {_level_words()}. "
        f"{_kind_words(lanes)}" + _choice(results, lanes) + _lost(results, lanes),
        zoom=zoom,
    )


def _chart(
    results: Results, lanes: list[Lane], axis: Scaled, stop: float, steps: list[Record]
) -> tuple[alt.LayerChart, float]:
    """The chart, and where its overview ends [px]."""
    phases = [row for row in rows_of(results, "time.phases") if amount(row, "duration") > 0.0]
    sketch = Overview(lanes, phases, axis, stop, 0.0)
    top = sketch.bottom + GAP + (FRAMES + GAP if steps else 0)
    height = Lanes(lanes, axis, top, 0.0, 0.0).bottom
    whole = Overview(lanes, phases, axis, stop, height)
    few = FEW * (scalar(results, "time.iteration_median") or stop / PARTS)
    part = Lanes(lanes, axis, top, height, few)
    layers: list[alt.Chart | alt.LayerChart] = [*part.layers()]
    if steps:
        at = sketch.bottom + GAP
        layers.append(iterations(steps, axis, at, part.y("top"), part.y("middle")))
    chart = alt.LayerChart(
        layer=[
            alt.layer(*shared(whole.layers())),
            alt.layer(*layers),
            alt.layer(*shared(part.labels())),
        ],
        height=round(height),
        resolve=alt.Resolve(
            scale=alt.ScaleResolveMap(x="independent"), axis=alt.AxisResolveMap(x="independent")
        ),
    )
    return chart, whole.bottom


def _lanes(results: Results) -> list[Lane]:
    """The lines of the timeline in its order, each with all that is known of it."""
    slices: _Slices = {}
    for row in rows_of(results, "time.timeline"):
        place = Slice(amount(row, "start"), amount(row, "stop"), amount(row, "busy"))
        slices.setdefault((str(row["line"]), str(row["kind"])), []).append(place)
    bursts: dict[str, list[Burst]] = {}
    for row in rows_of(results, "time.bursts"):
        begin, count = amount(row, "start"), round(amount(row, "operations"))
        each = Burst(begin, begin + amount(row, "duration"), amount(row, "busy"), count)
        bursts.setdefault(str(row["line"]), []).append(each)
    operations: dict[str, list[Operation]] = {}
    for row in rows_of(results, "time.drawn_operations"):
        operations.setdefault(str(row["line"]), []).append(_operation(row))
    stop = max(_last(slices), scalar(results, "time.wall") or 0.0)
    fitting = _fitting(slices, stop)
    return [
        Lane(
            name,
            _figure(busy_time(found), stop),
            "kernels" if kind.upper().startswith("GPU") else "cpu",
            fitting[name, kind],
            bursts.get(name, ()),
            operations.get(name, ()),
        )
        for (name, kind), found in slices.items()
        if busy_time(found) > 0.0
    ]


def _fitting(slices: _Slices, stop: float) -> _Slices:
    """Neighbours of one level are one; where that leaves too many, all are longer."""
    fine = {line: merged(found) for line, found in slices.items()}
    for count in COARSER:
        if sum(map(len, fine.values())) <= MOST_SLICES:
            break
        fine = {line: merged(resampled(found, stop, count)) for line, found in slices.items()}
    return fine


def _operation(row: Record) -> Operation:
    start, length = amount(row, "start"), amount(row, "duration")
    kind = str(row["operation"])
    name = str(row["name"] or kind)
    return Operation(str(row["line"]), kind, name, start, start + length, length)


def _figure(time: float, stop: float) -> str:
    return f"{quantity(time, 's')} · {quantity(time / stop, 'ratio')}"


def _last(slices: _Slices) -> float:
    return max((each.stop for found in slices.values() for each in found), default=0.0)


def _places(results: Results, stop: float) -> dict[str, tuple[float, float]]:
    """Parts to go to by what a button says; the first one is shown first."""
    rows = rows_of(results, "time.iteration_times")
    steady = [row for row in rows if row["mark"] not in ("warm-up", "incomplete")]
    usual = scalar(results, "time.iteration_median")
    found: dict[str, tuple[Record, float]] = {}
    if steady and usual is not None:
        # As `time.drawn_operations`: the first of those that are equally near, to the nanosecond.
        typical = min(steady, key=lambda row: round(abs(amount(row, "duration") - usual), 10))
        found["Typical iteration"] = (typical, MARGIN)
    if rows:
        found["First iteration"] = (rows[0], MARGIN)
    if gaps := rows_of(results, "time.longest_gaps"):
        found["Longest gap"] = (gaps[0], GAP_MARGIN)
    return {name: _around(row, margin, stop) for name, (row, margin) in found.items()}


def _around(row: Record, margin: float, stop: float) -> tuple[float, float]:
    """From `start` for `duration`, with some room."""
    begin, length = amount(row, "start"), amount(row, "duration")
    return (max(0.0, begin - margin * length), min(stop, begin + (1 + margin) * length))


def _detail(lanes: list[Lane]) -> str:
    """What is drawn exactly, and what is not."""
    operations = sum(len(lane.operations) for lane in lanes)
    bursts = sum(len(lane.bursts) for lane in lanes)
    if not operations:
        return ""
    return (
        f"Drawn by name are {plural(operations, 'operation')}: the longest of the typical "
        "iteration and of the run, and those beside the longest gaps. All others are part of "
        f"{plural(bursts, 'burst')}, which are pale, or, where more is shown, of slices. "
    )


def _choice(results: Results, lanes: list[Lane]) -> str:
    """Which lines are drawn, of how many, where there are more."""
    kinds = (
        ("kernels", "run.gpu_streams", "GPU streams"),
        ("cpu", "run.cpu_threads", "CPU threads"),
    )
    told = []
    for role, metric, words in kinds:
        here, there = sum(lane.role == role for lane in lanes), scalar(results, metric) or 0.0
        if 0 < here < there:
            told.append(f"{here} of {quantity(there, 'count')} {words}")
    first = ", threads that work first" if cpu_cost(results).elapsed else ""
    of = "ones of each rank" if (scalar(results, "run.ranks") or 1.0) > 1.0 else "ones"
    return f" Drawn are {' and '.join(told)}, the busiest {of}{first}." if told else ""


def _end(results: Results, lanes: list[Lane]) -> float:
    stops = [each.stop for lane in lanes for each in lane.slices]
    ends = [
        amount(row, "start") + amount(row, "duration") for row in rows_of(results, "time.phases")
    ]
    return max([*stops, *ends, scalar(results, "time.wall") or 0.0])


def _title(results: Results, lanes: list[Lane], stop: float) -> str:
    share = scalar(results, "time.gpu_utilisation")
    if share is not None:
        return f"The GPU is busy {quantity(share, 'ratio')} of the run"
    within, span = scalar(results, "time.span_utilisation"), scalar(results, "time.gpu_span")
    if within is not None and span is not None:
        return (
            f"The GPU is busy {quantity(within, 'ratio')} of the {quantity(span, 's')} from its "
            "first to its last operation"
        )
    most = max(lanes, key=lambda lane: busy_time(lane.slices))
    name, busy = most.name, busy_time(most.slices)
    words = f"for {quantity(busy, 's')}: {quantity(busy / stop, 'ratio')} of the run"
    if cpu_cost(results).elapsed:
        return f"{label(name).capitalize()} was seen at work {words}"
    which = "one thread" if len(lanes) == 1 else "the busiest thread"
    return f"{which.capitalize()}, {label(name)}, was seen {words}"


def _lost(results: Results, lanes: list[Lane]) -> str:
    """How far samples are from the time that the busiest thread ran."""
    threads = [(lane.name, busy_time(lane.slices)) for lane in lanes if lane.role == "cpu"]
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


def _kind_words(lanes: list[Lane]) -> str:
    roles = {lane.role for lane in lanes}
    streams = "Green: GPU streams. " if "kernels" in roles else ""
    threads = "Blue: CPU threads, as far as they were seen at work." if "cpu" in roles else ""
    return f"{streams}{threads}".strip()


def _spoken(lanes: list[Lane], stop: float) -> str:
    """The first lines in a sentence."""
    shares = (
        f"{label(lane.name)} {quantity(busy_time(lane.slices) / stop, 'ratio')}"
        for lane in lanes[:4]
    )
    return f"Busy share of the first rows: {', '.join(shares)}."


def _level_words() -> str:
    ends = [f"{number_text(end * 100, '1')} %" for end in (*LEVELS, 1.0)]
    return f"{', '.join(ends[:-1])} and {ends[-1]}"
