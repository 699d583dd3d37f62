"""Findings on real profiles: kind, what fires, and the figures that are known to be true."""

from __future__ import annotations

from functools import cache
from typing import Any

import jsonschema
import pytest

from generator.findings.document import findings_document, schema
from generator.metrics.catalog import load_catalog
from generator.metrics.document import metrics_document, run_facts
from generator.metrics.evaluate import evaluate
from generator.sources import registry
from generator.sources.description import Description
from generator.store.connect import open_store
from generator.store.ingest import ingest
from tests.shared import database

pytestmark = pytest.mark.real

KNOWN = [
    ("dlrm-h100-gpu.d", "h100-sxm5", "gpu-copies-dominate", {"X2", "X5", "M1", "M2", "L1"}),
    ("loops-cuda-nvidiapc-t.d", "", "gpu-kernels-stalled", {"M1", "M3"}),
    ("loops-hip-amd-t.d", "", "gpu-kernels-dominate", set()),
    ("dlrm-cpu-python.d", "", "cpu-only", {"D3t"}),
    ("tinyllama-cpu-python.d", "", "cpu-waiting", {"C1"}),
    ("small.d", "", "cpu-hot-spot", set()),
    ("dlrm-h100-traces.d", "", "trace-only", set()),
]


@pytest.fixture(scope="module")
def document_of(tmp_path_factory: pytest.TempPathFactory) -> Any:
    @cache
    def make(name: str, hardware: str) -> dict[str, Any]:
        store = tmp_path_factory.mktemp("findings") / "store.duckdb"
        ingest([(registry.read(database(name)), Description(hardware=hardware))], store)
        with open_store(store) as connection:
            results = evaluate(connection, 1, load_catalog())
            return findings_document(metrics_document(run_facts(connection, 1), results))

    return make


@pytest.mark.parametrize(
    ("name", "hardware", "kind", "fires"), KNOWN, ids=[name for name, *_ in KNOWN]
)
def test_kind_and_findings(
    name: str, hardware: str, kind: str, fires: set[str], document_of: Any
) -> None:
    document = document_of(name, hardware)
    jsonschema.validate(document, schema())
    assert document["verdict"]["kind"] == kind
    fired = {each["code"] for each in document["findings"] if each["status"] == "fired"}
    assert fired == fires


def test_the_h100_run_says_what_is_true(document_of: Any) -> None:
    document = document_of("dlrm-h100-gpu.d", "h100-sxm5")
    verdict = document["verdict"]
    assert "copies are 52.9 % of the 139.8 ms" in verdict["sentence"]
    said = " ".join(verdict["details"])
    for words in ("7,400 launches", "43.8 % of these samples, 16.4 % of all", "cannot be told"):
        assert words in said
    findings = {each["code"]: each for each in document["findings"]}
    assert findings["L1"]["sentence"].startswith("7,400 launches ran 8.90 µs each on average.")
    assert findings["G4"]["status"] == "not_evaluated"
    for each in findings.values():
        if each["estimate"]:
            assert each["estimate"]["of"].startswith("GPU-operation time; not of run time")
            assert each["estimate"]["reduction"] < 0.53


def test_nothing_about_gpus_is_said_of_a_trace_without_profile(document_of: Any) -> None:
    document = document_of("dlrm-h100-traces.d", "")
    findings = {each["code"]: each for each in document["findings"]}
    assert findings["X2"]["status"] == "not_evaluated"
    assert "profile.db" in findings["X2"]["reason"]
