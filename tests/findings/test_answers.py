"""What passes once a step brings all that it can, and what it answers in part.

Also: Rule files with random mistakes: read, or refused in one line with the file, no traceback.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from perfolio.common.errors import ContentError
from perfolio.findings.evaluation.rule_evaluation import evaluate
from perfolio.findings.report.answered_findings import split_answered_findings
from perfolio.findings.rules.catalog import RULES, load_rules
from perfolio.findings.tree.roadmap import RoadmapStep, make_roadmap
from perfolio.findings.tree.run_tree import build_tree
from tests.findings.support import results

# Iterations of 100 s: 80 s are long waits, 2 s other long gaps, and 10 s short ones.
MEASURED = {
    "time.wall": 200.0,
    "time.gpu_busy": 8.0,
    "time.gpu_utilisation": 0.04,
    "time.steady": 100.0,
    "time.gpu_idle_share": 0.96,
    "time.gpu_operations": 900.0,
    "time.gpu_span": 101.0,
    "time.steady_utilisation": 0.08,
    "time.steady_idle_share": 0.92,
    "time.unsampled_idle_share": 0.9,
    "time.iterations": 100.0,
    "time.iteration_median": 1.0,
    "time.iteration_gap_share": 0.8,
    "time.iteration_longest_gap": 0.8,
    "time.iteration_gap_time": 80.0,
    "time.iteration_gpu_busy": 0.08,
    "time.gaps": 9000.0,
    "time.longest_gap": 0.9,
    "time.long_gap_time": 82.0,
    "time.long_gap_share": 0.82,
    "time.idle_chunks": 30.0,
    "sampling.metrics_listed": 0.0,
}
TABLES = {
    "time.idle_parts": [
        {"part": "iterations", "period": "typical", "host": 92.0, "profiler": 0.0, "wait": 80.0}
    ]
}


def _step(**measured: Any) -> RoadmapStep:
    given = results({**MEASURED, **measured}, TABLES)
    rules = load_rules()
    found = evaluate(given, {code: rules[code] for code in ("G1", "G2", "G3", "G3s", "G4", "G9")})
    tree = build_tree(given, found)
    (step,) = split_answered_findings(make_roadmap(tree, found, given), found, tree, given).steps
    assert step.code == "G9"
    return step


def test_what_still_fires_after_the_step_is_answered_in_part() -> None:
    """Of 20 s that are left the GPU is idle for 12, in long gaps for 2: 60 and 10 %."""
    step = _step(**{"time.longest_other_gap": 0.002})
    assert set(step.part) == {"G1"}
    assert set(step.also) == {"G2", "G3", "G3s", "G4"}


@pytest.mark.parametrize(
    ("gap", "part"), [(0.6, {"G1", "G2", "G3"}), (0.4, {"G1", "G2"}), (None, {"G1", "G2", "G3"})]
)
def test_the_longest_gap_that_is_left_decides(gap: float | None, part: set[str]) -> None:
    left = {} if gap is None else {"time.longest_other_gap": gap}
    assert set(_step(**left).part) == part


def test_a_gpu_that_stays_all_but_unused_is_answered_in_part() -> None:
    """Busy for 0.8 s of 20 s that are left."""
    step = _step(**{"time.longest_other_gap": 0.002, "time.steady_utilisation": 0.008})
    assert "G4" in step.part


PAGES = [path.read_text("utf-8") for path in sorted(RULES.glob("*.md"))]
JUNK: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.dates(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=4,
)
IN_ONE_FOLDER = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def _judged(folder: Path, page: str) -> None:
    path = folder / "X9-thing.md"
    path.write_bytes(page.encode("utf-8", "surrogatepass"))
    told = ""
    try:
        assert list(load_rules(folder)) == ["X9"]
    except ContentError as error:
        told = str(error)
    assert told.startswith(f"{path}: ") or not told
    assert "\n" not in told


def _places(entries: Any) -> list[tuple[Any, Any]]:
    """Every mapping or list within the front matter, with each of its keys."""
    if not isinstance(entries, dict | list):
        return []
    keys = list(entries) if isinstance(entries, dict) else list(range(len(entries)))
    return [(entries, key) for key in keys] + [
        place for key in keys for place in _places(entries[key])
    ]


@IN_ONE_FOLDER
@given(
    page=st.sampled_from(PAGES),
    start=st.integers(0, 3000),
    cut=st.integers(0, 40),
    put=st.text(max_size=8) | st.sampled_from(["---", "&a", "*a", "[" * 99, "{", ": ", "\n- "]),
)
def test_text_cut_and_put_anywhere(
    tmp_path: Path, page: str, start: int, cut: int, put: str
) -> None:
    _judged(tmp_path, page[:start] + put + page[start + cut :])


@IN_ONE_FOLDER
@given(page=st.sampled_from(PAGES), data=st.data())
def test_an_entry_replaced_renamed_or_removed(
    tmp_path: Path, page: str, data: st.DataObject
) -> None:
    _, head, body = page.split("---\n", 2)
    entries = yaml.safe_load(head)
    within, key = data.draw(st.sampled_from(_places(entries)))
    what = data.draw(st.sampled_from(["replaced", "renamed", "removed"]))
    old = within.pop(key)
    if what == "replaced" and isinstance(within, dict):
        within[key] = data.draw(JUNK)
    elif what == "renamed" and isinstance(within, dict):
        within[data.draw(st.text(max_size=4) | st.integers())] = old
    elif what != "removed":
        within.insert(key, data.draw(JUNK))
    _judged(tmp_path, f"---\n{yaml.safe_dump(entries, allow_unicode=True)}---\n{body}")


@pytest.mark.parametrize(
    "head",
    [
        "[" * 5000,
        "title: " + "1" * 5000,
        "title: 2026-13-45",
        "&a [*a]",
        "? {a: b}\n: c",
        "!!python/object/apply:os.system [ls]",
        "1: 2",
        "",
        "null",
    ],
)
def test_hostile_front_matter(tmp_path: Path, head: str) -> None:
    _judged(tmp_path, f"---\n{head}\n---\n" + PAGES[0].split("---\n", 2)[2])
