"""Numbers of metrics: which identifier a metric has at each scope, and each statistic."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from perfolio.writers.hpctoolkit.model import ALL_STATISTICS, SCOPES, Metric, Statistic

ID_LIMIT = 1 << 16


@dataclass(frozen=True)
class MetricNumbering:
    """Identifiers of the propagated metrics and of their statistics."""

    metrics: tuple[Metric, ...]
    base: npt.NDArray[np.int64]
    """First identifier of each metric; at scope i of the metric it is this plus i."""

    def propagated(self, metric: int, scope: int) -> int:
        """The propMetricId of a metric at the scope of this position."""
        return int(self.base[metric]) + scope

    def statistic(self, metric: int, statistic: int, scope: int) -> int:
        """The statMetricId of the statistic of this position at the scope of this position."""
        return int(self.base[metric]) + statistic * len(self.metrics[metric].scopes) + scope

    @property
    def size(self) -> int:
        """The first identifier that is free."""
        return sum(_count_identifiers(metric) for metric in self.metrics)


def number_metrics(metrics: tuple[Metric, ...]) -> MetricNumbering:
    """Identifiers as HPCToolkit gives them: one interval per metric, scope by scope.

    Raises ValueError for scopes and statistics that HPCToolkit does not have.
    """
    for metric in metrics:
        _check_metric(metric)
    widths = [_count_identifiers(metric) for metric in metrics]
    if sum(widths) > ID_LIMIT:
        raise ValueError(f"{len(metrics)} metrics need more than {ID_LIMIT} identifiers")
    return MetricNumbering(metrics, np.cumsum([0, *widths])[:-1].astype(np.int64))


def _count_identifiers(metric: Metric) -> int:
    return max(len(metric.statistics), 1) * len(metric.scopes)


def _check_metric(metric: Metric) -> None:
    known = [scope for scope in SCOPES if scope in metric.scopes]
    if list(metric.scopes) != known:
        raise ValueError(f"{metric.name}: scopes are a choice of {', '.join(SCOPES)}, in order")
    _check_statistics(metric.name, metric.statistics)


def _check_statistics(name: str, statistics: tuple[Statistic, ...]) -> None:
    for statistic in statistics:
        if statistic not in ALL_STATISTICS:
            raise ValueError(f"{name}: no statistic {statistic.combine} of {statistic.formula}")
    if len(set(statistics)) != len(statistics):
        raise ValueError(f"{name}: a statistic is listed twice")
