"""What a database holds, and what can be concluded from it: `perfolio info`."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

from generator.errors import UsageError, one_line
from generator.pipeline import Context, documents_of, ingest_paths
from generator.sources import registry
from generator.units import quantity

COUNTS = (
    "run.profiles", "run.cpu_threads", "run.gpu_streams", "run.ranks", "run.functions",
    "run.contexts", "run.values", "run.trace_points",
)  # fmt: skip


def inspect(path: Path, context: Context | None = None) -> list[str]:
    """Lines that say what the database at `path` is, holds and allows to conclude."""
    found = registry.find(path)
    if len(found) > 1:
        names = ", ".join(str(one) for one in found[:3])
        raise UsageError(f"{path}: holds {len(found)} databases", hint=f"name one: {names}")
    with tempfile.TemporaryDirectory(prefix="perfolio-") as folder:
        store = Path(folder) / "store.duckdb"
        ingest_paths(found, store, context)
        document = documents_of(store, None, context)[0].metrics
    return [_printable(line) for line in _lines(document)]


def _lines(document: Mapping[str, Any]) -> Iterator[str]:
    run, metrics = document["run"], document["metrics"]
    yield f"{run['title']}: {run['tool']} database, format {run['format_version']}"
    for file in run["files"]:
        yield f"  {file['name']:12} {quantity(file['bytes'], 'B'):>10}  sha256 {file['sha256']}"
    for warning in run["warnings"]:
        yield f"  note: {warning}"
    yield ""
    yield "Holds"
    by_name = {metric["name"]: metric for metric in metrics}
    for name in COUNTS:
        metric = by_name[name]
        yield f"  {quantity(metric['value'], metric['unit']):>14}  {metric['title'].lower()}"
    yield f"  {'':>14}  recorded: {_recorded(by_name['run.recorded'])}"
    yield ""
    measured = [metric for metric in metrics if metric["status"] == "measured"]
    yield f"Can tell ({len(measured)} of {len(metrics)} metrics)"
    for group, members in groupby(measured, key=lambda metric: metric["name"].split(".")[0]):
        if group != "seed":
            yield f"  {group:10} {'; '.join(metric['title'] for metric in members)}"
    yield ""
    yield "Cannot tell"
    yield from _missing([metric for metric in metrics if metric["status"] != "measured"])


def _printable(line: str) -> str:
    """One line of bounded length, its indentation kept."""
    text = line.lstrip(" ")
    return " " * (len(line) - len(text)) + one_line(text)


def _recorded(table: Mapping[str, Any]) -> str:
    names = [str(row[0]) for row in table["rows"]]
    return ", ".join(names) if names else "nothing"


def _missing(metrics: list[Mapping[str, Any]]) -> Iterator[str]:
    """Metrics that lack something, grouped by what they lack and how to collect it."""

    def lack(metric: Mapping[str, Any]) -> tuple[str, str]:
        return metric["reason"], metric["collect"]

    for (reason, collect), members in groupby(sorted(metrics, key=lack), key=lack):
        names = [metric["title"] for metric in members]
        yield f"  {'; '.join(names)}"
        yield f"      because {reason}" + (f"; collect it with: {collect}" if collect else "")
