"""What a database holds, and what can be concluded from it, in lines for a terminal.

In:  a database (`perfolio info`) or a metrics document (`perfolio metrics`), and a width.
Out: lines of at most that width; only names, digests and commands to copy stay whole.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from perfolio.common.atomic_output import make_temporary_folder
from perfolio.common.errors import UsageError
from perfolio.common.units import compute_half_width, quantity
from perfolio.pipeline.run_documents import Context, ingest_paths, make_documents
from perfolio.readers import registry

COUNTS = (
    "run.profiles", "run.cpu_threads", "run.gpu_streams", "run.ranks", "run.functions",
    "run.contexts", "run.values", "run.trace_points",
)  # fmt: skip
WIDTH = 80
"""Columns of a terminal that does not say how wide it is."""

Metric = Mapping[str, Any]
"""An item of `metrics` in the metrics document."""


def inspect(path: Path, context: Context | None = None, *, width: int = WIDTH) -> list[str]:
    """Lines that say what the database at `path` is, holds and allows to conclude."""
    found = registry.find(path)
    if len(found) > 1:
        names = ", ".join(str(one) for one in found[:3])
        raise UsageError(f"{path}: holds {len(found)} databases", hint=f"name one: {names}")
    with make_temporary_folder() as folder:
        store = folder / "store.duckdb"
        ingest_paths(found, store, context)
        document = make_documents(store, None, context)[0].metrics
    return [line for text in _describe_run(document) for line in _wrap_line(text, width)]


def list_metrics(document: Mapping[str, Any], *, width: int = WIDTH) -> list[str]:
    """Lines that list every metric: name, value with its unit, title; then what is missing."""
    metrics: Sequence[Metric] = document["metrics"]
    measured = [metric for metric in metrics if metric["status"] == "measured"]
    names = max((len(metric["name"]) for metric in measured), default=0)
    values = max((len(_format_value(metric)) for metric in measured), default=0)
    lines = [
        line
        for metric in measured
        for line in _wrap_hanging(
            f"{metric['name']:{names}}  {_format_value(metric):>{values}}  ", metric["title"], width
        )
    ]
    missing = [metric for metric in metrics if metric["status"] != "measured"]
    if missing:
        gaps = (
            line for text in _describe_gaps(missing, "name") for line in _wrap_line(text, width)
        )
        lines += ["", "Not measured", *gaps]
    return lines


def _format_value(metric: Metric) -> str:
    if metric["shape"] == "table":
        rows = len(metric["rows"])
        return f"{rows:,} row{'' if rows == 1 else 's'}"
    half = compute_half_width(metric["low"], metric["high"])
    return quantity(metric["value"], metric["unit"], half)


def _describe_run(document: Mapping[str, Any]) -> Iterator[str]:
    run, metrics = document["run"], document["metrics"]
    version = f", format {run['format_version']}" if run["format_version"] else ""
    yield f"{run['title']}: {run['tool']}{version}"
    for file in run["files"]:
        size = quantity(file["bytes"], "B")
        yield f"  {file['name']:10}  {size:>9}  sha256 {file['sha256'][:32]}…"
    for warning in run["warnings"]:
        yield f"  note: {warning}"
    yield ""
    yield "Holds"
    by_name = {metric["name"]: metric for metric in metrics}
    for name in COUNTS:
        metric = by_name[name]
        if metric["value"]:
            yield f"  {quantity(metric['value'], metric['unit']):>12}  {metric['title']}"
    yield f"  Recorded: {_list_recorded(by_name['run.recorded'])}"
    yield ""
    measured = [metric for metric in metrics if metric["status"] == "measured"]
    yield f"Can tell ({len(measured)} of {len(metrics)} metrics)"
    for group, members in groupby(measured, key=lambda metric: metric["name"].split(".")[0]):
        if group != "seed":
            yield f"  {group}: {'; '.join(metric['title'] for metric in members)}"
    yield ""
    yield "Cannot tell"
    yield from _describe_gaps(
        [metric for metric in metrics if metric["status"] != "measured"], "title"
    )


def _list_recorded(table: Metric) -> str:
    names = [str(row[0]) for row in table["rows"]]
    return ", ".join(names) if names else "nothing"


def _describe_gaps(metrics: list[Metric], field: str) -> Iterator[str]:
    """Metrics that lack something, grouped by what they lack and how to collect it."""

    def lack(metric: Metric) -> tuple[str, str]:
        return _BRACKETS.sub("", metric["reason"]), metric["collect"]

    for (reason, collect), found in groupby(sorted(metrics, key=lack), key=lack):
        members = list(found)
        yield f"  {'; '.join(metric[field] for metric in members)}"
        yield f"    because {members[0]['reason'] if len(members) == 1 else reason}"
        for line in collect.splitlines():
            yield f"    {line if line.startswith(_COMMENT) else _COMMAND + line}"


_LONGEST = 4_000
"""Characters of a line before it is wrapped: names of the profile can have 100 kB."""
_COMMAND = "$ "
"""Before a command to copy, which stays on one line."""
_COMMENT = "#"
_BRACKETS = re.compile(r" \((?:[^()]|\([^()]*\))*\)")
"""What a reason names in brackets, such as the metric of the tool that is missing."""


def _wrap_line(line: str, width: int) -> list[str]:
    """`line` in lines of at most `width`, its indentation kept and hanging a little deeper."""
    words = line.lstrip(" ")
    indent = " " * (len(line) - len(words))
    text = "".join(c if c.isprintable() else " " for c in words[:_LONGEST])
    return [indent + text] if text.startswith(_COMMAND) else _wrap_hanging(indent, text, width)


def _wrap_hanging(first: str, text: str, width: int) -> list[str]:
    """`text` after `first`; further lines begin below `text`, or a little to the right."""
    rest = " " * len(first) if first.strip() else first + "  " * bool(first)
    return textwrap.wrap(
        text,
        max(width, len(first) + 20),
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    ) or [first.rstrip()]
