"""The defects of existing exercise sheets, each ruled out; `test_defect_rows` has the table."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given as drawn
from hypothesis import strategies as st

from perfolio.cli.main import main
from perfolio.common.errors import ContentError
from perfolio.common.units import quantity
from perfolio.exercises.catalog import load_exercises
from perfolio.exercises.exercise_lint import find_class_problems, list_exercise_problems
from perfolio.exercises.items.bins import find_bin
from perfolio.exercises.model import Exercise, Item, Sheet
from perfolio.exercises.run_view import Run
from perfolio.pages.exercise_pages import find_exercise_problems
from tests.exercises.answering import chosen, values
from tests.exercises.support import exercise_of, fenced, finding, run_of, sample_run, sheet_of

SHIPPED = load_exercises()
_FILLED = re.compile(r"\{\{.*?\}\}", re.DOTALL)
_SENTENCE = re.compile(r"(?<=[.?!:])\s+")
_WORDS = re.compile(r"[^\W\d_][\w'-]*|\d[\d.,]*")
WALL = {"id": "it", "type": "number", "answer": {"metric": "time.wall"}, "hints": ["Look."]}


def found_in(tmp_path: Path, item: dict[str, Any], prose: str = "") -> list[str]:
    """What lint says of an exercise with one item."""
    lines = list_exercise_problems(exercise_of(tmp_path, f"{prose}\n\n{fenced(item)}"), None)
    return [line.partition(": ")[2] if "item" in line else line for line in lines]


def key_of(sheet: Sheet, name: str) -> Any:
    return next(each.keyed.key for each in sheet.answerable if each.keyed and each.item.id == name)


# Steps sum to 50 min against "25-30"


def test_minutes_are_added_up_and_never_typed(tmp_path: Path) -> None:
    (typed,) = found_in(tmp_path, WALL, "This takes 25-30 minutes.")
    assert typed.endswith(": minutes are added up from the steps")
    assert found_in(tmp_path, {**WALL, "ask": "Take 10 min for it."}) == [
        "item it: minutes are added up from the steps"
    ]
    steps = [{"id": "s1", "title": "A", "minutes": 4}, {"id": "s2", "title": "B", "minutes": 7}]
    items = fenced(WALL, {**WALL, "id": "two", "step": "s2"})
    sheet = sheet_of(exercise_of(tmp_path, items, {"steps": steps}), run_of({"time.wall": 1}))
    assert sheet.minutes == 11


# High bandwidth use labelled compute bound; 40 lies in two MFU bins

EDGES = [20.0, 40.0, 60.0]


@pytest.mark.parametrize(("value", "place"), [(19.99, 0), (20.0, 1), (39.99, 1), (40.0, 2),
                                              (40.01, 2), (60.0, 3), (-1.0, 0)])  # fmt: skip
def test_classes_follow_from_a_formula_below_at_and_above_each_edge(
    value: float, place: int
) -> None:
    assert find_bin(value, EDGES) == place


@drawn(
    st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=6, unique=True),
    st.floats(allow_nan=False, allow_infinity=False),
)
def test_each_value_is_in_exactly_one_class(edges: list[float], value: float) -> None:
    ends = [float("-inf"), *sorted(edges), float("inf")]
    holds = [low <= value < high for low, high in pairwise(ends)]
    assert holds.count(True) == 1
    assert holds.index(True) == find_bin(value, sorted(edges))


# One bin means "memory bound" in one exercise and "kernel overhead" in another


def test_a_class_has_one_meaning_in_all_exercises(tmp_path: Path) -> None:
    item = {"id": "it", "type": "bins", "answer": {"metric": "compute.mfu"}, "unit": "%",
            "edges": [20], "names": ["low", "high"], "source": "somebody"}  # fmt: skip
    one = exercise_of(tmp_path / "one", fenced(item))
    other = exercise_of(tmp_path / "other", fenced({**item, "edges": [30]}))
    assert find_class_problems({"one": one, "same": one}) == []
    lines = find_class_problems({"one": one, "other": other})
    assert [line.partition("item it: ")[2] for line in lines] == [
        "class 'low' has other limits elsewhere", "class 'high' has other limits elsewhere",
    ]  # fmt: skip
    assert find_class_problems(SHIPPED) == []


# Bound by "intensity < 10" whatever the device; "on the roofline" means balanced


@pytest.mark.parametrize(("bandwidth", "side"), [(2.039e12, "On the right"), (2e11, "On the left")])
def test_the_side_of_the_roofline_follows_from_the_device(bandwidth: float, side: str) -> None:
    run = sample_run("transformer")
    facts = {**run.facts, "hardware": {**run.facts["hardware"], "memory_bandwidth": bandwidth}}
    other = Run({**run.metrics, "run": facts}, run.findings)
    sheet = sheet_of(SHIPPED["roofline"], other)
    (said,) = chosen(sheet, "s3-side")
    assert said.startswith(side)
    assert chosen(sheet, "s3-below") == ["at least 60 %, below 80 %"]


# Expected ranges that the measurement misses


def test_ranges_are_measured_and_hold_what_was_measured(tmp_path: Path) -> None:
    range_ = {"id": "it", "type": "range", "answer": {"metric": "time.wall"}, "points": 0,
              "tests": [], "explain": ""}  # fmt: skip
    for typed in ({"low": 50}, {"high": 100}, {"says": "50-100"}):
        with pytest.raises(ContentError, match="knows no"):
            exercise_of(tmp_path, fenced({**range_, **typed}))
    slugs = SHIPPED["profiler-cost"].items[3].own.runs
    runs = {slug: sample_run(slug) for slug in slugs[:3]}
    sheet = sheet_of(SHIPPED["profiler-cost"], runs["dlrm-h100-timed"], runs=runs)
    medians = [run.value("time.iteration_median") or 0.0 for run in runs.values()]
    low, high = (quantity(end(medians), "s") for end in (min, max))
    assert f"between {low} and {high}" in key_of(sheet, "s1-range")["explain"]


# Speed-ups multiplied, and beyond what the run can give


@pytest.mark.parametrize("slug", ["transformer", "dlrm-h100", "dlrm-cpu"])
def test_all_steps_together_stay_within_the_bound_of_the_run(slug: str) -> None:
    run = sample_run(slug)
    together = run.value("worth.reduction")
    alone = run.column("steps.most")
    assert together is not None
    assert alone
    assert max(alone) <= together + 1e-9 <= sum(alone) + 2e-9
    factor = run.value("worth.factor")
    assert factor is None or factor == pytest.approx(1.0 / (1.0 - together))
    assert factor is None or factor <= 1.0 / (1.0 - sum(alone))


# Recommendations that are literals and never fire


@pytest.mark.parametrize(
    "item",
    [
        {"id": "it", "type": "checklist", "entries": ["Fuse the projections", "Look"]},
        {"id": "it", "type": "choice", "options": [{"says": "Use pinned memory", "right": True},
                                                   {"says": "Look", "right": False}]},
    ],
)  # fmt: skip
def test_advice_that_no_finding_gives_is_refused(tmp_path: Path, item: dict[str, Any]) -> None:
    lines = found_in(tmp_path, {**item, "tests": ["aim"]})
    assert len(lines) == 1
    assert "advice comes from findings" in lines[0]
    conditional = {"id": "it", "type": "choice", "options": [
        {"says": "Use pinned memory", "right": "time.wall > 1"},
        {"says": "Look", "right": "time.wall <= 1"},
    ]}  # fmt: skip
    assert found_in(tmp_path, conditional) == []


@pytest.mark.parametrize(("first", "second"), [(0.5, 0.2), (0.2, 0.5)])
def test_where_two_causes_swap_their_amounts_the_order_swaps(
    tmp_path: Path, first: float, second: float
) -> None:
    shares = {"Input": first, "Launches": second}
    nodes = [{"key": "run", "parent": "", "title": "Run", "share": 1.0}] + [
        {"key": name, "parent": "run", "title": name, "share": share}
        for name, share in shares.items()
    ]
    nodes = [{"view": False, "outside": False, "findings": [], **node} for node in nodes]
    ordered = sorted(shares, key=lambda name: -shares[name])
    findings = [finding(name, title=name) for name in shares]
    steps = [{"code": name, "most": shares[name], "phase": "immediate"} for name in ordered]
    run = run_of({"time.wall": 1}, findings=findings)
    told = {**run.findings, "causes": {"nodes": nodes},
            "roadmap": {"phases": [{"phase": "immediate", "steps": steps}]}}  # fmt: skip
    pick = {"id": "it", "type": "choice", "pick": {"metric": "causes", "name": "cause",
                                                   "by": "share", "offer": 2}}  # fmt: skip
    order = {"id": "order", "type": "ranking", "pick": {"metric": "steps", "name": "step",
                                                        "by": "most", "take": 2}}  # fmt: skip
    sheet = sheet_of(exercise_of(tmp_path, fenced(pick, order)), Run(run.metrics, told))
    assert chosen(sheet, "it") == [ordered[0]]
    key = key_of(sheet, "order")
    ranked = sorted(zip(key["values"], key["options"], strict=True), key=lambda pair: -pair[0])
    assert [option["says"] for _, option in ranked] == ordered


# A command that prints a count and returns; commands for files that are not there


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("perfolio info run --analyze-existing", "No such option"),
        ("perfolio profile run", "perfolio has no command profile"),
        ("perfolio query", "lacks or has too much: store"),
        ("perfolio info 'run", "No closing quotation"),
        ("perfolio info run", ""),
        ('perfolio query run.duckdb "SELECT 1"', ""),
    ],
)
def test_commands_that_do_not_parse_are_refused(
    tmp_path: Path, line: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = {"id": "it", "type": "command", "command": line, "tests": []}
    exercise_of(tmp_path / "exercises", fenced(command, {**WALL, "id": "wall"}), {"run": "none"})
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.json").write_text("{}", encoding="utf-8")
    monkeypatch.setattr("perfolio.cli.commands.worksheet._read_documents", lambda *_: [])
    result = CliRunner().invoke(main, ["worksheet", "check", "made"])
    assert result.exit_code == 8
    assert "there is no run none" in result.output
    assert (said in result.output) if said else (line not in result.output)


def test_all_shipped_commands_parse(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("perfolio.cli.commands.worksheet._read_documents", lambda *_: [])
    result = CliRunner().invoke(main, ["worksheet", "check"])
    assert result.exit_code == 8
    assert "there is no run" in result.output
    assert "parse" not in result.output
    assert "perfolio has no" not in result.output


# Shares of inclusive totals, nested regions counted twice


@pytest.mark.parametrize("slug", ["transformer", "dlrm-h100", "dlrm-cpu"])
def test_shares_of_one_table_add_up_to_no_more_than_the_whole(slug: str) -> None:
    run = sample_run(slug)
    for name in ("causes.share", "gpu.kernels.share", "cpu.top_functions.exclusive_share"):
        assert sum(run.column(name) or (0.0,)) <= 1.0 + 1e-9, name


# Boxes for trouble that are typed; sequences and batches changed at once; mixed denominators


def test_reasons_for_what_is_missing_are_not_typed(tmp_path: Path) -> None:
    item = {"id": "it", "type": "trouble", "tests": [], "points": 0, "metrics": ["time.wall"]}
    with pytest.raises(ContentError, match="knows no reasons"):
        exercise_of(tmp_path, fenced({**item, "reasons": ["Run it again"]}))


def test_runs_that_differ_in_two_sizes_are_confounded(tmp_path: Path) -> None:
    exercise = exercise_of(tmp_path, fenced(WALL), {"run": "after", "before": "first"})
    sizes = {"workload.batch_size": "8", "workload.sequence_length": "128"}
    first = run_of({"time.wall": 1}, slug="first", settings=sizes)

    def told(**changed: str) -> list[str]:
        settings = sizes | {f"workload.{key}": value for key, value in changed.items()}
        after = run_of({"time.wall": 1}, slug="after", settings=settings)
        return find_exercise_problems(exercise, {"first": first, "after": after})

    assert told(sequence_length="256") == []
    (line,) = told(sequence_length="512", batch_size="4")
    assert "confounded: after and first differ in batch_size, sequence_length" in line


def test_the_shares_of_a_column_are_of_one_whole(tmp_path: Path) -> None:
    def told(other: str) -> list[str]:
        rows = [{"says": name, "answers": {"share": {"metric": name}}}
                for name in ("time.gpu_utilisation", other)]  # fmt: skip
        item = {"id": "it", "type": "table", "rows": rows,
                "columns": [{"key": "share", "title": "Share", "unit": "%"}]}  # fmt: skip
        exercise = exercise_of(tmp_path, fenced(item), {"run": "made"})
        return find_exercise_problems(exercise, {"made": run_of(dict.fromkeys(
            ("time.gpu_utilisation", other), 0.3))})  # fmt: skip

    assert told("time.gpu_utilisation") == []
    (line,) = told("stall.gmem_of_samples")
    assert "column share has shares of 2 wholes" in line


@pytest.mark.parametrize(
    ("condition", "refused"),
    [
        ("time.exposed_copy_share > time.data_share", True),
        ("low.time.data_share > time.exposed_copy_share", True),
        ("gpu.composition.share > max(time.gpu_utilisation, time.data_share)", True),
        ("time.exposed_copy_share < time.gpu_utilisation", False),
        ("time.exposed_copy < time.wall", False),
        ("time.exposed_copy_share < 0.5 and time.data_share > 0.5", False),
    ],
)
@pytest.mark.parametrize("place", ["option", "absent"])
def test_shares_that_a_condition_compares_are_of_one_whole(
    tmp_path: Path, condition: str, refused: bool, place: str
) -> None:
    values = {"time.exposed_copy_share": 0.1, "time.data_share": 0.6, "time.gpu_utilisation": 0.4,
              "time.wall": 2.0, "time.exposed_copy": 0.2}  # fmt: skip
    rows = [{"operation": "kernels", "share": 0.7}]
    conditions = [condition, f"not ({condition})"] if place == "option" else [True, False]
    options = [{"says": f"Option {n}", "right": each} for n, each in enumerate(conditions)]
    absent = {"when": condition, "reason": "It is so.", "collect": "hpcrun -t"}
    more = {"absent": absent} if place == "absent" else {}
    item = {"id": "which", "type": "choice", "options": options, **more}
    exercise = exercise_of(tmp_path, fenced(item, WALL), {"run": "made", "partial": True})
    found = find_exercise_problems(exercise, {"made": run_of({**values, "gpu.composition": rows})})
    lines = [line for line in found if "compares shares of" in line]
    assert (lines != []) == refused, found


# "All of the above", self-assessed success, no points


def test_all_of_the_above_is_refused_wherever_it_stands(tmp_path: Path) -> None:
    options = [{"says": "One", "right": True}, {"says": "All of the above", "right": False}]
    (line,) = found_in(tmp_path, {"id": "it", "type": "choice", "options": options})
    assert "all of the above is no option" in line


@pytest.mark.parametrize("slug", sorted(SHIPPED))
def test_shipped_exercises_have_points_objectives_and_short_sentences(slug: str) -> None:
    exercise = SHIPPED[slug]
    assert list_exercise_problems(exercise, None) == []
    graded = {item.type for item in exercise.items if item.points}
    assert not graded & {"checklist", "command", "range", "trouble"}
    for text in texts_of(exercise):
        for sentence in _SENTENCE.split(_FILLED.sub("value", text)):
            assert len(_WORDS.findall(sentence)) <= 22, sentence


def texts_of(exercise: Exercise) -> list[str]:
    """The texts of an exercise, paragraph by paragraph."""
    found = [*exercise.objectives.values(), exercise.title]
    for part in exercise.body:
        if isinstance(part, Item):
            found += [part.ask, *part.hints, part.explain]
            own = part.own if isinstance(part.own, tuple) else ()
            found += [text for each in own for text in (getattr(each, "says", ""),
                                                        getattr(each, "because", ""))]  # fmt: skip
            found += [part.absent.reason] if part.absent else []
        else:
            found += [line for line in part.text.split("\n") if not line.startswith("|")]
    return found


# What a run cannot tell is said with its reason, and never as 0


@pytest.mark.parametrize("slug", ["dlrm-cpu", "transformer"])
def test_every_blank_of_the_plan_is_asked_or_has_its_reason(slug: str) -> None:
    sheet = sheet_of(SHIPPED["bottleneck-identification"], sample_run(slug))
    assert len(sheet.questions) == len(sheet.exercise.items)
    for question in sheet.questions:
        if question.keyed is None:
            assert question.gap is not None
            assert question.gap.reason
            assert question.gap.ask
    assert values(sheet)["s1-wall"] > 0
    assert {"s5-causes", "s6-saved", "s8-largest"} <= {each.item.id for each in sheet.answerable}
