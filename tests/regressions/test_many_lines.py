"""A trace of 200,000 streams took 47 CPU-seconds: all operations were looked at for each stream,
and all ranges for each process. Each is looked at once now; GPUs beyond any run are refused.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from perfolio.common.errors import InputError
from perfolio.readers import registry
from perfolio.readers.events.recording import RangeColumns, find_spans_by_owner


def stream(number: int) -> dict[str, Any]:
    args = {"device": 0, "stream": number, "correlation": 9}
    times = {"ts": number, "dur": 1}
    return {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": number, **times, "args": args}


def rank(number: int) -> dict[str, Any]:
    times = {"ts": number, "dur": 1, "args": {"rank": number}}
    return {"ph": "X", "cat": "cpu_op", "name": "a", "pid": number, "tid": 0, **times}


def same_correlation(number: int) -> dict[str, Any]:
    call = {"cat": "cuda_runtime", "name": "cudaLaunchKernel", "tid": 1}
    return stream(7) | {"ts": 5 * number} | (call if number % 2 else {})


def gpu(number: int) -> dict[str, Any]:
    return stream(7) | {"args": {"device": number, "stream": 7}}


def seconds_to_read(path: Path, event: Callable[[int], dict[str, Any]], count: int) -> float:
    path.write_text(json.dumps({"traceEvents": [event(number) for number in range(count)]}))
    begin = time.process_time()
    registry.read(path)
    return time.process_time() - begin


@pytest.mark.slow
@pytest.mark.parametrize("event", [stream, rank, same_correlation])
def test_lines_cost_as_much_as_their_events(
    event: Callable[[int], dict[str, Any]], tmp_path: Path
) -> None:
    path = tmp_path / "trace.json"
    seconds_to_read(path, event, 100)  # what is imported for the first time
    small = min(seconds_to_read(path, event, 6_000) for _ in range(2))
    assert seconds_to_read(path, event, 24_000) < 8 * small + 0.2


def test_spans_are_those_of_each_owner() -> None:
    table = RangeColumns()
    for line, start, duration in ((4, 10, 5), (2, 3, 1), (4, 7, 20), (2, 8, 1)):
        table.append(line, start, duration, 0, 0, 0, 0)
    found = [column.tolist() for column in find_spans_by_owner(table["line"], table)]
    assert found == [[2, 4], [2, 2], [3, 7], [9, 27]]
    assert [
        column.tolist() for column in find_spans_by_owner(RangeColumns()["line"], RangeColumns())
    ] == [[]] * 4


def test_more_gpus_than_any_run_has_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "MOST_GPUS", 3)
    path = tmp_path / "trace.json"
    seconds_to_read(path, gpu, 3)
    with pytest.raises(InputError, match="names 4 GPUs, and more than 3 are not read"):
        seconds_to_read(path, gpu, 4)
