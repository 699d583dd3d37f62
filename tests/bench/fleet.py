"""A fleet of known truth: what is found of it, and what its questions and its site take.

    python -m tests.bench.fleet [RUNS ...] [--seed 1]

Draws a lake of so many runs each (`fleet_draws`), and measures in a process of its own: the seconds
of all questions, and peak memory; then those of the site, and its size. An exponent is that of the
last two lakes: 1 is linear. The exit status is 1 where something is missed in a lake of 1,500 runs
or more, or where something is named that is nobody's fault.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from perfolio.fleet.lake import Lake
from perfolio.fleet.lake_connection import open_lake
from perfolio.pipeline.fleet_site import ask_all, build_fleet_site
from tests.bench.fleet_draws import FoundCauses, draw_fleet, judge_fleet
from tests.bench.stages import peak_memory

SIZES = (300, 3_000, 10_000)
ENOUGH = 1_500
"""Runs from which on all that is planted is found."""
MEASURED = ("questions", "site", "memory", "size")


def measure(lake: Path) -> dict[str, float]:
    """Seconds of the questions and of the site [s], peak of memory [B], size of the site [B]."""
    start = time.perf_counter()
    with open_lake(Lake(lake)) as connection:
        ask_all(connection)
    asked, memory = time.perf_counter(), float(peak_memory())
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / "site"
        build_fleet_site(Lake(lake), site)
        built = time.perf_counter()
        size = sum(path.stat().st_size for path in site.rglob("*") if path.is_file())
    return {
        "questions": asked - start, "site": built - asked, "memory": memory, "size": float(size),
    }  # fmt: skip


def measure_apart(lake: Path) -> dict[str, float]:
    """The same in a process of its own."""
    command = [sys.executable, "-m", "tests.bench.fleet", "--one", str(lake)]
    done = subprocess.run(
        command, check=True, capture_output=True, text=True, cwd=Path(__file__).parents[2]
    )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def describe(runs: int, found: FoundCauses, figures: Mapping[str, float]) -> str:
    """A line of the table."""
    return (
        f"{runs:>8,} {len(found.missed):>8} {len(found.invented):>9} "
        f"{figures['questions']:>11.2f} s {figures['memory'] / 1e6:>9.0f} MB "
        f"{figures['site']:>9.1f} s {figures['size'] / 1e6:>9.1f} MB"
    )


def main() -> int:
    """Measure, print, and say whether the truth was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", nargs="*", type=int, default=SIZES)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print(json.dumps(measure(given.one)))
        return 0
    print(
        f"{'runs':>8} {'missed':>8} {'invented':>9} {'questions':>13} {'peak':>12} "
        f"{'site':>11} {'size':>12}"
    )
    wrong, all_figures = False, []
    for runs in given.runs:
        with tempfile.TemporaryDirectory() as folder:
            lake, truth = draw_fleet(runs, Path(folder) / "lake", given.seed)
            found, figures = judge_fleet(lake, truth), measure_apart(lake.root)
        print(describe(runs, found, figures), flush=True)
        wrong |= bool(found.invented) or (runs >= ENOUGH and bool(found.missed))
        all_figures.append((runs, figures))
    if len(all_figures) > 1:
        (less, before), (more, after) = all_figures[-2:]
        steps = ", ".join(
            f"{name} {math.log(after[name] / before[name]) / math.log(more / less):.2f}"
            for name in MEASURED
        )
        print(f"exponents from {less:,} to {more:,} runs: {steps}")
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
