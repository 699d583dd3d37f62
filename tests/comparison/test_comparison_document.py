"""The document of a comparison: its verdicts, what it says of bad input, and how it is printed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfolio.cli.commands import compare as command
from perfolio.common.errors import UsageError
from perfolio.comparison import formats
from perfolio.comparison.compared_tables import list_tables
from perfolio.comparison.comparison_document import compare_runs, load_comparison_schema
from perfolio.comparison.formats import load_renderer
from perfolio.comparison.promises import judge_promises
from perfolio.comparison.recording_conditions import describe_setting
from perfolio.comparison.run_record import (
    CountedFigure,
    DividedTime,
    RecordedFigure,
    RecordedFinding,
    RunRecord,
    Setting,
)
from tests.comparison.support import make_record, make_row
from tests.pages.support import HOSTILE

FINDING = RecordedFinding(
    "M9", "kernels", "Fuse kernels", "fired", "high", "gpu", 0.45, "wall time", 0.2, 0.4, 0.45,
    "ratio", 0.4, "above",
)  # fmt: skip
NAMES = st.one_of(st.sampled_from([name[:2_000] for name in HOSTILE]), st.text(max_size=60))


def _make_group(times: list[int], **more: Any) -> list[RunRecord]:
    return [
        make_record([make_row("gemm", time // 2 * 10)], length=time, digest=f"{time}", **more)
        for time in times
    ]


def _judge(before: list[RunRecord], after: list[RunRecord], asked: float = 0.0) -> dict[str, Any]:
    document = compare_runs(before, after, asked)
    jsonschema.Draft202012Validator(load_comparison_schema()).validate(document)
    assert sum(row["difference"] for row in document["waterfall"]) in (
        0,
        document["whole"]["difference"],
    )
    return document


def test_runs_that_are_faster_say_by_how_much() -> None:
    found = _judge(_make_group([1_000, 1_010, 990]), _make_group([800, 805, 810]))
    assert found["verdict"]["kind"] == "faster"
    assert "The runs after take 19.5 % less time" in found["verdict"]["sentence"]
    assert "3 + 3 runs" in found["verdict"]["sentence"]


def test_one_run_against_one_is_two_recordings() -> None:
    found = _judge(_make_group([1_000]), _make_group([800]))
    assert found["verdict"]["kind"] == "recordings-differ"
    assert "differ by -20.0 %" in found["verdict"]["sentence"]
    assert any("5 runs on each side" in note for note in found["verdict"]["details"])


def test_a_recording_counts_once_however_often_it_is_given() -> None:
    before, after = _make_group([1_000]), _make_group([800])
    found = _judge(before * 3, after * 3)
    assert (found["verdict"]["kind"], found["difference"]["runs"]) == ("recordings-differ", [1, 1])
    note = "4 runs are recordings of others of its side: each recording counts once."
    assert found["verdict"]["details"][0] == note
    (outcome,) = [judge_promises(before * 3, after * 3)]
    assert outcome.members == (("1000",), ("800",))


def test_a_recording_on_both_sides_is_no_evidence() -> None:
    shared = _make_group([900])
    found = _judge(_make_group([1_000, 1_010]) + shared, _make_group([600, 601, 602]) + shared)
    assert found["verdict"]["kind"] == "recordings-differ"
    assert found["verdict"]["details"][0].startswith("The same recording is on both sides: ")


def test_the_same_recordings_are_no_difference() -> None:
    group = _make_group([1_000])
    found = _judge(group, group)
    assert found["verdict"]["kind"] == "no-difference"
    assert found["verdict"]["sentence"] == "Both sides are the same recordings."


@pytest.mark.parametrize(
    ("change", "kind", "says"),
    [
        ({"gpu": "A100"}, "not-comparable", "GPU differs (H100, A100)"),
        ({"batch_size": "32"}, "recordings-differ", ""),
        ({"profiler": "HPCToolkit"}, "not-comparable", "profiler differs (Kineto, HPCToolkit)"),
        ({"precision": "bf16"}, "recordings-differ", ""),
        ({"clock": 1.5e9}, "recordings-differ", ""),
    ],
)
def test_a_difference_that_matters_is_the_verdict(
    change: dict[str, Any], kind: str, says: str
) -> None:
    given = {"gpu": "H100", "gpus": 1, "profiler": "Kineto", "precision": "fp32", "clock": 1.9e9}
    before = _make_group([1_000], conditions=given)
    found = _judge(before, _make_group([800], conditions={**given, **change}))
    assert found["verdict"]["kind"] == kind
    assert says in found["verdict"]["sentence"]


def test_what_a_difference_voids_is_said() -> None:
    before = _make_group([1_000], conditions={"clock": 1.9e9, "shapes": "a"})
    after = _make_group([800], conditions={"clock": 1.5e9, "shapes": "b"})
    details = _judge(before, after)["verdict"]["details"]
    assert (
        "Clock while busy differs (1.90 GHz, 1.50 GHz). Durations of kernels follow the clock."
        in (details)
    )
    assert any(note.startswith("Shapes of arguments differs. ") for note in details)
    assert any(note.startswith("Not recorded: GPU, ") for note in details)


def test_values_of_repeats_that_differ_have_their_units() -> None:
    clocks = (1.9e9, 1.901e9, 1.7e9)
    before = [replace(_make_group([10])[0], conditions={"clock": clock}) for clock in clocks]
    before = [replace(one, digest=str(place)) for place, one in enumerate(before)]
    details = _judge(before, _make_group([9], conditions={"clock": 1.5e9}))["verdict"]["details"]
    assert any("(1.90 GHz and 1.70 GHz, 1.50 GHz)" in note for note in details)


def test_of_work_that_is_not_recorded_no_cause_is_named() -> None:
    (before,), (after,) = _make_group([1_000]), _make_group([800])
    assert after.whole is not None
    assert _judge([before], [after])["causes"]
    found = _judge([before], [replace(after, whole=replace(after.whole, doubts=("graphs",)))])
    assert found["causes"] == []
    assert any("recorded: graphs. No cause" in note for note in found["verdict"]["details"])
    assert not any("below 2 %" in note for note in found["verdict"]["details"])


def test_promises_of_the_report_before_are_judged() -> None:
    promised = replace(FINDING, whole="wall", steady=0.5)
    passed = replace(FINDING, status="passed", severity=None, bound=None)
    sides = _make_group([100], findings=(promised,)), _make_group([80], findings=(passed,))
    (found,) = _judge(*sides)["promises"]
    assert (found["kind"], found["saved"]) == ("kept", pytest.approx(0.2))
    assert found["sentence"].startswith("M9 Fuse kernels: kept; the runs saved 20.0 % of an iter")
    untold = _make_group([80])
    assert _judge(sides[0], untold)["promises"][0]["kind"] == "may-have-been-taken"
    named = compare_runs(sides[0], untold, took=["kernels"])
    assert named["promises"][0]["kind"] == "kept"
    with pytest.raises(UsageError, match="the report has no step 'Z9'; it has M9"):
        compare_runs(*sides, took=["Z9"])
    for form, row in (
        ("text", "M9    Fuse kernels  kept     20.0 %  50.0 % of an iteration  10.0 % to 20.0 %"),
        ("markdown", "| M9 | Fuse kernels | kept | 20.0 % | 50&#46;0 % of an iteration | "),
    ):
        text = load_renderer(form)(named)
        assert "What came of the promises\n" in text
        assert row in text


def test_an_empty_side_is_named() -> None:
    with pytest.raises(UsageError, match="after: holds no run"):
        compare_runs(_make_group([10]), [])


def test_reports_without_recordings_are_compared_by_a_figure() -> None:
    def report(value: float, name: str = "time.iteration_median") -> RunRecord:
        figure = RecordedFigure(name, "Median iteration", "s", "lower", value, is_key=True)
        return make_record(figures=(figure,), digest=str(value))

    found = _judge([report(0.1)], [report(0.08)])
    assert found["whole"]["basis"] == "figure time.iteration_median"
    assert found["waterfall"] == []
    assert (found["whole"]["before"], found["whole"]["after"]) == (100_000_000, 80_000_000)
    with pytest.raises(UsageError, match="no time in common"):
        compare_runs([report(0.1)], [report(0.1, "gpu.launches")])


def test_gpus_are_not_compared_with_main_threads() -> None:
    (record,) = _make_group([1_000])
    assert record.whole is not None
    other = replace(record, digest="other", whole=replace(record.whole, of="main thread"))
    found = _judge([record], [other])
    assert found["verdict"]["kind"] == "not-comparable"
    assert "whose time is divided differs (GPU, main thread)" in found["verdict"]["sentence"]
    assert found["waterfall"] == []


def test_an_iteration_is_not_compared_with_a_whole_run() -> None:
    (record,) = _make_group([1_000])
    whole = DividedTime("wall", "GPU", 1, 10_000, 1, (10_000,), 10_000)
    found = _judge([record], [replace(record, digest="other", whole=whole)])
    assert found["verdict"]["kind"] == "not-comparable"
    assert found["whole"]["basis"] == "wall"


def test_sides_without_a_common_kernel_say_so() -> None:
    before = make_record([make_row("gemm", 100, path=())], digest="1")
    after = make_record([make_row("sort", 100, path=(), kind="sort")], digest="2")
    found = _judge([before], [after])
    assert "The sides have no kernel in common." in found["verdict"]["details"]
    assert found["matched_share"] == {"before": 0.0, "after": 0.0}


def test_counted_figures_are_compared_exactly() -> None:
    def count(value: int | None) -> dict[str, CountedFigure]:
        return {"launches": CountedFigure("iteration", value, value, value)}

    (one,) = _judge(_make_group([10], counted=count(5)), _make_group([20], counted=count(7)))[
        "counted"
    ]
    assert (one["before"], one["after"], one["difference"]) == (5, 7, 2)
    (one,) = _judge(_make_group([10], counted=count(5)), _make_group([20], counted=count(None)))[
        "counted"
    ]
    assert (one["after"], one["difference"]) == (None, None)


def test_a_figure_of_whole_runs_differs_only_where_they_are_as_long() -> None:
    figure = {"bytes_h2d": CountedFigure("run", 50, unit="B")}
    before = _make_group([10], counted=figure, conditions={"iterations": 10})
    for iterations, difference in ((10, 0), (20, None)):
        after = _make_group([20], counted=figure, conditions={"iterations": iterations})
        (one,) = _judge(before, after)["counted"]
        assert (one["before"], one["after"], one["difference"]) == (50, 50, difference)
    other = {"bytes_h2d": CountedFigure("iteration", 5, unit="B")}
    (one,) = _judge(before, _make_group([20], counted=other))["counted"]
    assert (one["per"], one["after"], one["difference"]) == ("run", None, None)


def test_a_figure_that_is_no_key_figure_of_a_side_is_not_called_unmeasured() -> None:
    figure = RecordedFigure("gpu.moving", "Moving", "ratio", "lower", 0.4, is_key=True)
    found = _judge(_make_group([10], figures=(figure,)), _make_group([20]))
    (table,) = [one for one in list_tables(found) if one.title == "Key figures"]
    assert table.rows == (("Moving", "40.0 %", "–"),)


@pytest.mark.parametrize(
    ("after", "fate"),
    [
        ({}, "unchanged"),
        ({"value": 0.6}, "worse"),
        ({"value": 0.41}, "better"),
        ({"severity": "medium"}, "better"),
        ({"severity": "critical"}, "worse"),
        ({"status": "passed", "severity": None}, "gone"),
        ({"status": "not_evaluated", "severity": None, "value": None}, "not evaluated any more"),
    ],
)
def test_what_became_of_a_finding(after: dict[str, Any], fate: str) -> None:
    before = _make_group([10], findings=(FINDING,))
    group = _make_group([20], findings=(replace(FINDING, **after),))
    (found,) = _judge(before, group)["findings"]
    assert found["fate"] == fate


def test_a_finding_that_fires_only_after_is_new() -> None:
    passed = replace(FINDING, status="passed", severity=None)
    before, after = _make_group([10], findings=(passed,)), _make_group([20], findings=(FINDING,))
    assert _judge(before, after)["findings"][0]["fate"] == "new"
    assert _judge(_make_group([10]), after)["findings"][0]["fate"] == "new"
    assert _judge(before, before)["findings"] == []


def test_the_command_offers_all_formats() -> None:
    assert sorted({*formats.list_formats(), *command._OF_CHECKS}) == list(command.FORMATS)


@pytest.mark.parametrize("form", formats.list_formats())
@given(name=NAMES)
def test_any_name_is_printed(form: str, name: str) -> None:
    def group(time: int) -> list[RunRecord]:
        row = make_row(name, time * 10, path=(name,), kind=name)
        return [
            make_record(
                [row], slug=name, digest=f"{time}", conditions={"model": f"{name}{time}"},
                findings=(replace(FINDING, title=name),),
            )
        ]  # fmt: skip

    text = load_renderer(form)(compare_runs(group(100), group(200)))
    text.encode("utf-8", "replace")
    if form != "json":
        assert all(c in "\n\u200b" or c.isprintable() for c in text)
    if form == "markdown":
        assert "<" not in text


def test_sides_are_chosen_by_place_or_by_option() -> None:
    repeat = command.repeat_options
    assert repeat(["--before", "a", "b", "--after", "c", "--format", "json", "d"]) == [
        "--before", "a", "--before", "b", "--after", "c", "--format", "json", "d",
    ]  # fmt: skip
    assert repeat(["a", "b"]) == ["a", "b"]


def test_tables_say_causes_parts_and_rows() -> None:
    before = [make_row("gemm", 8_000), make_row("copy", 2_000, part="copy", kind="copy H2D")]
    after = [make_row("gemm", 8_010), make_row("copy", 1_000, part="copy", kind="copy H2D")]
    document = compare_runs(
        [make_record(before, digest="1")], [make_record(after, digest="2")], 0.0
    )
    text = load_renderer("text")(document)
    assert "  -100.00 ns  101.0 %  copy    copy H2D  slower or faster\n" in text
    markdown = load_renderer("markdown")(document)
    assert "| copy | copy H2D | 200.0 ns | " in markdown


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("ranks", 0, "not recorded"),
        ("ranks", 8, "8"),
        ("clock", 1.97e9, "1.97 GHz"),
        ("pc_sampling", False, "off"),
        ("gpu", None, "not recorded"),
        ("gpu", "a\nb", "a b"),
    ],
)
def test_a_condition_is_said_with_its_unit(name: str, value: Setting, said: str) -> None:
    assert describe_setting(name, value).replace("\N{NO-BREAK SPACE}", " ") == said
