"""Simulated variants of every exercise that varies: graded by their truth, and far enough apart.

PERFOLIO_VARIANTS=50 makes as many; without it two of each exercise are made.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from perfolio.classroom.variants import find_scenarios, load_scenario, make_orders
from perfolio.exercises.catalog import load_exercises
from perfolio.exercises.grader import grade_item, grade_sheet
from perfolio.exercises.key_documents import make_key_document
from perfolio.exercises.model import Json, Sheet
from perfolio.exercises.variant_spread import find_variant_problems, list_numbers
from perfolio.simulation.scenario import Scenario
from tests.exercises.answering import known_mistakes, solved
from tests.exercises.asking import sheet_on
from tests.exercises.true_answers import TRUE
from tests.kit.samples import PROFILES, simulated

COUNT = -(-int(os.environ.get("PERFOLIO_VARIANTS", str(2 * len(TRUE)))) // len(TRUE))
SEED = 18
VARIED = [slug for slug, one in load_exercises().items() if one.vary]


@dataclass(frozen=True)
class Simulated:
    """A variant with all that was simulated for it."""

    sheet: Sheet
    truths: Mapping[str, Json]
    scenarios: Mapping[str, Scenario]


@cache
def variants(slug: str) -> list[Simulated]:
    exercise = load_exercises()[slug]
    found = []
    for n, orders in enumerate(make_orders(exercise, find_scenarios(PROFILES), COUNT, SEED), 1):
        scenarios = {each.run: load_scenario(each) for each in orders}
        made = {each.run: simulated(scenarios[each.run], each.run, each.described)
                for each in orders}  # fmt: skip
        databases = {name: one.folder for name, one in made.items()}
        sheet = sheet_on(slug, databases, f"{n:02}")
        found.append(Simulated(sheet, {name: dict(m.truth) for name, m in made.items()}, scenarios))
    return found


def test_eight_exercises_vary_and_the_truth_of_each_is_known() -> None:
    assert sorted(VARIED) == sorted(TRUE)
    assert len(VARIED) >= 8


@pytest.mark.slow
@pytest.mark.parametrize("slug", VARIED)
def test_answers_made_from_the_truth_earn_all_points(slug: str) -> None:
    for one in variants(slug):
        key = make_key_document(one.sheet)
        true = TRUE[slug](one.truths, one.scenarios)
        assert set(true) <= set(key["items"])
        items = {name: {"given": typed(key["items"][name], value)} for name, value in true.items()}
        others = {name: {"given": given} for name, given in solved(key).items()}
        graded = grade_sheet(key, {"sheet": key["sheet"], "items": {**others, **items}})
        for name, wanted in key["items"].items():
            by_hand = wanted["type"] == "open"
            right = ("by-hand", 0.0) if by_hand else ("right", wanted["points"])
            assert (graded[name].code, graded[name].points) == right, (name, true.get(name))


@pytest.mark.slow
@pytest.mark.parametrize("slug", VARIED)
def test_each_known_mistake_is_named_in_each_variant(slug: str) -> None:
    for one in variants(slug):
        for name, item in make_key_document(one.sheet)["items"].items():
            for code, given in known_mistakes(item):
                graded = grade_item(item, {"given": given})
                assert graded.code == code, name
                assert graded.points < item["points"]


@pytest.mark.slow
@pytest.mark.parametrize("slug", VARIED)
def test_variants_are_asked_everything_and_have_numbers_of_their_own(slug: str) -> None:
    sheets = [one.sheet for one in variants(slug)]
    assert list(find_variant_problems(sheets)) == []
    for one, other in pairwise(sheets):
        assert one.id != other.id
        assert list_numbers(one).keys() == list_numbers(other).keys()


def typed(item: Mapping[str, Any], value: Any) -> Any:
    """An answer as somebody types or ticks it."""
    if "options" in item:
        says = {value} if isinstance(value, str) else value
        return [each["letter"] for each in item["options"] if each["says"] in says]
    if isinstance(value, list):
        cells = zip(value, item["cells"], strict=True)
        return [f"{each / cell['factor']:.10g}" for each, cell in cells]
    return f"{value / item['factor']:.10g}"
