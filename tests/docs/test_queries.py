"""Each query that the documentation shows can be asked."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from perfolio.readers import registry
from perfolio.store.database import open_store
from perfolio.store.user_query import run_query
from tests.docs.written import PAGES, text_of
from tests.kit.samples import PROFILES, store_at

SHOWN = re.compile(r'perfolio query \S+( --run \S+)? \\?"([^"]+)"')
QUERIES = sorted(
    {
        (sql.rstrip("\\"), bool(run))
        for page in PAGES
        for run, sql in SHOWN.findall(text_of(page))
        if sql != "SQL"
    }
)


@pytest.fixture(scope="module")
def store() -> Path:
    (database,) = registry.find(PROFILES / "dlrm-cpu")
    return store_at(database)


def test_there_are_queries_of_all_runs_and_of_one() -> None:
    assert {run for _, run in QUERIES} == {True, False}
    assert len(QUERIES) > 5


@pytest.mark.parametrize(("sql", "of_one_run"), QUERIES)
def test_a_query_of_the_documentation_is_answered(store: Path, sql: str, of_one_run: bool) -> None:
    with open_store(store) as connection:
        run = "dlrm-cpu" if of_one_run else None
        answer = "".join(run_query(connection, sql, "table", run=run))
    assert "─" in answer
