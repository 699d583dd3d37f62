"""Every metric that there is, read from the .sql files below this folder.

In:  `<group>/<name>.sql`, each with a YAML front matter. Out: `Metric` by name.
A file with a gap is refused: what is not described is not published.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import yaml
from msgspec import Meta, Struct

from perfolio.common.content_files import load_yaml, until_edited
from perfolio.common.errors import ContentError
from perfolio.common.typed_entries import read
from perfolio.common.units import UNITS
from perfolio.metrics.model import Better, Column, Metric
from perfolio.metrics.requirements import PATH as VOCABULARY
from perfolio.metrics.requirements import Vocabulary, load_vocabulary

HERE = Path(__file__).parent

_FRONT_MATTER = re.compile(r"\A/\*---\n(?P<yaml>.*?)\n---\*/\n(?P<sql>.+)\Z", re.DOTALL)
_NAME = re.compile(r"[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*")
Words = Annotated[str, Meta(pattern=r"\S", description="words")]


class _Column(Struct, frozen=True, forbid_unknown_fields=True):
    """A column of a table metric."""

    name: Words
    title: Words
    unit: str | int


class Head(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The front matter of a metric: `columns` for a table, `unit` for a single value."""

    title: Words
    unit: str | int = ""
    better: Better
    definition: Words
    population: Words
    needs: tuple[str, ...]
    source: Words
    caveat: Words = ""
    columns: Annotated[tuple[_Column, ...], Meta(min_length=1)] = ()
    empty: Words = ""


def load_catalog(folder: Path = HERE) -> dict[str, Metric]:
    """All metrics below `folder`, by name; raises ContentError at the first faulty file."""
    return dict(_load_folder(folder))


@until_edited(HERE, VOCABULARY)
def _load_folder(folder: Path) -> dict[str, Metric]:
    vocabulary = load_vocabulary()
    paths = sorted(folder.rglob("*.sql"))
    metrics = (read_metric(path, folder, vocabulary) for path in paths)
    return {metric.name: metric for metric in metrics}


def read_metric(path: Path, folder: Path, vocabulary: Vocabulary) -> Metric:
    """The metric of one file; raises ContentError naming the file and the gap."""
    try:
        return _parse(path, folder, vocabulary)
    except (ValueError, TypeError, OSError, yaml.YAMLError) as error:
        raise ContentError(f"{path}: {error}") from error


def _parse(path: Path, folder: Path, vocabulary: Vocabulary) -> Metric:
    name = ".".join(path.relative_to(folder).with_suffix("").parts)
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name} is no name of the form group.name in lower case")
    match = _FRONT_MATTER.match(path.read_text(encoding="utf-8"))
    if match is None:
        raise ValueError("does not start with front matter between /*--- and ---*/")
    head = read(load_yaml(match["yaml"]), Head)
    sql = match["sql"].strip()
    if found := re.search(r"\$[a-z]\w*", sql):
        raise ValueError(f"{found[0]}: a query is about one run, and has no parameters")
    if unknown := [need for need in head.needs if vocabulary.entry(need) is None]:
        raise ValueError(f"unknown need {unknown[0]}: no capabilities.toml has an entry for it")
    return Metric(
        name=name,
        title=_words(head.title),
        unit=_unit(head.unit) if head.unit or not head.columns else "1",
        shape="table" if head.columns else "scalar",
        better=head.better,
        definition=_words(head.definition),
        population=_words(head.population),
        needs=head.needs,
        source=_words(head.source),
        sql=sql,
        caveat=_words(head.caveat),
        columns=_columns(head.columns),
        empty=_words(head.empty),
    )


def _words(text: str) -> str:
    return " ".join(text.split())


def _unit(unit: str | int) -> str:
    if str(unit) not in UNITS:
        raise ValueError(f"unknown unit {str(unit)!r}; there are {', '.join(UNITS)}")
    return str(unit)


def _columns(columns: Sequence[_Column]) -> tuple[Column, ...]:
    names = [column.name for column in columns]
    if len(set(names)) != len(names):
        raise ValueError("two columns have the same name")
    return tuple(Column(each.name, _words(each.title), _unit(each.unit)) for each in columns)
