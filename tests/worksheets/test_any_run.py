"""Shipped exercises on runs that no author thought of: no report fails, no text has holes.

Each run is also made with every row of every table twice: two call sites of one chain of kernels,
two kernels of one name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from typing import Any

import pytest

from generator.pages.worksheets import problems_of, render_exercises, sheets_of
from generator.worksheets.catalog import load_exercises
from generator.worksheets.run import Run
from tests.samples import SAMPLES
from tests.worksheets.support import sample_run

MISSING = re.compile(r"(?:\S+ ){2}(?:not measured|unknown)\b")
"""What `quantity` gives of nothing, with two words before it."""


@cache
def pages_of(slug: str) -> dict[str, str]:
    run = sample_run(slug)
    return render_exercises([(run.metrics, run.findings)])


def texts(value: Any) -> Iterator[str]:
    """All texts in JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from texts(each)


@pytest.mark.parametrize("slug", SAMPLES)
def test_doubled_rows_stop_no_report(slug: str) -> None:
    metrics, findings = deepcopy(sample_run(slug).metrics), sample_run(slug).findings
    for each in metrics["metrics"]:
        each["rows"] = [row for row in each["rows"] for _ in range(2)]
    doubled = render_exercises([(metrics, findings)])
    assert doubled.keys() >= {path for path in pages_of(slug) if "bottleneck" in path}


def test_two_call_sites_of_attention_are_added_up() -> None:
    run = sample_run("transformer")
    metrics = deepcopy(run.metrics)
    (chains,) = (each for each in metrics["metrics"] if each["name"] == "gpu.fusable")
    names = [column["name"] for column in chains["columns"]]
    (one,) = (row for row in chains["rows"] if row[names.index("kind")] == "attention")
    share = one[names.index("share")]
    chains["rows"].append(one)
    two = Run(metrics, run.findings)
    sheets, _ = sheets_of(two, load_exercises(), {two.slug: two})
    asked = {
        (sheet.exercise.slug, each.item.id): each.asked.key
        for sheet in sheets
        for each in sheet.asked
        if each.asked
    }
    attention = asked["baseline", "s3-attention"]["accept"][0]
    assert attention["value"] == pytest.approx(2.0 * share)
    forward = asked["bottleneck-identification", "s5-categories"]["cells"][0]["accept"][0]
    assert forward["value"] == pytest.approx(2.0 * share)


@pytest.mark.parametrize("slug", SAMPLES)
def test_no_text_has_a_hole_where_a_value_is_missing(slug: str) -> None:
    """The words for a missing value stand in pages and keys only where somebody wrote them."""
    run = sample_run(slug)
    written = [each.path.read_text("utf-8") for each in load_exercises().values()]
    told = " ".join([*written, *texts(run.metrics), *texts(run.findings)]).split()
    known = " ".join(told).replace('"', "")
    for path, page in pages_of(slug).items():
        plain = re.sub(r"<[^>]*>", " ", page).replace("\\", " ").replace("&quot;", "")
        plain = " ".join(plain.replace('"', "").split())
        for found in MISSING.findall(plain):
            if "not measured:" in plain[plain.index(found) :][: len(found) + 1]:
                continue  # a cell of a table, with its reason
            assert found in known, path


@pytest.mark.parametrize("slug", sorted(load_exercises()))
def test_shipped_exercises_name_the_rows_that_they_ask_for(slug: str) -> None:
    exercise = load_exercises()[slug]
    found = problems_of(exercise, {})
    assert [each for each in found if "several" in each] == []


def test_texts_of_json_are_found() -> None:
    assert list(texts(json.loads('{"a": ["b", 1, {"c": "d"}]}'))) == ["b", "d"]
