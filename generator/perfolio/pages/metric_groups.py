"""Metrics by the first part of their names, as pages list them.

In:  metrics of a document. Out: `MetricGroup`s, in the order of their titles.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from perfolio.pages.cpu_cost_unit import Record
from perfolio.pages.group_titles import GROUP_TITLES
from perfolio.pages.not_measured import MetricGap, group_by_reason


@dataclass(frozen=True)
class MetricGroup:
    """The metrics whose names begin alike."""

    key: str
    title: str
    metrics: tuple[Record, ...]

    @property
    def measured(self) -> int:
        """How many of them have a value."""
        return sum(map(is_measured, self.metrics))

    @property
    def gaps(self) -> list[MetricGap]:
        """The others, by the reason why they have none."""
        return group_by_reason(item for item in self.metrics if not is_measured(item))


def group_metrics(metrics: Iterable[Record]) -> list[MetricGroup]:
    """Metrics by the first part of their names, in the order of `GROUP_TITLES`."""
    groups: dict[str, list[Record]] = {key: [] for key in GROUP_TITLES}
    for item in metrics:
        groups.setdefault(item["name"].partition(".")[0], []).append(item)
    return [
        MetricGroup(key, GROUP_TITLES.get(key, key.capitalize()), tuple(items))
        for key, items in groups.items()
        if items
    ]


def is_measured(item: Record) -> bool:
    """Whether a metric has a value."""
    return bool(item["status"] == "measured")
