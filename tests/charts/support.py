"""Cases of charts: small results, and what the chart must then say."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

from perfolio.charts.spec_packing import LAST, SIGNS
from perfolio.common.content_files import load_yaml
from perfolio.metrics.model import Metric, MetricColumn, Result, Results

CASES = Path(__file__).parent / "cases"
USUAL = "usual"
"""The case of a chart that has the chart's name; others are called `<chart>.<case>`."""
_EXPECTED = {"title", "shows", "hides", "note", "describes", "unsaid"}


@dataclass(frozen=True)
class Case:
    """An entry of `cases/<chart>.yaml`."""

    name: str
    chart: str
    results: Results
    expect: dict[str, Any]


def cases() -> list[Case]:
    return [case for path in sorted(CASES.glob("*.yaml")) for case in _read_cases(path)]


def _read_cases(path: Path) -> list[Case]:
    """Of a file with `metrics`, the unit or the columns of each, and `cases` with their results."""
    content: Any = load_yaml(path.read_text(encoding="utf-8"))
    return [
        _read_case(path.stem, name, entry, content["metrics"])
        for name, entry in content["cases"].items()
    ]


def _read_case(chart: str, name: str, entry: dict[str, Any], metrics: dict[str, Any]) -> Case:
    assert set(entry) == {"results", "expect"}, f"{chart}: {name}"
    assert set(entry["expect"]) <= _EXPECTED, f"{chart}: {name}"
    results = {key: _read_result(key, metrics[key], got) for key, got in entry["results"].items()}
    name = chart if name == USUAL else f"{chart}.{name}"
    return Case(name, chart, results, entry["expect"])


def _read_result(name: str, form: str | list[str], measured: Any) -> Result:
    """`measured` are the rows of a table; a value, or with its bounds: value, low and high."""
    if isinstance(form, list):
        return make_result({"name": name, "columns": form, "rows": measured})
    scalar = measured if isinstance(measured, dict) else {"value": measured}
    return make_result({"name": name, "unit": form, **scalar})


def make_result(record: dict[str, Any]) -> Result:
    columns = tuple(_column(text) for text in record.get("columns", ()))
    metric = Metric(
        name=record["name"],
        title=record["name"],
        unit=record.get("unit", "1"),
        shape="table" if columns else "scalar",
        better="neither",
        definition="Of a test.",
        population="none",
        needs=(),
        source="test",
        sql="SELECT 1",
        columns=columns,
    )
    rows = tuple(tuple(row) for row in record.get("rows", ()))
    ends = {end: record[end] for end in ("low", "high") if end in record}
    return Result(metric, "measured", value=record.get("value"), rows=rows, **ends)


def _column(text: str) -> MetricColumn:
    name, _, unit = text.partition(":")
    return MetricColumn(name, name.capitalize(), unit)


def with_names(results: Results, name: str) -> Results:
    """`results` whose every text that a profile could give is `name`."""
    return {key: replace(result, rows=_renamed(result, name)) for key, result in results.items()}


def _renamed(result: Result, name: str) -> tuple[Any, ...]:
    given = {"label", "line", "module", "function", "file", "kernel", "phase", "short", "name"}
    return tuple(
        tuple(
            name if column.name in given and isinstance(cell, str) else cell
            for column, cell in zip(result.metric.columns, row, strict=True)
        )
        for row in result.rows
    )


def layers(spec: dict[str, Any]) -> list[dict[str, Any]]:
    """All views of a specification, outermost first."""
    return [spec, *(view for layer in spec.get("layer", ()) for view in layers(layer))]


def read_places(text: str) -> list[int]:
    """The numbers that stand for all that signs can be, in this order."""
    first, last = SIGNS[:LAST], SIGNS[LAST:]
    more = (product(last, repeat=length) for length in range(4))
    all_of = ("".join((*signs, end)) for some in more for signs in some for end in first)
    places = {signs: place for place, signs in enumerate(all_of)}
    return [places[one] for one in re.findall(f"[{re.escape(last)}]*[{re.escape(first)}]", text)]
