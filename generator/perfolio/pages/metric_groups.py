"""Metrics in groups: by the first part of their names, and those without a value by why.

In:  metrics of a document, those without a value with the reason and the command that would collect
     it. Out: `MetricGroup`s, in the order of their titles, and a `MetricGap` per reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from perfolio.pages.cpu_cost_unit import Record
from perfolio.pages.group_titles import GROUP_TITLES

_BRACKETS = re.compile(r" \((?:[^()]|\([^()]*\))*\)")
"""What a reason names in brackets, such as the metric of the tool that is missing."""


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


@dataclass(frozen=True)
class MetricGap:
    """What is not measured for one reason, whatever the tool calls what is missing."""

    reason: str
    collect: str
    """The command that would collect it, or empty."""
    metrics: tuple[Record, ...]


def group_by_reason(items: Iterable[Record]) -> list[MetricGap]:
    """Metrics that are not measured, those of one reason and command together."""
    groups: dict[tuple[str, str], list[Record]] = {}
    for item in items:
        groups.setdefault((_BRACKETS.sub("", item["reason"]), item["collect"]), []).append(item)
    return [
        MetricGap(
            metrics[0]["reason"] if _has_one_reason(metrics) else cause, collect, tuple(metrics)
        )
        for (cause, collect), metrics in groups.items()
    ]


def _has_one_reason(metrics: list[Record]) -> bool:
    return all(item["reason"] == metrics[0]["reason"] for item in metrics)
