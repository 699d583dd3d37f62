"""A PyTorch trace as if its steps had been recorded several times on end.

    python -m tests.bench.longer_trace TRACE.json.gz LONGER.json --copies 8

Each copy begins where the one before ended. Its steps, correlations and identifiers are numbers of
its own; names, arguments and durations stay. What a trace says once is said once.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_STEP = re.compile(r"ProfilerStep#(\d+)")
_GAP = 1000.0
"""Microseconds between two copies."""
_NUMBERED = ("External id", "correlation", "Ev Idx", "Record function id", "Sequence number")


def repeat_events(events: list[dict[str, Any]], copies: int) -> Iterator[dict[str, Any]]:
    """Events of all copies, one copy after the other."""
    timed = [one for one in events if "cat" in one and one["cat"] != "Trace"]
    begin = min(one["ts"] for one in timed)
    span = max(one["ts"] + one.get("dur", 0.0) for one in timed) - begin + _GAP
    steps = [int(found[1]) for one in timed if (found := _STEP.fullmatch(one["name"]))]
    stride = max(steps, default=0) - min(steps, default=0) + 1
    highest = 1 + max(max(_numbers_of(one), default=0) for one in timed)
    yield from events
    for copy in range(1, copies):
        for one in timed:
            yield _shift(one, copy * span, copy * stride, copy * highest)


def _numbers_of(event: dict[str, Any]) -> list[int]:
    arguments = event.get("args", {})
    numbers = [arguments[name] for name in _NUMBERED if name in arguments]
    return [*numbers, *([event["id"]] if "id" in event else [])]


def _shift(event: dict[str, Any], time: float, steps: int, numbers: int) -> dict[str, Any]:
    """The same event in another copy. A number of 0 says that there is none, and stays."""
    name = _STEP.sub(lambda found: f"ProfilerStep#{int(found[1]) + steps}", event["name"])
    shifted = event | {"name": name, "ts": round(event["ts"] + time, 3)}
    if "id" in event:
        shifted["id"] = event["id"] + numbers
    if "args" in event:
        shifted["args"] = {
            key: value + numbers if key in _NUMBERED and value else value
            for key, value in event["args"].items()
        }
    return shifted


def write_longer(source: Path, target: Path, copies: int) -> None:
    """Write a trace of so many copies of another, an event to a line."""
    with gzip.open(source, "rt", encoding="utf-8") as file:
        document = json.load(file)
    events = document.pop("traceEvents")
    with target.open("w", encoding="utf-8") as file:
        file.write(json.dumps(document | {"traceEvents": []}).removesuffix("]}") + "\n")
        for number, one in enumerate(repeat_events(events, copies)):
            file.write(f"{',' if number else ' '}{json.dumps(one)}\n")
        file.write("]}\n")


def main() -> None:
    """Parse arguments and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--copies", type=int, default=8)
    given = parser.parse_args()
    write_longer(given.source, given.target, given.copies)


if __name__ == "__main__":
    main()
