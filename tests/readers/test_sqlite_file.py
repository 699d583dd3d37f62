from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from perfolio.common.errors import InputError, TableError
from perfolio.readers import sqlite_file
from perfolio.readers.sqlite_file import SqliteFile, begins_like_sqlite, quote_name
from perfolio.readers.stable_file import open_input

ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"
CONTENT = (
    'CREATE TABLE "a ""b"" c" (x, y)',
    'INSERT INTO "a ""b"" c" VALUES (1, \'one\'), (2, NULL)',
    "CREATE VIEW endless AS " + ENDLESS + " SELECT x FROM n",
    "CREATE VIEW barren AS " + ENDLESS + " SELECT x FROM n WHERE x < 0",
    "CREATE VIEW huge AS SELECT zeroblob(1000000000) AS x",
    "CREATE VIEW broken AS SELECT x FROM nowhere",
    "CREATE VIRTUAL TABLE searched USING fts5(x)",
)


@contextmanager
def opened(path: Path, *, has_views: bool) -> Iterator[SqliteFile]:
    with closing(sqlite3.connect(path)) as connection:
        for statement in CONTENT:
            connection.execute(statement)
        connection.commit()
    with closing(SqliteFile(open_input(path), again="again", has_views=has_views)) as database:
        yield database


def test_tables_are_read_by_names_of_any_kind(tmp_path: Path) -> None:
    name = 'a "b" c'
    with opened(tmp_path / "a?mode=rwc#%20.db", has_views=False) as database:
        assert name in database.list_tables()
        assert database.list_columns(name) == ["x", "y"]
        found = list(database.read_batches(name, [quote_name("y"), "NULL"], 1))
    assert found == [[("one", None)], [(None, None)]]
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("has_views", [True, False])
def test_views_are_listed_where_they_are_read_and_virtual_tables_never(
    has_views: bool, tmp_path: Path
) -> None:
    with opened(tmp_path / "a.db", has_views=has_views) as database:
        names = database.list_tables()
    assert ("endless" in names) is has_views
    assert "searched" not in names


@pytest.mark.parametrize("has_views", [True, False])
@pytest.mark.parametrize(
    ("view", "said"),
    [
        ("endless", "has more than [0-9,]+ rows, which the file has no room for"),
        ("barren", "takes longer than a file of its size can need"),
        ("huge", "too big"),
        ("broken", "no such table"),
    ],
)
def test_what_was_made_to_do_harm_ends_in_one_line(
    view: str, said: str, has_views: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_file, "SMALLEST", 40_000)
    with (
        opened(tmp_path / "a.db", has_views=has_views) as database,
        pytest.raises(TableError, match=said) as refusal,
    ):
        list(database.read_batches(view, ["x"], 4_096))
    assert f"a.db: table {view}: " in str(refusal.value)
    assert refusal.value.hint == "again"


def test_a_file_is_not_written_to_nor_another_one_opened(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with opened(path, has_views=True) as database:
        before = path.read_bytes()
        for statement in ("DELETE FROM sqlite_master", "ATTACH ':memory:' AS other"):
            with pytest.raises(sqlite3.Error):
                database._connection.execute(statement)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "content", [b"SQLite format 3\0", b"SQLite format 3\0" + bytes(84), b"no database"]
)
def test_what_is_no_database_is_one_line(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.write_bytes(content)
    assert begins_like_sqlite(path) is content.startswith(sqlite_file.MAGIC)
    with pytest.raises(InputError, match="table sqlite_schema: SQLite says"):
        SqliteFile(open_input(path), again="").list_tables()


def test_what_is_not_there_does_not_begin_like_a_database(tmp_path: Path) -> None:
    assert not begins_like_sqlite(tmp_path / "a.db")
    assert not begins_like_sqlite(tmp_path)
