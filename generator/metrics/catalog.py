"""Every metric that there is, read from the .sql files below this folder.

In:  `<group>/<name>.sql`, each with a YAML front matter. Out: `Metric` by name.
A file with a gap is refused: what is not described is not published.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import yaml

from generator.content import load_yaml, until_edited
from generator.errors import ContentError
from generator.metrics.model import Better, Column, Metric
from generator.metrics.needs import PATH as VOCABULARY
from generator.metrics.needs import Vocabulary, load_vocabulary
from generator.units import UNITS

HERE = Path(__file__).parent

_FRONT_MATTER = re.compile(r"\A/\*---\n(?P<yaml>.*?)\n---\*/\n(?P<sql>.+)\Z", re.DOTALL)
_NAME = re.compile(r"[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*")
_REQUIRED = frozenset({"title", "unit", "better", "definition", "population", "needs", "source"})
_REQUIRED_OF_TABLE = _REQUIRED - {"unit"}
_OPTIONAL = frozenset({"unit", "caveat", "columns", "empty"})
_BETTER = ("higher", "lower", "neither")


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
    head = _mapping(load_yaml(match["yaml"]))
    _check_keys(head)
    sql = match["sql"].strip()
    if found := re.search(r"\$[a-z]\w*", sql):
        raise ValueError(f"{found[0]}: a query is about one run, and has no parameters")
    return Metric(
        name=name,
        title=_words(head, "title"),
        unit=_unit(head.get("unit", "1")),
        shape="table" if "columns" in head else "scalar",
        better=_better(head["better"]),
        definition=_words(head, "definition"),
        population=_words(head, "population"),
        needs=_needs(head["needs"], vocabulary),
        source=_words(head, "source"),
        sql=sql,
        caveat=_words(head, "caveat") if "caveat" in head else "",
        columns=_columns(head["columns"]) if "columns" in head else (),
        empty=_words(head, "empty") if "empty" in head else "",
    )


def _mapping(front_matter: object) -> Mapping[str, Any]:
    if not isinstance(front_matter, dict):
        raise TypeError("the front matter is no mapping of names to values")
    return cast("Mapping[str, Any]", front_matter)


def _check_keys(head: Mapping[str, Any]) -> None:
    required = _REQUIRED_OF_TABLE if "columns" in head else _REQUIRED
    if missing := sorted(required - head.keys()):
        raise ValueError(f"the front matter lacks {', '.join(missing)}")
    if unknown := sorted(str(key) for key in head.keys() - _REQUIRED - _OPTIONAL):
        raise ValueError(f"the front matter has unknown keys: {', '.join(unknown)}")


def _words(head: Mapping[str, Any], key: str) -> str:
    text = head[key]
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"{key} must be words")
    return " ".join(text.split())


def _unit(unit: object) -> str:
    if unit not in UNITS and str(unit) not in UNITS:
        raise ValueError(f"unknown unit {unit}; there are {', '.join(UNITS)}")
    return str(unit)


def _better(better: object) -> Better:
    if better not in _BETTER:
        raise ValueError(f"better is {better}; it must be one of {', '.join(_BETTER)}")
    return cast("Better", better)


def _needs(needs: object, vocabulary: Vocabulary) -> tuple[str, ...]:
    if not isinstance(needs, list) or not all(isinstance(need, str) for need in needs):
        raise ValueError("needs must be a list of names")
    for need in needs:
        if vocabulary.entry(need) is None:
            raise ValueError(f"unknown need {need}: no capabilities.toml has an entry for it")
    return tuple(needs)


def _columns(columns: object) -> tuple[Column, ...]:
    if not isinstance(columns, list) or not columns:
        raise ValueError("columns must be a list of {name, title, unit}")
    parsed = tuple(_column(column) for column in columns)
    names = [column.name for column in parsed]
    if len(set(names)) != len(names):
        raise ValueError("two columns have the same name")
    return parsed


def _column(column: object) -> Column:
    if not isinstance(column, dict) or column.keys() != {"name", "title", "unit"}:
        raise ValueError(f"column {column} must have exactly name, title and unit")
    return Column(_words(column, "name"), _words(column, "title"), _unit(column["unit"]))
