"""The unit and the words of CPU cost: the event by which a run ranks it."""

from __future__ import annotations

from dataclasses import dataclass

from generator.charts.data import table
from generator.metrics.model import Results
from generator.units import UNITS, quantity

_WORDS = {"CPU-s": "CPU time", "thread-s": "elapsed thread time", "events": "CPU events"}


@dataclass(frozen=True)
class CpuCost:
    """What CPU costs of a run are: `CPU time` in `CPU-s`, or counted events."""

    words: str
    unit: str

    @property
    def capitalised(self) -> str:
        """The words at the start of a sentence."""
        return self.words[:1].upper() + self.words[1:]

    def text(self, value: float) -> str:
        """`value` with its unit."""
        number = quantity(value, self.unit)
        return f"{number} {self.unit}" if self.unit == "events" else number


def cpu_cost(results: Results) -> CpuCost:
    """As `cpu.overview` says; CPU cost of no known unit where it does not."""
    overview = table(results, "cpu.overview")
    unit = str(overview[0].get("unit")) if overview else ""
    return CpuCost(_WORDS.get(unit, "CPU cost"), unit if unit in UNITS else "1")
