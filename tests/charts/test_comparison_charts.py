"""Charts of a comparison: bars that add up, frames that hold both sides, dots of runs."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from perfolio.charts.comparison import (
    difference_icicle,
    promise_ranges,
    run_times,
    time_waterfall,
)
from perfolio.charts.comparison.comparison_figure import FATES
from perfolio.charts.comparison.difference_icicle import follow_difference, make_tree
from perfolio.charts.comparison.part_words import name_part
from perfolio.charts.comparison.time_waterfall import choose_start, make_steps
from perfolio.charts.comparison_rendering import (
    CHARTS,
    render_comparison_charts,
    render_promise_chart,
)
from perfolio.comparison.promise_record import list_shown_steps
from tests.comparison.documents import make_document, make_pairs

HOSTILE = '"><script>window.hacked = 1</script> {{ 7 * 7 }} '


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return make_document()


def test_all_are_drawn_with_their_data(document: dict[str, Any]) -> None:
    charts = render_comparison_charts(document)
    assert list(charts) == list(CHARTS)
    for chart in charts.values():
        assert all((chart.title, chart.description, chart.note))
        assert chart.svg.startswith("<svg")
        assert "config" not in json.loads(chart.spec), "the page's theme decides"
    rows = list(csv.DictReader(io.StringIO(charts["difference_icicle"].csv)))
    assert len(rows) == len(document["waterfall"])
    summed = sum(int(row["difference (ns)"]) for row in rows)
    assert summed == document["whole"]["difference"]


def test_each_bar_begins_where_the_one_above_ends(document: dict[str, Any]) -> None:
    first, *steps, last = make_steps(document)
    assert (first.end, last.end) == (document["whole"]["before"], document["whole"]["after"])
    assert (steps[0].begin, steps[-1].end) == (first.end, last.end)
    assert all(one.end == other.begin for one, other in pairwise(steps))


def test_small_differences_cut_the_axis_and_say_so(document: dict[str, Any]) -> None:
    start = choose_start(make_steps(document))
    assert 0 < start < document["whole"]["after"]
    drawn = time_waterfall.draw(document)
    assert drawn is not None
    assert "not at zero" in drawn.figure.note
    large = {**document, "parts": [{**part, "difference": 0} for part in document["parts"]]}
    assert time_waterfall.draw(large) is None


def test_the_others_are_one_bar(document: dict[str, Any]) -> None:
    part = {"part": "kernel", "before": 100, "after": 200, "difference": 100}
    parts = [{**part, "kind": f"kind {number}"} for number in range(12)]
    whole = {**document["whole"], "before": 10_000, "after": 11_200, "difference": 1_200}
    steps = make_steps({**document, "parts": parts, "whole": whole})
    assert len(steps) == 2 + time_waterfall.MOST + 1
    assert (steps[-2].name, steps[-2].end - steps[-2].begin) == ("4 other parts", 400)


def test_frames_are_as_wide_as_the_larger_side(document: dict[str, Any]) -> None:
    root = make_tree(document)
    whole = document["whole"]
    assert (root.before, root.after) == (whole["before"], whole["after"])
    assert root.width >= max(root.before, root.after)
    for frame in root.below.values():
        assert frame.width <= root.width
        assert sum(each.width for each in frame.below.values()) == frame.width
    path = follow_difference(root)
    assert abs(path[0].difference) >= abs(path[-1].difference) > 0
    fates = {frame.fate for part in root.below.values() for frame in part.below.values()}
    assert fates <= set(FATES)


def test_the_live_tree_has_all_times_of_both_sides(document: dict[str, Any]) -> None:
    drawn = difference_icicle.draw(document)
    assert drawn is not None
    tree = drawn.figure.tree
    assert tree is not None
    nodes, whole = tree["nodes"], document["whole"]
    assert (tree["before"], tree["whole"]) == (whole["before"], whole["after"])
    for side, amount in (("before", whole["before"]), ("value", whole["after"])):
        sums = [0] * len(nodes["in"])
        for parent, own in zip(nodes["in"], nodes[side], strict=True):
            if parent >= 0:
                sums[parent] += own
        outermost = zip(nodes["in"], nodes[side], strict=True)
        assert sum(own for parent, own in outermost if parent < 0) == amount
        assert all(below <= own for below, own in zip(sums, nodes[side], strict=True))


def test_runs_are_dots_where_a_side_has_several(document: dict[str, Any]) -> None:
    drawn = run_times.draw(document)
    assert drawn is not None
    assert drawn.figure.title.startswith("The runs of both sides lie apart")
    assert len(drawn.rows) == 6
    assert run_times.draw(make_document(runs=1)) is None


def test_reports_without_times_have_no_charts(document: dict[str, Any]) -> None:
    runs = [{**run, "time_ns": None} for run in document["before"]]
    bare = {**document, "parts": [], "waterfall": [], "before": runs}
    assert render_comparison_charts(bare) == {}


def test_steps_that_were_taken_alone_are_rows_in_their_order() -> None:
    steps = list_shown_steps(make_pairs(), {})
    drawn = promise_ranges.draw(steps)
    assert drawn is not None
    assert drawn.figure.title == "1 of 3 savings in the range, 1 above the bound"
    assert [(row[0], row[2], row[5]) for row in drawn.rows] == [
        ("2026-05-01", "M9", 0.3),
        ("2026-05-02", "M9", 0.45),
        ("2026-05-03", "M9", -0.05),
        ("2026-05-03", "X1", -0.05),
    ]
    ranges = drawn.figure.chart.to_dict()["layer"][0]
    fates = [row["fate"] for row in ranges["data"]["values"]]
    outside, one_case = promise_ranges.OUTSIDE, promise_ranges.ONE_CASE
    assert fates == [promise_ranges.INSIDE, outside, outside, one_case]
    assert promise_ranges.draw(steps[-1:]) is None
    assert render_promise_chart(steps[-1:]) == {}


def test_many_steps_and_great_losses_stay_within_the_chart() -> None:
    (step, _) = list_shown_steps(make_pairs()[2:3], {})
    lost = replace(step, outcome=replace(step.outcome, saved=-1e9))
    drawn = promise_ranges.draw([lost] * (promise_ranges.MOST + 5))
    assert drawn is not None
    assert len(drawn.rows) == promise_ranges.MOST + 5
    spec = drawn.figure.chart.to_dict()
    marks = spec["layer"][1]["data"]["values"]
    assert len(marks) == promise_ranges.MOST
    assert {row["saved"] for row in marks} == {-100.0}
    assert drawn.figure.note.endswith("The latest 40.")


def test_names_are_data_and_nothing_else() -> None:
    for chart in render_comparison_charts(make_document(HOSTILE)).values():
        assert "<script>" not in chart.svg


@pytest.mark.parametrize(
    ("part", "kind", "words"),
    [
        ("kernel", "product", "Matrix products"),
        ("kernel", "fused", "Fused kernels"),
        ("copy", "copy H2D", "Copies, host to device"),
        ("copy", "memset", "Memsets"),
        ("idle", "loads input", "GPU idle (data loading)"),
        ("collective wait", "rank 2", "Waiting for rank 2"),
        ("collective", "collective", "Transfer in collectives"),
        ("main thread", "data", "Main threads, data loading"),
    ],
)
def test_parts_have_names_of_the_field(part: str, kind: str, words: str) -> None:
    assert name_part(part, kind) == words
