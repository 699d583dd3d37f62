"""What a report does not measure, arranged by why.

In:  metrics without a value, each with its reason and the command that would collect it.
Out: a `MetricGap` per reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from perfolio.pages.cpu_cost_unit import Record

_BRACKETS = re.compile(r" \((?:[^()]|\([^()]*\))*\)")
"""What a reason names in brackets, such as the metric of the tool that is missing."""


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
