"""When does each GPU stream and each CPU thread work, and at what?

The whole run is a thin strip at the top; below it, a part of the run is enlarged: one iteration
at first, where iterations are known. Scripts of the page move and enlarge that part.
"""

from __future__ import annotations

import altair as alt

from perfolio.charts.altair_rows import reuse_marks
from perfolio.charts.axes import ScaledAxis
from perfolio.charts.chart_data import Record, amount, label, plural, read_scalar
from perfolio.charts.cpu_cost import read_cpu_cost
from perfolio.charts.iteration_anatomy import DrawnOperation
from perfolio.charts.model import ChartFigure
from perfolio.charts.run_overview import FRAMES, GAP, RunOverview, draw_iterations
from perfolio.charts.time_charts import (
    LEVELS,
    TimeSlice,
    describe_origin,
    make_time_axis,
    merge_slices,
    resample_slices,
    sum_busy_time,
)
from perfolio.charts.timeline_lanes import LaneStack, TimelineLane, WorkBurst
from perfolio.charts.zoom import Zoom, ZoomPlace
from perfolio.common.units import format_number, quantity
from perfolio.metrics.metric_values import get_rows
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

_Slices = dict[tuple[str, str], list[TimeSlice]]
"""Slices of a line by its name and kind."""


def draw(results: Results) -> ChartFigure | None:
    """A lane per line; None where no line has any work."""
    lanes = _read_lanes(results)
    if not lanes:
        return None
    stop = _find_end(results, lanes)
    axis = make_time_axis(results, stop)
    places = _list_places(results, stop)
    steps = get_rows(results, "time.iteration_times")[:MOST_ITERATIONS]
    chart, bottom = _draw_chart(results, lanes, axis, stop, steps)
    zoom = Zoom(
        key="t",
        what="Timeline",
        whole=axis.at(stop),
        unit=axis.divisor,
        least=axis.at(min(LEAST, stop)),
        places=tuple(
            ZoomPlace(name, axis.at(begin), axis.at(end)) for name, (begin, end) in places.items()
        ),
        overview=bottom,
    )
    return ChartFigure(
        title=_make_title(results, lanes, stop),
        description=f"{plural(len(lanes), 'row')} over {quantity(stop, 's')} since "
        f"{describe_origin(results)}, marks where something runs. {_describe_lanes(lanes, stop)}",
        chart=chart.add_params(*zoom.params()),
        metric="time.timeline",
        note=_describe_detail(lanes)
        + f"The higher a mark, the larger the busy share of its slice: up to {_list_levels()}. "
        f"{_describe_kinds(lanes)}"
        + _describe_choice(results, lanes)
        + _describe_loss(results, lanes),
        zoom=zoom,
    )


def _draw_chart(
    results: Results, lanes: list[TimelineLane], axis: ScaledAxis, stop: float, steps: list[Record]
) -> tuple[alt.LayerChart, float]:
    """The chart, and where its overview ends [px]."""
    phases = [row for row in get_rows(results, "time.phases") if amount(row, "duration") > 0.0]
    sketch = RunOverview(lanes, phases, axis, stop, 0.0)
    top = sketch.bottom + GAP + (FRAMES + GAP if steps else 0)
    height = LaneStack(lanes, axis, top, 0.0, 0.0).bottom
    overview = RunOverview(lanes, phases, axis, stop, height)
    few = FEW * (read_scalar(results, "time.iteration_median") or stop / PARTS)
    part = LaneStack(lanes, axis, top, height, few)
    layers: list[alt.Chart | alt.LayerChart] = [*part.layers()]
    if steps:
        at = sketch.bottom + GAP
        layers.append(draw_iterations(steps, axis, at, part.y("top"), part.y("middle")))
    chart = alt.LayerChart(
        layer=[
            alt.layer(*reuse_marks(overview.layers())),
            alt.layer(*layers),
            alt.layer(*reuse_marks(part.labels())),
        ],
        height=round(height),
        resolve=alt.Resolve(
            scale=alt.ScaleResolveMap(x="independent"), axis=alt.AxisResolveMap(x="independent")
        ),
    )
    return chart, overview.bottom


def _read_lanes(results: Results) -> list[TimelineLane]:
    """The lines of the timeline in its order, each with all that is known of it."""
    slices: _Slices = {}
    for row in get_rows(results, "time.timeline"):
        place = TimeSlice(amount(row, "start"), amount(row, "stop"), amount(row, "busy"))
        slices.setdefault((str(row["line"]), str(row["kind"])), []).append(place)
    bursts: dict[str, list[WorkBurst]] = {}
    for row in get_rows(results, "time.bursts"):
        begin, count = amount(row, "start"), round(amount(row, "operations"))
        each = WorkBurst(begin, begin + amount(row, "duration"), amount(row, "busy"), count)
        bursts.setdefault(str(row["line"]), []).append(each)
    operations: dict[str, list[DrawnOperation]] = {}
    for row in get_rows(results, "time.drawn_operations"):
        operations.setdefault(str(row["line"]), []).append(_read_operation(row))
    stop = max(_find_last_stop(slices), read_scalar(results, "time.wall") or 0.0)
    fitting = _reduce_slices(slices, stop)
    return [
        TimelineLane(
            name,
            _format_busy_time(sum_busy_time(line_slices), stop),
            "kernels" if kind.upper().startswith("GPU") else "cpu",
            fitting[name, kind],
            bursts.get(name, ()),
            operations.get(name, ()),
        )
        for (name, kind), line_slices in slices.items()
        if sum_busy_time(line_slices) > 0.0
    ]


def _reduce_slices(slices: _Slices, stop: float) -> _Slices:
    """Neighbours of one level are one; where that leaves too many, all are longer."""
    fine = {line: merge_slices(line_slices) for line, line_slices in slices.items()}
    for count in COARSER:
        if sum(map(len, fine.values())) <= MOST_SLICES:
            break
        fine = {
            line: merge_slices(resample_slices(line_slices, stop, count))
            for line, line_slices in slices.items()
        }
    return fine


def _read_operation(row: Record) -> DrawnOperation:
    start, length = amount(row, "start"), amount(row, "duration")
    kind = str(row["operation"])
    name = str(row["name"] or kind)
    return DrawnOperation(str(row["line"]), kind, name, start, start + length, length)


def _format_busy_time(time: float, stop: float) -> str:
    return f"{quantity(time, 's')} · {quantity(time / stop, 'ratio')}"


def _find_last_stop(slices: _Slices) -> float:
    return max((each.stop for line_slices in slices.values() for each in line_slices), default=0.0)


def _list_places(results: Results, stop: float) -> dict[str, tuple[float, float]]:
    """Parts to go to by what a button says; the first one is shown first."""
    rows = get_rows(results, "time.iteration_times")
    steady = [row for row in rows if row["mark"] not in ("warm-up", "incomplete")]
    usual = read_scalar(results, "time.iteration_median")
    places: dict[str, tuple[Record, float]] = {}
    if steady and usual is not None:
        # As `time.drawn_operations`: the first of those that are equally near, to the nanosecond.
        typical = min(steady, key=lambda row: round(abs(amount(row, "duration") - usual), 10))
        places["Typical iteration"] = (typical, MARGIN)
    if rows:
        places["First iteration"] = (rows[0], MARGIN)
    if gaps := get_rows(results, "time.longest_gaps"):
        places["Longest gap"] = (gaps[0], GAP_MARGIN)
    return {name: _pad_window(row, margin, stop) for name, (row, margin) in places.items()}


def _pad_window(row: Record, margin: float, stop: float) -> tuple[float, float]:
    """From `start` for `duration`, with some room."""
    begin, length = amount(row, "start"), amount(row, "duration")
    return (max(0.0, begin - margin * length), min(stop, begin + (1 + margin) * length))


def _describe_detail(lanes: list[TimelineLane]) -> str:
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


def _describe_choice(results: Results, lanes: list[TimelineLane]) -> str:
    """Which lines are drawn, of how many, where there are more."""
    kinds = (
        ("kernels", "run.gpu_streams", "GPU streams"),
        ("cpu", "run.cpu_threads", "CPU threads"),
    )
    counts = []
    for role, metric, words in kinds:
        here, there = sum(lane.role == role for lane in lanes), read_scalar(results, metric) or 0.0
        if 0 < here < there:
            counts.append(f"{here} of {quantity(there, 'count')} {words}")
    first = ", threads that work first" if read_cpu_cost(results).elapsed else ""
    of = "ones of each rank" if (read_scalar(results, "run.ranks") or 1.0) > 1.0 else "ones"
    return f" Drawn are {' and '.join(counts)}, the busiest {of}{first}." if counts else ""


def _find_end(results: Results, lanes: list[TimelineLane]) -> float:
    stops = [each.stop for lane in lanes for each in lane.slices]
    ends = [
        amount(row, "start") + amount(row, "duration") for row in get_rows(results, "time.phases")
    ]
    return max([*stops, *ends, read_scalar(results, "time.wall") or 0.0])


def _make_title(results: Results, lanes: list[TimelineLane], stop: float) -> str:
    share = read_scalar(results, "time.gpu_utilisation")
    if share is not None:
        return f"The GPU is busy {quantity(share, 'ratio')} of the run"
    within, span = (
        read_scalar(results, "time.span_utilisation"),
        read_scalar(results, "time.gpu_span"),
    )
    if within is not None and span is not None:
        return (
            f"The GPU is busy {quantity(within, 'ratio')} of the "
            f"{quantity(span, 's')} from its "
            "first to its last operation"
        )
    most = max(lanes, key=lambda lane: sum_busy_time(lane.slices))
    name, busy = most.name, sum_busy_time(most.slices)
    words = f"for {quantity(busy, 's')}: {quantity(busy / stop, 'ratio')} of the run"
    if read_cpu_cost(results).elapsed:
        return f"{label(name).capitalize()} was seen at work {words}"
    which = "one thread" if len(lanes) == 1 else "the busiest thread"
    return f"{which.capitalize()}, {label(name)}, was seen {words}"


def _describe_loss(results: Results, lanes: list[TimelineLane]) -> str:
    """How far samples are from the time that the busiest thread ran."""
    threads = [(lane.name, sum_busy_time(lane.slices)) for lane in lanes if lane.role == "cpu"]
    if not threads:
        return ""
    if read_scalar(results, "time.cpu_load") is None:
        if read_cpu_cost(results).elapsed:
            return " Blank is a thread that waits, or whose sample came late."
        return " The profile holds no CPU time: samples alone decide how long a thread ran."
    name, seen = max(threads, key=lambda thread: thread[1])
    rows = (row for row in get_rows(results, "cpu.threads") if row.get("label") == name)
    ran = max((amount(row, "time") for row in rows), default=0.0)
    if seen >= ENOUGH * ran:
        return ""
    return (
        f" By its CPU time {label(name)} ran {quantity(ran, 's')}: the trace lacks samples of it."
    )


def _describe_kinds(lanes: list[TimelineLane]) -> str:
    roles = {lane.role for lane in lanes}
    streams = "Green: GPU streams. " if "kernels" in roles else ""
    threads = "Blue: CPU threads, as far as they were seen at work." if "cpu" in roles else ""
    return f"{streams}{threads}".strip()


def _describe_lanes(lanes: list[TimelineLane], stop: float) -> str:
    """The first lines in a sentence."""
    shares = (
        f"{label(lane.name)} {quantity(sum_busy_time(lane.slices) / stop, 'ratio')}"
        for lane in lanes[:4]
    )
    return f"Busy share of the first rows: {', '.join(shares)}."


def _list_levels() -> str:
    ends = [f"{format_number(end * 100, '1')} %" for end in (*LEVELS, 1.0)]
    return f"{', '.join(ends[:-1])} and {ends[-1]}"
