"""Pairs of runs, as they were measured: the bound of the run before, and what the run after took.

python -m tests.workloads.measured FOLDER...    takes what `tests.workloads.turns` recorded

What the page on outcomes says of them follows: python -m tests.simulation.outcomes.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import click

from tests.workloads.turns import MACHINE, TIMES, device_of, pairs

MEASURED = Path(__file__).with_name("measured.json")
NOTHING = 0.0
_STEP = {"cpu": "steps.typical", "cuda": "time.iteration_median"}
"""What says how long a step took while it was recorded."""


def bound(pair: Mapping[str, Any], recording: Path) -> tuple[float | None, float]:
    """What the report of a recording gives of a step, if anything [ratio], and that step [s]."""
    from tests.functional.conftest import called

    with TemporaryDirectory() as kept:
        shutil.copytree(recording, Path(kept) / "before")
        for command in (
            ("ingest", "before", "--store", "run.duckdb"),
            ("report", "run.duckdb", "--docs", "docs"),
        ):
            done = called(*command, cwd=Path(kept))
            if done.returncode:
                raise SystemExit(done.stderr)
        (file,) = Path(kept).rglob("findings.json")
        document = json.loads(file.read_text("utf-8"))
    values = {each["name"]: each.get("value") for each in document["metrics"]["metrics"]}
    found = {one["code"]: one for one in document["findings"]}[pair["rule"]]
    estimate, step = found["estimate"], float(values[_STEP[device_of(pair)]])
    if found["status"] != "fired" or estimate is None or estimate["kind"] != "gain":
        return None, step
    of_steps = estimate["reduction"] if estimate["steady"] is None else estimate["steady"]
    wider = estimate["wider"] if pair.get("wider") else None
    return float(of_steps if wider is None else wider), step


@dataclass(frozen=True)
class Measured:
    """A pair, as it was measured."""

    change: str
    rule: str
    runs: str
    device: str
    bounds: list[float | None]
    """By the report of each recording, as shares of the recorded step; None where it gives none."""
    recorded: list[float]
    """How long a step took in each recording [s]; without the profiler where nobody kept it."""
    before: list[float]
    after: list[float]

    @property
    def known(self) -> list[float]:
        """What each report that gives a bound says is saved at most [s], if most of them do."""
        known = [
            share * step
            for share, step in zip(self.bounds, self.recorded, strict=True)
            if share is not None
        ]
        return sorted(known) if 2 * len(known) > len(self.bounds) else []

    @property
    def bound(self) -> float | None:
        """Their median [s]; None where most recordings gave none."""
        return median(self.known) if self.known else None

    @property
    def saved(self) -> float:
        """The difference of the medians [s]; below 0 the run after takes longer."""
        return median(self.before) - median(self.after)

    @property
    def spread(self) -> tuple[float, float]:
        """The least and the largest reduction of a repetition [ratio]."""
        each = [1.0 - new / old for old, new in zip(self.before, self.after, strict=True)]
        return min(each), max(each)

    @property
    def exceeds(self) -> bool:
        """Whether more was saved than any report allows, so that it says nothing of bounds."""
        return bool(self.known) and self.saved > self.known[-1]

    @property
    def reached(self) -> float | None:
        """The share of the bound that was saved, from nothing to all; None without a bound."""
        if self.bound is None or self.exceeds:
            return None
        return min(max(self.saved, NOTHING) / self.bound, 1.0)


def measured() -> tuple[dict[str, str], list[Measured]]:
    """Where pairs were measured, in words, by device; and what came of each."""
    told = json.loads(MEASURED.read_text("utf-8"))
    found = []
    for pair in pairs():
        one = told["pairs"][pair["change"]]
        runs = f"{pair['before']}, then {pair['after']}"
        same = [median(one["before"])] * len(one["bounds"])
        found.append(
            Measured(
                pair["change"], pair["rule"], runs, device_of(pair), **{"recorded": same, **one}
            )
        )
    where = {
        device: f"{each['machine']}, PyTorch {each['pytorch']}, Python {each['python']}"
        for device, each in told["machines"].items()
    }
    return where, found


def main() -> None:
    """Make the reports of recordings, and write the file."""
    told = json.loads(MEASURED.read_text("utf-8"))
    for folder in map(Path, sys.argv[1:]):
        machine = json.loads((folder / MACHINE).read_text("utf-8"))
        for number, pair in enumerate(pairs()):
            place = folder / f"{number}"
            if not place.is_dir():
                continue
            told["machines"][device_of(pair)] = machine
            found = [bound(pair, each) for each in sorted(place.glob("[0-9]*"))]
            one = {
                "bounds": [share for share, _ in found],
                "recorded": [step for _, step in found],
                **json.loads((place / TIMES).read_text("utf-8")),
            }
            told["pairs"][pair["change"]] = one
            saved = 1.0 - median(one["after"]) / median(one["before"])
            click.echo(f"{number} {pair['change']}: {one['bounds']}, saved {saved:.3f}")
    MEASURED.write_text(json.dumps(told, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
