"""Whether a run has ranks to speak of, and which metrics are about them.

In:  results of metrics. Out: true or false.
"""

from __future__ import annotations

from generator.findings.terms.conditions import holds
from generator.findings.terms.model import Condition
from generator.metrics.model import Metric, Results

_RANKS = frozenset({"ranks", "collective_tests"})
"""What only runs of several processes can meet."""


def is_about_ranks(metric: Metric) -> bool:
    """Whether a metric means nothing for a single process, by what it needs."""
    return not _RANKS.isdisjoint(metric.needs)


def has_no_ranks(results: Results) -> bool:
    """Whether the run was no run of MPI or a like launcher; not known without any values."""
    no_ranks = holds(Condition("run.ranks", "below", 1.0), results)
    has_values = holds(Condition("run.values", "above", 0.0), results)
    return bool(no_ranks and has_values)
