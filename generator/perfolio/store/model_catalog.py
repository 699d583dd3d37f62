"""The models: what follows from the tables of a source, each a SELECT in a file of `models/`.

In:  `models/<room>/<topic>.sql`, where each SELECT has a front matter, and the functions of
     `macros.sql`, one of which has the patterns of `readers/kernels.csv`.
Out: `StoreModel` by name, with what it reads.

Rooms are in the order of the flow: a model reads tables of the source, and models of its own room
and of those before it. Its SQL is about one run (see `run_tables`). The front matter says

name     what queries call it, first of all
about    what a row is, with units
when     the table without whose rows there are none, or FROM some rows of it, or a condition in SQL
columns  of a model that is kept in the store: name, type (`?`: may be NULL), meaning and unit;
         it is filled when a run is stored, unless the source gave its rows, and its SELECT gives
         the columns in this order
pieces   the model by whose rows a kept one is filled, each with its columns as parameters
made_by  the function that fills it, instead of a SELECT (`derived_tables.py`)
held     true for what is held while a run is stored, whatever its size: many models read it; false
         for what is computed wherever it is read: that is cheap, and it would take much memory
value    true for a single value: queries call it as a function, `gpus()`
given    parameters, of a model that is asked for with some: `path_frames(targets)`

To add one: an entry of the file on its topic, after those that it reads, and a test or the case of
a metric that reads it. What people ask of a store
besides is in `schema.sql`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from perfolio.common.content_files import DescribedStatement, load_yaml, split_statements
from perfolio.common.errors import ContentError
from perfolio.readers.kernel_rules import forget_kernel_rules, load_kernel_rules

HERE = Path(__file__).parent
MODELS = HERE / "models"
SCHEMA = "schema.sql"
MACROS = "macros.sql"
_NAME = re.compile(r"name: (\w+)$", re.MULTILINE)
_KEYS = frozenset(
    {"name", "about", "when", "columns", "made_by", "held", "pieces", "value", "given"}
)
_FUNCTION = re.compile(
    r"^CREATE MACRO (?P<name>\w+)\((?P<given>[^)]*)\) AS(?P<body>.*?);\n"
    r"COMMENT ON MACRO (?P=name) IS '(?P<about>(?:[^']|'')*)';$",
    re.MULTILINE | re.DOTALL,
)
_TABLE = re.compile(r"^CREATE TABLE (?P<name>\w+) \(\n    (?P<first>\w+)", re.MULTILINE)
_IGNORED = re.compile(r"--[^\n]*|'(?:[^']|'')*'")
_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'", re.DOTALL)
_NAMED = re.compile(r'\b(?:FROM|JOIN)\s+"?(\w+)|\b(\w+)\(', re.IGNORECASE)
_COLUMN = re.compile(r"(?P<type>[A-Z]+)(?P<optional>\?)?; (?P<about>.+)", re.DOTALL)


@dataclass(frozen=True)
class ModelColumn:
    """A column of a model that is kept."""

    name: str
    type: str
    about: str
    """What it means, and its unit in brackets."""
    optional: bool
    """Whether it may be NULL."""


@dataclass(frozen=True)
class StoreModel:
    """A SELECT about one run, or a function of values."""

    name: str
    kind: str
    """`kept`, `table`, `value`, `given` (a table with parameters) or `function`."""
    room: str
    about: str
    sql: str
    reads: frozenset[str]
    """Names of tables, models and functions in its SQL."""
    given: tuple[str, ...] = ()
    columns: tuple[ModelColumn, ...] = ()
    when: str = ""
    needs: frozenset[str] = frozenset()
    """Names that `when` reads."""
    made_by: str = ""
    held: bool | None = None
    """Whether it is held in memory; None where its size and what reads it tell."""
    pieces: str = ""

    @property
    def condition(self) -> str:
        """`when` in SQL, after a SELECT: one row is planned faster than whether there is one."""
        if self.when.startswith("FROM "):
            return f"{self.when} LIMIT 1"
        return f"FROM {self.when} LIMIT 1" if self.when.isidentifier() else f"WHERE {self.when}"

    @property
    def definition(self) -> str:
        """The statement that makes its table in a store."""
        columns = ", ".join(
            f'"{column.name}" {column.type}{"" if column.optional else " NOT NULL"}'
            for column in self.columns
        )
        return f"CREATE TABLE {self.name} (run INTEGER NOT NULL, {columns})"

    @property
    def comments(self) -> Iterator[str]:
        """The statements that describe its table."""
        yield f"COMMENT ON TABLE {self.name} IS {_quote_text(self.about)}"
        yield f"COMMENT ON COLUMN {self.name}.run IS 'Run [id]'"
        for column in self.columns:
            yield f'COMMENT ON COLUMN {self.name}."{column.name}" IS {_quote_text(column.about)}'


def _quote_text(words: str) -> str:
    return "'" + words.replace("'", "''") + "'"


@cache
def load_models(folder: Path = MODELS) -> Mapping[str, StoreModel]:
    """All models and functions by name, rooms and names in order. Raises ContentError."""
    known = list_known_names()
    found = {
        name: _read_model(name, path, _read_statements(path)[name], known)
        for name, path in find_model_files(folder).items()
    }
    return found | {
        name: StoreModel(
            name,
            "function",
            "",
            " ".join(parts["about"].replace("''", "'").split()),
            parts["body"].strip(),
            find_reads(parts["body"], known),
            _split_words(parts["given"]),
        )
        for name, parts in _load_functions().items()
    }


def forget_models() -> None:
    """Read models, tables and functions anew when they are next asked for: a file was edited."""
    forget_kernel_rules()
    for each in (
        load_models, list_model_names, list_known_names, find_model_files, list_kept_models,
        find_source_tables, _load_functions, _read_statements,
    ):  # fmt: skip
        each.cache_clear()


@cache
def list_known_names() -> frozenset[str]:
    """All that a query may read: models, functions and tables of the source."""
    return list_model_names() | find_source_tables().keys()


@cache
def list_model_names() -> frozenset[str]:
    """Names of all models and functions, of which none is read."""
    return frozenset({*find_model_files(), *_load_functions()})


@cache
def find_model_files(folder: Path = MODELS) -> Mapping[str, Path]:
    """The file of each model, rooms and names in order. Raises ContentError."""
    found: dict[str, Path] = {}
    for path in sorted(folder.glob("*/*.sql")):
        for name in _read_statements(path):
            if name in found:
                raise ContentError(f"{path}: {name} is in {found[name]} as well")
            found[name] = path
    return dict(sorted(found.items(), key=lambda each: (each[1].parent.name, each[0])))


@cache
def list_kept_models() -> tuple[StoreModel, ...]:
    """The models that a store keeps, each after those that it reads."""
    order: dict[str, StoreModel] = {}

    def visit(name: str, above: tuple[str, ...]) -> None:
        if name in above:
            raise ContentError(f"models read each other: {' > '.join((*above, name))}")
        model = load_models().get(name)
        if model is None or name in order:
            return
        for read in sorted(model.reads | model.needs):
            visit(read, (*above, name))
        order[name] = model

    for name in load_models():
        visit(name, ())
    return tuple(model for model in order.values() if model.kind == "kept")


@cache
def find_source_tables() -> Mapping[str, bool]:
    """The tables of `schema.sql`, and whether each has rows by run."""
    text = (HERE / SCHEMA).read_text("utf-8")
    return {found["name"]: found["first"] == "run" for found in _TABLE.finditer(text)}


def find_reads(sql: str, known: Collection[str]) -> frozenset[str]:
    """The `known` names that a query reads or calls."""
    return frozenset(name for name in _find_names(sql) if name in known)


@lru_cache(maxsize=4_096)
def _find_names(sql: str) -> frozenset[str]:
    """Whatever a query reads or calls. Each metric's is asked for several times for each run."""
    found = _NAMED.findall(_IGNORED.sub("''", sql))
    return frozenset(name for names in found for name in names)


def find_mentioned(sql: str, known: Collection[str]) -> frozenset[str]:
    """The `known` names that stand anywhere in SQL that a user wrote, in whatever case."""
    words = re.findall(r"\w+", _COMMENT.sub(" ", sql).lower())
    return frozenset(words) & frozenset(known)


@cache
def _load_functions() -> Mapping[str, re.Match[str]]:
    text = (HERE / MACROS).read_text("utf-8").replace("$KERNEL_RULES", _format_kernel_rules())
    return {found["name"]: found for found in _FUNCTION.finditer(text)}


def _format_kernel_rules() -> str:
    """The patterns of kernels as branches: as constants they are compiled once a query."""
    return " ".join(
        f"WHEN regexp_matches(name, {_quote_text(rule.pattern)}) THEN {rule.rank}"
        for rule in load_kernel_rules()
    )


@cache
def _read_statements(path: Path) -> Mapping[str, DescribedStatement]:
    """The models of a file by name. YAML takes its time, and names are asked for without it."""
    try:
        return _name_statements(path.read_text("utf-8"))
    except ValueError as error:
        raise ContentError(f"{path}: {error}") from error


def _name_statements(text: str) -> dict[str, DescribedStatement]:
    found: dict[str, DescribedStatement] = {}
    for statement in split_statements(text):
        named = _NAME.match(statement.front_matter)
        if named is None:
            raise ValueError("each front matter begins with name: and the name of a model")
        if named[1] in found:
            raise ValueError(f"{named[1]} is there twice")
        found[named[1]] = statement
    return found


def _read_model(
    name: str, path: Path, statement: DescribedStatement, known: Collection[str]
) -> StoreModel:
    try:
        head = _read_head(statement.front_matter)
        when, pieces = str(head.get("when", "")), str(head.get("pieces", ""))
        return StoreModel(
            name,
            _choose_kind(head),
            path.parent.name,
            str(head["about"]),
            statement.sql,
            find_reads(statement.sql, known) - {name} | ({pieces} if pieces else set()),
            tuple(map(str, head.get("given", ()))),
            tuple(_parse_column(*each) for each in head.get("columns", {}).items()),
            when,
            find_reads(f"FROM {when.removeprefix('FROM ')}", known),
            str(head.get("made_by", "")),
            head.get("held"),
            pieces,
        )
    except (ValueError, TypeError, AttributeError) as error:
        raise ContentError(f"{path}, {name}: {error}") from error


def _read_head(text: str) -> dict[str, Any]:
    head = _parse_front_matter(text)
    if not isinstance(head, dict) or "about" not in head or head.keys() - _KEYS:
        raise ValueError(f"the front matter has about, and of {', '.join(sorted(_KEYS))}")
    return head


def _parse_front_matter(text: str) -> object:
    from yaml import YAMLError

    try:
        return load_yaml(text)
    except YAMLError as error:
        raise ValueError(str(error)) from error


def _choose_kind(head: Mapping[str, Any]) -> str:
    kinds = {"columns": "kept", "value": "value", "given": "given"}
    found = [kind for key, kind in kinds.items() if key in head]
    if len(found) > 1:
        raise ValueError(f"it is only one of {', '.join(found)}")
    return found[0] if found else "table"


def _parse_column(name: str, words: str) -> ModelColumn:
    found = _COLUMN.fullmatch(words)
    if found is None:
        raise ValueError(f"column {name}: TYPE; meaning [unit]")
    return ModelColumn(name, found["type"], found["about"], bool(found["optional"]))


def _split_words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


def list_tables_of_source() -> tuple[str, ...]:
    """The tables with a column run that a source and its description fill."""
    return tuple(name for name, by_run in find_source_tables().items() if by_run)


def list_tables_of_runs() -> tuple[str, ...]:
    """All tables with a column run."""
    return (*list_tables_of_source(), *(model.name for model in list_kept_models()))
