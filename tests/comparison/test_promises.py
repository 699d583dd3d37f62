"""Promises: what came of steps of a report, and the traps in telling so."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfolio.common.errors import InputError, UsageError
from perfolio.comparison import promise_file
from perfolio.comparison.promise_file import (
    add_pair,
    keep_promises,
    load_promises_schema,
    parse_promises,
    read_promises,
    write_promises,
)
from perfolio.comparison.promise_record import (
    PairOutcome,
    PromisedStep,
    ReplayedRange,
    StepOutcome,
)
from perfolio.comparison.promises import bound_together, judge_promises, list_promised_steps
from perfolio.comparison.range_coverage import (
    RangeCoverage,
    learn_ranges,
    measure_coverage,
    measure_methods,
)
from perfolio.comparison.record_extraction import extract_record
from perfolio.comparison.run_record import (
    KeptStep,
    RecordedFigure,
    RecordedFinding,
    RunRecord,
    read_record,
    write_record,
)
from perfolio.readers import registry
from perfolio.store.database import open_store
from tests.comparison.support import make_record
from tests.functional.conftest import called
from tests.kit.samples import PROFILES, SCENARIOS, documents_at, simulated_sample, store_at

M9 = RecordedFinding(
    code="M9", slug="moving", title="Fuse kernels", status="fired", severity="high",
    cause="gpu.kernels.moving", bound=0.40, denominator="a typical iteration", low=0.5, high=0.9,
    value=0.6, unit="ratio", threshold=0.4, direction="above", whole="iteration",
)  # fmt: skip
X1 = replace(M9, code="X1", slug="copies", title="Hide copies", bound=0.20, low=0.8, high=1.0)


def run(digest: str, length: int, *findings: RecordedFinding, **more: Any) -> RunRecord:
    return make_record(digest=digest, slug=digest, length=length, findings=findings, **more)


def passed(finding: RecordedFinding) -> RecordedFinding:
    return replace(finding, status="passed", severity=None, bound=None, low=None, high=None)


def judge(before: RunRecord, after: RunRecord, *took: str) -> dict[str, StepOutcome]:
    return {one.step.code: one for one in judge_promises([before], [after], took).steps}


@pytest.mark.parametrize(
    ("after", "kind"),
    [(70, "kept"), (79, "kept"), (60, "kept"), (81, "kept"), (85, "fell-short"),
     (110, "fell-short"), (59, "kept"), (55, "exceeded-bound")],
)  # fmt: skip
def test_a_step_that_was_taken_is_judged_by_its_range(after: int, kind: str) -> None:
    """It promised 20 to 40 % of 100 ns; one run a side tells 2 %."""
    found = judge(run("a", 100, M9), run("b", after, passed(M9)))["M9"]
    assert found.kind == kind
    assert found.saved == pytest.approx(1 - after / 100)
    assert "it can save 40.0 % at most, usually 20.0 % to 36.0 %" in found.words


@pytest.mark.parametrize(
    ("value", "kind"), [(0.6, "not-taken"), (0.51, "not-taken"), (0.49, "kept"), (0.1, "kept")]
)
def test_a_step_whose_value_went_half_of_the_way_was_taken(value: float, kind: str) -> None:
    assert judge(run("a", 100, M9), run("b", 70, replace(M9, value=value)))["M9"].kind == kind
    below = replace(M9, value=0.2, threshold=0.4, direction="below")
    mirrored = replace(below, value=0.8 - value)
    assert judge(run("a", 100, below), run("b", 70, mirrored))["M9"].kind == kind


def test_a_rule_that_is_not_evaluated_may_have_been_answered() -> None:
    """Trap (a): its pattern may be gone; taken with another, it does not make that exceed."""
    gone = replace(passed(M9), status="not_evaluated")
    for later in ((gone,), ()):
        found = judge(run("a", 100, M9), run("b", 70, *later))["M9"]
        assert (found.kind, found.reason) == (
            "may-have-been-taken",
            "its rule is not evaluated any more",
        )
    both = judge(run("a", 100, M9, X1), run("b", 55, gone, passed(X1)))
    assert both["X1"].kind == "cannot-tell"
    assert both["X1"].reason == "its bound holds only if M9 was taken too"
    assert judge(run("a", 100, M9, X1), run("b", 30, gone, passed(X1)))["X1"].kind == (
        "exceeded-bound"
    )
    assert judge(run("a", 100, M9), run("b", 70, gone), "M9")["M9"].kind == "kept"


def test_what_was_learned_from_a_pair_is_no_promise_for_it() -> None:
    """Trap (b)."""
    before, after = [run("a", 100, M9)], [run("b", 70, passed(M9))]
    (found,) = judge_promises(before, after, leave_out=["M9"]).steps
    assert (found.kind, found.step.low, found.in_range) == ("kept", None, None)
    pairs = [
        judge_promises([run(f"a{n}", 100, M9)], [run(f"b{n}", 100 - n, passed(M9))])
        for n in (20, 24, 28, 36)
    ]
    learned, others = learn_ranges(pairs)["M9"], learn_ranges(pairs, "a36")["M9"]
    assert [learned.low, learned.high, others.high] == pytest.approx([0.5, 0.9, 0.7])
    assert (learned.cases, others.cases, learned.source) == (4, 3, "project")
    assert learn_ranges(pairs[:2]) == {}


def test_a_run_of_a_group_learns_nothing_from_the_outcome_of_that() -> None:
    pairs = [
        judge_promises(
            [run(f"a{n}", 100, M9), run(f"again{n}", 100, M9)], [run(f"b{n}", 100 - n, passed(M9))]
        )
        for n in (20, 24, 28, 36)
    ]
    kept = parse_promises(write_promises(pairs), "here")
    assert learn_ranges(kept, "b36")["M9"].cases == 4
    for member in ("a36", "again36"):
        assert learn_ranges(kept, member)["M9"].high == pytest.approx(0.7)


def test_pairs_without_their_members_are_read() -> None:
    pair = judge_promises([run("a", 100, M9)], [run("b", 70, passed(M9))])
    document = json.loads(write_promises([pair]))
    del document["pairs"][0]["members"]
    assert parse_promises(json.dumps(document), "here") == [replace(pair, members=((), ()))]


def replayed(low: float, high: float, *, is_plain: bool = False) -> RecordedFinding:
    """A finding whose step a replay expects to save so much."""
    return replace(M9, replayed=ReplayedRange(low, high, is_plain))


def unprofiled(length: float) -> RecordedFigure:
    name = "steps.unprofiled"
    return RecordedFigure(name, "", "s", "lower", length, None, None, is_key=False)


@pytest.mark.parametrize(
    ("after", "kind", "held"),
    [(70, "kept", True), (72, "kept", True), (75, "fell-short", False), (65, "kept", False),
     (59, "kept", False), (55, "exceeded-bound", False)],
)  # fmt: skip
def test_a_replay_is_judged_by_its_own_range(after: int, kind: str, *, held: bool) -> None:
    """It said 29 to 31 %, whatever such steps reached elsewhere; one run a side tells 2 %."""
    found = judge(run("a", 100, replayed(0.29, 0.31)), run("b", after, passed(M9)))["M9"]
    assert judge(run("a", 100, M9), run("b", 75, passed(M9)))["M9"].in_range
    assert (found.step.method, found.kind, found.in_range) == ("replay", kind, held)
    assert "replayed 29.0 % to 31.0 %" in found.words


def test_a_step_that_saves_nothing_as_replayed_keeps_that() -> None:
    nothing = replayed(-0.005, 0.005)
    for after, kind in ((100, "kept"), (101, "kept"), (104, "fell-short")):
        found = judge(run("a", 100, nothing), run("b", after, passed(M9)), "M9")["M9"]
        assert found.kind == kind


def test_a_replay_without_the_profiler_is_held_against_that() -> None:
    """As recorded it saves 10 %, without the profiler 30 %."""
    told = replayed(0.29, 0.31, is_plain=True)
    before = run("a", 100, told, figures=(unprofiled(1.0),))
    after = run("b", 90, passed(M9), figures=(unprofiled(0.7),))
    found = judge(before, after)["M9"]
    assert (found.kind, found.in_range) == ("kept", True)
    assert found.saved == pytest.approx(0.1)
    assert found.measured == pytest.approx(0.3)
    unknown = judge(before, run("b", 90, passed(M9)))["M9"]
    assert (unknown.kind, unknown.in_range, unknown.measured) == ("kept", None, None)
    pair = judge_promises([before], [after])
    assert parse_promises(write_promises([pair]), "x") == [pair]


def test_replays_neither_learn_from_shares_nor_teach_them() -> None:
    told = replayed(0.29, 0.31)
    (found,) = judge_promises([run("a", 100, told)], [run("b", 70, passed(M9))], (), ["M9"]).steps
    assert (found.step.low, found.step.high) == (0.29, 0.31)
    pairs = [
        judge_promises([run(f"a{n}", 100, told)], [run(f"b{n}", 100 - n, passed(M9))])
        for n in (20, 24, 28, 36)
    ]
    learned = learn_ranges(pairs)["M9"]
    assert [learned.low, learned.high] == pytest.approx([0.5, 0.9])  # of what was measured


def test_each_way_to_promise_has_its_own_count_and_error() -> None:
    bounded = replace(M9, low=None, high=None)
    pairs = [
        judge_promises([run(f"a{place}", 100, finding)], [run(f"b{place}", after, passed(M9))])
        for place, (finding, after) in enumerate([
            (replayed(0.29, 0.31), 70), (replayed(0.29, 0.31), 60), (replayed(0.29, 0.31), 67),
            (M9, 70), (M9, 90), (bounded, 70), (bounded, 50),
        ])
    ]  # fmt: skip
    found = measure_methods(outcome for pair in pairs for outcome in pair.steps)
    assert [(one.method, one.held, one.judged) for one in found] == [
        ("replay", 1, 3), ("share", 1, 2), ("bound", 1, 2),
    ]  # fmt: skip
    assert [one.error for one in found] == pytest.approx([0.03, 0.10, 0.10])
    assert found[0].words == "By replay of the run: 1 of 3 held, off by 3.0 % in the median."


def test_a_record_has_what_a_replay_said(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    for finding in (M9, replayed(-0.01, 0.31, is_plain=True)):
        record = run("a", 100, finding)
        path.write_text(write_record(record), "utf-8")
        assert read_record(path).findings == record.findings
        assert ('"replayed"' in path.read_text("utf-8")) == (finding.replayed is not None)


def _forget_iterations(record: RunRecord) -> RunRecord:
    assert record.whole is not None
    return replace(record, whole=replace(record.whole, basis="wall"))


def test_a_run_without_iterations_is_judged_by_its_wall_time() -> None:
    """Trap (c)."""
    of_wall = replace(M9, denominator="wall time", whole="wall", steady=0.5)
    before, after = map(_forget_iterations, (run("a", 100, of_wall), run("b", 70, passed(M9))))
    found = judge(before, after)["M9"]
    assert (found.step.whole, found.kind) == ("wall", "kept")
    assert found.saved == pytest.approx(0.3)
    of_iteration = replace(before, findings=(M9,))
    assert judge(of_iteration, after)["M9"].reason == "a run has no iterations"
    report = replace(after, whole=None, rows=())
    assert judge(before, report)["M9"].reason == "a run has no times"


def test_each_step_is_judged_by_its_own_whole() -> None:
    """Trap (d): nine tenths of the wall time are of iterations; start-up is none of it."""
    words = "wall time; start-up included"
    of_wall = replace(M9, denominator=words, whole="wall", bound=0.36, steady=0.4)
    start = replace(of_wall, code="D9", slug="start", cause="host.start", steady=None)
    work = replace(M9, code="C3", slug="work", denominator="CPU time of all threads", whole="work")
    steps = {
        one.code: one for one in list_promised_steps(*([run("a", 100, of_wall, start, work)],) * 2)
    }
    told = steps["M9"]
    assert told.whole == "iteration"
    assert [told.low, told.high, told.bound] == pytest.approx([0.2, 0.36, 0.4])
    assert steps["M9"].said == "36.0 % of wall time"
    assert (steps["D9"].whole, steps["D9"].bound) == ("wall", 0.36)
    found = judge(
        run("a", 100, of_wall, start, work), run("b", 70, *map(passed, (M9, start, work)))
    )
    assert found["M9"].kind == "kept"
    assert found["C3"].reason == "its bound is a part of something that records do not have"
    longer = run("b", 70, passed(start), conditions={"iterations": 7})
    assert "different numbers of iterations" in judge(run("a", 100, start), longer)["D9"].reason


def test_the_same_run_twice_took_no_step() -> None:
    """Trap (e), whatever somebody says."""
    pair = judge_promises([run("a", 100, M9)], [run("a", 100, M9)], ["M9"])
    assert [one.kind for one in pair.steps] == ["not-taken"]
    assert pair.reason == "the same recording is on both sides"


def test_steps_that_were_taken_together_are_judged_together() -> None:
    found = judge(run("a", 100, M9, X1), run("b", 50, passed(M9), passed(X1)))
    assert {one.kind for one in found.values()} == {"kept"}
    assert found["M9"].together == ("X1",)
    assert found["M9"].in_range is None
    assert "together with X1" in found["M9"].words
    assert judge(run("a", 100, M9, X1), run("b", 90, passed(M9), passed(X1)))["M9"].kind == (
        "fell-short"
    )


def test_steps_together_save_no_more_than_the_roadmap_says() -> None:
    """Each alone 40 and 20 %, both 45 %, since they are about the same time; X9 comes on top."""
    roadmap = (
        KeptStep("M9", ("G8",), 0.3, 0.4),
        KeptStep("X1", (), 0.4, 0.45),
        KeptStep("T1", (), 0.8, 0.9),
    )
    before = run("a", 100, M9, X1, steps=roadmap)
    for after, kind in ((58, "kept"), (50, "exceeded-bound")):
        found = judge(before, run("b", after, passed(M9), passed(X1)))
        assert {one.kind for one in found.values()} == {kind}
    steps = {one.code: one for one in list_promised_steps([before])}
    both = [steps["M9"], steps["X1"]]
    assert bound_together(both, roadmap) == 0.45
    assert bound_together(both, ()) == pytest.approx(0.6)
    assert bound_together([replace(one, whole="wall") for one in both], roadmap) == 0.4
    more = [*both, replace(steps["X1"], code="X9", bound=0.1)]
    assert bound_together(more, roadmap) == pytest.approx(0.55)
    assert bound_together([replace(steps["X1"], code="G8")], roadmap) == 0.2
    assert bound_together([replace(steps["M9"], bound=0.5)], roadmap) == 0.5
    unknown = (KeptStep("M9", (), None, None), KeptStep("X1", (), None, None))
    assert bound_together(both, unknown) == pytest.approx(0.6)


def test_limits_small_findings_and_what_is_not_bounded_promise_nothing() -> None:
    others = (
        replace(M9, code="G1", is_limit=True),
        replace(M9, code="A1", severity="info"),
        replace(M9, code="A2", bound=None),
        passed(M9),
    )
    assert list_promised_steps([run("a", 100, *others)]) == []


def test_other_work_and_unknown_names_are_told() -> None:
    before = run("a", 100, M9, conditions={"batch_size": "1"})
    pair = judge_promises([before], [run("b", 70, passed(M9), conditions={"batch_size": "2"})])
    assert pair.reason == "not comparable, batch: 1 before, 2 now"
    assert pair.steps[0].kind == "cannot-tell"
    with pytest.raises(UsageError, match="the report has no step 'Z9'; it has M9"):
        judge_promises([before], [before], ["Z9"])


def test_repeats_tell_more_than_one_run() -> None:
    def runs(side: str, length: int, finding: RecordedFinding) -> list[RunRecord]:
        return [run(f"{side}{n}", length * 10_000 + n, finding) for n in range(3)]

    (found,) = judge_promises(runs("a", 100, M9), runs("b", 59, passed(M9))).steps
    assert found.kind == "exceeded-bound"


@given(after=st.integers(1, 300), bound=st.floats(0.01, 1.0), low=st.none() | st.floats(0.0, 1.0))
def test_every_outcome_is_one_and_is_kept(after: int, bound: float, low: float | None) -> None:
    step = replace(M9, bound=bound, low=low, high=None if low is None else 1.0)
    pair = judge_promises([run("a", 100, step)], [run("b", after, passed(M9))])
    assert parse_promises(write_promises([pair]), "x") == [pair]
    (found,) = pair.steps
    if found.kind == "exceeded-bound":
        assert found.saved is not None
        assert found.saved > bound


def test_coverage_counts_steps_that_were_taken_alone() -> None:
    pairs = [
        judge_promises([run("a", 100, M9)], [run("b", after, passed(M9))])
        for after in (70, 62, 80, 90)
    ]
    assert measure_coverage(pairs) == RangeCoverage(2, 4)
    assert measure_coverage(pairs).share == 0.5
    assert measure_coverage([]).share is None


@pytest.mark.parametrize(
    ("inside", "judged", "says"),
    [
        (0, 0, "nothing is known of ranges"),
        (2, 2, "So few savings do not tell"),
        (15, 15, "So few savings do not tell"),
        (16, 16, "Ranges can be relied on"),
        (3, 10, "Do not rely on ranges"),
        (6, 10, "So few savings do not tell"),
    ],
)
def test_coverage_concludes_what_its_interval_allows(inside: int, judged: int, says: str) -> None:
    assert says in RangeCoverage(inside, judged).conclusion


def test_one_case_is_no_range() -> None:
    """Half of all outcomes save less than one other: they do not fall short."""
    once = replace(M9, low=0.9, high=0.9)
    found = judge(run("a", 100, once), run("b", 90, passed(M9)))["M9"]
    assert (found.kind, found.in_range) == ("kept", None)
    assert judge(run("a", 100, once), run("b", 110, passed(M9)))["M9"].kind == "fell-short"


REAL = {
    ("dlrm-h100-timed", "dlrm-h100-workers"): {"G9": "kept", "D8": "kept"},
    ("dlrm-h100-workers", "dlrm-h100-pinned"): {"X1": "kept", "X6": "kept", "L1": "not-taken"},
    ("dlrm-h100-pinned", "dlrm-h100-graphs"): {"L1": "may-have-been-taken"},
    ("transformer", "transformer-fused"): {"L8": "may-have-been-taken"},
    ("transformer-h100", "transformer-h100-compiled"): {"M9": "kept", "S1": "not-taken"},
}


def _record(name: str) -> RunRecord:
    path = simulated_sample(name).folder if name in SCENARIOS else registry.find(PROFILES / name)[0]
    documents = documents_at(path)
    with open_store(store_at(path), reproducible=True) as connection:
        return extract_record(connection, 1, documents.findings)


@pytest.mark.slow
@pytest.mark.parametrize("names", REAL, ids="-".join)
def test_steps_of_the_samples(names: tuple[str, str]) -> None:
    before, after = map(_record, names)
    found = {one.step.code: one for one in judge_promises([before], [after]).steps}
    assert {code: found[code].kind for code in REAL[names]} == REAL[names]
    if names[1].endswith("graphs"):  # kernels in graphs are not recorded: that is no 0
        assert {after.counted[name].value for name in ("launches", "kernels", "copies")} == {None}
        assert before.counted["kernels"].value == 74
    if "M9" in found:
        assert found["M9"].saved == pytest.approx(0.195, abs=0.001)
        assert found["M9"].in_range is True
        step = found["M9"].step
        assert (step.whole, step.said) == ("iteration", "45.0 % of wall time")
        assert step.bound == pytest.approx(0.4545, abs=5e-4)
        assert (step.method, step.is_plain) == ("replay", True)  # such steps reached 17.4 to 43.0 %
        assert [step.low, step.high] == pytest.approx([0.161, 0.275], abs=5e-4)
        assert found["M9"].measured == pytest.approx(0.1875, abs=5e-4)
        together = bound_together([one.step for one in found.values()], before.steps)
        assert together == pytest.approx(0.52542, abs=5e-6)


def _pair() -> PairOutcome:
    return judge_promises([run("a", 100, M9)], [run("b", 70, passed(M9))])


def test_a_pair_is_kept_once_in_a_small_document(tmp_path: Path) -> None:
    path = tmp_path / "promises.json"
    assert read_promises(path) == []
    other = judge_promises([run("b", 70, X1)], [run("c", 60, passed(X1))])
    keep_promises(add_pair(add_pair([_pair()], other), _pair()), path)
    assert [pair.before for pair in read_promises(path)] == ["b", "a"]
    assert path.stat().st_size < 2 * 1_000
    jsonschema.Draft202012Validator(load_promises_schema()).validate(json.loads(path.read_text()))


def _break(change: Callable[[dict[str, Any]], object]) -> str:
    document = json.loads(write_promises([_pair()]))
    change(document)
    return json.dumps(document)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is no JSON"),
        ('{"a": NaN}', "NaN is no number of JSON"),
        ("[]", "holds no promises"),
        (_break(lambda one: one.update(schema="perfolio-promises/9")), "schema: must be"),
        (_break(lambda one: one["pairs"][0].update(digests=["a"])), "must hold at least 2"),
        (_break(lambda one: one["pairs"][0]["steps"][0].update(kind="held")), "kind: must be"),
        (_break(lambda one: one["pairs"][0]["steps"][0]["step"].update(bound=7)), "at most 1"),
        (
            _break(lambda one: one["pairs"][0].update(recorded="yesterday")),
            "recorded: must look like",
        ),
        (_break(lambda one: one["pairs"][0].update(after="\ud800")), "has half of a character"),
    ],
)
def test_a_damaged_document_is_refused_in_one_line(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says) as caught:
        parse_promises(text, "promises.json")
    assert "\n" not in str(caught.value)


def test_a_pair_has_the_day_of_the_last_run_after() -> None:
    before = [run("a", 100, M9, recorded="2026-09-30T10:00:00Z")]
    after = [
        run(name, 70, passed(M9), recorded=moment)
        for name, moment in (("b", "2026-10-01T23:00:00Z"), ("c", None))
    ]
    pair = judge_promises(before, after)
    assert pair.recorded == "2026-10-01"
    assert parse_promises(write_promises([pair]), "x") == [pair]
    assert judge_promises(before, after[1:]).recorded == ""


def test_a_file_without_days_is_read() -> None:
    old = json.loads(write_promises([_pair()]))
    del old["pairs"][0]["recorded"]
    assert parse_promises(json.dumps(old), "x") == [_pair()]


def test_an_earlier_version_is_brought_up(monkeypatch: pytest.MonkeyPatch) -> None:
    old = json.loads(write_promises([_pair()]))
    old["runs"], old["schema"] = old.pop("pairs"), "perfolio-promises/0"
    steps = {0: lambda one: {"schema": "perfolio-promises/1", "pairs": one["runs"]}}
    monkeypatch.setattr(promise_file, "MIGRATIONS", steps)
    assert parse_promises(json.dumps(old), "x") == [_pair()]


def test_a_step_says_no_more_than_it_knows() -> None:
    step = PromisedStep("M9", "moving", "Fuse", "gpu", "iteration", 0.4, 0.1, 0.1, None, None)
    assert StepOutcome(step, "fell-short", -0.1).words == (
        "M9 Fuse: fell short; the runs lost 10.0 % of an iteration; it can save 40.0 % at most, "
        "once 10.0 %."
    )


def test_the_command_adds_and_shows(tmp_path: Path) -> None:
    named = replace(M9, title="<b>::error::\x1b[31m")
    for record in (run("a", 100, named), run("b", 70, replace(passed(M9), status="not_evaluated"))):
        (tmp_path / f"{record.slug}.json").write_text(write_record(record), "utf-8")
    empty = called("promises", "show", cwd=tmp_path)
    assert (empty.returncode, empty.stdout) == (0, "No step with a range was taken by itself.\n")
    done = called("promises", "add", "a.json", "b.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("a, then b\n  M9 <b>::error:: [31m: may have been taken; ")
    assert done.stdout.endswith("\nWrote promises.json\n")
    assert called("promises", "add", "a.json", "b.json", "--took", "M9", cwd=tmp_path).stdout
    shown = called("promises", "show", cwd=tmp_path).stdout
    assert shown.endswith("In their range: 1 of 1 (100.0 %, 95 % interval 20.7 % to 100.0 %).\n")
    for args, code, says in (
        (["add", "a.json", "b.json", "--took", "Z1"], 2, "the report has no step 'Z1'; it has M9"),
        (["add", "a.json", "nowhere.json"], 3, "there is no such file or folder"),
        (["show", "--file", "a.json"], 3, "holds no promises: "),
    ):
        refused = called("promises", *args, cwd=tmp_path)
        assert refused.returncode == code, refused.stderr
        assert says in refused.stderr
        assert refused.stderr.count("\n") == 1
