"""The files of models: short lines, one name each, and a flow from room to room."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import duckdb
import pytest

from perfolio.common.errors import ContentError
from perfolio.metrics.catalog import load_catalog
from perfolio.store.database import create_schema
from perfolio.store.model_catalog import (
    StoreModel,
    find_model_files,
    find_source_tables,
    list_kept_models,
    load_models,
)
from perfolio.store.run_tables import make_run_tables
from reference.models import model_readers, sources_of

PACKAGE = Path(__file__).resolve().parents[2] / "generator" / "perfolio"
STORE = PACKAGE / "store"
LONGEST = 150
MOST_LINES = 4_400
LEDGER, MOST_OF_LEDGER = "75_ledger", 250
MOST_FUNCTIONS = 40
CTE = re.compile(
    r"(?:\bWITH(?: RECURSIVE)?|,)\s+(\w+)(?:\([^()]*\))? AS (?:(?:NOT )?MATERIALIZED )?\("
)
NOT_CODE = re.compile(
    r"/\*---.*?---\*/|^--[^\n]*|^\s*--[^\n]*|^COMMENT ON .*?';$", re.MULTILINE | re.DOTALL
)


@pytest.fixture(scope="module")
def store() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    create_schema(connection)
    return connection


def test_no_line_of_sql_is_long() -> None:
    long = [
        f"{path.relative_to(PACKAGE)}:{number}"
        for path in sorted(PACKAGE.rglob("*.sql"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if len(line) > LONGEST
    ]
    assert long == []


def test_the_stores_sql_is_no_more_than_people_can_read() -> None:
    """The ledger, which the findings are made of, has a room and a limit of its own."""
    lines: Counter[bool] = Counter()
    for path in sorted(STORE.rglob("*.sql")):
        code = NOT_CODE.sub("", path.read_text("utf-8"))
        lines[path.parent.name == LEDGER] += sum(bool(line.strip()) for line in code.splitlines())
    assert lines[False] < MOST_LINES
    assert 0 < lines[True] < MOST_OF_LEDGER


def test_functions_are_few() -> None:
    kinds = Counter(model.kind for model in load_models().values())
    assert 0 < kinds["function"] <= MOST_FUNCTIONS


def test_every_name_is_of_one_model_function_or_table() -> None:
    names = list(find_model_files())
    names += [model.name for model in load_models().values() if model.kind == "function"]
    names += find_source_tables()
    assert [name for name, count in Counter(names).items() if count > 1] == []


@pytest.mark.parametrize("model", load_models().values(), ids=lambda one: one.name)
def test_a_model_reads_what_comes_before_it(model: StoreModel) -> None:
    rooms = {name: load_models()[name].room for name in sources_of(model) if name in load_models()}
    assert {name: room for name, room in rooms.items() if model.room and room > model.room} == {}


def test_tables_with_parameters_do_not_read_each_other() -> None:
    given = {model.name for model in load_models().values() if model.kind == "given"}
    assert {
        name: found for name in given if (found := sources_of(load_models()[name]) & given)
    } == {}


def test_no_part_of_a_query_has_the_name_of_a_model() -> None:
    """It would be made for nothing: names alone tell what a query reads."""
    made = {model.name for model in load_models().values() if model.kind != "kept"}
    queries = [(one.name, one.sql) for one in load_models().values()]
    queries += [(one.name, one.sql) for one in load_catalog().values()]
    assert {name: found for name, sql in queries if (found := made & set(CTE.findall(sql)))} == {}


AFTER_COMMA = re.compile(
    r'(?:\) AS \w+|\bFROM "?\w+"?(?: AS \w+)?), "?(\w+)"?(?: AS \w+)?'
    r"\s*(?:\)|\Z|WHERE|CROSS|LEFT|JOIN|GROUP|HAVING|ORDER)"
)
"""A table that a query reads beside another one, without JOIN."""


def test_what_a_query_reads_follows_from_or_join() -> None:
    """What stands after a comma would be there only where another query had asked for it."""
    known = {name for name, model in load_models().items() if model.kind != "function"}
    queries = [(one.name, one.sql) for one in load_models().values()]
    queries += [(one.name, one.sql) for one in load_catalog().values()]
    names = known | find_source_tables().keys()
    assert {
        name: found for name, sql in queries if (found := names & set(AFTER_COMMA.findall(sql)))
    } == {}
    sql = 'SELECT f(a) AS b, c FROM (SELECT 1) AS d, e WHERE a IN (FROM "f" AS g, h AS i)'
    assert AFTER_COMMA.findall(sql) == ["e", "h"]


def test_parts_of_queries_are_found() -> None:
    sql = (
        "WITH RECURSIVE a AS (SELECT 1),\nb AS MATERIALIZED (\nSELECT 2), c(x, y) AS (SELECT 3, 4)"
    )
    assert CTE.findall(sql) == ["a", "b", "c"]


@pytest.mark.parametrize(
    "model", [one for one in list_kept_models() if not one.made_by], ids=lambda one: one.name
)
def test_a_kept_model_gives_its_columns_by_name(
    store: duckdb.DuckDBPyConnection, model: StoreModel
) -> None:
    with make_run_tables(store, 1) as tables:
        tables.provide(model.sql)
        sql = re.sub(r"\$\w+", "1", model.sql)  # of a model that is filled in pieces
        described = store.execute(f"DESCRIBE {sql}").fetchall()
    assert [row[0] for row in described] == [column.name for column in model.columns]


@pytest.mark.parametrize("model", load_models().values(), ids=lambda one: one.name)
def test_every_model_is_read(model: StoreModel) -> None:
    assert model_readers().get(model.name, frozenset()) - {model.name}


NAMED = "/*---\nname: {}\nabout: Rows.\n---*/\nSELECT 1 AS value\n"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("SELECT 1", "front matter between"),
        (NAMED.replace("name: {}\n", ""), "each front matter begins with name:"),
        (NAMED + NAMED, "twice is there twice"),
        (NAMED.replace("about: Rows.\n", ""), "twice: the front matter has about"),
        (NAMED.replace("about", "held: yes\ncolour"), "twice: the front matter has about"),
    ],
)
def test_a_model_that_is_not_described_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "10_source" / "topic.sql"
    path.parent.mkdir()
    path.write_text(text.replace("{}", "twice"), "utf-8")
    with pytest.raises(ContentError, match=problem) as refusal:
        load_models(tmp_path)
    assert str(path) in str(refusal.value)


def test_a_name_in_two_files_is_refused(tmp_path: Path) -> None:
    for room in ("10_source", "20_paths"):
        (tmp_path / room).mkdir()
        (tmp_path / room / "topic.sql").write_text(NAMED.format("twice"), "utf-8")
    with pytest.raises(ContentError, match=r"20_paths.*twice is in .*10_source.* as well"):
        load_models(tmp_path)
