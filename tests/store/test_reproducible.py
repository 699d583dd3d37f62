"""What is derived from a trace is the same each time, to the last bit."""

from __future__ import annotations

import pytest

from perfolio.store.database import open_store
from perfolio.store.idle_blame import KIND_NAMES, SAMPLE, format_events_query
from tests.kit.queries import rows_of
from tests.kit.samples import store_at
from tests.kit.shared import database


@pytest.mark.real
@pytest.mark.parametrize("drops", [True, False])
def test_blame_adds_up_in_one_order(drops: bool) -> None:
    store = store_at(database("dlrm-h100-traces.d"), "")
    with open_store(store) as connection:
        sql = format_events_query(drops=drops)
        events = rows_of(connection, sql, period=10**7, sample=SAMPLE, kinds=KIND_NAMES)
    order = [(moment, kind, context) for moment, context, kind, _ in events]
    assert len({moment for moment, *_ in order}) < len(order), "nothing happens at once here"
    assert order == sorted(order)
