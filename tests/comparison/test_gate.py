"""The gate and its baselines: exact counts, times of one job alone, documents that are read."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfolio.common.errors import InputError, OutputError, UsageError
from perfolio.comparison import baseline_file
from perfolio.comparison.baseline_file import (
    check_name,
    is_baseline_text,
    keep_baseline,
    list_baselines,
    load_baseline_schema,
    parse_baseline,
    read_baseline,
    write_baseline,
)
from perfolio.comparison.counted_figures import NAMES
from perfolio.comparison.counted_gate import TITLES, TOLD, find_unlike
from perfolio.comparison.gate import drop_repeated, judge_gate
from perfolio.comparison.gate_verdict import GateFigure, GateVerdict
from perfolio.comparison.run_record import MOST_BYTES, CountedFigure, HostWork, RunRecord
from perfolio.comparison.timed_gate import FLOOR, measure_run_time
from tests.comparison.planted import list_changes, record_run, vary_run
from tests.comparison.support import make_record, make_row

KEPT = Path(__file__).with_name("baseline-1.json")
"""A baseline as version 1 wrote it: every later version reads it."""
FIGURES = st.builds(
    lambda per, value, unit, spread: (
        CountedFigure(per, value, unit=unit)
        if value is None or per == "run"
        else CountedFigure(per, value, max(value - spread, 0), value + spread, unit)
    ),
    st.sampled_from(["iteration", "run"]),
    st.none() | st.integers(0, 10**13),
    st.sampled_from(["count", "B"]),
    st.integers(0, 100),
)
TWO, THREE = [1.0, 1.0], [1.0, 1.0, 1.0]
COUNTED = st.dictionaries(st.sampled_from(NAMES), FIGURES)


def counted(per: str = "iteration", **values: int | None) -> dict[str, CountedFigure]:
    unit = {name: "B" if name.startswith("bytes") else "count" for name in values}
    return {name: CountedFigure(per, value, unit=unit[name]) for name, value in values.items()}  # type: ignore[arg-type]


def run(digest: str = "a", per: str = "iteration", /, **values: int | None) -> RunRecord:
    return make_record([make_row("gemm", 1_000)], digest=digest, counted=counted(per, **values))


def judge(checked: RunRecord, before: RunRecord) -> GateVerdict:
    return judge_gate([checked], [before], against="main")


def figure_of(verdict: GateVerdict, name: str) -> GateFigure:
    return next(figure for figure in verdict.figures if figure.name == name)


def test_every_counted_figure_has_a_title() -> None:
    assert {*TITLES} == {*NAMES}


def test_one_more_is_worse_and_one_run_is_enough() -> None:
    verdict = judge(
        run("b", launches=19, bytes_h2d=4_190_001), run(launches=18, bytes_h2d=4_190_000)
    )
    assert verdict.state == "worse"
    assert [figure.words for figure in verdict.worse] == [
        "19, before 18: 1 more (+5.6 %).",
        "4.19 MB, before 4.19 MB: 1 B more (+<0.01 %).",
    ]
    assert verdict.sentence == (
        "Worse than main: launches in an iteration, bytes copied from host to GPU in an iteration."
    )


def test_less_is_better_and_equal_is_the_same() -> None:
    verdict = judge(run("b", launches=17, copies=0), run(launches=18, copies=0))
    assert verdict.state == "fine"
    assert figure_of(verdict, "launches").words == "17, before 18: 1 less (-5.6 %)."
    assert figure_of(verdict, "copies").words == "0, as before."
    assert verdict.sentence == "Not worse than main: 2 figures are equal or better."
    assert figure_of(judge(run("b", copies=2), run(copies=0)), "copies").words == (
        "2, before 0: 2 more."
    )


@given(values=COUNTED, more=COUNTED)
def test_equal_records_never_fail(
    values: dict[str, CountedFigure], more: dict[str, CountedFigure]
) -> None:
    groups = [
        make_record(digest=str(place), counted=one) for place, one in enumerate((values, more))
    ]
    again = [replace(record, digest=f"again {record.digest}") for record in groups]
    verdict = judge_gate(again, groups, against="x")
    assert verdict.worse == []
    assert not verdict.having("better")


@given(values=COUNTED, name=st.sampled_from(sorted({*NAMES} - TOLD)), more=st.integers(1, 10**6))
def test_any_figure_that_grows_fails(
    values: dict[str, CountedFigure], name: str, more: int
) -> None:
    grown = CountedFigure("iteration", 10 + more)
    before = make_record(counted=values | {name: CountedFigure("iteration", 10)})
    after = make_record(digest="b", counted=values | {name: grown})
    assert [figure.name for figure in judge(after, before).worse] == [name]


def test_more_copies_are_told_and_fail_nobody() -> None:
    verdict = judge(run("b", copies=3, launches=1), run(copies=2, launches=1))
    assert (verdict.state, figure_of(verdict, "copies").outcome) == ("fine", "told")


def test_iterations_that_differ_fail_where_all_have_more() -> None:
    """Ranks that copy ahead move copies from one iteration to the next."""

    def copied(digest: str, usual: int, least: int, most: int) -> RunRecord:
        figure = CountedFigure("iteration", usual, least, most, "B")
        return make_record(digest=digest, counted={"bytes_h2d": figure})

    before = copied("a", 266, 114, 532)
    told = figure_of(judge(copied("b", 304, 114, 532), before), "bytes_h2d")
    assert (told.outcome, told.difference) == ("told", "38 B more (+14.3 %)")
    assert told.reason == "Iterations or repeats differ: 114 B to 532 B before"
    assert figure_of(judge(copied("b", 700, 533, 900), before), "bytes_h2d").outcome == "worse"
    assert figure_of(judge(copied("b", 100, 90, 113), before), "bytes_h2d").outcome == "better"


def test_a_figure_that_differs_between_repeats_fails_nobody() -> None:
    before = [run("a", allocations=5), run("b", allocations=7)]
    same = judge_gate([run("c", allocations=7), run("d", allocations=9)], before, against="x")
    assert same.state == "fine"
    assert "Iterations or repeats differ: 5 to 7 before" in figure_of(same, "allocations").words
    worse = judge_gate([run("c", allocations=8), run("d", allocations=9)], before, against="x")
    assert figure_of(worse, "allocations").difference == "1 more (+14.3 %)"


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        (run(), run("b"), "not measured."),
        (run(launches=None), run("b", launches=3), "not measured before."),
        (run(launches=3), run("b", launches=None), "not measured now."),
        (run(launches=3), run("b", "run", launches=3), "not measured alike: of an iteration"),
    ],
)
def test_what_is_not_measured_alike_is_no_figure(
    before: RunRecord, after: RunRecord, says: str
) -> None:
    verdict = judge(after, before)
    assert figure_of(verdict, "launches").words.startswith(says)
    assert verdict.state == "cannot tell"
    assert "no counted figure was measured on both sides" in verdict.sentence


def test_whole_runs_of_other_lengths_are_not_counted_alike() -> None:
    before, after = (
        replace(run(digest, "run", launches=3, peak_memory=5), conditions={"iterations": length})
        for digest, length in (("a", 5), ("b", 7))
    )
    verdict = judge(after, before)
    assert "different numbers of iterations" in figure_of(verdict, "launches").reason
    assert figure_of(verdict, "peak_memory").outcome == "same"


def test_other_work_is_not_comparable_and_what_is_not_recorded_is_no_difference() -> None:
    before = replace(run(launches=3), conditions={"batch_size": "512", "driver": "1"})
    after = replace(run("b", launches=9), conditions={"batch_size": "<b>", "driver": "2"})
    verdict = judge(after, before)
    assert verdict.state == "cannot tell"
    assert verdict.sentence == (
        "Cannot be told against main: not comparable, batch: 512 before, <b> now."
    )
    assert judge(replace(after, conditions={"batch_size": None}), before).state == "worse"
    assert find_unlike([before, after]) == "batch: 512 and <b>"
    assert find_unlike([before, before]) == ""


@pytest.mark.slow
@pytest.mark.parametrize("sample", ["eight-ranks", "transformer"])
def test_recordings_of_one_program_do_not_fail(sample: str, tmp_path: Path) -> None:
    """Of eight ranks copies are made ahead, in this iteration or the next."""
    made = []
    for seed in range(3):
        (tmp_path / str(seed)).mkdir()
        found = record_run(vary_run(sample, {}, seed), tmp_path / str(seed), "PyTorch")
        made.append(replace(found, digest=str(seed)))
    for before, after in permutations(made, 2):
        assert judge(after, before).state == "fine"


@pytest.mark.slow
def test_a_planted_launch_fails(tmp_path: Path) -> None:
    change = next(one for one in list_changes() if one.what == "more launches")
    made = []
    for seed, entries in enumerate(({}, change.entries)):
        (tmp_path / str(seed)).mkdir()
        found = record_run(vary_run(change.sample, entries, seed), tmp_path / str(seed), "PyTorch")
        made.append(replace(found, digest=str(seed)))
    names = [figure.name for figure in judge(made[1], made[0]).worse]
    assert names == ["launches", "kernels"]


def timed(side: str, times: list[float], start: int = 0, step: int = 2) -> list[RunRecord]:
    """Runs whose iterations last so many seconds, each recorded two seconds after the other."""
    return [
        make_record(
            length=round(time * 1e9),
            digest=f"{side}{place}",
            recorded=f"2026-01-01T00:00:{start + step * place:02}Z",
            counted=counted(launches=3),
        )
        for place, time in enumerate(times)
    ]


def test_times_fail_where_runs_took_turns_and_the_slowdown_is_real() -> None:
    base, slow = timed("a", [1.0, 1.01, 0.99]), timed("b", [1.06, 1.05, 1.07], start=1)
    verdict = judge_gate(slow, [], base, against="the base")
    assert verdict.sentence == "Worse than the base: time of an iteration."
    words = figure_of(verdict, "time").words
    assert words.startswith("1.06 s, before 1.00 s: 60.00 ms more (+6.0 %). So many repeats show ")
    assert judge_gate(base, [], slow, against="x").state == "fine"
    assert judge_gate(slow, [], base, against="x", floor=0.1).state == "fine"


@pytest.mark.parametrize(
    ("base", "checked", "says"),
    [
        (timed("a", TWO), timed("b", THREE, 1), "times need 3 runs on each side, and there are 2"),
        (timed("a", THREE), timed("b", THREE, 30), "of one side were recorded before"),
        (timed("a", THREE), timed("a", THREE, 1), "the same recording is on both sides"),
        (timed("a", THREE), [replace(one, whole=None, rows=()) for one in timed("b", THREE, 1)],
         "a run has no times"),
    ],
)  # fmt: skip
def test_times_that_decide_nothing_cannot_tell(
    base: list[RunRecord], checked: list[RunRecord], says: str
) -> None:
    verdict = judge_gate(checked, [], base, against="the base")
    assert verdict.state == "cannot tell"
    assert says in verdict.sentence


def test_times_against_a_stored_baseline_are_for_information() -> None:
    verdict = judge_gate(timed("b", [2.0] * 5), timed("a", [1.0] * 5), against="main")
    assert verdict.state == "fine"
    assert figure_of(verdict, "time").words.startswith(
        "2.00 s, before 1.00 s: 1.00 s more (+100.0 %). For"
    )


def test_a_recording_that_is_named_twice_counts_once() -> None:
    one = run(launches=3)
    assert drop_repeated([one, one, run("b", launches=3)]) == [one, run("b", launches=3)]


def _simulate(change: float, runs: int, spread: float, pairs: int, tail: str) -> float:
    """The share of jobs that fail: base and head take turns on a machine of the day."""
    generator = np.random.default_rng(7)
    failing = 0
    for _ in range(pairs):
        shape = (2, runs)
        noise = (
            generator.normal(0, 1, shape)
            if tail == "normal"
            else generator.standard_t(3, shape) / np.sqrt(3)
        )
        times = np.exp(spread * noise) * np.exp(generator.normal(0, 0.02))
        base, head = timed("a", list(times[0])), timed("b", list(times[1] * (1 + change)), 1)
        failing += judge_gate(head, [], base, against="x").state == "worse"
    return failing / pairs


@pytest.fixture
def _tail_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the evidence the tail alone, which decides: the rest is told, and takes long."""
    monkeypatch.setattr("perfolio.comparison.run_evidence.find_quantile", lambda *_: 2.0)
    monkeypatch.setattr("perfolio.comparison.run_evidence.count_repeats", lambda *_: None)


@pytest.mark.usefixtures("_tail_alone")
@pytest.mark.parametrize("runs", [3, 5])
@pytest.mark.parametrize("spread", [0.01, 0.03])
@pytest.mark.parametrize("tail", ["normal", "heavy"])
def test_unchanged_jobs_do_not_fail(runs: int, spread: float, tail: str) -> None:
    assert _simulate(0.0, runs, spread, 1_000, tail) <= 0.02


@pytest.mark.usefixtures("_tail_alone")
def test_jobs_that_are_slower_fail() -> None:
    assert _simulate(0.05, 3, 0.01, 300, "normal") >= 0.93
    assert _simulate(0.05, 5, 0.01, 300, "normal") >= 0.98
    assert _simulate(0.05, 5, 0.02, 300, "normal") >= 0.85
    assert _simulate(0.10, 3, 0.02, 300, "normal") >= 0.93


def test_the_time_of_a_run_is_its_median_iteration_or_its_wall_time() -> None:
    record = make_record(length=100, iterations=3)
    assert measure_run_time(record) == pytest.approx(100e-9)
    assert record.whole is not None
    whole = replace(record.whole, basis="wall", wall_ns=700)
    assert measure_run_time(replace(record, whole=whole)) == pytest.approx(700e-9)
    assert measure_run_time(replace(record, whole=None)) is None
    assert FLOOR == 0.03


def test_a_baseline_is_the_same_after_its_file(tmp_path: Path) -> None:
    records = (run("a", launches=3), run("b", launches=3))
    path = keep_baseline("main", records, tmp_path / "baselines")
    assert path == tmp_path / "baselines" / "main.json"
    found = read_baseline(path)
    assert (found.name, found.records) == ("main", records)
    assert is_baseline_text(path.read_text("utf-8"))
    jsonschema.Draft202012Validator(load_baseline_schema()).validate(json.loads(path.read_text()))
    assert path.read_text("utf-8") == write_baseline("main", found.records)


def test_a_baseline_is_replaced_on_request_alone(tmp_path: Path) -> None:
    path = keep_baseline("main", [run(launches=3)], tmp_path)
    with pytest.raises(OutputError, match="there is such a baseline already; add --replace"):
        keep_baseline("main", [run(launches=4)], tmp_path)
    keep_baseline("main", [run(launches=4)], tmp_path, replace=True)
    assert read_baseline(path).records[0].counted["launches"].value == 4
    assert list_baselines(tmp_path) == ["main"]
    assert list_baselines(tmp_path / "nowhere") == []


def test_many_repeats_of_many_kernels_are_folded() -> None:
    names = [f"kernel_{number}_" + "x" * 200 for number in range(800)]
    rows = [make_row(name, 5_000 + place, place) for place, name in enumerate(names)]
    host = tuple(HostWork("launches", (name,), 5, None) for name in names)
    records = [make_record(rows, host=host, digest=str(place)) for place in range(5)]
    text = write_baseline("main", records)
    assert len(text.encode()) <= MOST_BYTES
    kept = parse_baseline(text, "x").records
    assert [one.whole for one in kept] == [one.whole for one in records]


@pytest.mark.parametrize(
    "name", ["", ".", "..", "a/b", "../a", "a\\b", "-a", "a b", "a\n", "<b>", "é", "x" * 65]
)
def test_a_name_is_that_of_a_file(name: str) -> None:
    with pytest.raises(UsageError, match="cannot name a baseline") as caught:
        check_name(name)
    assert "\n" not in str(caught.value)


def _break(change: Callable[[dict[str, Any]], object]) -> str:
    document = json.loads(write_baseline("main", [run(launches=3)]))
    change(document)
    return json.dumps(document)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is no JSON"),
        ("[" * 100_000, "is no JSON"),
        ('{"a": NaN}', "NaN is no number of JSON"),
        ("[]", "is no baseline"),
        ("{}", "is no baseline: .*lacks schema"),
        (_break(lambda one: one.update(schema="perfolio-baseline/9")), "knows up to 1"),
        (_break(lambda one: one.update(schema=7)), "schema: must be"),
        (_break(lambda one: one.update(name="../x")), "name: must look like"),
        (_break(lambda one: one.update(records=[])), "records: must hold at least 1"),
        (_break(lambda one: one["records"].append(3)), "records/1: must be"),
        (_break(lambda one: one["records"].append({})), "run 2: is no run record: .*lacks schema"),
        (_break(lambda one: one["records"][0].update(rows=[])), "run 1: is no run record"),
    ],
)
def test_a_damaged_baseline_is_refused_in_one_line(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says) as caught:
        parse_baseline(text, "main.json")
    assert str(caught.value).startswith("main.json: ")
    assert "\n" not in str(caught.value)


def test_a_missing_baseline_names_those_that_are_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such baseline; make one"):
        read_baseline(tmp_path / "main.json")
    keep_baseline("nightly", [run(launches=3)], tmp_path)
    with pytest.raises(InputError, match="there is no such baseline; there are nightly"):
        read_baseline(tmp_path / "main.json")
    (tmp_path / "latin.json").write_bytes(b"\xff")
    with pytest.raises(InputError, match="is no UTF-8"):
        read_baseline(tmp_path / "latin.json")


def test_what_version_1_wrote_is_read() -> None:
    found = read_baseline(KEPT)
    assert (found.name, len(found.records)) == ("main", 2)
    assert judge_gate(found.records, found.records, against="main").state == "fine"


def test_an_earlier_version_is_brought_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def name_records(document: dict[str, Any]) -> dict[str, Any]:
        return {"records": document.pop("runs"), **document, "schema": "perfolio-baseline/1"}

    old = json.loads(write_baseline("main", [run(launches=3)]))
    old["runs"], old["schema"] = old.pop("records"), "perfolio-baseline/0"
    monkeypatch.setattr(baseline_file, "MIGRATIONS", {0: name_records})
    assert parse_baseline(json.dumps(old), "x").records == (run(launches=3),)
    del old["runs"]
    with pytest.raises(InputError, match="is no baseline: lacks 'runs'"):
        parse_baseline(json.dumps(old), "x")
