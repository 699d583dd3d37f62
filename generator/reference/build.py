"""The generated pages of docs: command line, items, metrics, rules, store, documents, glossary.

    python -m reference.build [DOCS]

In:  the commands, types of items, metric and rule files, the store's schema, the JSON Schemas;
     pages and figures in `measured` that tests and benchmarks write, as they take minutes.
Out: Markdown by its path below docs. MkDocs gets it by `docs_hook`; files are for reading alone.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import Any

import click
import duckdb

from perfolio.cli.main import main as cli
from perfolio.common.units import UNITS
from perfolio.findings.rules.catalog import load_rules
from perfolio.fleet.lake_tables import SCHEMA_FILE
from perfolio.metrics.catalog import load_catalog
from perfolio.metrics.model import Metric
from perfolio.pages.template_environment import render
from perfolio.store.database import create_schema
from reference.items import items_page
from reference.markdown import metric_anchor, page, table, text
from reference.methodology import methodology_page
from reference.models import functions_table, models_page
from reference.performance import performance_page
from reference.predictions import predictions_page
from reference.python_api import python_page
from reference.rules import rules_page

DOCS = Path("docs")
MEASURED = Path(__file__).with_name("measured")
SCHEMAS = (
    ("perfolio.metrics", "schema/metrics-2.schema.json"),
    ("perfolio.metrics", "schema/catalogue-1.schema.json"),
    ("perfolio.findings", "schema/findings-3.schema.json"),
    ("perfolio.comparison", "schema/baseline-1.schema.json"),
    ("perfolio.comparison", "schema/comparison-1.schema.json"),
    ("perfolio.comparison", "schema/promises-1.schema.json"),
    ("perfolio.comparison", "schema/run-record-1.schema.json"),
    ("perfolio.exercises", "schema/key-1.schema.json"),
    ("perfolio.exercises", "schema/answers-1.schema.json"),
)
_HELP_WIDTH = 92
_ACRONYMS = {"cpu": "CPU", "gpu": "GPU"}
_METRICS_HEAD = (
    "Each metric is a query in a file of its group below `generator/perfolio/metrics`. Values are "
    "in base units; a report prints them with a prefix."
)
_FUNCTIONS = (
    "Queries of metrics and [models](models.md), and those of `perfolio query`, can call these."
)
_LAKE_HEAD = """
A lake is a folder of Parquet files, `table=NAME/month=YYYY-MM/*.parquet`, which
[`perfolio fleet`](../how-to/fleet.md) fills. `perfolio fleet query` has these tables by name; every
other tool reads the files. Units are in the last column. Each table has the column `month`, too:
when the run was recorded.
"""
_BETTER = {"higher": "higher is better", "lower": "lower is better", "neither": ""}
_COLUMN_UNIT = re.compile(r"(?P<text>.*?)\s*\[(?P<unit>[^\[\]]+)\]\s*", re.DOTALL)


def generated_pages() -> dict[str, str]:
    """All generated pages by their path below docs."""
    return {path: make() for path, make in PAGES.items()}


def cli_page(group: click.Group) -> str:
    """Every command with the help that it prints."""
    parts = [
        "# Command line",
        "`perfolio COMMAND --help` prints what stands here.",
        _help(group, "perfolio"),
    ]
    for name, command in sorted(group.commands.items()):
        parts += [f"## perfolio {name}", _help(command, f"perfolio {name}")]
        inner = command.commands if isinstance(command, click.Group) else {}
        for part, each in sorted(inner.items()):
            full = f"perfolio {name} {part}"
            parts += [f"### {full}", _help(each, full)]
    return page(parts)


def metrics_page(metrics: Sequence[Metric]) -> str:
    """Units, an overview, and every metric with its definition."""
    parts = ["# Metrics", _METRICS_HEAD]
    by_group = groupby(sorted(metrics, key=lambda one: one.name), key=_group)
    for group, members in by_group:
        parts.append(f"## {_ACRONYMS.get(group, group.capitalize())}")
        for metric in members:
            parts += _metric(metric)
    units = ([f"`{unit.name}`", unit.meaning] for unit in UNITS.values())
    return page([*parts, "## Units", table(["Unit", "Meaning"], units)])


def schema_page() -> str:
    """Tables of the store, functions of its queries, and the JSON documents."""
    with duckdb.connect() as connection:
        create_schema(connection)
        parts = [
            "# Store and documents",
            "## Tables",
            "A store is a DuckDB file. Units are in the last column.",
            *_tables(connection),
        ]
    parts += ["## Functions", _FUNCTIONS, functions_table()]
    documents = (part for package, name in SCHEMAS for part in _document(package, name))
    return page([*parts, *documents])


def lake_page() -> str:
    """Tables of a lake of many runs."""
    with duckdb.connect() as connection:
        connection.execute(SCHEMA_FILE.read_text("utf-8"))
        tables = [part.replace("###", "##", 1) for part in _tables(connection)]
    return page(["# Tables of a lake", _LAKE_HEAD, *tables])


def glossary_page() -> str:
    """The glossary that every report has, for these pages."""
    return render("glossary.md.j2")


PAGES: dict[str, Callable[[], str]] = {
    "formats.md": lambda: (MEASURED / "formats.md").read_text("utf-8"),
    "glossary.md": glossary_page,
    "outcomes.md": lambda: (MEASURED / "outcomes.md").read_text("utf-8"),
    "performance.md": performance_page,
    "reference/cli.md": lambda: cli_page(cli),
    "reference/items.md": items_page,
    "reference/lake.md": lake_page,
    "reference/methodology.md": methodology_page,
    "reference/metrics.md": lambda: metrics_page(list(load_catalog().values())),
    "reference/models.md": models_page,
    "reference/predictions.md": predictions_page,
    "reference/python.md": python_page,
    "reference/rules.md": lambda: rules_page(list(load_rules().values()), load_catalog()),
    "reference/schema.md": schema_page,
}
"""What makes each page that git does not keep, by its path below docs."""


def write_pages(docs: Path) -> None:
    """Write all pages below `docs`."""
    for path, content in generated_pages().items():
        (docs / path).parent.mkdir(parents=True, exist_ok=True)
        (docs / path).write_text(content, encoding="utf-8")


def _help(command: click.Command, name: str) -> str:
    settings = {**cli.context_settings, "terminal_width": _HELP_WIDTH}
    context = click.Context(command, info_name=name, **settings)
    return f"```text\n{command.get_help(context).strip()}\n```"


def _group(metric: Metric) -> str:
    return metric.name.partition(".")[0]


def _metric(metric: Metric) -> Iterator[str]:
    yield f"### {metric.title} {{ #{metric_anchor(metric.name)} }}"
    yield text(metric.definition)
    if metric.caveat:
        yield f'!!! note "What to keep in mind"\n    {text(metric.caveat)}'
    unit = "table" if metric.shape == "table" else f"`{metric.unit}`"
    facts = [
        ["Unit", ", ".join(filter(None, [unit, _BETTER[metric.better]]))],
        ["Counted over", text(metric.population)],
        ["Needs", ", ".join(f"`{need}`" for need in metric.needs) or "nothing"],
        ["Source", text(metric.source)],
    ]
    yield table(["Name", f"`{metric.name}`"], facts)
    if metric.columns:
        columns = ([f"`{one.name}`", text(one.title), f"`{one.unit}`"] for one in metric.columns)
        yield table(["Column", "Title", "Unit"], columns)


def _tables(connection: duckdb.DuckDBPyConnection) -> Iterator[str]:
    rows = connection.execute(
        "SELECT table_name, comment FROM duckdb_tables() WHERE NOT internal"
    ).fetchall()
    for name, comment in rows:
        yield f"### {name}"
        yield text(comment or "")
        columns = connection.execute(
            "SELECT column_name, data_type, coalesce(comment, '') FROM duckdb_columns() "
            "WHERE table_name = $name ORDER BY column_index",
            {"name": name},
        ).fetchall()
        yield table(["Column", "Type", "Meaning", "Unit"], map(_column, columns))


def _column(row: tuple[str, str, str]) -> list[str]:
    name, kind, comment = row
    match = _COLUMN_UNIT.fullmatch(comment)
    words, unit = (match["text"], match["unit"]) if match else (comment, "")
    return [f"`{name}`", f"`{kind}`", text(words), f"`{unit}`" if unit else ""]


def _document(package: str, name: str) -> Iterator[str]:
    schema = json.loads(files(package).joinpath(name).read_text("utf-8"))
    yield f"## {Path(name).name.partition('-')[0]}.json"
    yield text(schema.get("description", ""))
    rows = ([f"`{path}`", kind, text(words)] for path, kind, words in _properties(schema, schema))
    yield table(["Entry", "Type", "Meaning"], rows)


def _properties(
    schema: dict[str, Any], root: dict[str, Any], prefix: str = ""
) -> Iterator[tuple[str, str, str]]:
    """Path, type and meaning of all entries of a JSON Schema, depth first."""
    for name, given in schema.get("properties", {}).items():
        entry, path = _resolved(given, root), f"{prefix}{name}"
        yield path, _kind(given, root), given.get("description", entry.get("description", ""))
        items = _resolved(entry.get("items", {}), root)
        yield from _properties(entry, root, f"{path}.")
        yield from _properties(items, root, f"{path}[].")


def _resolved(entry: dict[str, Any], root: dict[str, Any]) -> dict[str, Any]:
    """`entry`, or what its reference or its only object alternative says."""
    reference = entry.get("$ref", "")
    if reference.startswith("#/$defs/"):
        return _resolved(root["$defs"][reference.removeprefix("#/$defs/")], root)
    choices = [_resolved(one, root) for one in entry.get("anyOf", entry.get("oneOf", []))]
    named = [one for one in choices if "properties" in one]
    return named[0] if len(named) == 1 else entry


def _kind(given: dict[str, Any], root: dict[str, Any]) -> str:
    entry = root["$defs"][given["$ref"].rpartition("/")[2]] if "$ref" in given else given
    if choices := entry.get("anyOf", entry.get("oneOf")):
        return " or ".join(_kind(one, root) for one in choices)
    if "const" in entry:
        return f"`{entry['const']}`"
    if "enum" in entry:
        return ", ".join(f"`{one}`" for one in entry["enum"])
    kinds = entry.get("type", "any")
    return kinds if isinstance(kinds, str) else " or ".join(kinds)


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS)
