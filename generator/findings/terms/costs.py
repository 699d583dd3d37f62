"""What CPU cost is called, by the unit of the event that measures it.

In:  a unit of `cpu.event` or `cpu.overview`. Out: words for sentences, pages and charts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Cost:
    """The words for cost of one unit."""

    name: str = "CPU cost"
    """Within a sentence of a finding."""
    whole: str = "CPU cost"
    """As the 100 % of the tree of causes."""
    drawn: str = "CPU cost"
    """In a chart, where it stands without a sentence around it."""
    waits: str = "in parallel runtimes (OpenMP, MPI) and in calls that wait"
    """What threads do that wait at this cost."""


_CPU_TIME = Cost(
    "CPU time",
    "CPU time",
    "CPU time",
    "spinning for work or running a parallel runtime (OpenMP, MPI)",
)
COSTS: Mapping[str, Cost] = MappingProxyType(
    {
        "CPU-s": _CPU_TIME,
        "CPU-ns": _CPU_TIME,
        "thread-s": Cost(
            "thread time",
            "thread time without waits of helpers",
            "elapsed thread time",
            "waiting, in parallel runtimes (OpenMP, MPI) and in calls that block",
        ),
        "events": Cost(drawn="CPU events"),
        "ratio": Cost(drawn="share of the cost"),
    }
)
"""The costs whose unit is known; see `cost_of` for others."""


def cost_of(unit: object) -> Cost:
    """The words for cost of this unit; general ones where it is none of `COSTS`."""
    return COSTS.get(str(unit), Cost())
