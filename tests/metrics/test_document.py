"""metrics.json: valid, complete and reversible."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import perfolio.metrics
from perfolio.common.errors import ContentError, StoreError
from perfolio.common.units import UNITS
from perfolio.metrics.catalog import load_catalog
from perfolio.metrics.document import make_metrics_document, read_results, run_facts
from perfolio.metrics.document_format import shorten_document
from perfolio.metrics.model import Results
from perfolio.metrics.run_measurement import evaluate
from tests.metrics.support import RUN, store_of

SCHEMA_PATH = Path(perfolio.metrics.__path__[0]) / "schema" / "metrics-2.schema.json"
CASE = {
    "base": "nvidia-pc",
    "hardware": "h100-sxm5",
    "settings": {"workload.batch_size": "2048"},
    "totals": {"GPUOP (sec)": 2, "GKER (sec)": 1, "GKER:COUNT": 10},
}


@pytest.fixture(scope="module")
def schema() -> Any:
    return json.loads(SCHEMA_PATH.read_text())


@pytest.fixture(scope="module")
def made() -> tuple[dict[str, Any], Results]:
    with store_of(CASE) as connection:
        results = evaluate(connection, RUN, load_catalog())
        return make_metrics_document(run_facts(connection, RUN), results), results


@pytest.mark.slow
def test_the_document_is_valid(schema: Any, made: tuple[dict[str, Any], Results]) -> None:
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads(json.dumps(shorten_document(made[0]), allow_nan=False)), schema)


def test_results_survive_the_document(made: tuple[dict[str, Any], Results]) -> None:
    document, results = made
    assert read_results(json.loads(json.dumps(document))) == results


def test_the_document_says_what_was_measured(made: tuple[dict[str, Any], Results]) -> None:
    run = made[0]["run"]
    assert run["slug"] == "run-1"
    assert run["settings"] == {"workload.batch_size": "2048"}
    assert run["hardware"]["name"] == "h100-sxm5"
    assert run["hardware"]["link_bandwidth"] == 63e9
    assert "GKER:COUNT" in run["metrics_recorded"]
    assert len(made[0]["metrics"]) == len(load_catalog())


@pytest.mark.parametrize(
    "change",
    [
        {"status": "not_measured"},
        {"gap": 0},
        {"status": "measured", "value": None},
        {"unit": "furlong"},
        {"name": "no dots"},
        {"surprise": 1},
    ],
)
def test_a_wrong_record_is_not_valid(
    schema: Any, made: tuple[dict[str, Any], Results], change: dict[str, Any]
) -> None:
    record = next(m for m in shorten_document(made[0])["metrics"] if m["name"] == "gpu.launches")
    faulty = made[0] | {"metrics": [record | change]}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(faulty, schema)


def test_the_schema_knows_all_units(schema: Any) -> None:
    assert schema["$defs"]["unit"]["enum"] == list(UNITS)


def test_another_version_is_refused() -> None:
    with pytest.raises(ContentError, match="perfolio-metrics/9"):
        read_results({"schema": "perfolio-metrics/9", "metrics": []})


def test_an_unknown_run_is_refused() -> None:
    with store_of(CASE) as connection, pytest.raises(StoreError, match="no run 9"):
        run_facts(connection, 9)
