"""Variants: what is drawn, what is laid over a scenario, and what leaves the house.

Simulated variants of every exercise that varies are graded by their truth, and far enough apart:
PERFOLIO_VARIANTS=50 makes as many; without it two of each exercise are made.
"""

from __future__ import annotations

import json
import os
import pickle
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from perfolio.classroom.variants import (
    _make_run_documents,
    find_scenarios,
    load_scenario,
    make_database_files,
    make_orders,
    make_plain_order,
    make_variants,
    name_variants,
)
from perfolio.common.errors import ContentError
from perfolio.exercises.catalog import load_exercises
from perfolio.exercises.grader import grade_item, grade_sheet
from perfolio.exercises.key_documents import make_key_document
from perfolio.exercises.model import Json, Sheet
from perfolio.exercises.run_view import Run
from perfolio.exercises.variant_spread import find_variant_problems, list_numbers
from perfolio.exercises.variation import compute_seed, draw_values, make_overlay
from perfolio.pipeline.run_documents import ingest_paths, make_documents
from perfolio.simulation.scenario import Scenario
from perfolio.simulation.scenario_parser import read_entries
from tests.exercises.answering import known_mistakes, solved
from tests.exercises.asking import sheet_on
from tests.exercises.support import VARIED_SEED, short_scenarios
from tests.exercises.true_answers import TRUE
from tests.kit.samples import PROFILES, simulated

EXERCISE = load_exercises()["straggler"]
COUNT = -(-int(os.environ.get("PERFOLIO_VARIANTS", str(2 * len(TRUE)))) // len(TRUE))
TRUE_SEED = 18
VARIED = [slug for slug, one in load_exercises().items() if one.vary]


def test_draws_are_in_their_ranges_differ_and_depend_on_the_seed_alone() -> None:
    found = draw_values(EXERCISE, 30, 5)
    assert {draw["straggler"] for draw in found} == {1, 2, 3, 4, 5, 6, 7}
    assert all(1.12 <= draw["slow"] <= 1.35 for draw in found)
    assert all(round(draw["slow"], 2) == draw["slow"] for draw in found)
    assert len({tuple(draw.values()) for draw in found}) == 30
    assert draw_values(EXERCISE, 40, 5)[:30] == found
    assert draw_values(EXERCISE, 30, 6) != found
    assert len({compute_seed(EXERCISE, 5, name) for name in name_variants(30)}) == 30


def test_neighbours_are_far_from_each_other() -> None:
    for seed in range(20):
        found = draw_values(EXERCISE, 30, seed)
        for one, other in pairwise(found):
            assert one["straggler"] != other["straggler"]
            assert abs(one["slow"] - other["slow"]) > 2 * 0.02 * 1.35


def test_both_ends_of_a_range_are_drawn() -> None:
    spec = replace(EXERCISE, vary={"x": {"uniform": [1, 2], "step": 0.25}})
    assert {draw["x"] for draw in draw_values(spec, 50, 1)} == {1, 1.25, 1.5, 1.75, 2}


def test_the_overlay_resets_what_the_scenario_says_of_other_ranks() -> None:
    base = read_entries(PROFILES / "eight-ranks" / "scenario.toml")
    assert base["ranks"]["kernels"] == {"5": 1.18}
    laid = make_overlay(EXERCISE, {"straggler": 3, "slow": 1.26}, base)
    assert laid == {"ranks": {"kernels": {"5": 1.0, "3": 1.26}}}
    same = make_overlay(EXERCISE, {"straggler": 5, "slow": 1.26}, base)
    assert same == {"ranks": {"kernels": {"5": 1.26}}}


def test_a_name_inside_a_text_is_put_in() -> None:
    spec = replace(EXERCISE, overlay={"kernels.a.time": "{{slow}} us", "list": ["{{slow}}", 1]})
    assert make_overlay(spec, {"slow": 4}, {}) == {
        "kernels": {"a": {"time": "4 us"}},
        "list": [4, 1],
    }


@pytest.mark.parametrize(
    "told",
    [1, {}, {"choose": []}, {"choose": 1}, {"uniform": [1, 2]}, {"uniform": [2, 1], "step": 1},
     {"uniform": [1, 2, 3], "step": 1}, {"uniform": [1, 2], "step": 0},
     {"uniform": [0, 1], "step": 1e-9}, {"uniform": ["a", 2], "step": 1},
     {"uniform": [0, float("inf")], "step": 1}],
)  # fmt: skip
def test_faulty_vary_is_refused_by_name(told: object) -> None:
    with pytest.raises(ContentError, match=r"exercise\.md: vary x: "):
        draw_values(replace(EXERCISE, vary={"x": told}), 2, 1)


def test_an_overlay_with_an_unknown_name_is_refused() -> None:
    with pytest.raises(ContentError, match="overlay: vary draws no slow"):
        make_overlay(EXERCISE, {"straggler": 1}, {})


def test_an_exercise_without_vary_has_no_variants() -> None:
    with pytest.raises(ContentError, match="has no vary"):
        make_variants(replace(EXERCISE, vary={}), find_scenarios(PROFILES), 2)


def test_words_of_the_author_are_left_out_of_profile_toml(tmp_path: Path) -> None:
    """What is left says the same as before: texts with quotes, tables, numbers and truth values."""
    text = '''title = "A \\"quoted\\" – title"
description = "Rank 5 is slow."
notes = """
See scenario.toml."""
simulated = true
model_flops_per_iteration = 10_401_873_920
[workload]
"odd key" = "a # b"
ranks = 8
size = 0.5
[price]
gpu_hour = 2.5
currency = "EUR"
'''
    folder = tmp_path / "eight-ranks"
    folder.mkdir()
    (folder / "profile.toml").write_text(text, encoding="utf-8")
    scenario = PROFILES / "eight-ranks" / "scenario.toml"
    (folder / "scenario.toml").write_bytes(scenario.read_bytes())
    ((order,),) = make_orders(EXERCISE, find_scenarios(tmp_path), 1, 1)
    before, left = tomllib.loads(text), tomllib.loads(order.described.decode())
    assert before.keys() - left.keys() == {"description", "notes"}
    assert list(left.items()) == [each for each in before.items() if each[0] in left]


def test_another_process_can_be_told_what_to_make() -> None:
    ((order,),) = make_orders(EXERCISE, find_scenarios(PROFILES), 1, VARIED_SEED)
    for each in (order, make_plain_order(order.scenario)):
        assert pickle.loads(pickle.dumps((_make_run_documents, each))) == (
            _make_run_documents,
            each,
        )


def test_scenarios_are_found_in_a_folder_and_below_it() -> None:
    assert find_scenarios(PROFILES).keys() > {"eight-ranks", "transformer"}
    assert find_scenarios(PROFILES / "eight-ranks").keys() == {"eight-ranks"}


def test_a_scenario_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ContentError, match="no scenario of eight-ranks"):
        make_variants(EXERCISE, find_scenarios(tmp_path), 2)


@pytest.mark.slow
def test_variants_are_made_once_and_tell_nothing_of_the_draw(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scenarios = short_scenarios()
    made = make_variants(EXERCISE, scenarios, 2, seed=VARIED_SEED)
    assert [each.name for each in made] == ["01", "02"]
    for variant, draw in zip(made, draw_values(EXERCISE, 2, VARIED_SEED), strict=True):
        (documents,), (order,) = variant.documents, variant.orders
        run = Run(documents.metrics, documents.findings)
        assert run.slug == "eight-ranks"
        assert run.cells("communication.late_rank.rank")[0] == draw["straggler"]
        factor = run.cells("communication.late_rank.kernels")[0]
        assert factor == pytest.approx(draw["slow"], rel=0.02)
        text = json.dumps([documents.metrics, documents.findings])
        for secret in (str(order.seed), "scenario.toml", "truth.json"):
            assert secret not in text
    monkeypatch.setattr("perfolio.classroom.variants._make_run_documents", None)
    assert make_variants(EXERCISE, scenarios, 2, seed=VARIED_SEED) == made


@pytest.mark.slow
def test_a_database_that_is_handed_out_gives_the_documents_of_the_key(tmp_path: Path) -> None:
    (variant,) = make_variants(EXERCISE, short_scenarios(), 1, seed=VARIED_SEED)
    (order,), (documents,) = variant.orders, variant.documents
    files = make_database_files(order)
    assert sorted(files) == ["cct.db", "meta.db", "profile.db", "profile.toml", "trace.db"]
    folder = tmp_path / "eight-ranks.d"
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    ingest_paths([folder], tmp_path / "store.duckdb")
    (again,) = make_documents(tmp_path / "store.duckdb")
    assert again.metrics["run"]["digest"] == documents.metrics["run"]["digest"]
    assert again.metrics["metrics"] == documents.metrics["metrics"]
    assert again.findings["findings"] == documents.findings["findings"]


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
    for n, orders in enumerate(
        make_orders(exercise, find_scenarios(PROFILES), COUNT, TRUE_SEED), 1
    ):
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
