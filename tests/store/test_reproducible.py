"""What is derived from a trace is the same each time, to the last bit."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.sources import registry
from generator.sources.description import Description
from generator.store.blame import events_query
from generator.store.connect import open_store
from generator.store.ingest import ingest
from tests.shared import database


@pytest.mark.real
@pytest.mark.parametrize("drops", [True, False])
def test_blame_adds_up_in_one_order(drops: bool, tmp_path: Path) -> None:
    source = registry.read(database("dlrm-h100-traces.d"))
    ingest([(source, Description())], tmp_path / "s.duckdb")
    with open_store(tmp_path / "s.duckdb") as connection:
        query = events_query(drops=drops)
        events = connection.execute(query, {"run": 1, "period": 10**7}).fetchall()
    order = [(moment, kind, context) for moment, context, kind, _ in events]
    assert len({moment for moment, *_ in order}) < len(order), "nothing happens at once here"
    assert order == sorted(order)
