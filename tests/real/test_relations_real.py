"""What must hold between reports of a real trace and of the same trace changed.

No second implementation is needed: a trace whose times are all shifted, whose events come in
another order, or beside which a call was recorded ten minutes later, tells the same.
"""

from __future__ import annotations

import copy
import gzip
import json
import random
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from perfolio.pipeline.build_context import RunDocuments
from tests.kit.measurements import documents_once
from tests.kit.shared import recorded

pytestmark = [pytest.mark.real, pytest.mark.slow]
TRACES = ("mi250_minitoy", "a100_cuda_sync", "gp100_gpu_user_annotation")
Json = dict[str, Any]
Figures = dict[str, float | None]
SHIFT = 1_024
"""Microseconds: a power of two, so that no time of the files is rounded."""
FAR = 600_000_000
"""Ten minutes [us]."""
OF_NAMES = {"run.functions", "run.modules", "run.contexts", "run.values"}
"""Of names and places: one more call is one more, and equal ranges nest as they come."""


@cache
def trace(name: str) -> Json:
    """A trace as it is; a list of events counts as those of a document."""
    with gzip.open(recorded(f"inputs/pytorch/{name}.json.gz")) as file:
        found = json.load(file)
    return found if isinstance(found, dict) else {"traceEvents": found}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Json], RunDocuments]:
    """The documents of a trace."""

    def made(document: Json) -> RunDocuments:
        content = json.dumps(document)

        def write() -> Path:
            path = tmp_path_factory.mktemp("relations") / "trace.json"
            path.write_text(content, encoding="utf-8")
            return path

        (found,) = documents_once(content, write)
        return found

    return cache_by_content(made)


def cache_by_content(made: Callable[[Json], RunDocuments]) -> Callable[[Json], RunDocuments]:
    """Each trace once."""
    known: dict[str, RunDocuments] = {}

    def kept(document: Json) -> RunDocuments:
        key = json.dumps(document, sort_keys=False)
        if key not in known:
            known[key] = made(document)
        return known[key]

    return kept


def scalars(documents: RunDocuments) -> Figures:
    """All figures with one value."""
    return {
        one["name"]: one.get("value")
        for one in documents.metrics["metrics"]
        if not one.get("columns") and one["name"] not in OF_NAMES
    }


def decisions(documents: RunDocuments) -> tuple[str, list[str], list[str]]:
    """The verdict, the findings that fired, and the steps in order."""
    phases = documents.findings["roadmap"]["phases"]
    fired = [one["code"] for one in documents.findings["findings"] if one["status"] == "fired"]
    steps = [step["code"] for phase in phases for step in phase["steps"]]
    return documents.findings["verdict"]["kind"], sorted(fired), steps


def differing(one: Figures, other: Figures) -> dict[str, tuple[float | None, float | None]]:
    """Figures that are not the same but for the last digits."""
    return {
        name: (one[name], other[name]) for name in one if not _is_close(one[name], other.get(name))
    }


def _is_close(one: float | None, other: float | None) -> bool:
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return abs(one - other) <= 1e-9 * max(abs(one), abs(other), 1e-6)
    return one == other


def shifted(document: Json) -> Json:
    """All times later."""
    changed = copy.deepcopy(document)
    for event in changed["traceEvents"]:
        if "ts" in event:
            event["ts"] += SHIFT
    return changed


def renamed(document: Json) -> Json:
    """Kernels with a longer name."""
    changed = copy.deepcopy(document)
    for event in changed["traceEvents"]:
        if str(event.get("cat", "")).lower() == "kernel":
            event["name"] = f"{event['name']}_again"
    return changed


def reordered(document: Json) -> Json:
    """Events as they may come from a buffer."""
    events = list(document["traceEvents"])
    random.Random(7).shuffle(events)
    return {**document, "traceEvents": events}


def with_call(document: Json, after: float) -> Json:
    """One call of a microsecond, by the thread that makes the first one."""
    events = document["traceEvents"]
    call = next(
        e for e in events if str(e.get("cat", "")).endswith(("runtime", "driver", "cpu_op"))
    )
    last = max(e["ts"] + e.get("dur", 0) for e in events if e.get("ph") == "X")
    extra = {"ph": "X", "cat": call["cat"], "name": call["name"], "dur": 1, "ts": last + after}
    return {**document, "traceEvents": [*events, {**extra, "pid": call["pid"], "tid": call["tid"]}]}


def with_process(document: Json) -> Json:
    """A second process that makes one call and waits for the end."""
    events = document["traceEvents"]
    call = next(
        e for e in events if str(e.get("cat", "")).endswith(("runtime", "driver", "cpu_op"))
    )
    stranger = {"ph": "X", "cat": call["cat"], "name": call["name"], "pid": 999_983, "tid": 999_983}
    return {**document, "traceEvents": [*events, {**stranger, "ts": call["ts"], "dur": 1}]}


SAME: Mapping[str, Callable[[Json], Json]] = {
    "shifted": shifted,
    "renamed": renamed,
    "reordered": reordered,
    "a call ten minutes later": lambda document: with_call(document, FAR),
}


@pytest.mark.parametrize("change", SAME)
@pytest.mark.parametrize("name", TRACES)
def test_a_trace_tells_the_same(
    name: str, change: str, told: Callable[[Json], RunDocuments]
) -> None:
    before, after = told(trace(name)), told(SAME[change](trace(name)))
    assert differing(scalars(before), scalars(after)) == {}
    assert decisions(before) == decisions(after)


@pytest.mark.parametrize("name", TRACES)
def test_an_idle_second_process_changes_no_figure_of_the_gpu(
    name: str, told: Callable[[Json], RunDocuments]
) -> None:
    before, after = told(trace(name)), told(with_process(trace(name)))
    changed = differing(scalars(before), scalars(after))
    assert [each for each in changed if each.split(".")[0] in ("gpu", "transfer", "launch")] == []
    assert decisions(before)[2] == decisions(after)[2]


@pytest.mark.parametrize("name", TRACES)
def test_shares_stay_where_all_times_are_twice_as_long(
    name: str, told: Callable[[Json], RunDocuments]
) -> None:
    changed = copy.deepcopy(trace(name))
    for event in changed["traceEvents"]:
        for key in ("ts", "dur"):
            if key in event:
                event[key] *= 2
    before, after = scalars(told(trace(name))), scalars(told(changed))
    for share in ("time.gpu_utilisation", "gpu.copy_share", "time.span_utilisation"):
        assert _is_close(before[share], after[share]), share
    for length in ("time.wall", "gpu.kernel_time", "time.gpu_busy"):
        value = before[length]
        assert value is None or _is_close(2 * value, after[length]), length


def test_ranks_as_files_and_as_one_run_are_the_same_run(tmp_path: Path) -> None:
    folder = recorded("inputs/pytorch/multirank")
    (whole,) = documents_once("as it is", lambda: folder, folder)

    def write() -> Path:
        for number, path in enumerate(sorted(folder.iterdir(), reverse=True)):
            (tmp_path / f"{number}_{path.name}").write_bytes(path.read_bytes())
        return tmp_path

    (other,) = documents_once("in another order", write, folder)
    assert differing(scalars(whole), scalars(other)) == {}
    assert decisions(whole) == decisions(other)
