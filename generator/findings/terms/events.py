"""What a run's CPU event measures and what its blame is of, in the words that sentences need.

In:  results of metrics; wordings of content files.
Out: text for the fields `{cost}`, `{waits}` and `{idle}`, and the wording that a run bears out.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from generator.findings.terms.conditions import all_hold, fill
from generator.findings.terms.costs import cost_of
from generator.findings.terms.model import Wordings
from generator.metrics.model import Results
from generator.metrics.values import is_measured

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
    cost = cost_of(unit)
    iterates = is_measured(results, "time.steady_utilisation")
    idle = f"idle time {'within steady iterations' if iterates else 'between operations'}"
    return {"cost": cost.name, "waits": cost.waits, "idle": idle}


def told(wordings: Wordings, results: Results) -> str | None:
    """The first wording that applies and whose fields are all measured; None without one."""
    words = event_words(results)
    fitting = (each.say for each in wordings if all_hold(each.when, results))
    return next((text for each in fitting if (text := fill(each, results, words))), None)
