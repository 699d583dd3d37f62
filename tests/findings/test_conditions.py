"""Conditions by the names that entries share."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from perfolio.common.errors import ContentError
from perfolio.findings.model.conditions import (
    get_field_metric,
    invert_condition,
    load_shared,
    parse_condition,
)
from perfolio.metrics.catalog import load_catalog

FOLDER = Path(__file__).parents[2] / "generator" / "perfolio" / "findings"


@pytest.mark.parametrize("name", load_shared())
def test_a_shared_condition_reads_a_metric_and_has_its_opposite(name: str) -> None:
    condition = parse_condition(f"is {name}")
    assert get_field_metric(condition.metric) in load_catalog()
    assert condition == load_shared()[name]
    assert parse_condition(f"is not {name}") == invert_condition(condition)


@pytest.mark.parametrize("name", load_shared())
def test_the_number_of_a_shared_condition_stands_once(name: str) -> None:
    condition = load_shared()[name]
    number = re.compile(rf"(?<![\w.]){re.escape(condition.metric)} [<>] {condition.bound:g}(?!\d)")
    files = [*FOLDER.rglob("*.yaml"), *FOLDER.rglob("rules/*.md")]
    spelled = [file.name for file in files if number.search(file.read_text(encoding="utf-8"))]
    assert spelled == ["conditions.yaml"]


@pytest.mark.parametrize("text", ["is unheard_of", "is not unheard_of"])
def test_an_unknown_name_is_refused(text: str) -> None:
    with pytest.raises(ContentError, match="unheard_of"):
        parse_condition(text)


@pytest.mark.parametrize("text", ["[]", "short: [1]", "short: time.wall below 1", "short: {"])
def test_a_faulty_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "conditions.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ContentError, match=r"conditions\.yaml"):
        load_shared(path)
