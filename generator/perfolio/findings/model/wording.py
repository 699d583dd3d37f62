"""What a run's CPU event measures is called, and which wording of a content file a run bears out.

In:  results of metrics, the unit of their CPU event; wordings.
Out: words for sentences, pages and charts: also for the fields `{cost}`, `{waits}` and `{idle}`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

from perfolio.common.units import compute_half_width, quantity
from perfolio.findings.model.conditions import fill_template, is_all_met
from perfolio.findings.model.rule import Wordings
from perfolio.metrics.metric_values import is_measured
from perfolio.metrics.model import Results


@dataclass(frozen=True)
class CostWords:
    """The words for cost of one unit."""

    name: str = "CPU cost"
    """Within a sentence of a finding."""
    whole: str = "CPU cost"
    """As the 100 % of the tree of causes."""
    drawn: str = "CPU cost"
    """In a chart, where it stands without a sentence around it."""
    waits: str = "in parallel runtimes (OpenMP, MPI) and in calls that wait"
    """What threads do that wait at this cost."""


_CPU_TIME = CostWords(
    "CPU time",
    "CPU time",
    "CPU time",
    "spinning for work or running a parallel runtime (OpenMP, MPI)",
)
COSTS: Mapping[str, CostWords] = MappingProxyType(
    {
        "CPU-s": _CPU_TIME,
        "CPU-ns": _CPU_TIME,
        "thread-s": CostWords(
            "thread time",
            "thread time without waits of helpers",
            "elapsed thread time",
            "waiting, in parallel runtimes (OpenMP, MPI) and in calls that block",
        ),
        "events": CostWords(drawn="CPU events"),
        "ratio": CostWords(drawn="share of the cost"),
    }
)
"""The costs whose unit is known; see `choose_cost_words` for others."""


def choose_cost_words(unit: object) -> CostWords:
    """The words for cost of this unit; general ones where it is none of `COSTS`."""
    return COSTS.get(str(unit), CostWords())


FIELDS: Mapping[str, str] = MappingProxyType(
    {
        "cost": "what the CPU event measures: CPU time, thread time",
        "waits": "what threads do that do not work: with CPU time they spin, else they wait",
        "idle": "the idle time that is blamed on functions: within iterations, or all of it",
    }
)
"""The fields by name, and what each stands for."""


def choose_event_words(results: Results) -> dict[str, str]:
    """Text for each of `FIELDS`; general words where no event is known."""
    event = results["cpu.event"]
    unit = event.records()[0]["unit"] if event.rows else None
    cost = choose_cost_words(unit)
    iterates = is_measured(results, "time.steady_utilisation")
    idle = f"idle time {'within steady iterations' if iterates else 'between operations'}"
    return {"cost": cost.name, "waits": cost.waits, "idle": idle}


class SampledFigure(Protocol):
    """A value and the ends of its interval; None where it is exact."""

    @property
    def value(self) -> float | None: ...  # noqa: D102
    @property
    def low(self) -> float | None: ...  # noqa: D102
    @property
    def high(self) -> float | None: ...  # noqa: D102


def format_figure(one: SampledFigure, unit: str) -> str:
    """A value with the digits that its interval bears out."""
    return quantity(one.value, unit, compute_half_width(one.low, one.high))


def choose_wording(wordings: Wordings, results: Results) -> str | None:
    """The first wording that applies and whose fields are all measured; None without one."""
    words = choose_event_words(results)
    fitting = (each.say for each in wordings if is_all_met(each.when, results))
    return next((text for each in fitting if (text := fill_template(each, results, words))), None)
