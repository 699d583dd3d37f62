"""What a database holds, and what can be concluded from it, in lines for a terminal.

In:  a database (`perfolio info`) or a metrics document (`perfolio metrics`), and a width.
Out: lines of at most that width; only names, digests and commands to copy stay whole.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from perfolio.common.atomic_output import make_temporary_folder
from perfolio.common.errors import UsageError
from perfolio.common.units import compute_half_width, quantity
from perfolio.pipeline.build_context import Context
from perfolio.pipeline.run_documents import ingest_paths, make_documents
from perfolio.readers import registry

COUNTS = (
    "run.profiles", "run.cpu_threads", "run.gpu_streams", "run.ranks", "run.functions",
    "run.contexts", "run.values", "run.trace_points",
)  # fmt: skip
SCREEN = 40
"""Lines of a terminal's screen."""
_FIRST = 3
"""Files and notes that are named on a screen."""
WIDTH = 80
"""Columns of a terminal that does not say how wide it is."""

Metric = Mapping[str, Any]
"""An item of `metrics` in the metrics document."""


def inspect(
    path: Path, context: Context | None = None, *, width: int = WIDTH, full: bool = False
) -> list[str]:
    """Lines that say what the database at `path` is, holds and allows to conclude.

    A screen of them, at most `SCREEN`; with `full` each metric is named.
    """
    found = registry.find(path)
    if len(found) > 1:
        names = ", ".join(str(one) for one in found[:3])
        raise UsageError(f"{path}: holds {len(found)} databases", hint=f"name one: {names}")
    with make_temporary_folder() as folder:
        store = folder / "store.duckdb"
        ingest_paths(found, store, context)
        document = make_documents(store, None, context)[0].metrics
    if full:
        return [line for text in _describe_run(document) for line in _wrap_line(text, width)]
    return _summarise_run(document, width)


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
    yield _name_tool(run)
    for file in run["files"]:
        yield _describe_file(file)
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


def _name_tool(run: Mapping[str, Any]) -> str:
    version = f", format {run['format_version']}" if run["format_version"] else ""
    return f"{run['title']}: {run['tool']}{version}"


def _describe_file(file: Mapping[str, Any]) -> str:
    return f"  {file['name']:10}  {quantity(file['bytes'], 'B'):>9}  sha256 {file['sha256'][:32]}…"


def _summarise_run(document: Mapping[str, Any], width: int) -> list[str]:
    """What a profile holds, and what is worth recording as well, on one screen."""
    run, metrics = document["run"], document["metrics"]
    by_name = {metric["name"]: metric for metric in metrics}
    files = [_describe_file(file) for file in run["files"]]
    notes = [f"  note: {warning}" for warning in run["warnings"]]
    counts = [_count_items(by_name[name]) for name in COUNTS if by_name[name]["value"]]
    measured = [metric for metric in metrics if metric["status"] == "measured"]
    groups = groupby(metric["name"].split(".")[0] for metric in measured)
    topics = ", ".join(f"{name} {sum(1 for _ in of)}" for name, of in groups if name != "seed")
    parts = [
        (_name_tool(run), 1),
        *((line, 1) for line in _cut_list(files, "files")),
        *((line, 2) for line in _cut_list(notes, "notes")),
        ("", 1),
        (f"Holds: {', '.join(counts)}", 2),
        (f"Recorded: {_list_recorded(by_name['run.recorded'])}", 3),
        (f"Measured: {len(measured)} of {len(metrics)} metrics: {topics}", 4),
    ]
    lines = [line for text, most in parts for line in _wrap_line(text, width)[:most]]
    lines += _advise_recording(metrics, width, SCREEN - len(lines) - 3)
    return [*lines, "", "All metrics, and what each lacks: --all"]


def _advise_recording(metrics: Sequence[Metric], width: int, room: int) -> list[str]:
    """What commands would record in addition, those first that most metrics lack."""
    lacking = [one for one in metrics if one["status"] != "measured" and one["collect"]]
    found = Counter(one["collect"] for one in lacking)
    lines = ["", "Not recorded, with what records it:"]
    for collect, count in found.most_common():
        reasons = Counter(
            _BRACKETS.sub("", one["reason"]) for one in lacking if one["collect"] == collect
        )
        ((reason, _),) = reasons.most_common(1)
        more = [
            *_wrap_line(f"  {reason} ({count} metric{'' if count == 1 else 's'})", width)[:2],
            *(f"    {_mark_command(line)}" for line in collect.splitlines()),
        ]
        if len(lines) + len(more) > room:
            break
        lines += more
    return lines if len(lines) > 2 else []


def _count_items(metric: Metric) -> str:
    """Such as `1 rank` or `353 calling contexts`."""
    title = metric["title"] if metric["title"][1].isupper() else metric["title"].lower()
    one = title.removesuffix("s") if metric["value"] == 1 else title
    return f"{quantity(metric['value'], metric['unit'])} {one}"


def _cut_list(lines: list[str], what: str) -> list[str]:
    """The first few, and how many more there are."""
    more = len(lines) - _FIRST
    return lines if more <= 1 else [*lines[:_FIRST], f"  and {more:,} more {what}"]


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
            yield f"    {_mark_command(line)}"


def _mark_command(line: str) -> str:
    """A line of advice: a comment, or a command to copy."""
    return line if line.startswith(_COMMENT) else _COMMAND + line


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
