"""Questions over all runs of a lake, each a query in a file of questions/.

In:  `questions/<name>.sql`: a front matter that says what is counted, and one SELECT.
Out: `LakeQuestion` by name; `LakeAnswer`, its rows, of a lake that is open.

The front matter says

title       what is asked, in a few words
about       what is counted, and what is left out
population  over which runs
columns     name, title, unit of `perfolio.common.units` or money, of each column in their order;
            `private` says whose name it is, which --share replaces: host, owner, team or run

What several questions count by, such as lost GPU-hours, stands once in macros.sql, which every lake
that is open has: `perfolio fleet query` runs a query as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import duckdb
import yaml
from msgspec import Meta, Struct

from perfolio.common.content_files import load_yaml, reload_when_edited, split_statements
from perfolio.common.errors import ContentError, StoreError
from perfolio.common.typed_entries import read
from perfolio.common.units import UNITS

HERE = Path(__file__).parent / "questions"
MONEY = "money"
"""Unit of amounts in the currency that stands beside them."""
Words = Annotated[str, Meta(pattern=r"\S", description="words")]
Row = Mapping[str, Any]


class QuestionColumn(Struct, frozen=True, forbid_unknown_fields=True):
    """A column of an answer."""

    name: Words
    title: Words
    unit: Words
    private: Literal["", "host", "owner", "team", "run"] = ""
    """Whose name it is: others may not read it."""


class _QuestionHead(Struct, frozen=True, forbid_unknown_fields=True):
    """The front matter of a question."""

    title: Words
    about: Words
    population: Words
    columns: Annotated[tuple[QuestionColumn, ...], Meta(min_length=1)]


@dataclass(frozen=True)
class LakeQuestion:
    """What is asked, and the SELECT that answers it."""

    name: str
    title: str
    about: str
    population: str
    columns: tuple[QuestionColumn, ...]
    sql: str


@dataclass(frozen=True)
class LakeAnswer:
    """The rows of a question, by the names of its columns."""

    question: LakeQuestion
    rows: tuple[Row, ...]

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


@reload_when_edited(HERE)
def load_questions(folder: Path = HERE) -> dict[str, LakeQuestion]:
    """All questions by name. Raises ContentError at the first faulty one."""
    return {path.stem: _read_question(path) for path in sorted(folder.glob("*.sql"))}


def _read_question(path: Path) -> LakeQuestion:
    try:
        ((front_matter, sql),) = split_statements(path.read_text(encoding="utf-8"))
        head = read(load_yaml(front_matter), _QuestionHead)
        _check_question(head, sql)
    except (ValueError, TypeError, OSError, yaml.YAMLError) as error:
        raise ContentError(f"{path}: {error}") from error
    about, population = (" ".join(words.split()) for words in (head.about, head.population))
    return LakeQuestion(path.stem, head.title, about, population, head.columns, sql)


def _check_question(head: _QuestionHead, sql: str) -> None:
    if not sql:
        raise ValueError("has no query")
    for column in head.columns:
        if column.unit not in UNITS and column.unit != MONEY:
            raise ValueError(f"unknown unit {column.unit!r} of {column.name}")
    if len({column.name for column in head.columns}) < len(head.columns):
        raise ValueError("two columns have the same name")


def ask_question(connection: duckdb.DuckDBPyConnection, question: LakeQuestion) -> LakeAnswer:
    """The answer of a lake that `open_lake` gave.

    Raises ContentError where the query is faulty or has other columns than it says, and StoreError
    where a file of the lake cannot be read.
    """
    try:
        cursor = connection.execute(question.sql)
        found = [column[0] for column in cursor.description]
        wanted = [column.name for column in question.columns]
        if found != wanted:
            raise ContentError(
                f"question {question.name}: has columns {', '.join(found)}, not {', '.join(wanted)}"
            )
        rows = cursor.fetchall()
    except (duckdb.BinderException, duckdb.CatalogException, duckdb.ParserException) as problem:
        raise ContentError(f"question {question.name}: {problem}") from problem
    except duckdb.Error as problem:
        raise StoreError(f"question {question.name}: cannot be answered: {problem}") from problem
    return LakeAnswer(question, tuple(dict(zip(wanted, row, strict=True)) for row in rows))
