"""Every metric that there is, read from the .sql files below this folder.

In:  `<group>/*.sql`: metrics of a group, each a YAML front matter and its query.
Out: `Metric` by name. A metric with a gap is refused: what is not described is not published.

A file of one metric has that metric's name. In a file of several each front matter says its
`name`, and a first one may hold `defaults`: what each of the others says, unless it says
otherwise, or `null`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import yaml
from msgspec import Meta, Struct

from perfolio.common.content_files import load_yaml, reload_when_edited, split_statements
from perfolio.common.errors import ContentError
from perfolio.common.typed_entries import read
from perfolio.common.units import UNITS
from perfolio.metrics.model import Better, Metric, MetricColumn
from perfolio.metrics.requirements import PATH as VOCABULARY
from perfolio.metrics.requirements import Vocabulary, load_vocabulary

HERE = Path(__file__).parent

_NAME = re.compile(r"[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*")
Words = Annotated[str, Meta(pattern=r"\S", description="words")]


class _ColumnEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A column of a table metric."""

    name: Words
    title: Words
    unit: str | int


class MetricHead(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The front matter of a metric: `columns` for a table, `unit` for a single value."""

    title: Words
    unit: str | int = ""
    better: Better
    definition: Words
    population: Words
    needs: tuple[str, ...]
    source: Words
    caveat: Words = ""
    columns: Annotated[tuple[_ColumnEntry, ...], Meta(min_length=1)] = ()
    empty: Words = ""


def load_catalog(folder: Path = HERE) -> dict[str, Metric]:
    """All metrics below `folder`, by name; raises ContentError at the first faulty one."""
    return {name: metric for name, (metric, _) in _load_folder(folder).items()}


def load_files(folder: Path = HERE) -> dict[str, Path]:
    """The file of each metric below `folder`, by name; raises ContentError as `load_catalog`."""
    return {name: path for name, (_, path) in _load_folder(folder).items()}


@reload_when_edited(HERE, VOCABULARY)
def _load_folder(folder: Path) -> dict[str, tuple[Metric, Path]]:
    vocabulary = load_vocabulary()
    found: dict[str, tuple[Metric, Path]] = {}
    for path in sorted(folder.rglob("*.sql")):
        for metric in read_metrics(path, folder, vocabulary):
            if metric.name in found:
                raise ContentError(f"{path}: {metric.name} is in {found[metric.name][1]} as well")
            found[metric.name] = metric, path
    return dict(sorted(found.items()))


def read_metrics(path: Path, folder: Path, vocabulary: Vocabulary) -> Iterator[Metric]:
    """The metrics of one file; raises ContentError naming the file, the metric and the gap."""
    where = str(path)
    try:
        for own, entry, sql in _read_entries(path.read_text(encoding="utf-8"), path.stem):
            name = ".".join((*path.relative_to(folder).parent.parts, own))
            where = str(path) if own == path.stem else f"{path}, {own}"
            yield _read_entry(name, entry, sql, vocabulary)
            where = str(path)
    except (ValueError, TypeError, OSError, yaml.YAMLError) as error:
        raise ContentError(f"{where}: {error}") from error


def _read_entries(text: str, stem: str) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Name, front matter and query of each metric in the text of a file."""
    statements = split_statements(text)
    defaults: dict[str, Any] = {}
    for number, (front_matter, sql) in enumerate(statements):
        entry = read(load_yaml(front_matter), dict[str, Any])
        if number == 0 and "defaults" in entry and not sql:
            defaults = read(entry["defaults"], dict[str, Any])
            continue
        given = {key: value for key, value in (defaults | entry).items() if value is not None}
        if "name" not in given and len(statements) > 1:
            raise ValueError("name: is missing, in a file of several metrics")
        yield read(given.pop("name", stem), str), given, sql


def _read_entry(name: str, entry: dict[str, Any], sql: str, vocabulary: Vocabulary) -> Metric:
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name} is no name of the form group.name in lower case")
    if not sql:
        raise ValueError("has no query")
    head = read(entry, MetricHead)
    if found := re.search(r"\$[a-z]\w*", sql):
        raise ValueError(f"{found[0]}: a query is about one run, and has no parameters")
    if unknown := [need for need in head.needs if vocabulary.entry(need) is None]:
        raise ValueError(f"unknown need {unknown[0]}: no capabilities.toml has an entry for it")
    return Metric(
        name=name,
        title=_join_words(head.title),
        unit=_check_unit(head.unit) if head.unit or not head.columns else "1",
        shape="table" if head.columns else "scalar",
        better=head.better,
        definition=_join_words(head.definition),
        population=_join_words(head.population),
        needs=head.needs,
        source=_join_words(head.source),
        sql=sql,
        caveat=_join_words(head.caveat),
        columns=_make_columns(head.columns),
        empty=_join_words(head.empty),
    )


def _join_words(text: str) -> str:
    return " ".join(text.split())


def _check_unit(unit: str | int) -> str:
    if str(unit) not in UNITS:
        raise ValueError(f"unknown unit {str(unit)!r}; there are {', '.join(UNITS)}")
    return str(unit)


def _make_columns(columns: Sequence[_ColumnEntry]) -> tuple[MetricColumn, ...]:
    names = [column.name for column in columns]
    if len(set(names)) != len(names):
        raise ValueError("two columns have the same name")
    return tuple(
        MetricColumn(each.name, _join_words(each.title), _check_unit(each.unit)) for each in columns
    )
