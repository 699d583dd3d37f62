"""Real databases against HPCToolkit's own reader."""

from __future__ import annotations

import pytest

from perfolio.readers import registry
from perfolio.store.database import open_store
from tests.kit.queries import rows_of
from tests.kit.samples import store_at
from tests.kit.shared import database, golden

pytestmark = pytest.mark.real
TABLES = {
    "contexts": "context",
    "functions": "function",
    "files": "file",
    "modules": "module",
    "profiles": "profile",
}
NAMED = (
    "SELECT named.name, found.value FROM ({}) AS found"
    " JOIN (SELECT DISTINCT measure, name FROM metric) AS named ON named.measure = found.name"
)
"""By the tool's own names."""
STREAMS = {"values": "value", "summary_values": "summary", "trace_points": "trace"}


@pytest.mark.parametrize("name", sorted(golden()) or ["golden.json"])
def test_counts_and_totals_equal_the_reference(name: str) -> None:
    path = database(name)
    expected = golden()[name]
    source = registry.read(path)
    for key, table in TABLES.items():
        if key in expected:
            assert source.tables[table].num_rows == expected[key], key
    for key, stream in STREAMS.items():
        if key in expected:
            assert source.streams[stream].rows == expected[key], key
    with open_store(store_at(path, "")) as connection:
        total = dict(rows_of(connection, NAMED.format("SELECT name, value FROM total")))
        by_point = "SELECT name, fsum(value) AS value FROM cost WHERE scope = 'point' GROUP BY name"
        point = dict(rows_of(connection, NAMED.format(by_point)))
        times = connection.execute('SELECT min("time"), max("time") FROM trace').fetchone()
    assert total == pytest.approx(expected.get("total", {}), rel=1e-12)
    assert point == pytest.approx(expected.get("point_total", {}), rel=1e-12)
    if "trace_range_ns" in expected:
        assert list(times or ()) == expected["trace_range_ns"]
