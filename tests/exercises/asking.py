"""Sheets on runs that have what the sheets ask for: a report has thirty times as many metrics."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

from perfolio.exercises.catalog import list_named_runs, load_exercises
from perfolio.exercises.model import Sheet
from perfolio.exercises.run_view import Run
from perfolio.metrics.catalog import load_catalog
from perfolio.metrics.model import Result
from tests.exercises.support import sheet_of
from tests.kit.samples import documents_at, sample_documents, some_metrics_at

BEFORE = "before."
FINDING = "finding."


class Asked(Mapping[str, Result]):
    """Results that note what they are asked for."""

    def __init__(self, results: Mapping[str, Result], names: set[str]) -> None:
        self._results = results
        self._names = names

    def __getitem__(self, name: str) -> Result:
        self._names.add(name.removeprefix(BEFORE))
        return self._results[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._results)

    def __len__(self) -> int:
        return len(self._results)

    def items(self) -> ItemsView[str, Result]:
        """All: the run after a change has those of the run before it, and is asked for them."""
        return self._results.items()


@dataclass(frozen=True)
class AskedRun(Run):
    """A run that notes what it is asked for, and so does what is made of it with a run before."""

    names: set[str] = field(default_factory=set)

    @cached_property
    def results(self) -> Asked:
        return Asked(super().results, self.names)

    @property
    def asked(self) -> set[str]:
        """Metrics, findings and their tables, also of the run before."""
        told = {name for name in self.names if name.startswith(FINDING)}
        return told | self.names & {*load_catalog(), *self.results}


def sheet_on(slug: str, databases: Mapping[str, Path], variant: str) -> Sheet:
    """The sheet of a shipped exercise on the runs of these databases, by their short names."""
    asked = asked_of_samples(slug)
    while True:
        sheet, more = _made(slug, runs_with(asked, databases), variant)
        if more <= asked:
            return sheet
        asked |= more


def runs_with(asked: frozenset[str], databases: Mapping[str, Path]) -> dict[str, AskedRun]:
    """Runs with what is asked of them: with their whole reports where that is more than metrics."""
    if asked <= load_catalog().keys():
        some = {run: some_metrics_at(path, *sorted(asked)) for run, path in databases.items()}
        return {run: AskedRun(metrics, {"findings": []}) for run, metrics in some.items()}
    known = {run: documents_at(path) for run, path in databases.items()}
    return {run: AskedRun(one.metrics, one.findings) for run, one in known.items()}


@cache
def asked_of_samples(slug: str) -> frozenset[str]:
    """What the sheet of a shipped exercise asks of the samples that it names."""
    documents = {name: sample_documents(name) for name in list_named_runs(load_exercises()[slug])}
    runs = {name: AskedRun(one.metrics, one.findings) for name, one in documents.items()}
    return _made(slug, runs)[1]


def _made(
    slug: str, runs: Mapping[str, AskedRun], variant: str = ""
) -> tuple[Sheet, frozenset[str]]:
    """A sheet, and what it asked of its runs."""
    exercise = load_exercises()[slug]
    sheet = sheet_of(exercise, runs[exercise.run], runs=runs, variant=variant)
    return sheet, frozenset().union(*(run.asked for run in runs.values()))
