"""The documents of a run, for tests of what becomes of them."""

from __future__ import annotations

import pytest

from perfolio.exporters import arrow_tables, export_files
from perfolio.pipeline.run_documents import RunDocuments
from perfolio.readers import registry
from tests.kit.samples import PROFILES, documents_at, store_at


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> RunDocuments:
    """Those of the sample of the profiler, which are not made again from its store."""
    (trace,) = registry.find(PROFILES / "dlrm-cpu-torch")
    made = {(store_at(trace), None): documents_at(trace)}
    for module in (export_files, arrow_tables):
        monkeypatch.setattr(
            module, "make_documents_of_run", lambda store, run, *_: made[store, run]
        )
    return documents_at(trace)
