"""The table of defects in existing exercise sheets, and the tests that rule each of them out.

The design lists these defects of material that is in use, each with what rules it out. A row here
names the tests; the tests of this file are those that concern keys and inputs.

| Defect | Tests |
| --- | --- |
| Steps sum to 50 minutes against "25-30" | test_defects::test_minutes_are_added_up_and_never_typed |
| High bandwidth use is labelled compute bound | test_defects::test_classes_follow_from_a_formula_below_at_and_above_each_edge |
| 40 lies in two bins, 1.45 in none | test_defects::test_each_value_is_in_exactly_one_class |
| One bin means different things in two exercises | test_defects::test_a_class_has_one_meaning_in_all_exercises |
| Bound by "intensity < 10" on any device | test_defects::test_the_side_of_the_roofline_follows_from_the_device |
| "On the roofline" means balanced | test_defects::test_the_side_of_the_roofline_follows_from_the_device, test_truth::test_roofline |
| Expected ranges that the measurement misses | test_defects::test_ranges_are_measured_and_hold_what_was_measured |
| Factors multiplied beyond what the run can give | test_defects::test_all_steps_together_stay_within_the_bound_of_the_run |
| Recommendations are literals that never fire | test_defects::test_advice_that_no_finding_gives_is_refused, test_defects::test_where_two_causes_swap_their_amounts_the_order_swaps |
| Commands that print nothing of what is asked | test_defects::test_commands_that_do_not_parse_are_refused, test_defect_rows::test_what_a_command_shows_is_of_the_run |
| Percentages of inclusive totals | test_defects::test_shares_of_one_table_add_up_to_no_more_than_the_whole |
| Operations are read after each step without a reset | test_defect_rows::test_what_other_tools_tell_changes_no_number, test_defect_rows::test_what_only_other_tools_know_is_grey |
| "Training throughput" is the forward pass | test_defect_rows::test_throughput_is_of_whole_iterations, test_defect_rows::test_what_other_tools_tell_changes_no_number |
| Rows of one table are of different sizes | test_defects::test_runs_that_differ_in_two_sizes_are_confounded, test_defect_rows::test_every_sheet_names_its_run |
| Boxes for trouble that cannot be reached | test_defects::test_reasons_for_what_is_missing_are_not_typed |
| Length and batch change at once; "quadratic" | test_defects::test_runs_that_differ_in_two_sizes_are_confounded, test_truth_plans::test_baseline_and_memory |
| "All of the above", self-assessed success | test_defects::test_all_of_the_above_is_refused_wherever_it_stands, test_defects::test_shipped_exercises_have_points_objectives_and_short_sentences |
| Commands for files that are not there, dead links | test_defects::test_all_shipped_commands_parse, site/test_build::test_a_broken_link_is_an_error_and_leaves_the_earlier_site |
| Launch overhead and GPU share in one 100 % | test_defects::test_the_shares_of_a_column_are_of_one_whole, test_defects::test_shares_that_a_condition_compares_are_of_one_whole |
| No key, no points, no feedback | test_loader::test_lint_names_objectives_and_steps_without_items, test_defect_rows::test_every_key_is_derived_again_from_its_query, classroom/test_grading::test_each_known_mistake_is_named |
| A question whose input nobody collects | test_defects::test_every_blank_of_the_plan_is_asked_or_has_its_reason, test_defect_rows::test_what_only_other_tools_know_is_grey |
| The answer is always in the same place | test_answer_sheet::test_letters_of_right_answers_are_spread_evenly |

Files of a program beside a profile (`flops_profile.json`, `computational_intensity.json`,
`performance_summary.json`) are told as its figures, with their defects, and change no other number.
"""  # noqa: E501

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from perfolio.exercises.key_documents import make_key_document
from perfolio.pages.handout_pages import HandoutStyle, RunSheet, render_handout
from perfolio.pipeline.build_context import RunDocuments
from perfolio.pipeline.inputs import read_documents
from perfolio.readers import registry
from perfolio.store.database import open_store
from perfolio.store.run_tables import RunTables, make_run_tables
from tests.exercises.support import SHIPPED_SLUGS, sample_pages, sample_run, sample_sheet
from tests.kit.databases import write_database
from tests.kit.measurements import measured_once
from tests.kit.samples import PROFILES, SCENARIOS, simulated_sample, store_at

Stores = Callable[[str], RunTables]

TESTS = Path(__file__).resolve().parents[1]
GREY = {
    "bottleneck-identification": [
        "s2-cpu-share", "s3-parameter", "s4-intensity", "s4-bandwidth", "s4-bound", "s4-peak",
    ],
    "baseline": ["s1-memory", "s2-memory", "s3-when", "s4-memory", "s5-saving"],
    "memory-and-size": [
        "s2-batches", "s2-when", "s2-lengths", "s3-intensity", "s3-bandwidth", "s3-hot", "s3-order",
    ],
}  # fmt: skip
"""Blanks of the three long exercises whose inputs are files of other tools."""


def test_every_row_names_tests_that_are_there() -> None:
    rows = [line.split("|") for line in (__doc__ or "").splitlines() if line.startswith("| ")][2:]
    assert len(rows) == 22
    for _, _, tests, _ in rows:
        for each in tests.split(","):
            file, name = each.strip().split("::")
            path = TESTS / (f"{file}.py" if "/" in file else f"exercises/{file}.py")
            assert f"\ndef {name}(" in path.read_text(encoding="utf-8"), each


def sourced(key: Any) -> Iterator[tuple[float, Any, bool]]:
    """The values of a key that are read off a metric, their sources, and if of the run before."""
    for item in key["items"].values():
        for place, number in enumerate((item, *item.get("cells", ()))):
            source = number.get("source") or {}
            if source.get("sql") and "accept" in number:
                before = source["metric"].startswith("before.")
                first = item["type"] == "pair" and place == 1
                yield number["accept"][0]["value"], source, before or first


@pytest.fixture(scope="module")
def stores() -> Iterator[Stores]:
    """The tables of samples: most exercises are about the same few."""
    with ExitStack() as opened:
        yield cache(lambda slug: opened.enter_context(_tables(slug)))


@pytest.mark.slow
@pytest.mark.parametrize("slug", SHIPPED_SLUGS)
def test_every_key_is_derived_again_from_its_query(slug: str, stores: Stores) -> None:
    """The query that the key prints, run on the store, gives the value that the key holds."""
    sheet = sample_sheet(slug)
    run, before = sheet.run["slug"], sheet.exercise.before
    asked = 0
    for value, source, earlier in sourced(make_key_document(sheet)):
        slug = before if earlier else run
        rows = _answer(stores(slug), source["sql"])
        assert _picked(rows, source) == pytest.approx(value, rel=1e-9), source["metric"]
        asked += 1
    assert asked or slug in {"impossible-lines", "not-measured", "occupancy"}, (
        "nothing is read off a metric"
    )


@contextmanager
def _tables(slug: str) -> Iterator[RunTables]:
    store = open_store(store_at(_database(slug)), reproducible=True)
    with store as connection, make_run_tables(connection, 1) as tables:
        yield tables


def _answer(tables: RunTables, sql: str) -> list[dict[str, Any]]:
    tables.provide(sql)
    answer = tables.execute(sql)
    names = [column[0] for column in answer.description or ()]
    return [dict(zip(names, row, strict=True)) for row in answer.fetchall()]


def _database(slug: str) -> Path:
    if slug in SCENARIOS:
        return simulated_sample(slug).folder
    (found,) = registry.find(PROFILES / slug)
    return found


def _picked(rows: list[dict[str, Any]], source: Any) -> float:
    if "column" not in source:
        (row,) = rows
        return float(row["value"])
    if "row" in source:
        return float(rows[source["row"]][source["column"]])
    inside = [row for row in rows if all(row[k] == v for k, v in source["where"].items())]
    return math.fsum(row[source["column"]] or 0.0 for row in inside)


def _documents_at(path: Path) -> Sequence[RunDocuments]:
    with measured_once():
        return read_documents(path)


@pytest.mark.slow
def test_what_other_tools_tell_changes_no_number(tmp_path: Path) -> None:
    """Beside a database their figures are told with what is wrong with them, and so alone."""
    write_database(tmp_path / "run" / "one.d")
    (plain,) = _documents_at(tmp_path / "run" / "one.d")
    steps = [{"step": n, "flops": 1e12 * n} for n in range(1, 21)]
    for name in (
        "flops_profile.json", "computational_intensity.json", "performance_summary.json",
    ):  # fmt: skip
        told = {"step_by_step_results": steps, "peak_memory_mb": 522, "avg_training_speed": 372.9}
        for folder in (tmp_path / "run", tmp_path / "run" / "one.d", tmp_path / "alone"):
            folder.mkdir(exist_ok=True)
            (folder / name).write_text(json.dumps(told), encoding="utf-8")
    (beside,) = _documents_at(tmp_path / "run" / "one.d")
    pairs = zip(plain.metrics["metrics"], beside.metrics["metrics"], strict=True)
    assert {b["name"].split(".")[0] for a, b in pairs if a != b} == {"told"}
    (alone,) = _documents_at(tmp_path / "alone")
    for found in (beside, alone):
        (doubts,) = [each for each in found.metrics["metrics"] if each["name"] == "told.doubts"]
        assert len(doubts["rows"]) == 3
        assert all("10.5 times too high" in row[3] for row in doubts["rows"])


@pytest.mark.parametrize("slug", sorted(GREY))
def test_what_only_other_tools_know_is_grey(slug: str) -> None:
    """A grey box with its reason and what to record, on the page and on paper; no points."""
    run, sheet = sample_run("transformer"), sample_sheet(slug)
    pages = sample_pages("transformer")
    page = pages[f"transformer/exercises/{slug}.md"]
    boxes = re.findall(
        r'<div class="pf-gaps pf-unasked" markdown="1">\n(.*?)\n</div>', page, re.DOTALL
    )
    paper = render_handout(RunSheet(sheet, run), HandoutStyle())
    gaps = {each.item.id: each.gap for each in sheet.questions if each.gap}
    assert gaps.keys() >= set(GREY[slug])
    assert len(boxes) == len(gaps) == paper.count('<div class="gaps">')
    for name in GREY[slug]:
        gap = gaps[name]
        assert gap.reason
        assert gap.collect
        (box,) = [each for each in boxes if gap.collect in each and _words(gap.ask) in _words(each)]
        assert _words(gap.reason)[1:] in _words(box)
        assert name not in make_key_document(sheet)["items"]


def _words(text: str) -> str:
    return re.sub(r"&#\d+;|\W", "", text)


def test_throughput_is_of_whole_iterations() -> None:
    run = sample_run("transformer")
    iteration, batch = run.value("time.iteration_median"), run.value("workload.batch_size")
    assert iteration
    assert batch
    for slug, name in (
        ("bottleneck-identification", "s3-throughput"),
        ("baseline", "s1-throughput"),
    ):
        key = make_key_document(sample_sheet(slug))["items"][name]
        assert key["accept"][0]["value"] == pytest.approx(batch / iteration)
        assert "forward" not in key["explain"]


def test_what_a_command_shows_is_of_the_run() -> None:
    key = make_key_document(sample_sheet("bottleneck-identification"))["items"]["s1-command"]
    profiles = sample_run("transformer").value("run.profiles")
    assert f"It lists {profiles:g} profiles" in key["explain"]


@pytest.mark.parametrize("slug", SHIPPED_SLUGS)
def test_every_sheet_names_its_run(slug: str) -> None:
    sheet = sample_sheet(slug)
    run = sample_run(sheet.run["slug"])
    pages = sample_pages(run.slug, *filter(None, [sheet.exercise.before]))
    page, paper = (
        pages[f"{run.slug}/exercises/{slug}.md"],
        render_handout(RunSheet(sheet, run), HandoutStyle()),
    )
    assert _words(run.facts["title"]) in _words(page.split("# ")[0])
    assert _words(run.facts["title"]) in _words(paper.split("<h2>")[0])
