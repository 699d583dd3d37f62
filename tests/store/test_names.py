"""A store whose name means something to DuckDB is that store, or is refused; never another file."""

from __future__ import annotations

import os
from pathlib import Path

import duckdb
import pytest

from perfolio.common.errors import StoreError
from perfolio.findings.estimates.bound_formulas import compute_wilson
from perfolio.readers.own_files import EXPORTED
from perfolio.store.database import create_schema, create_store, open_store
from perfolio.store.ingest import ingest
from tests.kit.queries import rows_of

OPENED = [
    "a#b.duckdb", "a%20b.duckdb", "a b.duckdb", "a'b.duckdb", 'a"b.duckdb', "a\nb.duckdb",
    "a;b.duckdb", "a*b.duckdb", "a[b].duckdb", "a{b}", "ü.duckdb", "-x", ":memory:", "~x", "$HOME",
    "md:x", "s3:", "duckdb:x", "sqlite:x", "http:", "x.json", "x.csv.gz", "x.sqlite", "temp.duckdb",
    "system.duckdb",
]  # fmt: skip
REFUSED = ["a?b.duckdb", "a?access_mode=read_only.duckdb", "a\\b.duckdb"]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", OPENED)
def test_a_store_has_the_name_that_it_was_given(name: str) -> None:
    create_store(Path(name)).close()
    assert [path.name for path in Path().iterdir()] == [name]
    for read_only in (False, True):
        with open_store(Path(name), read_only=read_only) as connection:
            assert connection.execute("FROM run").fetchall() == []
    assert [path.name for path in Path().iterdir()] == [name]


@pytest.mark.parametrize("name", REFUSED)
def test_a_name_that_duckdb_would_not_open_is_refused(name: str) -> None:
    Path("a").mkdir()
    for path in (Path(name), Path(name) / "store.duckdb"):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"")
        with pytest.raises(StoreError, match=r"DuckDB opens no path with a .* in it; rename it"):
            open_store(path)
        path.unlink()
    with pytest.raises(StoreError, match=r"^a.*: DuckDB opens no path"):
        ingest([], Path(name))
    assert not list(Path("a").iterdir())


@pytest.mark.parametrize("name", ["a*b", os.fsdecode(b"a\xffb")])
def test_so_is_such_a_folder_of_exported_runs(name: str) -> None:
    place = Path(name) / f"{EXPORTED}x"
    place.mkdir(parents=True)
    (place / "run.parquet").touch()
    with pytest.raises(StoreError, match="rename it"):
        open_store(Path(name))


# The 95 % interval of a share of samples, against Wilson's closed form.


Z_SQUARED = 1.96**2


@pytest.fixture(scope="module")
def connection() -> duckdb.DuckDBPyConnection:
    made = duckdb.connect()
    create_schema(made)
    return made


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [
        (0, 40, 0.0, Z_SQUARED / (40 + Z_SQUARED)),
        (40, 40, 40 / (40 + Z_SQUARED), 1.0),
        (20, 40, 0.351992787971, 0.648007212029),
    ],
)
def test_wilson_interval(
    connection: duckdb.DuckDBPyConnection, k: int, n: int, low: float, high: float
) -> None:
    sql = "SELECT binomial_low($k, $n), binomial_high($k, $n)"
    (found,) = rows_of(connection, sql, k=float(k), n=float(n))
    assert found == (pytest.approx(low, rel=1e-9, abs=0), pytest.approx(high, rel=1e-9))
    same = compute_wilson(k / n, n)
    assert same.low == pytest.approx(low, rel=1e-9, abs=1e-12)
    assert same.high == pytest.approx(high, rel=1e-9)


def test_no_samples_and_all_samples_give_exact_ends(connection: duckdb.DuckDBPyConnection) -> None:
    assert rows_of(connection, "SELECT binomial_low(0, 7), binomial_high(7, 7)") == [(0, 1)]


CONDITION = "std::enable_if<(((8)>(0)))&&vllm::_typeConvert<c10::BFloat16>::exists, void>::type"


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("void at::native::(anonymous namespace)::cat<float, 4>(float*)", "at::native::cat"),
        (f"{CONDITION} vllm::fused_rms_norm<8>(long)", "vllm::fused_rms_norm"),
        ("std::enable_if<!(false), void>::type gemvx::kernel<int>(T)", "gemvx::kernel"),
        ("std::enable_if_t<(N > 0), void> scale<N>(float*)", "scale"),
        ("void_kernel(int)", "void_kernel"),
        ("<gpu kernel>", "<gpu kernel>"),
    ],
)
def test_a_short_name_is_what_the_function_is_called(
    connection: duckdb.DuckDBPyConnection, name: str, short: str
) -> None:
    sql = "SELECT short_name($name), plain_name($name)"
    ((found, plain),) = rows_of(connection, sql, name=name)
    assert found == short
    assert plain.removeprefix("void ") == ("" if short.startswith("<") else short)
