"""Cases of charts: small results, and what the chart must then say."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from perfolio.metrics.model import Metric, MetricColumn, Result, Results

CASES = Path(__file__).parent / "cases"


@dataclass(frozen=True)
class Case:
    """One file: `<chart>.json`, or `<chart>.<what is special>.json`."""

    name: str
    chart: str
    results: Results
    expect: dict[str, Any]


def cases() -> list[Case]:
    return [_case(path) for path in sorted(CASES.glob("*.json"))]


def _case(path: Path) -> Case:
    content = json.loads(path.read_text(encoding="utf-8"))
    results = [_result(metric) for metric in content["metrics"]]
    return Case(
        name=path.stem,
        chart=path.stem.partition(".")[0],
        results={result.metric.name: result for result in results},
        expect=content["expect"],
    )


def _result(record: dict[str, Any]) -> Result:
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
