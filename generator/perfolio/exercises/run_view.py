"""One run as exercises see it: names to numbers, texts, columns, and reasons for gaps.

In:  the content of metrics.json and findings.json. Out: `Run`.

Names: a scalar metric (`time.wall`), a column of a table metric (`gpu.kernels.share`; as a number
only where the table has one row), `finding.D8.fired`, `.value`, `.factor`, `.reduction`,
`hardware.<column>`, and keys of profile.toml (`workload.batch_size`). What findings.json tells is
read like metrics: `causes`, `steps`, `worth.factor` (see `make_finding_tables`). `before.<name>` is
the same of the run before the change, where an exercise names one. `low.<metric>` and
`high.<metric>` are the ends of its interval, and `known.<metric>` is 1 where it is measured and 0
where not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from perfolio.common.errors import ContentError
from perfolio.exercises.finding_tables import count_metrics, make_finding_tables
from perfolio.exercises.model import Json, NotAskedError
from perfolio.metrics.catalog import load_catalog
from perfolio.metrics.document import read_results
from perfolio.metrics.model import Cell, Metric, MetricColumn, Result, Results

_FINDING, _HARDWARE, _BEFORE = "finding.", "hardware.", "before."
_ESTIMATES = ("factor", "reduction")
_WORDS = ("title", "description", "notes", "digest")
"""What a person says of a run, and the digest that this is part of."""
_OF_RESULTS: Mapping[str, Callable[[Result], float | None]] = {
    "low": lambda result: result.low,
    "high": lambda result: result.high,
    "known": lambda result: float(result.status == "measured"),
}


@dataclass(frozen=True)
class Run:
    """The documents of a run."""

    metrics: Mapping[str, Any]
    findings: Mapping[str, Any]
    earlier: Run | None = None
    """The run before the change."""
    variants: tuple[Run, ...] = ()
    """The same run in all variants that there are."""

    def after(self, earlier: Run | None) -> Run:
        """This run with the one before it beside."""
        return replace(self, earlier=earlier) if earlier is not self.earlier else self

    @cached_property
    def wordless(self) -> Run:
        """The same without what a person says of it."""
        facts = {name: each for name, each in self.facts.items() if name not in _WORDS}
        metrics = {**self.metrics, "run": facts}
        findings = {name: each for name, each in self.findings.items() if name != "provenance"}
        return Run(metrics, {**findings, "run": facts, "metrics": metrics})

    @property
    def facts(self) -> Mapping[str, Any]:
        """What is known of the run besides metrics."""
        facts: Mapping[str, Any] = self.metrics["run"]
        return facts

    @property
    def slug(self) -> str:
        """Short name of the run."""
        return str(self.facts["slug"])

    @cached_property
    def results(self) -> Results:
        """All metrics, and what findings tell as tables."""
        measured = read_results(self.metrics)
        own = {**measured, **make_finding_tables(self.findings), **count_metrics(measured)}
        others = self.earlier.results if self.earlier is not None else {}
        return own | {f"{_BEFORE}{name}": result for name, result in others.items()}

    @cached_property
    def _catalog(self) -> Mapping[str, Metric]:
        return load_catalog()

    @cached_property
    def _by_code(self) -> Mapping[str, Mapping[str, Any]]:
        return {item["code"]: item for item in self.findings["findings"]}

    def finding(self, code: str) -> Mapping[str, Any]:
        """The finding of a code. Raises ContentError where no rule has it."""
        if code not in self._by_code:
            raise ContentError(f"there is no rule {code}")
        return self._by_code[code]

    def value(self, name: str) -> float | None:
        """The number of a name; None where this run has none.

        NotAskedError: it has several. ContentError: an unknown name.
        """
        if name in self.results:
            return self.results[name].value
        if name.startswith(_BEFORE) and self.earlier is not None:
            return self.earlier.value(name.removeprefix(_BEFORE))
        if (prefix := name.partition(".")[0]) in _OF_RESULTS:
            return _OF_RESULTS[prefix](self._any_result(name.partition(".")[2]))
        if name.startswith(_FINDING):
            return self._get_finding_value(name)
        if name.startswith(_HARDWARE):
            return as_number((self.facts["hardware"] or {}).get(name.removeprefix(_HARDWARE)))
        if (table := self.table(name)) is not None:
            cells = self.cells(name)
            if len(cells) > 1:
                raise NotAskedError(
                    f"{name} has {len(cells)} rows in this run, and not one", refused=True
                )
            return as_number(cells[0]) if cells and table else None
        return as_number(self.setting(name))

    def column(self, name: str) -> Sequence[float] | None:
        """The numbers of a table's column; None where the name is none, or is empty here."""
        if self.table(name) is None:
            return None
        return [each for each in map(as_number, self.cells(name)) if each is not None]

    def text(self, name: str) -> str | None:
        """The words of a name: a text column of a table with rows (its first), a setting."""
        if name.startswith(_FINDING):
            code, _, field = name.removeprefix(_FINDING).partition(".")
            return str(self.finding(code).get(field))
        if self.table(name) is not None:
            cells = self.cells(name)
            return str(cells[0]) if cells and cells[0] is not None else None
        return self.setting(name)

    def setting(self, key: str) -> str | None:
        """What profile.toml says of a key. Raises ContentError for a name that is none."""
        settings = self.facts["settings"]
        known = key in settings or key.startswith(("workload.", "setting."))
        if not known and "." in key:
            raise self._absent(key)
        value = settings.get(key.removeprefix("setting."))
        return None if value is None else str(value)

    def table(self, name: str) -> tuple[Result, MetricColumn] | None:
        """The table metric and the column of `gpu.kernels.share`."""
        metric, _, column = name.rpartition(".")
        result = self.results.get(metric)
        if result is None or result.metric.shape != "table":
            return None
        for each in result.metric.columns:
            if each.name == column:
                return result, each
        raise make_column_error(metric, column)

    def cells(self, name: str) -> list[Cell]:
        """The cells of a column, in the order of the table."""
        source = self.table(name)
        return [row[source[1].name] for row in source[0].records()] if source else []

    def result(self, name: str) -> Result:
        """A metric that is measured. Raises NotAskedError with its reason where it is not."""
        known = self._any_result(name)
        if known.status != "measured":
            reason = f"{known.metric.title}: {known.reason or 'not measured'}"
            raise NotAskedError(reason, collect=known.collect)
        return known

    def _any_result(self, name: str) -> Result:
        """A metric, measured or not."""
        if name not in self.results:
            raise self._absent(name)
        return self.results[name]

    def lacks(self, names: Sequence[str]) -> NotAskedError:
        """The error that a value needs what this run does not have."""
        for name in map(_strip_end, names):
            metric = name if name in self.results else name.rpartition(".")[0]
            if metric in self.results and self.results[metric].status != "measured":
                try:
                    self.result(metric)
                except NotAskedError as gap:
                    return gap
        unknown = [name for name in names if name not in self.results and self.unset(name)]
        if unknown:
            key = unknown[0].removeprefix("setting.")
            return NotAskedError(f"profile.toml does not say {key}", collect=f"{key} = ...")
        return NotAskedError(f"this run gives no value for {', '.join(names)}")

    def unset(self, name: str) -> bool:
        """Whether a name is a key of profile.toml that is not there."""
        if name.startswith((_FINDING, _HARDWARE)) or _strip_end(name) in self.results:
            return False
        return self.table(name) is None and self.setting(name) is None

    def meets(self, needs: Sequence[str]) -> bool:
        """Whether everything that an exercise needs is measured, with rows where it is a table."""
        for name in needs:
            needed = self.results.get(name)
            if name.startswith((_FINDING, _HARDWARE)):
                if self.value(name) is None:
                    return False
            elif needed is None:
                if name in self._catalog or self.setting(name) is None:
                    return False
            elif needed.status != "measured" or not (
                needed.rows or needed.metric.shape == "scalar"
            ):
                return False
        return True

    def named(self) -> Json:
        """The run as keys name it."""
        return {"slug": self.slug, "digest": str(self.facts["digest"])}

    def _absent(self, name: str) -> ContentError:
        """The error that a document lacks a metric, as those of other versions may, or all do."""
        if not {name, name.rpartition(".")[0]}.isdisjoint(self._catalog):
            return NotAskedError(f"this report has no {name}: another version of Perfolio made it")
        return ContentError(f"there is no metric {name}")

    def _get_finding_value(self, name: str) -> float | None:
        code, _, field = name.removeprefix(_FINDING).partition(".")
        finding = self.finding(code)
        if field == "fired":
            return (
                None if finding["status"] == "not_evaluated" else float(finding["status"] == field)
            )
        estimate = finding["estimate"] or {}
        return as_number(estimate.get(field) if field in _ESTIMATES else finding.get(field))


def _strip_end(name: str) -> str:
    """The metric of `low.<metric>`; any other name itself."""
    prefix, _, metric = name.partition(".")
    return metric if prefix in _OF_RESULTS else name


def make_column_error(metric: str, *columns: str) -> ContentError:
    """The error that a table lacks columns: that of another version may, or every one does."""
    known = load_catalog().get(metric)
    if known is not None and {each.name for each in known.columns} >= set(columns) > set():
        names = ", ".join(columns)
        return NotAskedError(f"this report has no {names} of {metric}: another version made it")
    return ContentError(f"{metric} has no column {', '.join(columns) or '(none is named)'}")


def as_number(cell: object) -> float | None:
    """A number of a document or of profile.toml; None where it is none."""
    if isinstance(cell, bool) or cell is None:
        return None
    if isinstance(cell, (int, float)):
        return float(cell)
    try:
        return float(str(cell))
    except ValueError:
        return None
