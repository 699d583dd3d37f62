"""What means over several GPUs bound: where GPUs are alike.

Also: findings.json holds what one run gave, and comes back whole.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from perfolio.common.errors import ContentError
from perfolio.findings.document_format import restore_document, shorten_document
from perfolio.findings.document_reader import read_document
from perfolio.findings.estimates.bound_formulas import make_estimate
from perfolio.findings.estimates.multi_gpu import judge_over_gpus
from perfolio.findings.estimates.observed_gains import ExpectedGain, find_expected, load_outcomes
from perfolio.findings.estimates.time_ledger import (
    BESIDE,
    COPIES,
    IDLE,
    KERNELS,
    RECURRING,
    START,
    STEADY,
)
from perfolio.findings.evaluation.rule_evaluation import evaluate
from perfolio.findings.model.change_effect import ChangeEffect
from perfolio.findings.model.denominator import BoundWhole, WholeKind
from perfolio.findings.model.finding import Estimate, Finding, Refusal
from perfolio.findings.rules.catalog import load_rules
from perfolio.metrics.catalog import load_catalog
from perfolio.pages.report_rendering import render_report
from tests.findings.support import Number, results
from tests.kit.samples import SAMPLES as ALL
from tests.kit.samples import sample_documents

ALIKE = "The 8 GPUs are taken to be alike; where one of them decides for all, more can be saved."


def _worth(*effects: ChangeEffect, of: WholeKind = "wall") -> Estimate:
    found = make_estimate(0.2, BoundWhole(of, 10.0), "a / b", ("As it is.",), effects=effects)
    assert found is not None
    return found


FOUND = _worth(ChangeEffect(STEADY & IDLE))


def test_one_gpu_is_its_own_mean() -> None:
    assert judge_over_gpus(FOUND, results({"run.gpus": 1.0})) is FOUND
    assert judge_over_gpus(FOUND, results()) is FOUND


@pytest.mark.parametrize(
    ("effects", "said"),
    [
        ((ChangeEffect(STEADY & IDLE),), True),
        ((ChangeEffect(KERNELS, 2.0),), True),
        ((ChangeEffect(KERNELS, 2.0, is_mean=False),), False),
        ((), False),
    ],
    ids=["idle time", "kernels", "of the rank that decides", "threads"],
)
def test_means_over_gpus_say_so(effects: tuple[ChangeEffect, ...], said: bool) -> None:
    alike = results({"run.gpus": 8.0, "time.idle_imbalance": 1.05})
    found = judge_over_gpus(_worth(*effects), alike)
    assert isinstance(found, Estimate)
    assert found.assumptions == ("As it is.", *((ALIKE,) if said else ()))


@pytest.mark.parametrize("several", ["run.gpus", "run.ranks"])
def test_start_up_of_the_first_gpu_leaves_no_limit_for_all(several: str) -> None:
    start_up = _worth(ChangeEffect(START, 2.0))
    found = judge_over_gpus(start_up, results({several: 2.0}))
    assert isinstance(found, Refusal)
    assert "the last one to begin may hold up all the others" in found.reason
    assert judge_over_gpus(start_up, results({several: 1.0})) is start_up


def test_sums_over_operations_are_no_means() -> None:
    summed = _worth(ChangeEffect(KERNELS, 2.0), of="gpu_work")
    assert judge_over_gpus(summed, results({"run.gpus": 8.0})) is summed


def test_the_host_of_one_gpu_that_is_late_is_bounded_by_no_mean() -> None:
    unlike = results({"run.gpus": 8.0, "time.idle_imbalance": 8.0})
    found = judge_over_gpus(FOUND, unlike)
    assert isinstance(found, Refusal)
    assert "idle 8 times as long as the mean" in found.reason
    copies = _worth(ChangeEffect(RECURRING & COPIES), ChangeEffect(RECURRING & BESIDE))
    assert isinstance(judge_over_gpus(copies, unlike), Estimate), "it is of copies first"


@pytest.mark.parametrize(("imbalance", "is_bounded"), [(1.2, True), (1.3, False)])
def test_findings_on_idle_time_of_unlike_gpus_have_no_gain(
    imbalance: float, *, is_bounded: bool
) -> None:
    given = {
        "run.gpus": 4.0, "time.idle_imbalance": imbalance, "time.steady": 8.0,
        "time.steady_utilisation": 0.6, "time.steady_idle_share": 0.4, "time.wall": 10.0,
        "time.iteration_median": 0.1, "run.time_at_least": 10.0, "time.gpu_operations": 900.0,
    }  # fmt: skip
    idle = evaluate(results(given), {"G1": load_rules()["G1"]})[0]
    assert idle.status == "fired"
    assert (idle.estimate is not None) == is_bounded
    assert ("1.30 times" in idle.refusal.reason) != is_bounded


M9 = Finding(load_rules()["M9"], "fired", "low", estimate=Estimate(0.4, BoundWhole("wall"), "", ()))


def test_a_gain_has_the_range_of_its_rule() -> None:
    told = find_expected(M9, results())
    assert told is not None
    assert (told.cases, told.source) == (2, "measured")
    assert 0.0 < told.low < told.high <= 1.0


@pytest.mark.parametrize(
    "other",
    [
        replace(M9, status="passed"),
        replace(M9, estimate=None),
        replace(M9, rule=load_rules()["K4"]),
        replace(M9, estimate=Estimate(0.4, BoundWhole("wall"), "", (), "limit")),
    ],
)
def test_nothing_else_has_one(other: Finding) -> None:
    assert find_expected(other, results()) is None


@pytest.mark.parametrize("high", [0.2, 0.1201])
def test_no_step_is_expected_to_save_more_than_its_part_takes_as_measured(high: float) -> None:
    """A bound has the upper end of its interval, an expectation is of the share itself."""
    rules = {code: load_rules()[code] for code in ("T2",)}
    given: dict[str, Number] = {
        "run.gpu_streams": 0.0,
        "steps.typical": 1.0,
        "steps.optimizer_share": [0.12, 0.03, high],
    }
    parts = {"steps.parts": [{"part": "optimizer", "time": 0.12, "share": 0.12}]}
    (finding,) = evaluate(results(given, parts), rules)
    told, bounded = find_expected(finding, results(given, parts)), finding.estimate
    assert told is not None
    assert bounded is not None
    assert bounded.reduction == pytest.approx(high)
    elsewhere = load_outcomes()["T2"]
    assert told.high * bounded.reduction == pytest.approx(0.12 * elsewhere.high)
    assert told.low * bounded.reduction == pytest.approx(0.12 * elsewhere.low)
    assert told.part == pytest.approx(0.12 / high)


def test_what_was_measured_is_told_alone(tmp_path: Path) -> None:
    path = tmp_path / "outcomes.toml"
    path.write_text("[X5]\nsimulated = [0.9]\nmeasured = [0.5, 0.7]\n")
    assert load_outcomes(path) == {"X5": ExpectedGain(0.5, 0.7, 2, "measured")}


@pytest.mark.parametrize(
    "text", ["[X5]\nsimulated = [1.2]", "[X5]\nguessed = [0.5]", "X5 = 1", "["]
)
def test_a_faulty_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "outcomes.toml"
    path.write_text(text)
    with pytest.raises(ContentError, match="outcomes"):
        load_outcomes(path)


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
