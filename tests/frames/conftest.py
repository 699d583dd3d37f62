"""The documents of a run, for tests of what becomes of them."""

from __future__ import annotations

import pytest

from generator.frames import files, results
from generator.pipeline import Documents
from generator.sources import registry
from tests.samples import PROFILES, documents_at, store_at


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> Documents:
    """Those of the sample of the profiler, which are not made again from its store."""
    (trace,) = registry.find(PROFILES / "dlrm-cpu-torch")
    made = {(store_at(trace), None): documents_at(trace)}
    for module in (files, results):
        monkeypatch.setattr(module, "documents_of_run", lambda store, run, *_: made[store, run])
    return documents_at(trace)
