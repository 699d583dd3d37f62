"""Slices of time: merged without loss, resampled without gain; and charts that show a part."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from typing import Any

import altair as alt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfolio.charts.chart_data import MAX_ZOOMED, Record
from perfolio.charts.gallery_rendering import load_gallery, make_live_spec, make_static_spec
from perfolio.charts.iteration_anatomy import HOST, TOTAL, read_iteration
from perfolio.charts.model import ChartFigure
from perfolio.charts.time_charts import TimeSlice, merge_slices, resample_slices, sum_busy_time
from perfolio.charts.zoom import META, Zoom, ZoomPlace
from perfolio.common.errors import ContentError
from perfolio.metrics.model import Cell
from tests.charts.support import cases, layers, make_result

BUSY = st.floats(0, 1)
ROWS = st.lists(BUSY, min_size=1, max_size=60).map(
    lambda shares: [TimeSlice(0.1 * i, 0.1 * (i + 1), share) for i, share in enumerate(shares)]
)


@given(ROWS)
def test_merging_keeps_the_busy_time(slices: list[TimeSlice]) -> None:
    assert sum_busy_time(merge_slices(slices)) == pytest.approx(sum_busy_time(slices), abs=1e-9)


@given(ROWS)
def test_no_two_neighbours_of_one_level_are_left(slices: list[TimeSlice]) -> None:
    found = merge_slices(slices)
    for one, other in pairwise(found):
        assert one.stop <= other.start + 1e-9
        assert one.level != other.level or other.start - one.stop > 1e-3


@given(ROWS, st.integers(1, 80))
def test_resampling_keeps_the_busy_time(slices: list[TimeSlice], count: int) -> None:
    found = resample_slices(slices, slices[-1].stop, count)
    assert sum_busy_time(found) == pytest.approx(sum_busy_time(slices), abs=1e-6)
    assert all(0 < each.busy <= 1 for each in found)
    assert len(found) <= count


def test_idle_slices_part_what_they_lie_between() -> None:
    first, second = merge_slices(
        [TimeSlice(0, 1, 1), TimeSlice(1, 2, 0), TimeSlice(2, 3, 1), TimeSlice(3, 4, 0.95)]
    )
    assert first == TimeSlice(0, 1, 1)
    assert (second.start, second.stop, second.busy) == pytest.approx((2, 4, 0.975))


@pytest.mark.parametrize(
    ("busy", "level"), [(1e-9, 0), (0.01, 0), (0.011, 1), (0.5, 2), (0.51, 3), (0.91, 4), (1.0, 4)]
)
def test_levels_end_where_the_note_says(busy: float, level: int) -> None:
    assert TimeSlice(0, 1, busy).level == level


@pytest.mark.parametrize("name", ["gpu_occupancy", "cpu_running"])
def test_time_can_be_zoomed_and_the_page_still_scrolls(name: str) -> None:
    case = next(case for case in cases() if case.name == name)
    chart = load_gallery()[name]
    specs = []
    for _ in range(2):
        figure = chart.draw(case.results)
        assert figure is not None
        specs.append(make_live_spec(name, figure))
    assert specs[0] == specs[1], "drawn twice, the files are equal"
    (zoom,) = specs[0]["params"]
    assert zoom["bind"] == "scales"
    assert zoom["select"]["encodings"] == ["x"]
    assert "ctrlKey" in zoom["select"]["zoom"]
    assert "touch" not in json.dumps(zoom)


def drawn(name: str, columns: list[str], rows: list[list[Cell]], **scalars: float) -> ChartFigure:
    """The chart `name` of a table of many rows, and of single numbers in seconds."""
    table = f"time.{name.removesuffix('_overview')}"
    results = {table: make_result({"name": table, "columns": columns, "rows": rows})}
    for key, value in scalars.items():
        results[f"time.{key}"] = make_result({"name": f"time.{key}", "unit": "s", "value": value})
    figure = load_gallery()[name].draw(results)
    assert figure is not None
    return figure


def marks(figure: ChartFigure) -> int:
    return max(len(layer["data"]["values"]) for layer in make_live_spec("x", figure)["layer"])


def test_many_lines_stay_a_small_chart() -> None:
    columns = ["line:text", "kind:text", "bin:id", "start:s", "stop:s", "busy:ratio"]
    rows: list[list[Cell]] = [
        [f"stream {line}", "GPU stream", i, i, i + 1, (0.005, 0.95)[(i * i + line) % 7 < 3]]
        for line in range(10)
        for i in range(400)
    ]
    columns_of = {"name": "time.timeline", "columns": columns, "rows": rows}
    streams = {"name": "run.gpu_streams", "unit": "count", "value": 20.0}
    given = {str(each["name"]): make_result(each) for each in (columns_of, streams)}
    figure = load_gallery()["timeline_overview"].draw(given)
    assert figure is not None
    assert "Drawn are 10 of 20 GPU streams, the busiest ones." in figure.note
    slices = make_live_spec("x", figure)["layer"][1]["layer"][1]["data"]["values"]
    assert 100 <= len(slices) <= 2000


def test_many_iterations_are_thinned_but_for_the_marked_ones() -> None:
    columns = [
        "iteration:id", "start:s", "duration:s", "gpu_busy:s", "longest_gap:s", "mark:text",
    ]  # fmt: skip
    rows: list[list[Cell]] = [
        [i, 0.01 * i, 0.01, 0.009, 0.0001, "outlier" if i == 1999 else ""] for i in range(2000)
    ]
    figure = drawn("iteration_times", columns, rows, iteration_median=0.01)
    assert "Drawn: 335 of 2,000." in figure.note
    assert "1 is marked outlier." in figure.description
    assert marks(figure) == 335


def test_which_threads_are_drawn_of_elapsed_time_is_said() -> None:
    timeline = ["line:text", "kind:text", "bin:id", "start:s", "stop:s", "busy:ratio"]
    rows = [[f"thread {line}", "CPU thread", 0, 0.0, 1.0, 0.5] for line in range(8)]
    overview = ["part:text", "time:1", "unit:text", "share:ratio"]
    for unit, words in (
        ("thread-s", "Drawn are 8 of 80 CPU threads, the busiest ones, threads that work first."),
        ("CPU-s", "Drawn are 8 of 80 CPU threads, the busiest ones."),
    ):
        results = {
            name: make_result({"name": name, "columns": columns, "rows": given})
            for name, columns, given in (
                ("time.timeline", timeline, rows),
                ("cpu.overview", overview, [["main", 1.0, unit, 1.0]]),
            )
        }
        threads = {"name": "run.cpu_threads", "unit": "count", "value": 80.0}
        results["run.cpu_threads"] = make_result(threads)
        figure = load_gallery()["timeline_overview"].draw(results)
        assert figure is not None
        assert words in figure.note


def timeline() -> dict[str, Any]:
    case = next(case for case in cases() if case.name == "timeline_overview")
    figure = load_gallery()["timeline_overview"].draw(case.results)
    assert figure is not None
    return make_live_spec("timeline_overview", figure)


def test_a_timeline_begins_with_the_iteration_nearest_to_the_median() -> None:
    spec = timeline()
    shown = {each["name"]: each["value"] for each in spec["params"]}
    assert shown == {"begin": pytest.approx(3.28), "end": pytest.approx(4.32)}
    told = spec["usermeta"][META]
    assert (told["key"], told["whole"], told["unit"]) == ("t", 10.0, 1.0)
    assert [(each["name"], each["begin"], each["end"]) for each in told["places"]] == [
        ("Typical iteration", pytest.approx(3.28), pytest.approx(4.32)),
        ("First iteration", pytest.approx(1.974), pytest.approx(3.326)),
        ("Longest gap", pytest.approx(3.3), pytest.approx(4.2)),
    ]
    assert spec["usermeta"]["embedOptions"] == {"renderer": "canvas"}
    assert "usermeta" not in make_static_spec(spec)


def test_lanes_share_one_axis_that_follows_what_is_shown() -> None:
    domains = [
        view["encoding"]["x"]["scale"]["domain"]
        for view in layers(timeline())
        if "scale" in view.get("encoding", {}).get("x", {})
    ]
    moving = [domain for domain in domains if domain == [{"expr": "begin"}, {"expr": "end"}]]
    still = [domain for domain in domains if domain == [0, 10.0]]
    assert len(moving) + len(still) == len(domains)
    assert len(moving) >= 7
    assert len(still) >= 2


def test_a_zoom_without_places_shows_all() -> None:
    assert Zoom("t", "x", 5.0, 1.0, 0.1, ()).first == (0.0, 5.0)
    assert Zoom("t", "x", 5.0, 1.0, 0.1, (ZoomPlace("here", 1.0, 2.0),)).first == (1.0, 2.0)


@pytest.mark.slow
def test_there_is_a_limit_to_what_is_held() -> None:
    case = next(case for case in cases() if case.name == "timeline_overview")
    figure = load_gallery()["timeline_overview"].draw(case.results)
    assert figure is not None
    rows = [{"a": float(each), "b": each + 1.0} for each in range(MAX_ZOOMED + 1)]
    many = replace(figure, chart=alt.Chart(alt.Data(values=rows)).mark_point())
    with pytest.raises(ContentError, match="6,001 marks"):
        make_live_spec("timeline_overview", many)


# One iteration taken apart: gaps, the part beside the longest one, and what is waited for.


def row(start: float, stop: float, kind: str = "kernel", line: str = "stream 7") -> Record:
    return {
        "line": line, "start": start, "duration": stop - start, "operation": kind, "name": kind,
    }  # fmt: skip


def total(gap: tuple[float, float], busy: float, count: int = 2) -> Record:
    start, stop = gap
    return {**row(start, stop, "GPU idle", TOTAL), "operations": count, "busy": busy}


def test_the_whole_is_what_the_row_of_all_operations_says() -> None:
    """Those drawn may be several each, and streams overlap: nothing is added up here."""
    merged: Record = {**row(0, 4), "operations": 5, "busy": 3.5}
    found = read_iteration([total((4, 9), 4.2, 6), merged, row(9, 10)], 10)
    assert (found.busy, found.count, found.longest_gap) == (4.2, 6, (4, 9))
    assert [(each.count, each.length) for each in found.device] == [(5, 3.5), (1, 1)]


def test_the_part_beside_the_gap_has_more_of_the_work() -> None:
    found = read_iteration([total((4, 9), 2.5), row(1, 2), row(3, 4), row(9, 9.5)], 10)
    assert [*found.longest_gap, *found.beside_gap] == [4, 9, 1, 4]


def test_it_waits_for_what_takes_most_of_the_gap() -> None:
    host = [row(1, 3, "load", HOST), row(3, 9, "random", HOST), row(0, 1, "step", HOST)]
    found = read_iteration([total((1, 9), 2), row(0, 1), row(9, 10), *host], 10)
    cause = found.waits_for()
    assert cause is not None
    assert cause.name == "random"
    assert read_iteration([row(0, 1)], 10).waits_for() is None


def test_what_runs_on_into_the_next_one_makes_it_no_longer() -> None:
    found = read_iteration([row(0, 12)], 10)
    assert (found.length, found.stop) == (10, 12)
    assert read_iteration([row(0, 12)], 0).length == 12


@pytest.mark.parametrize(
    ("kind", "role"),
    [("kernel", "kernels"), ("copy H2D", "copies"), ("memset", "memsets"), ("GPU idle", "other")],
)
def test_kinds_have_the_colours_of_the_other_charts(kind: str, role: str) -> None:
    assert read_iteration([row(0, 1, kind)], 1).device[0].role == role
