"""The 95 % interval of a share of samples, against Wilson's closed form."""

from __future__ import annotations

import duckdb
import pytest

from perfolio.findings.estimates.bound_formulas import compute_wilson
from perfolio.store.database import create_schema
from tests.kit.queries import rows_of

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
