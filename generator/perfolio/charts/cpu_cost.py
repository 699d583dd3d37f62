"""The unit and the words of CPU cost: the event by which a run ranks it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from perfolio.charts.chart_data import Record, amount, read_scalar, select_positive, to_number
from perfolio.common.units import UNITS, quantity
from perfolio.findings.model.wording import choose_cost_words
from perfolio.metrics.metric_values import get_rows
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


def read_cpu_cost(results: Results) -> CpuCost:
    """As `cpu.overview` says; CPU cost of no known unit where it does not."""
    overview = get_rows(results, "cpu.overview")
    unit = str(overview[0].get("unit")) if overview else ""
    return CpuCost(choose_cost_words(unit).drawn, unit if unit in UNITS else "1")


_LAUNCHES = re.compile(r"(cu|cuda|hip)(Module|ExtModule|Graph)?Launch")


def is_held_up(results: Results, name: Cell) -> bool:
    """Whether PC sampling, which runs kernels one after another, holds up calls of `name`.

    The call that launches a kernel then lasts until the kernel has run: that is no cost of it.
    """
    sampled = (read_scalar(results, "sampling.metrics_listed") or 0.0) > 0.0
    return sampled and _LAUNCHES.match(str(name)) is not None


@dataclass(frozen=True)
class CostSpread:
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


def read_work_spread(results: Results) -> CostSpread | None:
    """Work of the threads that work, in place of their cost; None where none does."""
    table_rows = select_positive(get_rows(results, "balance.working_threads"), "work")
    rows = [{**row, "time": row["work"]} for row in table_rows]
    if not rows:
        return None
    return CostSpread(rows, len(rows), sum(amount(row, "time") for row in rows) / len(rows))


def read_cpu_spread(results: Results) -> CostSpread | None:
    """Threads with CPU cost; None where there is none.

    Their number and total come from `cpu.event`, since the table is cut.
    """
    rows = select_positive(get_rows(results, "cpu.threads"), "time")
    if not rows:
        return None
    event = (*get_rows(results, "cpu.event"), {})[0]
    threads, total = to_number(event.get("threads")), to_number(event.get("total"))
    if threads and total:
        return CostSpread(rows, round(threads), total / threads)
    return CostSpread(rows, len(rows), sum(amount(row, "time") for row in rows) / len(rows))
