"""A fleet of known truth: a lake of runs that are drawn at random, with machines that are slow.

Planted: three slow hosts and two slow GPUs, a driver with which all takes longer, a kernel and a
workload that got slower at a date. And what is nobody's fault: a workload whose last rank is always
slow, as that of an uneven pipeline, and one of whose ranks another one is slow in each run, as
where sequences are long.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from perfolio.fleet.lake import COMPACTED, InputManifest, Lake, create_lake
from perfolio.fleet.lake_connection import open_lake
from perfolio.fleet.lake_questions import LakeAnswer, ask_question, load_questions
from perfolio.fleet.lake_tables import make_table, write_parquet

HOSTS, GPUS, WORKLOADS, DAYS, KERNELS, ITERATIONS = 64, 8, 6, 90, 30, 10
BEGIN = datetime(2026, 6, 1)  # noqa: DTZ001 - as the lake has it: UTC, without a zone
UNEVEN, LONG = 4, 5
"""Workloads of whose ranks the last, or any, is slow."""
KERNEL_OF, WORKLOAD = 2, 3
"""Workloads of the slower kernel, and the one that got slower as a whole."""
LEFT_DAY = 45
"""Since when."""
DRIVERS = ("570.10", "570.20", "580.05")
BAD = "580.05"
CLASSES = ("product", "attention", "element-wise", "reduction", "normalisation")
SAME: Mapping[str, Any] = {
    "tool": "Kineto", "hardware": "H100-SXM5", "gpus": GPUS, "ranks": GPUS,
    "framework": "PyTorch 2.7", "basis": "iteration", "lanes": GPUS, "iterations": ITERATIONS,
    "price": 2.5, "currency": "EUR", "perfolio": "0.1.0",
}  # fmt: skip
"""What all runs have."""
CAUSES = {"loads input": 0.5, "launches": 0.3, "synchronises": 0.2}


@dataclass(frozen=True)
class FleetTruth:
    """What is planted."""

    hosts: frozenset[str]
    gpus: frozenset[tuple[str, int]]
    drivers: frozenset[str] = frozenset({BAD})
    kernels: frozenset[tuple[str, str]] = frozenset({("workload-2", "kernel_2_27")})
    workloads: frozenset[str] = frozenset({"workload-3"})


@dataclass
class _Fleet:
    """Who is slow, and how long things take."""

    draw: np.random.Generator
    truth: FleetTruth = field(init=False)

    def __post_init__(self) -> None:
        draw = self.draw
        slow = [int(each) for each in draw.choice(HOSTS, 5, replace=False)]
        self.drivers = [DRIVERS[int(each)] for each in draw.choice(3, HOSTS, p=(0.5, 0.3, 0.2))]
        for host in slow:  # a driver that few hosts have would leave them without their like
            self.drivers[host] = DRIVERS[0]
        self.idle = draw.normal(0, 0.002, HOSTS)
        self.idle[slow[:3]] += (0.06, 0.08, 0.12)
        self.busy = draw.normal(0, 0.003, (HOSTS, GPUS))
        gpus = [(slow[3], 2), (slow[4], 5)]
        for place in gpus:
            self.busy[place] += 0.10
        self.base = np.sort(draw.lognormal(3, 0.8, (WORKLOADS, KERNELS)), 1) * 1e5
        self.truth = FleetTruth(
            frozenset(name_host(one) for one in slow[:3]),
            frozenset((name_host(host), gpu) for host, gpu in gpus),
        )


def name_host(number: int) -> str:
    """As machines of a cluster are called."""
    return f"node{number:03d}"


def draw_fleet(runs: int, root: Path, seed: int = 1) -> tuple[Lake, FleetTruth]:
    """A lake of so many runs, compacted, and what is true of it."""
    fleet = _Fleet(np.random.default_rng(seed))
    tables: defaultdict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    inputs: list[InputManifest] = []
    for number in range(runs):
        run = sha256(f"{seed}/{number}".encode()).hexdigest()[:24]
        rows, month = _draw_run(fleet, number)
        inputs.append(InputManifest(run, f"run-{number}", month, (run,)))
        for table, found in rows.items():
            tables[table, month] += [{"run": run, **row} for row in found]
    lake = create_lake(root)
    for (table, month), found in tables.items():
        place = lake.locate_file(table, month, f"{COMPACTED}drawn")
        place.parent.mkdir(parents=True)
        write_parquet(make_table(table, found), place)
    document = {"inputs": [asdict(one) for one in inputs]}
    lake.write_document(root / "inputs" / f"{COMPACTED}drawn.json", document)
    return lake, fleet.truth


def _draw_run(fleet: _Fleet, number: int) -> tuple[Mapping[str, Any], str]:
    draw = fleet.draw
    workload, host, day = (int(draw.integers(most)) for most in (WORKLOADS, HOSTS, DAYS))
    recorded = BEGIN + timedelta(days=day, minutes=int(draw.integers(1440)))
    kernels = fleet.base[workload] * np.exp(draw.normal(0, 0.01, KERNELS))
    if workload == KERNEL_OF and day >= LEFT_DAY:
        kernels[27] *= 1.25
    if workload == WORKLOAD and day >= LEFT_DAY:
        kernels *= 1.12
    if fleet.drivers[host] == BAD:
        kernels *= 1.07
    pace = np.exp(fleet.busy[host] + draw.normal(0, 0.004, GPUS))
    if workload == UNEVEN:
        pace[-1] *= 1.3
    if workload == LONG:
        pace[int(draw.integers(GPUS))] *= 1.0 + 0.5 * draw.random()
    busy = kernels.sum() * pace
    step = busy.max() * (1.25 + fleet.idle[host] + draw.normal(0, 0.01))
    idle = step - busy.max()
    wait = busy.max() - busy
    rows = {
        "run": [
            {
                "name": f"run-{number:05d}", "title": f"workload-{workload}",
                "workload": f"workload-{workload}", "recorded": recorded,
                "hosts": [name_host(host)], "driver": fleet.drivers[host],
                "owner": f"owner-{number % 17:02d}", "team": f"group-{number % 5}",
                "iteration_ns": int(step), "window_ns": int(step) * ITERATIONS,
                "wall_ns": int(step) * ITERATIONS * 2,
                "gpu_hours": float(draw.lognormal(2, 1)) * GPUS,
                "verdict": f"The GPUs work {busy.mean() / step:.1%} of the time.", **SAME,
            }
        ],
        "gpu": [
            {
                "rank": rank, "host": name_host(host), "kernel_ns": int(busy[rank] * ITERATIONS),
                "collective_ns": 0, "wait_ns": int(wait[rank] * ITERATIONS), "copy_ns": 0,
                "idle_ns": int(idle * ITERATIONS),
            }
            for rank in range(GPUS)
        ],
        "kernel": [
            {
                "kernel": f"kernel_{workload}_{place:02d}", "class": CLASSES[place % 5],
                "ns": int(each * pace.sum() * ITERATIONS),
                "calls": ITERATIONS * GPUS * (1 + place % 5),
            }
            for place, each in enumerate(kernels)
        ],
        "part": _divide(kernels * pace.sum(), idle, wait.sum()),
        "iteration": [
            {"number": place, "ns": int(each)}
            for place, each in enumerate(step * np.exp(draw.normal(0, 0.02, ITERATIONS)))
        ],
        "finding": _find(idle / step),
    }  # fmt: skip
    return rows, f"{recorded:%Y-%m}"


def _divide(kernels: Any, idle: float, wait: float) -> list[dict[str, Any]]:
    lost = idle * GPUS * ITERATIONS
    parts = [
        ("kernel", name, kernels[place::5].sum() * ITERATIONS) for place, name in enumerate(CLASSES)
    ]
    parts += [("idle", name, lost * share) for name, share in CAUSES.items()]
    parts += [("collective wait", "rank 7", wait * ITERATIONS)]
    return [{"part": part, "kind": kind, "ns": int(ns), "calls": 0} for part, kind, ns in parts]


def _find(idle: float) -> list[dict[str, Any]]:
    return [
        {
            "code": code, "title": title, "severity": "medium", "cause": "host", "bound": bound,
            "denominator": "a typical iteration", "whole": "iteration", "value": idle,
            "unit": "ratio",
        }
        for code, title, bound in (
            ("G1", "Keep the GPU busy", idle),
            ("L1", "Fuse short kernels or capture them in a graph", idle / 2),
        )
    ]  # fmt: skip


@dataclass(frozen=True)
class FoundCauses:
    """What questions name, beside the truth."""

    missed: frozenset[str]
    invented: frozenset[str]


def judge_fleet(lake: Lake, truth: FleetTruth) -> FoundCauses:
    """What the questions miss of the truth, and what they name that is none."""
    with open_lake(lake) as connection:
        questions = load_questions()
        answers = {
            name: ask_question(connection, questions[name])
            for name in ("slow_hosts", "slow_gpus", "bad_drivers", *REGRESSIONS)
        }
    return compare_answers(answers, truth)


REGRESSIONS = ("kernel_regressions", "workload_regressions")


def compare_answers(answers: Mapping[str, LakeAnswer], truth: FleetTruth) -> FoundCauses:
    """The same of answers."""

    def named(question: str, *columns: str) -> set[str]:
        rows = answers[question].rows
        slow = [row for row in rows if row.get("judgement", "slow") == "slow"]
        return {f"{question}: {' '.join(str(row[each]) for each in columns)}" for row in slow}

    found = (
        named("slow_hosts", "host") | named("slow_gpus", "host", "gpu")
        | named("bad_drivers", "driver") | named("kernel_regressions", "workload", "kernel")
        | named("workload_regressions", "workload")
    )  # fmt: skip
    slower = {f"kernel_{WORKLOAD}_{place:02d}" for place in range(KERNELS)}
    wanted = (
        {f"slow_hosts: {one}" for one in truth.hosts}
        | {f"slow_gpus: {host} {gpu}" for host, gpu in truth.gpus}
        | {f"bad_drivers: {one}" for one in truth.drivers}
        | {f"kernel_regressions: {one} {kernel}" for one, kernel in truth.kernels}
        | {f"kernel_regressions: workload-{WORKLOAD} {kernel}" for kernel in slower}
        | {f"workload_regressions: {one}" for one in truth.workloads}
    )
    return FoundCauses(frozenset(wanted - found), frozenset(found - wanted))
