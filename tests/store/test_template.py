"""New stores are copies of a template: the same as one that is defined statement by statement."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import pytest

from perfolio.common.cache import Cache
from perfolio.readers import kernel_rules
from perfolio.store import connections, database, model_catalog
from perfolio.store.database import REFERENCES, create_store, open_store


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "perfolio" / "stores"


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first store, in the folder whose cache it went into."""
    folder = tmp_path_factory.mktemp("first")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_CACHE_HOME", str(folder))
        create_store(folder / "store").close()
    return folder / "store"


@pytest.fixture(scope="module")
def expected(first: Path) -> list[tuple[object, ...]]:
    return list(contents(first))


@pytest.fixture
def filled(first: Path, cache: Path) -> Path:
    """The cache after the first store."""
    shutil.copytree(first.parent / "perfolio" / "stores", cache)
    return cache


def contents(path: Path) -> Iterator[tuple[object, ...]]:
    """All that a new store holds."""
    with open_store(path) as connection:
        for sql in (
            "SELECT table_name, comment, sql FROM duckdb_tables() WHERE NOT internal",
            "SELECT view_name, comment, sql FROM duckdb_views() WHERE NOT internal",
            "SELECT table_name, column_name, data_type, comment FROM duckdb_columns()",
            "SELECT function_name, parameters, macro_definition FROM duckdb_functions()",
            "SELECT index_name, sql FROM duckdb_indexes()",
            "SELECT constraint_text FROM duckdb_constraints()",
            *(f"FROM {table}" for table in (*REFERENCES, "store_info")),
        ):
            rows = connection.execute(sql).fetchall()
            assert rows or "duckdb_" in sql
            yield from sorted(rows, key=repr)


def no_definition(connection: duckdb.DuckDBPyConnection) -> None:
    del connection
    pytest.fail("defined once more")


@pytest.mark.slow
def test_the_second_store_is_a_copy_and_holds_the_same(
    filled: Path,
    expected: list[tuple[object, ...]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with connections.open_connection(tmp_path / "defined", read_only=False) as connection:
        database.create_schema(connection)
    monkeypatch.setattr(database, "create_schema", no_definition)
    create_store(tmp_path / "second").close()

    assert len(list(filled.iterdir())) == 1
    assert len(expected) > 500
    assert list(contents(tmp_path / "defined")) == expected
    assert list(contents(tmp_path / "second")) == expected


def test_a_copy_can_be_read_by_the_oldest_duckdb(cache: Path, tmp_path: Path) -> None:
    for name in ("first", "second"):
        with create_store(tmp_path / name) as connection:
            versions = connection.execute("SELECT tags FROM duckdb_databases()").fetchall()
        assert any("v1.5" in str(tags) for (tags,) in versions), name
    assert cache.is_dir()


@pytest.mark.slow
@pytest.mark.parametrize("version", ["definition", "duckdb"])
def test_another_version_makes_a_template_of_its_own(
    filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    if version == "duckdb":
        monkeypatch.setattr(duckdb, "__version__", "99")
    else:
        monkeypatch.setattr(database, "get_definition_hash", lambda: "other")
    create_store(tmp_path / "second").close()

    assert len(list(filled.iterdir())) == 2
    with open_store(tmp_path / "second") as connection:
        found = connection.execute("SELECT value FROM store_info WHERE key = 'definition'")
        assert found.fetchone() == (database.get_definition_hash(),)


def a_foreign_database(_first: Path, folder: Path) -> bytes:
    path = folder / "foreign"
    duckdb.connect(path).close()
    return path.read_bytes()


def an_older_store(first: Path, folder: Path) -> bytes:
    path = Path(shutil.copy(first, folder / "older"))
    with duckdb.connect(path) as connection:
        connection.execute("UPDATE store_info SET value = 'other' WHERE key = 'definition'")
    return path.read_bytes()


def rubbish(_first: Path, folder: Path) -> bytes:
    return str(folder).encode() * 999


@pytest.mark.slow
@pytest.mark.parametrize("content", [rubbish, a_foreign_database, an_older_store])
def test_a_template_that_is_no_store_of_this_version_is_made_again(
    first: Path,
    filled: Path,
    expected: list[tuple[object, ...]],
    tmp_path: Path,
    content: Callable[[Path, Path], bytes],
) -> None:
    (template,) = filled.iterdir()
    stored = Cache("stores").load(template.name)
    Cache("stores").keep(template.name, content(first, tmp_path))
    create_store(tmp_path / "second").close()

    assert list(contents(tmp_path / "second")) == expected
    create_store(tmp_path / "third").close()
    assert list(contents(tmp_path / "third")) == expected
    assert len(Cache("stores").load(template.name) or b"") == len(stored or b"")


@pytest.mark.slow
def test_stores_are_made_without_a_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    for name in ("first", "second"):
        create_store(tmp_path / name).close()
    assert list(contents(tmp_path / "first")) == list(contents(tmp_path / "second"))


@pytest.mark.slow
def test_several_makers_of_the_first_store_do_not_meet(cache: Path, tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}" for number in range(3)]
    with ThreadPoolExecutor(3) as pool:
        for made in pool.map(create_store, paths):
            made.close()
    assert len(list(cache.iterdir())) == 1
    first, *others = [list(contents(path)) for path in paths]
    assert others == [first, first]


def test_models_are_those_that_the_definition_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that went on with those of before would keep their figures under a new name."""
    copy = shutil.copytree(database._HERE, tmp_path / "store")
    kernels = Path(shutil.copy(kernel_rules.FILE, tmp_path))
    monkeypatch.setattr(model_catalog, "HERE", copy)
    monkeypatch.setattr(kernel_rules, "FILE", kernels)
    before = database._compute_definition_hash(copy)
    first = kernel_rules.load_kernel_rules()
    assert "half_of" not in model_catalog.list_known_names()

    with (copy / model_catalog.MACROS).open("a") as file:
        file.write("CREATE MACRO half_of(n) AS n / 2;\nCOMMENT ON MACRO half_of IS 'Half [1]';\n")
    rows = kernels.read_text().splitlines(keepends=True)
    kernels.write_text("".join(rows[:-1]))

    assert database._compute_definition_hash(copy) != before
    assert "half_of" in model_catalog.list_known_names()
    assert kernel_rules.load_kernel_rules() == first[:-1]
    monkeypatch.undo()
    model_catalog.forget_models()
