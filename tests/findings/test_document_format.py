"""findings.json holds what one run gave, and comes back whole."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from perfolio.findings.document_format import restore_document, shorten_document
from perfolio.findings.document_reader import read_document
from perfolio.metrics.catalog import load_catalog
from perfolio.pages.report_rendering import render_report
from tests.kit.samples import SAMPLES as ALL
from tests.kit.samples import sample_documents

SAMPLES = ("dlrm-cpu", "dlrm-h100")


@pytest.fixture(params=SAMPLES)
def document(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Of a run by HPCToolkit on CPUs, and of one on a GPU."""
    return dict(sample_documents(request.param).findings)


def as_json(document: object) -> Any:
    return json.loads(json.dumps(document))


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner)
    elif isinstance(value, str):
        yield value


def test_what_was_written_comes_back_whole(document: dict[str, Any]) -> None:
    assert restore_document(as_json(shorten_document(document))) == document


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_each_sample_is_read_as_it_is_written(name: str, tmp_path: Path) -> None:
    one = sample_documents(name).findings
    place = tmp_path / "findings.json"
    place.write_text(json.dumps(shorten_document(one)), encoding="utf-8")
    assert read_document(place) == one


def test_what_all_reports_share_is_not_written(document: dict[str, Any]) -> None:
    short = shorten_document(document)
    told = set(texts(short))

    for metric in load_catalog().values():
        assert not told & {metric.sql, metric.population} - {metric.title, ""}, metric.name
    for finding in short["findings"]:
        assert ("sections" in finding) == (finding["status"] == "fired")
    missing = [item for item in short["metrics"]["metrics"] if item["status"] != "measured"]
    assert len(missing) > 50
    assert all(item.keys() == {"name", "title", "status", "gap"} for item in missing)
    reasons = [gap["reason"] for gap in short["metrics"]["gaps"]]
    assert {item["gap"] for item in missing} == {*range(len(reasons))}
    assert len(json.dumps(short)) < 0.6 * len(json.dumps(document))


def test_a_number_has_its_unit_and_what_it_is(document: dict[str, Any]) -> None:
    found = [
        m for m in shorten_document(document)["metrics"]["metrics"] if m["status"] == "measured"
    ]

    assert len(found) > 50
    for item in found:
        assert item["unit"], item["name"]
        assert load_catalog()[item["name"]].definition.startswith(item["definition"])
        assert ("value" in item) != ("rows" in item), item["name"]


def test_a_metric_that_is_now_another_keeps_what_its_document_says(
    document: dict[str, Any],
) -> None:
    short = as_json(shorten_document(document))
    changed = next(item for item in short["metrics"]["metrics"] if "value" in item)
    changed["definition"] = "Something else."
    gone = next(item for item in short["metrics"]["metrics"] if "gap" in item)
    gone["name"] = "gone.since"
    by_name = {item["name"]: item for item in restore_document(short)["metrics"]["metrics"]}

    told = by_name[changed["name"]]
    assert (told["definition"], told["sql"], told["population"]) == ("Something else.", "", "")
    assert told["value"] == changed["value"]
    assert by_name["gone.since"]["reason"] == short["metrics"]["gaps"][gone["gap"]]["reason"]
    assert by_name["gone.since"]["sql"] == ""


def test_a_rule_that_is_no_more_did_not_fire_without_advice(document: dict[str, Any]) -> None:
    short = as_json(shorten_document(document))
    quiet = next(item for item in short["findings"] if item["status"] == "passed")
    quiet["code"] = "Q99"
    back = restore_document(short)

    assert next(item for item in back["findings"] if item["code"] == "Q99")["sections"] == {}
    assert render_report(back["metrics"], back, {})["findings.md"]
