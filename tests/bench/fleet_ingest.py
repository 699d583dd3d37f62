"""Many real profiles to a lake: how much sooner by more workers, and what kills leave.

    python -m tests.bench fleet-ingest [--runs 300] [--kills 20] [--seed 1]

Simulated databases of four samples, each with effects of its own, are read by one worker and by
two, a quarter of them and all; the lakes are compared row by row. Then a worker or the command is
killed at random moments, and the same command resumes: the lake must be the same again.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
from math import log
from pathlib import Path

from perfolio.fleet.lake import Lake
from perfolio.simulation.scenario_parser import parse_scenario
from perfolio.simulation.simulate import write_simulated
from tests.bench.process_costs import ProcessCost, measure_process
from tests.comparison.planted import vary_run
from tests.functional.test_fleet import Rows, list_workers, read_all
from tests.kit.shared import ROOT

SAMPLES = ("low-occupancy", "dlrm-h100-pinned", "transformer-fused", "eight-ranks")
ITERATIONS = 40
_LIMIT = 7_200.0


def main(arguments: list[str]) -> None:
    """Print a line of each measurement."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench fleet-ingest", description=__doc__)
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="fleet-bench-") as folder:
        work = Path(folder)
        _simulate_runs(work / "all", given.runs, given.seed)
        rows = _measure_workers(work, given.runs)
        _kill_randomly(work, rows, given.kills, random.Random(given.seed))


def _simulate_runs(folder: Path, count: int, seed: int) -> None:
    for number in range(count):
        entries = vary_run(SAMPLES[number % 4], {}, seed * 100_000 + number, ITERATIONS)
        place = folder / f"run{number:04d}.d"
        write_simulated(parse_scenario(entries), place)
        (place / "profile.toml").write_text(f'[workload]\nhost = "node{number % 7}"\n')


def _command(runs: Path, lake: Path, workers: int) -> list[str]:
    command = [sys.executable, "-m", "perfolio", "fleet", "ingest", str(runs)]
    return [*command, "--lake", str(lake), "--on", f"local:{workers}"]


def _measure_workers(work: Path, runs: int) -> Rows:
    """One worker, two, and two of a quarter of the runs; the rows of all lakes are equal."""
    (work / "quarter").mkdir()
    for path in sorted((work / "all").iterdir())[: max(1, runs // 4)]:
        (work / "quarter" / path.name).symlink_to(path)
    costs: dict[str, ProcessCost] = {}
    for name, place, workers in (("one", "all", 1), ("two", "all", 2), ("part", "quarter", 2)):
        command = _command(work / place, work / f"lake-{name}", workers)
        cost = measure_process(command, work, _environment(), _LIMIT)
        assert isinstance(cost, ProcessCost), cost
        costs[name] = cost
        count = runs if place == "all" else max(1, runs // 4)
        print(
            f"{count} runs, {workers} workers: {cost.wall:.1f} s, {cost.cpu:.1f} CPU-s "
            f"({cost.cpu / count:.2f} a run), {cost.peak / 1e6:.0f} MB in all"
        )
    rows = read_all(Lake(work / "lake-one"))
    print(f"rows of both lakes equal: {rows == read_all(Lake(work / 'lake-two'))}")
    print(
        f"two workers are {costs['one'].wall / costs['two'].wall:.2f} times as fast (aim 1.6), "
        f"with {costs['two'].cpu / costs['one'].cpu:.2f} times the processor time (aim 1.15)"
    )
    growth = log(costs["two"].cpu / costs["part"].cpu) / log(runs / max(1, runs // 4))
    print(f"exponent of processor time from a quarter of the runs to all: {growth:.2f} (aim 1.05)")
    return rows


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def _kill_randomly(work: Path, rows: Rows, kills: int, chance: random.Random) -> None:
    """Kill a worker or the command, again and again, until all runs are in the lake."""
    lake, killed = work / "lake-killed", 0
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    while killed < kills:
        process = subprocess.Popen(
            _command(work / "all", lake, 2),
            env=_environment(),
            **quiet,  # type: ignore[call-overload]
        )
        try:
            process.wait(timeout=4.0 + 12.0 * chance.random())
        except subprocess.TimeoutExpired:
            workers = list(list_workers(process.pid))
            victim = chance.choice([process.pid, *workers])
            os.kill(victim, signal.SIGKILL)
            killed += 1
            if victim != process.pid:
                try:
                    process.wait(timeout=3.0 * chance.random())
                except subprocess.TimeoutExpired:
                    process.terminate()
            process.wait()
        else:
            break
    cost = measure_process(_command(work / "all", lake, 2), work, _environment(), _LIMIT)
    assert isinstance(cost, ProcessCost), cost
    print(f"{killed} kills: lake equal to the undisturbed one: {rows == read_all(Lake(lake))}")


if __name__ == "__main__":
    main(sys.argv[1:])
