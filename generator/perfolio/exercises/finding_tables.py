"""What findings.json tells, as tables that answers read like metrics: causes, steps, their worth.

In:  the content of findings.json. Out: `causes`, `steps`, `targets`, `worth.reduction` and
     `worth.factor` as results, each with the reason where a run has none; `causes.whole` and
     `worth.whole` are what their shares are of.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from perfolio.metrics.model import Cell, Metric, MetricColumn, Result, Results, Shape

_PAGE = "findings.json, and the report's page *Findings*"
_UNBOUNDED = "no step of this run has a bound that could be counted"
_NO_FACTOR = (
    "the bounds are of no time on the clock without the profiler, or save less than 0.5 % of it:"
    " no factor is told"
)
_EMPTY = "this report has none of them"
_CAUSE = (
    MetricColumn("cause", "Cause", "text"),
    MetricColumn("share", "Share of the whole", "ratio"),
    MetricColumn("code", "Finding", "text"),
)
_STEP = (
    MetricColumn("step", "Step", "text"),
    MetricColumn("rank", "Place in the roadmap", "count"),
    MetricColumn("most", "Saves at most", "ratio"),
    MetricColumn("factor", "Factor alone, at most", "x"),
    MetricColumn("plan", "What is planned", "text"),
    MetricColumn("effort", "Effort", "text"),
    MetricColumn("phase", "Phase", "text"),
    MetricColumn("code", "Finding", "text"),
)
_TARGET = (
    MetricColumn("figure", "Figure", "text"),
    MetricColumn("today", "Today", "ratio"),
    MetricColumn("target", "Target", "ratio"),
)


def make_finding_tables(findings: Mapping[str, Any]) -> Results:
    """The tables of a run; a document that lacks a part gives the reason."""
    most = (findings.get("worth") or {}).get("most") or {}
    factor = _NO_FACTOR if most else _UNBOUNDED
    made = (
        make_table("causes", "Causes of the run's time", _CAUSE, _list_causes(findings)),
        make_table("steps", "Steps of the roadmap", _STEP, _list_steps(findings)),
        make_table("targets", "Targets", _TARGET, _list_targets(findings)),
        make_scalar(
            "worth.reduction", "All steps together", "ratio", most.get("reduction"), _UNBOUNDED
        ),
        make_scalar(
            "worth.factor", "Factor of all steps together", "x", most.get("factor"), factor
        ),
        _make_denominator(
            "worth.whole", (findings.get("worth") or {}) if most else {}, "whole", _UNBOUNDED
        ),
        _make_denominator("causes.whole", findings.get("causes") or {}, "amount", _EMPTY),
    )
    return {each.metric.name: each for each in made}


def count_metrics(results: Results) -> Results:
    """How many metrics a report has, and how many of them are measured."""
    measured = sum(each.status == "measured" for each in results.values())
    made = (
        make_scalar("report.metrics", "Metrics of the report", "count", len(results), _EMPTY),
        make_scalar("report.measured", "Metrics that are measured", "count", measured, _EMPTY),
    )
    return {each.metric.name: each for each in made}


def _make_denominator(name: str, section: Mapping[str, Any], field: str, missing: str) -> Result:
    """What the shares of a part of the document are of."""
    return make_scalar(
        name, "What the shares are of", section.get("unit", "s"), section.get(field), missing
    )


def _list_causes(findings: Mapping[str, Any]) -> list[tuple[Cell, ...]]:
    """Causes that are not split further; views of the same time are left out."""
    nodes = [
        node
        for node in (findings.get("causes") or {}).get("nodes", ())
        if not (node.get("view") or node.get("outside") or node.get("share") is None)
    ]
    inner = {node["parent"] for node in nodes}
    leaves = [node for node in nodes if node["key"] not in inner and node["parent"]]
    return [
        (node["title"], node["share"], (node["findings"] or [None])[0])
        for node in sorted(leaves, key=lambda node: -float(node["share"]))
    ]


def _list_steps(findings: Mapping[str, Any]) -> list[tuple[Cell, ...]]:
    """The steps in their order, with the words of their findings."""
    known = {item["code"]: item for item in findings.get("findings", ())}
    phases = (findings.get("roadmap") or {}).get("phases", ())
    steps = [step for phase in phases for step in phase["steps"] if step["code"] in known]
    return [
        (
            known[step["code"]]["title"],
            rank,
            step["most"],
            _compute_speedup(step["most"]),
            f"{step['phase'].capitalize()}: {known[step['code']]['title']}",
            known[step["code"]]["effort"],
            step["phase"],
            step["code"],
        )
        for rank, step in enumerate(steps, 1)
    ]


def _compute_speedup(most: float | None) -> float | None:
    """How many times as fast the run is without a share of it; none where nothing is left."""
    return 1.0 / (1.0 - float(most)) if most is not None and most < 1.0 else None


def _list_targets(findings: Mapping[str, Any]) -> list[tuple[Cell, ...]]:
    """Shares that a change should move, each once."""
    titles = {item["name"]: item["title"] for item in _list_metrics(findings)}
    targets = {
        titles.get(each["metric"], each["metric"]): (each["today"], each["target"])
        for each in findings.get("targets") or ()
        if each["unit"] == "ratio" and each["today"] is not None
    }
    return [(title, *ends) for title, ends in targets.items()]


def _list_metrics(findings: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    metrics: Sequence[Mapping[str, Any]] = (findings.get("metrics") or {}).get("metrics", ())
    return metrics


def make_table(
    name: str, title: str, columns: tuple[MetricColumn, ...], rows: Sequence[tuple[Cell, ...]]
) -> Result:
    """A table that exercises read like a metric's; without rows it is not measured."""
    metric = _make_metric(name, title, "1", "table", columns)
    if not rows:
        return Result(metric, "not_measured", reason=_EMPTY)
    return Result(metric, "measured", rows=tuple(rows))


def make_scalar(name: str, title: str, unit: str, value: float | None, missing: str) -> Result:
    """A number that exercises read like a metric; `missing` is why there is none."""
    metric = _make_metric(name, title, unit, "scalar", ())
    if value is None:
        return Result(metric, "not_measured", reason=missing)
    return Result(metric, "measured", value=float(value))


def _make_metric(
    name: str, title: str, unit: str, shape: Shape, columns: tuple[MetricColumn, ...]
) -> Metric:
    return Metric(
        name=name,
        title=title,
        unit=unit,
        shape=shape,
        better="neither",
        definition=title,
        population=_PAGE,
        needs=(),
        source=_PAGE,
        sql="",
        columns=columns,
    )
