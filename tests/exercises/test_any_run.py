"""Shipped exercises on runs that no author thought of: no report fails, no text has holes.

Each run is also made with every row of every table twice: two call sites of one chain of kernels,
two kernels of one name.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from perfolio.common.units import quantity
from perfolio.exercises.catalog import load_exercises
from perfolio.exercises.item_context import fill_known_sentences
from perfolio.exercises.model import KeyedItem, Sheet
from perfolio.exercises.run_view import Run, as_number
from perfolio.findings.model.run_traits import has_no_gpu
from perfolio.pages.exercise_pages import (
    find_exercise_problems,
    make_run_sheets,
    make_text_filler,
    render_exercises,
)
from tests.exercises.support import exercise_of, fenced, run_of, sample_pages, sample_run, sheet_of
from tests.kit.samples import SAMPLES

MISSING = re.compile(r"(?:\S+ ){2}(?:not measured|unknown)\b")
"""What `quantity` gives of nothing, with two words before it."""


def texts(value: Any) -> Iterator[str]:
    """All texts in JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from texts(each)


@pytest.mark.slow
@pytest.mark.parametrize("slug", SAMPLES)
def test_doubled_rows_stop_no_report(slug: str) -> None:
    metrics, findings = deepcopy(sample_run(slug).metrics), sample_run(slug).findings
    for each in metrics["metrics"]:
        each["rows"] = [row for row in each["rows"] for _ in range(2)]
    doubled = render_exercises([(metrics, findings)])
    assert doubled.keys() >= {path for path in sample_pages(slug) if "bottleneck" in path}


def test_two_call_sites_of_attention_are_added_up() -> None:
    run = sample_run("transformer")
    metrics = deepcopy(run.metrics)
    (chains,) = (each for each in metrics["metrics"] if each["name"] == "gpu.fusable")
    names = [column["name"] for column in chains["columns"]]
    (one,) = (row for row in chains["rows"] if row[names.index("kind")] == "attention")
    share = one[names.index("share")]
    chains["rows"].append(one)
    two = Run(metrics, run.findings)
    sheets, _ = make_run_sheets(two, load_exercises(), {two.slug: two})
    asked = {
        (sheet.exercise.slug, each.item.id): each.keyed.key
        for sheet in sheets
        for each in sheet.answerable
        if each.keyed
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
    words = " ".join([*written, *texts(run.metrics), *texts(run.findings)]).split()
    known = " ".join(words).replace('"', "")
    for path, page in sample_pages(slug).items():
        plain = re.sub(r"<[^>]*>", " ", page).replace("\\", " ").replace("&quot;", "")
        plain = " ".join(plain.replace('"', "").split())
        for found in MISSING.findall(plain):
            if "not measured:" in plain[plain.index(found) :][: len(found) + 1]:
                continue  # a cell of a table, with its reason
            assert found in known, path


def plan_of(slug: str, exercise: str = "bottleneck-identification") -> Sheet:
    """The sheet of a shipped exercise on a sample."""
    return sheet_of(load_exercises()[exercise], sample_run(slug))


def asked_of(sheet: Sheet) -> dict[str, KeyedItem]:
    return {each.item.id: each.keyed for each in sheet.answerable if each.keyed}


@pytest.mark.parametrize("slug", SAMPLES)
def test_shares_of_causes_and_bounds_name_their_whole(slug: str) -> None:
    """It is the run only where it is the wall time; any other is printed with its amount."""
    run, asked = sample_run(slug), asked_of(plan_of(slug))
    for part, amount, items in (
        ("causes", "amount", ["s5-causes"]), ("worth", "whole", ["s6-saved", "s8-target"]),
    ):  # fmt: skip
        part_ = run.findings[part]
        whole = quantity(part_[amount], part_["unit"])
        for item in (each for each in items if each in asked):
            assert whole in asked[item].shown["ask"]
            assert part_["of"] in asked[item].key["explain"]
            assert "the run" not in asked[item].shown["ask"]
    if "s6-factor" in asked:
        assert run.value("worth.whole") == run.value("time.wall")
    titles = [each["title"] for each in asked["s5-causes"].shown["columns"]]
    assert titles == ["Share of the whole"]


def test_bounds_of_a_sampled_run_are_of_less_than_the_run() -> None:
    """52.5 % of what is left without gaps that PC sampling made; of the run it is 48.0 %."""
    run, asked = sample_run("dlrm-h100"), asked_of(plan_of("dlrm-h100"))
    (target,) = (each["says"] for each in asked["s8-target"].key["options"] if each["letter"]
                 in asked["s8-target"].key["right"])  # fmt: skip
    saved, whole = run.value("worth.reduction"), run.value("worth.whole")
    assert saved is not None
    assert whole is not None
    assert (saved >= 0.5) == (target == "at least 50 %")
    assert asked["s8-target"].shown["ask"].endswith("The whole is 118.4 s.")
    assert quantity(run.value("time.wall"), "s") in asked["s8-target"].key["explain"]


@pytest.mark.parametrize("slug", SAMPLES)
def test_commands_of_grey_boxes_fit_the_run(slug: str) -> None:
    """No tool of another vendor, no Python where no PyTorch ran."""
    run = sample_run(slug)
    rows = run.results["run.software"].records() if "run.software" in run.results else []
    vendor = [row["name"] for row in rows if row["kind"] == "GPU vendor"]
    boxes = [
        each.gap.collect
        for exercise in ("baseline", "bottleneck-identification", "memory-and-size")
        for each in plan_of(slug, exercise).questions
        if each.gap and each.item.absent
    ]
    assert any(boxes)
    commands = "\n".join(boxes)
    assert ("ncu " in commands) == (vendor == ["NVIDIA"])
    assert ("rocprof-compute " in commands) == (vendor == ["AMD"])
    on_gpu = run.value("run.pytorch") and not has_no_gpu(run.results)
    assert ("torch.cuda" in commands) == bool(on_gpu)
    assert "{launch_range}" not in commands


def test_a_recording_is_no_way_to_run_without_the_profiler() -> None:
    for slug, command in (("transformer", "time PROGRAM"), ("eight-ranks", "mpiexec -n 8")):
        sheet = plan_of(slug, "baseline")
        (gap,) = (each.gap for each in sheet.questions if each.item.id == "s2-overhead")
        assert gap is not None
        assert command in gap.collect
        assert "hpcrun" not in gap.collect


@pytest.mark.parametrize("slug", SAMPLES)
def test_fusing_products_that_share_an_input_is_no_mistake(slug: str) -> None:
    """Projections of attention are fused like that. Whether chains matter depends on the run."""
    asked, share = asked_of(plan_of(slug, "baseline")), sample_run(slug).value("gpu.fusable_share")
    assert ("s5-fuse" in asked) == (share is not None)
    if share is not None:
        right = {each["says"]: each["right"] for each in asked["s5-fuse"].key["options"]}
        assert right["Matrix products that share an input could be one product"]
        (chains,) = (value for says, value in right.items() if "In this run, chains" in says)
        assert chains == (share > 0.05)


def fit_for(exercise: str) -> list[str]:
    """Samples that have what an exercise needs."""
    needs = load_exercises()[exercise].needs
    found = [slug for slug in SAMPLES if sample_run(slug).meets(needs)]
    assert found
    return found


def test_what_makes_a_run_fit_to_tell_what_launches_cost() -> None:
    for slug in fit_for("launches"):
        assert sample_run(slug).value("known.time.sampling_gaps") == 0.0, slug
        key = asked_of(plan_of(slug, "launches"))["s3-sampled"].key
        right = [each["says"] for each in key["options"] if each["right"]]
        assert right == ["It was recorded with a trace, and without PC sampling"], slug


@pytest.mark.parametrize("slug", SAMPLES)
def test_launches_are_asked_by_the_kind_that_the_report_prints(slug: str) -> None:
    """A sum over kernels of a kind: neither over layers nor over products, which may be split."""
    run, asked = sample_run(slug), asked_of(plan_of(slug))
    kernels = run.results["gpu.kernels"].records()
    products = [row for row in kernels if row["kind"] == "library product"]
    assert ("s2-linear" in asked) == ("s2-products" in asked) == bool(products)
    if products:
        for item, column in (("s2-products", "share"), ("s2-linear", "launches")):
            assert "`library product`" in asked[item].shown["ask"]
            total = sum(as_number(row[column]) or 0.0 for row in products)
            assert asked[item].key["accept"][0]["value"] == pytest.approx(total)
        assert "layer launches" not in asked["s2-linear"].key["explain"]


@pytest.mark.parametrize("slug", SAMPLES)
def test_no_plan_promises_what_the_check_does_not_do(slug: str) -> None:
    """`perfolio check` knows one run: a slower version of the same findings passes."""
    asked = asked_of(plan_of(slug))
    assert "compares no two runs" in asked["s7-command"].key["explain"]
    assert "slower version" not in asked["s7-command"].key["explain"]
    says = [each["says"] for each in asked["s7-validation"].shown["options"]]
    assert not any("an iteration" in each and "%" in each for each in says)
    bounds = [each for each in says if "save at most" in each]
    known = sample_run(slug).value("worth.reduction") is not None
    assert len(bounds) == known
    unit, whole = sample_run(slug).findings["worth"]["unit"], sample_run(slug).value("worth.whole")
    assert all(quantity(whole, unit) in each for each in bounds)


def test_a_stall_is_nowhere_free_where_another_warp_issues() -> None:
    """A sample with a stall reason is one at which nothing was issued."""
    for slug in fit_for("of-stalls-or-samples"):
        key = asked_of(plan_of(slug, "of-stalls-or-samples"))["s2-open"].key
        assert "another one issues" not in key["model"], slug
        assert "how much time the kernel would save" in key["model"], slug


@pytest.mark.parametrize("time", ["cpu.time", "cpu.thread_time", "neither"])
def test_samples_of_time_on_the_clock_are_a_recording_too(time: str) -> None:
    run = sample_run("dlrm-cpu")
    metrics = deepcopy(run.metrics)
    for each in metrics["metrics"]:
        if each["name"] in ("cpu.time", "cpu.thread_time"):
            measured = each["name"] == time
            each["status"] = "measured" if measured else "not_measured"
            each["value"] = 1.0 if measured else None
    sheet = sheet_of(load_exercises()["baseline"], Run(metrics, run.findings))
    asked = asked_of(sheet)
    assert ("s2-recorded" in asked) == (time != "neither")
    if time != "neither":
        options = asked["s2-recorded"].key["options"]
        (right,) = (each["when"] for each in options if each["right"])
        assert right == f"known.{time} == 1"


@pytest.mark.parametrize("slug", sorted(load_exercises()))
def test_shipped_exercises_name_the_rows_that_they_ask_for(slug: str) -> None:
    exercise = load_exercises()[slug]
    found = find_exercise_problems(exercise, {})
    assert [each for each in found if "several" in each] == []


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("It is {{ value('time.wall') }}.", "It is 10.00 s."),
        ("It is {{ value('compute.mfu') }}.", ""),
        ("It is {{ value('compute.mfu') }}. That is all.", "That is all."),
        ("One.\nOf {{ cell('gpu.kernels.short') }} 2. Three.", "One. Three."),
        ("{{ setting('workload.batch_size') }} in a batch? Yes.", "Yes."),
        ("From {{ interval('time.wall') }}. {{ value('time.wall') }}!", "10.00 s!"),
        ("Shares of {{ whole('causes') }}. Others.", "Others."),
    ],
)
def test_sentences_without_their_value_are_left_out(text: str, left: str) -> None:
    run = run_of({"time.wall": 10, "compute.mfu": "silent", "gpu.kernels": "silent"})
    assert fill_known_sentences(text, make_text_filler(run)) == left


def test_an_item_goes_without_what_is_missing_or_is_not_asked(tmp_path: Path) -> None:
    """Hints, options, entries and explanations are left out; a question is a grey box."""
    gone = "{{ value('compute.mfu') }} is it"
    common: dict[str, Any] = {"answer": {"metric": "time.wall"}, "type": "number"}
    items: list[dict[str, Any]] = [
        {"id": "wall", **common, "hints": [gone, "Look."], "explain": f"{gone}. So."},
        {"id": "ask", **common, "ask": f"{gone}?"},
        {"id": "list", "type": "checklist", "entries": [gone, "Do it"], "tests": []},
        {"id": "tick", "type": "choices", "points": 2, "options": [
            {"says": "Yes", "right": "time.wall > 1"}, {"says": "No", "right": "time.wall < 1"},
            {"says": gone, "right": True}]},
        {"id": "open", "type": "open", "rubric": [{"says": "Says it", "points": 1}], "model": gone},
    ]  # fmt: skip
    run = run_of({"time.wall": 10, "compute.mfu": "silent"})
    sheet = sheet_of(exercise_of(tmp_path, fenced(*items), {"partial": True}), run)
    asked = asked_of(sheet)
    assert set(asked) == {"wall", "list", "tick"}
    assert asked["wall"].shown["hints"] == ["Look."]
    assert asked["wall"].key["explain"] == "So."
    assert [each["says"] for each in asked["list"].shown["options"]] == ["Do it"]
    assert {each["says"] for each in asked["tick"].shown["options"]} == {"Yes", "No"}
    reasons = {each.item.id: each.gap.reason for each in sheet.questions if each.gap}
    assert all("silent" in reason for reason in reasons.values())
    assert set(reasons) == {"ask", "open"}


def test_texts_of_json_are_found() -> None:
    assert list(texts(json.loads('{"a": ["b", 1, {"c": "d"}]}'))) == ["b", "d"]


@pytest.mark.parametrize("slug", SAMPLES)
def test_blocks_by_shared_memory_follow_from_the_rule_that_the_sheet_states(slug: str) -> None:
    run = sample_run(slug)
    sheet = next((s for s in make_run_sheets(run, load_exercises(), {slug: run})[0]
                  if s.exercise.slug == "occupancy"), None)  # fmt: skip
    if sheet is None:
        return
    asked = run.cells("launch.limits.shared")[0]
    whole = run.value("hardware.shared_memory")
    assert isinstance(asked, int | float)
    assert whole is not None
    rounded = math.ceil((asked + 1024) / 128) * 128
    assert asked_of(sheet)["s1-shared"].key["accept"][0]["value"] == whole // rounded


def test_hints_are_whole_sentences() -> None:
    for exercise in load_exercises().values():
        for item in exercise.items:
            assert all(hint[-1] in ".?!`}" and hint[0].isupper() for hint in item.hints), item.id
