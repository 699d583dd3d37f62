"""Findings by area, in the order of their codes."""

from __future__ import annotations

from perfolio.findings.rules.catalog import load_rules
from perfolio.pages.threshold_groups import AREAS, describe_outcome, group_by_area


def _finding(code: str, status: str = "passed", severity: str | None = None) -> dict[str, object]:
    return {"code": code, "status": status, "severity": severity}


def test_areas_come_in_their_order_and_codes_by_number() -> None:
    found = group_by_area([_finding(code) for code in ("M10", "Q1", "M2", "G3s", "G3", "Z1")])
    assert [area.title for area in found] == [
        "Use of the GPU", "Stalls and memory access", "Data quality", "Z",
    ]  # fmt: skip
    assert [finding["code"] for area in found for finding in area.findings] == [
        "G3", "G3s", "M2", "M10", "Q1", "Z1",
    ]  # fmt: skip


def test_every_rule_belongs_to_an_area_with_a_title() -> None:
    assert {code[0] for code in load_rules()} == set(AREAS)


def test_an_outcome_is_the_severity_or_the_status_in_words() -> None:
    assert describe_outcome(_finding("X1", "fired", "high")) == "high"
    assert describe_outcome(_finding("X1", "not_evaluated")) == "not evaluated"
    assert describe_outcome({**_finding("C2"), "undecided": True}) == "passed, undecided,"
