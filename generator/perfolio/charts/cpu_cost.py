"""The unit and the words of CPU cost: the event by which a run ranks it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from perfolio.charts.chart_data import Record, amount, number, positive, scalar
from perfolio.common.units import UNITS, quantity
from perfolio.findings.model.wording import cost_of
from perfolio.metrics.metric_values import rows_of
from perfolio.metrics.model import Cell, Results


@dataclass(frozen=True)
class CpuCost:
    """What CPU costs of a run are: `CPU time` in `CPU-s`, or counted events."""

    words: str
    unit: str

    @property
    def capitalised(self) -> str:
        """The words at the start of a sentence."""
        return self.words[:1].upper() + self.words[1:]

    @property
    def elapsed(self) -> bool:
        """Whether threads have it while they wait, too: the longest need not be the busiest."""
        return self.unit == "thread-s"

    def text(self, value: float) -> str:
        """`value` with its unit."""
        number = quantity(value, self.unit)
        return f"{number} {self.unit}" if self.unit == "events" else number


def cpu_cost(results: Results) -> CpuCost:
    """As `cpu.overview` says; CPU cost of no known unit where it does not."""
    overview = rows_of(results, "cpu.overview")
    unit = str(overview[0].get("unit")) if overview else ""
    return CpuCost(cost_of(unit).drawn, unit if unit in UNITS else "1")


_LAUNCHES = re.compile(r"(cu|cuda|hip)(Module|ExtModule|Graph)?Launch")


def held_up(results: Results, name: Cell) -> bool:
    """Whether PC sampling, which runs kernels one after another, holds up calls of `name`.

    The call that launches a kernel then lasts until the kernel has run: that is no cost of it.
    """
    sampled = (scalar(results, "sampling.metrics_listed") or 0.0) > 0.0
    return sampled and _LAUNCHES.match(str(name)) is not None


@dataclass(frozen=True)
class Spread:
    """CPU cost over the threads that have any, in the unit of the run's CPU cost."""

    rows: list[Record]
    """Rows of `cpu.threads`, the busiest first: not all, where there are very many."""
    threads: int
    mean: float

    @property
    def highest(self) -> float:
        """Cost of the busiest thread."""
        return amount(self.rows[0], "time")

    @property
    def total(self) -> float:
        """Cost of all threads."""
        return self.mean * self.threads


def work_spread(results: Results) -> Spread | None:
    """Work of the threads that work, in place of their cost; None where none does."""
    table_rows = positive(rows_of(results, "balance.working_threads"), "work")
    rows = [{**row, "time": row["work"]} for row in table_rows]
    if not rows:
        return None
    return Spread(rows, len(rows), sum(amount(row, "time") for row in rows) / len(rows))


def cpu_spread(results: Results) -> Spread | None:
    """Threads with CPU cost; None where there is none.

    Their number and total come from `cpu.event`, since the table is cut.
    """
    rows = positive(rows_of(results, "cpu.threads"), "time")
    if not rows:
        return None
    event = (*rows_of(results, "cpu.event"), {})[0]
    threads, total = number(event.get("threads")), number(event.get("total"))
    if threads and total:
        return Spread(rows, round(threads), total / threads)
    return Spread(rows, len(rows), sum(amount(row, "time") for row in rows) / len(rows))
