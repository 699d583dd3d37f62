"""Runs of a lake whose rows are known, and an engine of one process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from perfolio.fleet.lake import Lake, create_lake
from perfolio.fleet.lake_tables import Rows
from perfolio.pipeline.worker_engine import PieceOutcome, PieceParts

T = TypeVar("T")
R = TypeVar("R")


class SerialEngine:
    """Does each piece here, the last one first: in no order that anybody may rely on."""

    def __init__(self) -> None:
        self.done: list[Any] = []
        self.parts = 0

    def map_unordered(
        self,
        function: Callable[..., R],
        pieces: Sequence[T],
        parts: PieceParts | None = None,
    ) -> Iterator[PieceOutcome]:
        """What the function gives of each piece."""
        for place in reversed(range(len(pieces))):
            self.done.append(pieces[place])
            ready = [parts.function(part) for part in parts.each[place]] if parts else []
            self.parts += len(ready)
            yield PieceOutcome(place, function(pieces[place], *([ready] if ready else [])))


def make_rows(run: str, **values: Any) -> dict[str, Rows]:
    """Rows of a run of one GPU and one iteration."""
    described = {
        "run": run, "name": f"name-{run}", "title": "T", "workload": "w", "tool": "a tool",
        "hosts": ["a"], "verdict": "V", "perfolio": "1", "lanes": 1, "iterations": 1,
        "window_ns": 10, "basis": "iteration",
    }  # fmt: skip
    return {
        "run": [{**described, **values}],
        "part": [
            {"run": run, "part": "kernel", "kind": "product", "ns": 7, "calls": 2},
            {"run": run, "part": "idle", "kind": "launches", "ns": 3, "calls": 0},
        ],
    }


def add_input(lake: Lake, name: str, month: str = "2026-11", **values: Any) -> None:
    """Put an input with one run into a lake."""
    lake.add_runs(name, f"{name}.json", month, {name: make_rows(name, **values)})


def make_lake(folder: Path) -> Lake:
    """A lake of four inputs in two months, on none to three machines."""
    made = create_lake(folder)
    for number, name in enumerate("dbca"):
        add_input(made, name, month=f"2026-1{number % 2}", hosts=["x"] * number)
    return made
