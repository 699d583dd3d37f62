"""What a run and a report say: values of metrics, of findings' estimates, and of claims.

In:  the results and the findings of one run, and claims. Out: look-ups by name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from perfolio.audit.expression import evaluate
from perfolio.audit.model import Claim
from perfolio.metrics.model import Result, Results


@dataclass(frozen=True)
class AuditFacts:
    """One run, and the claims about it by key."""

    results: Results
    findings: Sequence[Mapping[str, Any]]
    """As in findings.json."""
    claims: Mapping[str, Claim]

    def value(self, name: str) -> float | None:
        """Of a metric, or of a finding's code: the share that its estimate gives."""
        if name in self.results:
            return self.results[name].value
        estimate = self._estimate(name)
        return float(estimate["reduction"]) if estimate else None

    def claimed(self, name: str) -> float | None:
        """Like `value`, with what the report claims for the keys of its claims."""
        return self.claims[name].value if name in self.claims else self.value(name)

    def true(self, name: str) -> float | None:
        """Like `value`, with what is measured for the keys of claims."""
        if name not in self.claims:
            return self.value(name)
        quantity = self.claims[name].quantity
        return evaluate(quantity, self.value) if quantity else None

    def unit(self, name: str) -> str:
        """Of a claim or a metric; empty for anything else."""
        if name in self.claims:
            return self.claims[name].unit
        return self.results[name].metric.unit if name in self.results else ""

    def lacking(self, names: Sequence[str]) -> Result | None:
        """The first of these metrics that is not measured."""
        found = (self.results[name] for name in names if name in self.results)
        return next((result for result in found if result.status != "measured"), None)

    def title(self, name: str) -> str:
        """Of a metric, as a sentence has it; the name itself for anything else."""
        return self.results[name].metric.title if name in self.results else name

    def _estimate(self, code: str) -> Mapping[str, Any] | None:
        found = (each["estimate"] for each in self.findings if each["code"] == code)
        return next((estimate for estimate in found if estimate), None)
