"""What a metric is, and what evaluating one gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Shape = Literal["scalar", "table"]
Better = Literal["higher", "lower", "neither"]
Status = Literal["measured", "not_measured", "failed"]
Cell = float | int | str | None


@dataclass(frozen=True)
class MetricColumn:
    """A column of a table metric; `unit` is a name of `perfolio.common.units.UNITS`."""

    name: str
    title: str
    unit: str


INTERVAL = "95 % interval"
"""What the interval of a sampled value is, where the query does not say otherwise."""


@dataclass(frozen=True)
class Metric:
    """One .sql file: what it measures, over what, and the query."""

    name: str
    """Path below `generator/perfolio/metrics` with dots: `gpu/launches.sql` is `gpu.launches`."""
    title: str
    unit: str
    shape: Shape
    better: Better
    definition: str
    population: str
    """What is counted: which profiles, contexts and scope."""
    needs: tuple[str, ...]
    """What a run must hold, in the words of `needs.toml`: names of HPCToolkit metrics,
    or `hardware`, `hardware.<column>`, `trace`, `profiles`, `workload.<key>`..."""
    source: str
    """Where the formula comes from."""
    sql: str
    caveat: str = ""
    """What HPCToolkit gets wrong here, printed wherever the value is."""
    columns: tuple[MetricColumn, ...] = ()
    interval: str = INTERVAL
    """What the interval of its value is, in the words before its ends; the query may say."""
    empty: str = ""
    """What it means when the query gives NULL or no row, although nothing is missing."""


@dataclass(frozen=True)
class Result:
    """A metric's value on one run; `reason` and `collect` say why there is none."""

    metric: Metric
    status: Status
    """failed: the run holds all that it needs, and the query ended in an error."""
    value: float | None = None
    low: float | None = None
    high: float | None = None
    """Bounds of the interval that the metric names, where the value is sampled."""
    n: float | None = None
    """How many independent samples the interval rests on, or how many things a figure is over."""
    rows: tuple[tuple[Cell, ...], ...] = ()
    reason: str = ""
    collect: str = ""
    """The command that would collect what is missing."""

    def records(self) -> list[dict[str, Cell]]:
        """The rows of a table metric, one dictionary per row, keys as in `columns`."""
        names = [column.name for column in self.metric.columns]
        return [dict(zip(names, row, strict=True)) for row in self.rows]


Results = Mapping[str, Result]
"""All results of one run by metric name."""
