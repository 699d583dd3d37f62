"""Pairs of runs on this machine: the bound of the run before, and what the run after took.

python -m tests.workloads.measured    records pairs.toml again, and writes measured.json

Needs PyTorch. The runs of a pair take turns, so that whatever else the machine does hits both. What
the page on outcomes says of them follows: python -m tests.simulation.outcomes.
"""

from __future__ import annotations

import json
import platform
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import click
import msgspec

from generator.workloads.catalog import load_workloads
from generator.workloads.described import processor
from generator.workloads.installed import needs_torch
from generator.workloads.terms import Workload

PAIRS = Path(__file__).with_name("pairs.toml")
MEASURED = Path(__file__).with_name("measured.json")
REPETITIONS = 5
NOTHING = 0.0
_SECONDS = 2.0
"""About how long each repetition of a run lasts [s]."""


def pairs() -> list[dict[str, Any]]:
    """The entries of pairs.toml."""
    found: list[dict[str, Any]] = tomllib.loads(PAIRS.read_text("utf-8"))["pair"]
    return found


def variant(pair: Mapping[str, Any], side: str) -> Workload:
    """The workload of one side of a pair, with what it changes."""
    one = load_workloads()[pair[side]]
    return msgspec.structs.replace(
        one,
        model=msgspec.structs.replace(one.model, **pair.get("model", {})),
        options=msgspec.structs.replace(one.options, **pair.get("options", {})),
    )


def bound(pair: Mapping[str, Any]) -> float | None:
    """The reduction that the report of a recording of the run before gives, if any."""
    from generator.workloads.run import Asked, record
    from tests.functional.conftest import called

    with TemporaryDirectory() as kept:
        folder = Path(kept) / "before"
        folder.mkdir()
        record(pair["before"], variant(pair, "before"), Asked(10, 3, "cpu", memory=False), folder)
        for command in (
            ("ingest", folder, "--store", "run.duckdb"),
            ("report", "run.duckdb", "--docs", "docs"),
        ):
            done = called(*command, cwd=Path(kept))
            if done.returncode:
                raise SystemExit(done.stderr)
        (document,) = Path(kept).rglob("findings.json")
        found = {one["code"]: one for one in json.loads(document.read_text("utf-8"))["findings"]}
    estimate = found[pair["rule"]]["estimate"]
    return None if estimate is None else float(estimate["reduction"])


def times(pair: Mapping[str, Any]) -> tuple[list[float], list[float]]:
    """Median steps of both runs, by turns, a number for each repetition [s]."""
    from generator.workloads.run import keep_freed_memory, timed
    from generator.workloads.training import Trainer

    keep_freed_memory()
    sides = [Trainer(variant(pair, side), "cpu") for side in ("before", "after")]
    steps = [max(5, int(_SECONDS / median(timed(one, 6)[3:]))) for one in sides]
    before, after = [], []
    for _ in range(REPETITIONS):
        before.append(median(timed(sides[0], steps[0])))
        after.append(median(timed(sides[1], steps[1])))
    return before, after


@dataclass(frozen=True)
class Measured:
    """A pair, as it was measured."""

    change: str
    rule: str
    runs: str
    bounds: list[float | None]
    """By the report of each recording; None where it gives none."""
    before: list[float]
    after: list[float]

    @property
    def known(self) -> list[float]:
        """The bounds that reports gave, if most of them did [ratio]."""
        known = [each for each in self.bounds if each is not None]
        return sorted(known) if 2 * len(known) > len(self.bounds) else []

    @property
    def bound(self) -> float | None:
        """Their median [ratio]; None where most recordings gave none."""
        return median(self.known) if self.known else None

    @property
    def saved(self) -> float:
        """The reduction of the medians [ratio]; below 0 the run after takes longer."""
        return 1.0 - median(self.after) / median(self.before)

    @property
    def spread(self) -> tuple[float, float]:
        """The least and the largest reduction of a repetition [ratio]."""
        each = [1.0 - new / old for old, new in zip(self.before, self.after, strict=True)]
        return min(each), max(each)

    @property
    def reached(self) -> float | None:
        """The share of the bound that was saved, from nothing to all; None without a bound."""
        return None if self.bound is None else min(max(self.saved, NOTHING) / self.bound, 1.0)


def measured() -> tuple[str, list[Measured]]:
    """Where pairs were measured, in words, and what came of each."""
    told = json.loads(MEASURED.read_text("utf-8"))
    found = [
        Measured(
            pair["change"],
            pair["rule"],
            f"{pair['before']}, then {pair['after']}",
            *(told["pairs"][pair["change"]][name] for name in ("bounds", "before", "after")),
        )
        for pair in pairs()
    ]
    return f"{told['machine']}, PyTorch {told['pytorch']}, Python {told['python']}", found


def main() -> None:
    """Record all pairs, or those whose number is named, and write the file."""
    needs_torch()
    import torch

    told = json.loads(MEASURED.read_text("utf-8")) if MEASURED.is_file() else {"pairs": {}}
    told |= {
        "machine": processor(), "python": platform.python_version(), "pytorch": torch.__version__
    }  # fmt: skip
    chosen = set(map(int, sys.argv[1:]))
    for number, pair in enumerate(pairs()):
        if chosen and number not in chosen:
            continue
        most = [bound(pair) for _ in range(REPETITIONS)]
        before, after = times(pair)
        told["pairs"][pair["change"]] = {"bounds": most, "before": before, "after": after}
        saved = 1.0 - median(after) / median(before)
        click.echo(f"{number} {pair['change']}: {most}, saved {saved:.3f}")
    MEASURED.write_text(json.dumps(told, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
