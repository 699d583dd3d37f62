"""Estimators by name: each function of this package that is marked as one.

In:  the modules of the folder.
Out: what bounds the gain of removing a finding, by the name that rules give it.

Every bound is a share of time that would be gone if the cause vanished completely, so none exceeds
Amdahl's law for its share: of wall time where a trace measured it, else of less, and said so.
Bounds of findings that concern the same time overlap: they must not be added or multiplied;
`change_effect.compute_saved` bounds a set of them by the cells that each takes.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from perfolio.findings.estimates.savings_budget import SavingsBudget
from perfolio.findings.model.finding import Estimate, Refusal
from perfolio.metrics.model import Results

_Bound = Callable[[str, float, Results], Estimate | Refusal | None]
_PREFIX = "bound_"


@dataclass(frozen=True)
class GainEstimator:
    """Marks a function `bound_<name>` as the estimator that rules call `<name>`.

    From the name and value of a rule's metric, and all results, it says what removing the finding
    is worth: None where nothing can be saved or an input is missing, a `Refusal` where the data
    forbid what the rule asks for.
    """

    bound: _Bound
    budget: SavingsBudget | None = None
    """What there is of what it takes; None of one that takes cells, which hold no more."""

    @classmethod
    def within(cls, budget: SavingsBudget) -> Callable[[_Bound], GainEstimator]:
        """Mark one that takes no more than a budget has."""
        return lambda bound: cls(bound, budget)

    @property
    def name(self) -> str:
        """Of its function, without `bound_`."""
        return self.bound.__name__.removeprefix(_PREFIX)

    def __call__(self, metric: str, value: float, results: Results) -> Estimate | Refusal | None:
        """What its function says."""
        return self.bound(metric, value, results)


@cache
def load_estimators() -> Mapping[str, GainEstimator]:
    """All estimators of this folder by name, in the order of their names."""
    modules = (
        importlib.import_module(f"{__package__}.{each.name}")
        for each in pkgutil.iter_modules([str(Path(__file__).parent)])
    )
    found = {
        each.name: each
        for module in modules
        for each in vars(module).values()
        if isinstance(each, GainEstimator)
    }
    return MappingProxyType(dict(sorted(found.items())))
