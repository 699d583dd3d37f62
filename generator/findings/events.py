"""What a run's CPU event measures and what its blame is of, in the words that sentences need.

In:  results of metrics.
Out: text for the fields `{cost}`, `{waits}` and `{idle}` of rules and verdicts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from generator.metrics.model import Results


@dataclass(frozen=True)
class _Event:
    """How cost of one unit is called, and what threads do that wait at this cost."""

    cost: str
    waits: str


_EVENTS = {
    "CPU-s": _Event("CPU time", "spinning for work or running a parallel runtime (OpenMP, MPI)"),
    "CPU-ns": _Event("CPU time", "spinning for work or running a parallel runtime (OpenMP, MPI)"),
    "thread-s": _Event(
        "thread time", "waiting, in parallel runtimes (OpenMP, MPI) and in calls that block"
    ),
}
_OTHER = _Event("CPU cost", "in parallel runtimes (OpenMP, MPI) and in calls that wait")

FIELDS: Mapping[str, str] = MappingProxyType(
    {
        "cost": "what the CPU event measures: CPU time, thread time",
        "waits": "what threads do that do not work: with CPU time they spin, else they wait",
        "idle": "the idle time that is blamed on functions: within iterations, or all of it",
    }
)
"""The fields by name, and what each stands for."""


def event_words(results: Results) -> dict[str, str]:
    """Text for each of `FIELDS`; general words where no event is known."""
    event = results["cpu.event"]
    unit = event.records()[0]["unit"] if event.rows else None
    words = _EVENTS.get(str(unit), _OTHER)
    iterates = results["time.steady_utilisation"].status == "measured"
    idle = f"idle time {'within steady iterations' if iterates else 'between operations'}"
    return {"cost": words.cost, "waits": words.waits, "idle": idle}
