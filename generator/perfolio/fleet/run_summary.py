"""A run to rows of the tables of a lake.

In:  its record, the documents of its report, and the machines of its ranks. Out: rows by table.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from statistics import median_low
from typing import Any

from perfolio.comparison.run_record import DividedTime, RankTime, RunRecord, write_record
from perfolio.findings.document_format import shorten_document
from perfolio.fleet.lake_tables import Rows

MOST_ITERATIONS = 1_000
"""Of a run, that the lake keeps."""
_NANO_OF_HOUR = 3.6e12
_OF_GPU = "GPU"
_COLUMNS = {
    "kernel": "kernel_ns",
    "collective": "collective_ns",
    "collective wait": "wait_ns",
    "copy": "copy_ns",
    "idle": "idle_ns",
}
"""Parts of a record that are columns of table gpu."""
_WORKLOAD = ("workload.name", "workload.model")


@dataclass(frozen=True)
class FleetRun:
    """What a worker knows of a run."""

    record: RunRecord
    findings: Mapping[str, Any]
    """The findings document, which holds the metrics."""
    hosts: Mapping[int, str] = field(default_factory=dict)
    """Machine by rank, as far as it is known."""


def summarise_run(run: str, one: FleetRun) -> dict[str, Rows]:
    """The rows of a run that the lake calls `run`, by table; all that is in it is of the run."""
    record = one.record
    tables: dict[str, list[dict[str, Any]]] = {
        "run": [_describe_run(one)],
        "part": _sum_parts(record),
        "gpu": list(_list_gpus(one)),
        "kernel": _sum_kernels(record),
        "iteration": _list_iterations(record.whole),
        "finding": _list_findings(record),
        "counted": [
            {"figure": name, "per": figure.per, "value": figure.value}
            for name, figure in sorted(record.counted.items())
            if figure.value is not None
        ],
        "document": [
            {"name": "findings", "content": _format_findings(one.findings)},
            {"name": "record", "content": write_record(record)},
        ],
    }
    return {name: [{"run": run, **row} for row in rows] for name, rows in tables.items()}


def _format_findings(findings: Mapping[str, Any]) -> str:
    return json.dumps(shorten_document(findings), ensure_ascii=False, separators=(",", ":"))


def _describe_run(one: FleetRun) -> dict[str, Any]:
    record, run = one.record, one.findings["metrics"]["run"]
    settings: Mapping[str, str] = run["settings"]
    conditions, whole = record.conditions, record.whole
    steady = whole is not None and whole.basis == "iteration"
    return {
        "name": record.slug,
        "title": run["title"],
        "workload": next((settings[key] for key in _WORKLOAD if key in settings), run["title"]),
        "tool": record.tool,
        "recorded": _parse_moment(record.recorded),
        "hardware": conditions.get("gpu"),
        "gpus": conditions.get("gpus"),
        "ranks": conditions.get("ranks"),
        "hosts": sorted({host for host in _name_hosts(one).values() if host}),
        "owner": None if _is_shared(one) else settings.get("workload.owner"),
        "team": None if _is_shared(one) else settings.get("workload.team"),
        **{
            name: None if conditions.get(name) is None else str(conditions[name])
            for name in ("driver", "framework", "precision", "batch_size")
        },
        "basis": whole.basis if whole else None,
        "lanes": whole.lanes if whole else None,
        "iterations": whole.iterations if whole else None,
        "iteration_ns": median_low(whole.durations_ns) if whole and steady else None,
        "window_ns": whole.window_ns if whole else None,
        "wall_ns": whole.wall_ns if whole else None,
        "gpu_hours": _find_hours(settings, whole),
        "price": _parse_number(settings.get("price.gpu_hour")),
        "currency": settings.get("price.currency"),
        "verdict": one.findings["verdict"]["sentence"],
        "perfolio": record.perfolio,
    }


def _parse_moment(text: str | None) -> datetime | None:
    """In UTC, without a zone; None where there is no date."""
    return None if text is None else datetime.fromisoformat(text).replace(tzinfo=None)


def _name_hosts(one: FleetRun) -> dict[int, str | None]:
    """Machine by rank: as profile.toml names the only one, else as the recording does."""
    if _is_shared(one):
        return {}
    named = one.findings["metrics"]["run"]["settings"].get("workload.host")
    ranks = [rank.rank for rank in one.record.ranks] or [0]
    return {rank: named or one.hosts.get(rank) for rank in {*ranks, *one.hosts}}


def _is_shared(one: FleetRun) -> bool:
    """Whether names in it are hidden: `host-1` is then another machine in each run."""
    return "shared" in one.findings["metrics"]["run"]


def _find_hours(settings: Mapping[str, str], whole: DividedTime | None) -> float | None:
    known = _parse_number(settings.get("workload.gpu_hours"))
    if whole is None or whole.of != _OF_GPU:
        return None
    return known if known is not None else whole.lanes * whole.wall_ns / _NANO_OF_HOUR


def _parse_number(text: str | None) -> float | None:
    """A setting that is to be a number; None of any other."""
    try:
        return None if text is None else float(text)
    except ValueError:
        return None


def _sum_parts(record: RunRecord) -> list[dict[str, Any]]:
    found: defaultdict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for row in record.rows:
        found[row.part, row.kind][0] += row.ns
        found[row.part, row.kind][1] += row.calls
    return [
        {"part": part, "kind": kind, "ns": ns, "calls": calls}
        for (part, kind), (ns, calls) in sorted(found.items())
    ]


def _sum_kernels(record: RunRecord) -> list[dict[str, Any]]:
    """By short name; the same name of two classes is two kernels."""
    found: defaultdict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for row in record.rows:
        if row.part in ("kernel", "collective"):
            kind = row.kind if row.part == "kernel" else "collective"
            found[row.short or row.name, kind][0] += row.ns
            found[row.short or row.name, kind][1] += row.calls
    return [
        {"kernel": name, "class": kind, "ns": ns, "calls": calls}
        for (name, kind), (ns, calls) in sorted(found.items())
    ]


def _list_gpus(one: FleetRun) -> Iterator[dict[str, Any]]:
    """The time of each rank's GPUs; nothing of a run without GPU work."""
    record = one.record
    if record.whole is None or record.whole.of != _OF_GPU:
        return
    hosts = _name_hosts(one)
    for rank in record.ranks or (_sum_only_rank(record),):
        spent = {column: rank.parts.get(part, 0) for part, column in _COLUMNS.items()}
        yield {"rank": rank.rank, "host": hosts.get(rank.rank), **spent}


def _sum_only_rank(record: RunRecord) -> RankTime:
    spent: defaultdict[str, int] = defaultdict(int)
    for row in record.rows:
        spent[row.part] += row.ns
    return RankTime(0, spent)


def _list_iterations(whole: DividedTime | None) -> list[dict[str, Any]]:
    durations: Sequence[int] = whole.durations_ns if whole and whole.basis == "iteration" else ()
    return [{"number": n, "ns": ns} for n, ns in enumerate(durations[:MOST_ITERATIONS])]


def _list_findings(record: RunRecord) -> list[dict[str, Any]]:
    return [
        {
            "code": one.code,
            "title": one.title,
            "severity": one.severity,
            "cause": one.cause,
            "bound": None if one.is_limit else one.bound,
            "denominator": one.denominator,
            "whole": one.whole,
            "value": one.value,
            "unit": one.unit,
        }
        for one in sorted(record.findings, key=lambda one: one.code)
        if one.status == "fired" and one.severity
    ]
