"""What pages of a fleet ask for: answers, the pages that there are, and what to do first.

In:  answers by their questions, and folders of reports by run. Out: `FleetView`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from perfolio.charts.comparison.part_words import name_kind
from perfolio.common.units import quantity
from perfolio.comparison.host_activities import NOTHING
from perfolio.fleet.lake_questions import LakeAnswer

Row = Mapping[str, Any]
MOST_PAGES = 200
"""Hosts, and workloads, that have a page: those that lose most, and all machines that are slow."""
LEAST_RUNS = 8
"""Runs below which nothing is judged by its like."""
LEAST_WEEKS = 4
"""Weeks below which nothing is called a change: two on each side."""
_MOST_ACTIONS = 6
_MOST_CAUSES = 1
_MOST_NAME = 40
_SLOW = "slow"
WAITING = "collective wait"


@dataclass(frozen=True)
class FleetAction:
    """Something to do: in a sentence, what it saves at most, and the page that says more."""

    words: str
    hours: float | None
    """GPU-hours, at most; None where that is not known."""
    page: str


@dataclass(frozen=True)
class FleetView:
    """Answers of a lake, as its pages show them."""

    answers: Mapping[str, LakeAnswer]
    reports: Mapping[str, str] = field(default_factory=dict)
    """Folders of full reports by run."""
    shared: bool = False
    """Whether names are hidden."""
    withheld: int = 0
    """Reports that are left out, as names in them were not hidden when they were read."""

    def rows(self, question: str, **wanted: object) -> list[Row]:
        """The rows of a question, those whose columns have these values."""
        return [
            row
            for row in self.answers[question].rows
            if all(row[name] == value for name, value in wanted.items())
        ]

    def rows_of_host(self, host: str) -> list[Row]:
        """The runs on a host."""
        return self._runs_by_host.get(host, [])

    @cached_property
    def _runs_by_host(self) -> Mapping[str, list[Row]]:
        found: defaultdict[str, list[Row]] = defaultdict(list)
        for row in self.answers["runs"].rows:
            for host in row["hosts"]:
                found[host].append(row)
        return found

    @cached_property
    def totals(self) -> Row:
        """The row of the whole fleet."""
        return self.answers["fleet_totals"].rows[0]

    @property
    def is_judged(self) -> bool:
        """Whether there are enough runs to hold any against its like."""
        return int(self.totals["runs"]) >= LEAST_RUNS

    @property
    def has_weeks(self) -> bool:
        """Whether there are weeks enough to hold some against others."""
        return len(self.rows("trend_by_week", workload=None)) >= LEAST_WEEKS

    def slow(self, question: str) -> list[Row]:
        """Machines or drivers that are slow."""
        return [row for row in self.answers[question].rows if row["judgement"] == _SLOW]

    def count_judgements(self, question: str) -> Counter[str]:
        """How many machines were judged so."""
        return Counter(str(row["judgement"]) for row in self.answers[question].rows)

    @cached_property
    def causes(self) -> Mapping[str, str]:
        """Pages of causes, by their name."""
        names = [str(row["cause"]) for row in self.answers["idle_by_cause"].rows]
        return name_pages("causes", names[:MOST_PAGES])

    @cached_property
    def hosts(self) -> Mapping[str, str]:
        """Pages of hosts: slow ones first, then those that lose most."""
        slow = [row["host"] for name in ("slow_hosts", "slow_gpus") for row in self.slow(name)]
        names = [*slow, *(row["host"] for row in self.answers["cost_by_host"].rows)]
        return name_pages("hosts", list(dict.fromkeys(map(str, names)))[:MOST_PAGES])

    @cached_property
    def workloads(self) -> Mapping[str, str]:
        """Pages of workloads: those that changed first, then those that lose most."""
        changed = [row["workload"] for name in CHANGES for row in self.answers[name].rows]
        names = [*changed, *(row["workload"] for row in self.answers["cost_by_workload"].rows)]
        return name_pages("workloads", list(dict.fromkeys(map(str, names)))[:MOST_PAGES])

    def find_page(self, column: str, row: Row) -> str:
        """The page that tells of a cell, relative to the first page; empty where there is none."""
        value = row.get(column)
        if column == "name":
            folder = self.reports.get(str(row.get("run")))
            return f"{folder}/index.md" if folder else ""
        if column == "hosts":
            value = value[0] if isinstance(value, list) and len(value) == 1 else None
            column = "host"
        pages = {"cause": self.causes, "host": self.hosts, "workload": self.workloads}
        return pages.get(column, {}).get(str(value), "") if value is not None else ""

    @cached_property
    def kernel_changes(self) -> list[Row]:
        """Kernels that got slower or faster in workloads that did not as a whole."""
        whole = {row["workload"] for row in self.answers[CHANGES[0]].rows}
        return [row for row in self.answers[CHANGES[1]].rows if row["workload"] not in whole]

    @cached_property
    def actions(self) -> list[FleetAction]:
        """What to do, what saves most first."""
        found = [*self._act_on_machines(), *self._act_on_changes(), *self._act_on_causes()]
        return sorted(found, key=lambda one: -(one.hours or 0.0))[:_MOST_ACTIONS]

    def _act_on_machines(self) -> Iterable[FleetAction]:
        hours = {row["host"]: row["gpu_hours"] for row in self.answers["cost_by_host"].rows}
        for row in self.slow("slow_hosts"):
            host, slower = str(row["host"]), row["slower"]
            yield FleetAction(
                f"Take {host} out of use and test it: GPUs idle longer there than in like runs "
                f"elsewhere, by {quantity(slower, 'ratio')} of an iteration",
                _find_lost(hours.get(host), slower),
                self.hosts[host],
            )
        for row in self.slow("slow_gpus"):
            host, slower = str(row["host"]), row["slower"]
            yield FleetAction(
                f"Test GPU {row['gpu']} of {host}: it computes {quantity(slower, 'ratio')} longer "
                "than GPUs of like runs",
                _find_lost(hours.get(host), slower),
                self.hosts[host],
            )
        for row in self.slow("bad_drivers"):
            yield FleetAction(
                f"Replace GPU driver {row['driver']}: with it, iterations take "
                f"{quantity(row['slower'], 'ratio')} longer",
                _find_lost(row["gpu_hours"], row["slower"]),
                "index.md#drivers",
            )

    def _act_on_changes(self) -> Iterable[FleetAction]:
        found = [(row, "iterations") for row in self.answers[CHANGES[0]].rows]
        found += [(row, f"calls of kernel {row['kernel']}") for row in self.kernel_changes]
        for row, what in found:
            if row["change"] > 0:
                workload = str(row["workload"])
                yield FleetAction(
                    f"Find what changed for {workload} before the week of {row['since']}: since "
                    f"then, {what} take {quantity(row['change'], 'ratio')} longer",
                    _find_lost(row["gpu_hours"], row["change"]),
                    self.workloads.get(workload, "index.md#changes"),
                )

    def _act_on_causes(self) -> Iterable[FleetAction]:
        for row in self.answers["idle_by_cause"].rows[:_MOST_CAUSES]:
            cause = str(row["cause"])
            advice = f"Look at the runs that lose most to this cause: {name_cause(cause)}"
            if cause == NOTHING:
                advice = "Record what the host does in runs whose GPUs idle for no known cause"
            yield FleetAction(
                advice,
                row["gpu_hours"],
                self.causes[cause],
            )


CHANGES = ("workload_regressions", "kernel_regressions")
"""Questions about what got slower or faster."""


def _find_lost(hours: float | None, slower: float) -> float | None:
    """GPU-hours that would not have been spent at the usual pace."""
    return None if hours is None else hours * slower / (1.0 + slower)


def name_cause(cause: str) -> str:
    """What the host does while GPUs idle, in words."""
    if cause == WAITING:
        return "waiting for other ranks"
    return name_kind("idle", cause)


def name_pages(folder: str, names: Sequence[str]) -> dict[str, str]:
    """A page in a folder for each of these names, which may be anything."""
    found: dict[str, str] = {}
    seen = Counter({"index": 1})
    for name in names:
        short = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:_MOST_NAME].strip("-") or "x"
        seen[short] += 1
        while (page := short if seen[short] == 1 else f"{short}--{seen[short]}") in found.values():
            seen[short] += 1
        found[name] = page
    return {name: f"{folder}/{page}.md" for name, page in found.items()}
