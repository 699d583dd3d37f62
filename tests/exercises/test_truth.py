"""Keys of shipped exercises against what the simulator knows, which computed nothing of them.

Also: Grading: the table of cases, numbers as typed, and that what a page prints is right.
"""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Iterator, Mapping
from statistics import median
from typing import Any

import pytest
from hypothesis import example
from hypothesis import given as drawn
from hypothesis import strategies as st

from perfolio.common.errors import InputError
from perfolio.common.units import quantity
from perfolio.exercises.answer_sheet import is_offered
from perfolio.exercises.catalog import load_exercises
from perfolio.exercises.grader import grade_item, grade_sheet, load_feedback
from perfolio.exercises.items import list_type_names
from perfolio.exercises.key_documents import make_key_document
from perfolio.exercises.model import Sheet, SolvedValue
from perfolio.exercises.number_keys import SLIPS
from perfolio.exercises.number_parser import parse_number
from perfolio.exercises.run_view import Run
from perfolio.simulation.scenario_parser import load
from tests.exercises.answering import cells, chosen, codes, given, points, values
from tests.exercises.grading import NUMERIC, cases, forms, printed_numbers, reading_key
from tests.exercises.support import (
    exercise_of,
    fenced,
    run_of,
    sample_run,
    sample_sheet,
    sheet_of,
    truth,
)
from tests.exercises.true_answers import class_of, larger
from tests.kit.samples import PROFILES, SAMPLES, SCENARIOS


def test_which_second() -> None:
    sheet, true = sample_sheet("which-second"), truth("dlrm-h100-timed")
    lost = load(PROFILES / "dlrm-h100-timed" / "scenario.toml").measurement.lost_samples
    found = values(sheet)
    cpu = found["s1-cpu"]
    assert found["s1-wall"] == pytest.approx(true["wall"])
    assert cpu == pytest.approx(sum(true["cpu_time"].values()) * (1.0 - lost), rel=0.03)
    assert found["s1-span"] == pytest.approx(true["gpu_span"], rel=1e-4)
    assert found["s1-busy"] == pytest.approx(true["gpu_busy"], rel=1e-3)
    answers = {
        "s1-wall": true["wall"], "s1-cpu": cpu, "s1-span": true["gpu_span"],
        "s1-busy": 1e3 * true["gpu_busy"], "s2-share": 100 * true["gpu_busy"] / true["wall"],
        "s2-larger": "Wall time",
    }  # fmt: skip
    assert given(sheet, answers) == points(sheet)
    mistaken = {"s1-wall": cpu, "s1-cpu": true["wall"], "s2-share": 100 * true["gpu_busy"] / cpu}
    assert {name: code for name, (code, _) in given(sheet, mistaken).items()} == {
        "s1-wall": "cpu-time", "s1-cpu": "wall-as-cpu", "s2-share": "by-cpu-seconds",
    }  # fmt: skip


def test_inclusive_exclusive() -> None:
    sheet, true = sample_sheet("inclusive-exclusive"), truth("dlrm-h100")
    launches = true["operations"]["kernel"]["count"]
    assert values(sheet)["s2-launches"] == launches
    assert given(sheet, {"s2-launches": f"{launches:,}"})["s2-launches"] == ("right", 2.0)
    mistaken = given(sheet, {"s2-launches": "112,000"})["s2-launches"]
    assert mistaken == ("summed-over-callers", 0.0)
    assert len(chosen(sheet, "s2-why")) == 2


def test_straggler() -> None:
    sheet, true = sample_sheet("straggler"), truth("eight-ranks")
    own = [true["streams"][f"rank {rank} main"] for rank in range(8)]
    late = max(range(8), key=own.__getitem__)
    usual = sorted(own)[4]
    assert chosen(sheet, "s1-most") == chosen(sheet, "s2-rank") == [f"Rank {late}"]
    assert values(sheet)["s2-factor"] == pytest.approx(own[late] / usual, rel=0.02)
    assert given(sheet, {"s2-factor": 1.18, "s2-rank": f"Rank {late}"}) == {
        "s2-factor": ("right", 2.0), "s2-rank": ("right", 2.0),
    }  # fmt: skip
    assert given(sheet, {"s2-factor": "1.03"})["s2-factor"] == ("cpu-balance", 0.0)


def test_start_up_or_steady() -> None:
    sheet, true = sample_sheet("start-up-or-steady"), truth("dlrm-h100")
    found, iterations = values(sheet), true["iterations"]
    assert found["s1-iteration"] == pytest.approx(iterations["median"], rel=0.01)
    assert found["s1-share"] == pytest.approx(found["s1-start"] / true["wall"])
    longer = true["wall"] + 9 * iterations["count"] * iterations["median"]
    assert found["s2-longer"] == pytest.approx(longer, rel=0.01)
    assert given(sheet, {"s2-longer": 10 * true["wall"]})["s2-longer"] == ("all-times-ten", 0.0)
    assert chosen(sheet, "s2-class") == ["at least 5 %, below 10 %"]


def test_of_stalls_or_samples() -> None:
    """The simulator gives the share of samples in which each reason stalled."""
    sheet, true = sample_sheet("of-stalls-or-samples"), truth("low-occupancy")["stalls"]
    stalled = sum(true.values())
    found = values(sheet)
    assert found["s1-stalled"] == pytest.approx(stalled, rel=0.01)
    assert found["s1-stalls"] == pytest.approx(true["gmem"] / stalled, rel=0.01)
    assert found["s1-samples"] == pytest.approx(true["gmem"], rel=0.01)
    answer = given(sheet, {"s1-samples": 100 * true["gmem"] / stalled})["s1-samples"]
    assert answer == ("of-stalls", 0.0)


def test_pinned_pageable() -> None:
    sheet = sample_sheet("pinned-pageable")
    rates = []
    for slug in ("dlrm-h100-workers", "dlrm-h100-pinned"):
        copies = [one for name, one in truth(slug)["operations"].items() if name[:4] == "copy"]
        host = [one for one in copies if one is not truth(slug)["operations"]["copy d2d"]]
        rates.append(sum(c["bytes"] for c in host) / sum(c["time"] for c in host))
    before, after, ratio = cells(sheet, "s1-rate")
    assert [before, after] == pytest.approx(rates, rel=0.02)
    assert ratio == pytest.approx(after / before)
    found = values(sheet)
    assert found["s2-before"] == pytest.approx(rates[0] / 63e9, rel=0.02)
    assert found["s2-after"] == pytest.approx(rates[1] / 63e9, rel=0.02)
    both = {"s2-after": 100.0 * rates[1] / 126e9, "s2-before": 100.0 * rates[0] / 126e9}
    assert codes(sheet, both) == dict.fromkeys(both, "both-directions")


def test_occupancy() -> None:
    """By hand: 65,536 registers, 168 a thread, 64 threads; 228 KiB, 36 KiB and 1 KiB a block."""
    sheet = sample_sheet("occupancy")
    kernel = load(PROFILES / "low-occupancy" / "scenario.toml").kernels["spmv"]
    assert (kernel.registers, kernel.threads, kernel.static_shared) == (168, 64, 36864)
    found = values(sheet)
    assert found["s1-registers"] == 65536 // (168 * 64)
    assert found["s1-shared"] == 228 // (36 + 1)
    assert found["s2-warps"] == 6 * 64 / 32
    assert found["s2-occupancy"] == 12 / 64
    assert set(chosen(sheet, "s1-limit")) == {"The registers", "The shared memory"}
    true = truth("low-occupancy")
    assert sum(true["stalls"].values()) > 0.5
    assert len(chosen(sheet, "s3-matters")) == 2
    assert codes(sheet, {"s2-warps": 6 * 64}) == {"s2-warps": "threads-as-warps"}


def test_roofline() -> None:
    sheet, true = sample_sheet("roofline"), truth("transformer")
    kernel = true["kernels"]["gemm_mlp"]
    time, operations = kernel["time"] / kernel["count"], 2 * 4096 * 3072 * 768
    moved = 2 * (4096 * 768 + 768 * 3072 + 4096 * 3072)
    found = values(sheet)
    assert found["s1-time"] == pytest.approx(time)
    assert found["s1-rate"] == pytest.approx(operations / time)
    assert found["s1-share"] == pytest.approx(operations / time / 312e12)
    assert found["s2-intensity"] == pytest.approx(operations / moved)
    assert found["s3-ridge"] == pytest.approx(312e12 / 2.039e12)
    assert chosen(sheet, "s3-side") == ["On the right: its roof is the arithmetic"]
    wrong = codes(sheet, {"s1-share": 50.0 * operations / time / 312e12})
    assert wrong == {"s1-share": "sparse-peak"}
    over = codes(sheet, {"s1-share": 100.0 * operations / time / 19.5e12})
    assert over == {"s1-share": "other-precision"}


TIMED = {
    "amd-mi300x", "dlrm-h100", "dlrm-h100-gpu-data", "dlrm-h100-pinned", "dlrm-h100-timed",
    "dlrm-h100-workers", "eight-ranks", "low-occupancy", "transformer", "transformer-fused",
}  # fmt: skip
"""The sample runs with traces of the CPU and of the GPU."""


def sheets(slug: str) -> Iterator[tuple[str, Sheet, Mapping[str, Any]]]:
    exercise = load_exercises()[slug]
    for name in SCENARIOS:
        run = sample_run(name)
        if is_offered(exercise, run, {}):
            yield name, sheet_of(exercise, run), truth(name)


def test_why_idle_begins_with_the_largest_cause() -> None:
    """It is another one on other runs, and copies on none."""
    found = {}
    for name, sheet, true in sheets("why-idle"):
        ranks = len(true["ranks"])
        amounts = {
            "The GPU computes": true["kernel_busy"],
            "Start-up": true["idle_before"],
            "The host makes or loads input data": true["idle_by_phase"]["data"] / ranks,
            "The GPU copies data": true["copy_exposed"],
        }
        largest = max(amounts, key=amounts.__getitem__)
        (verdict,) = chosen(sheet, "s3-verdict")
        assert verdict.partition(", mostly in")[0] == largest, name
        assert chosen(sheet, "s3-suspicion") == ["No, another part of the run is longer"], name
        found[name] = largest
    assert found.keys() == TIMED - {"low-occupancy"}
    assert len(set(found.values())) == 3


def test_a_promise_saves_no_more_than_what_it_is_about() -> None:
    found = set()
    for name, sheet, true in sheets("promise"):
        idle = true["idle_before"] + true["idle_between"] + true["idle_after"]
        after = idle + true["gpu_busy"] / 10.0
        keys = values(sheet)
        assert keys["s1-bound"] == pytest.approx(1.0 - after / true["wall"], rel=2e-3), name
        assert keys["s1-saved"] == pytest.approx(true["wall"] - after, rel=2e-3), name
        assert keys["s2-both"] == pytest.approx(true["copy_exposed"], rel=2e-3), name
        assert chosen(sheet, "s1-factor") == [class_of(true["wall"] / after)], name
        right = {"s1-bound": 100.0 * (1.0 - after / true["wall"]),
                 "s2-both": 1e3 * true["copy_exposed"]}  # fmt: skip
        assert codes(sheet, right) == dict.fromkeys(right, "right"), name
        nothing = given(sheet, {"s1-bound": "0", "s2-both": "0"})
        assert {points for _, points in nothing.values()} == {0.0}, name
        found.add(name)
    assert found == TIMED


def test_copies_of_several_gpus_save_their_time_once() -> None:
    """Eight GPUs copy at once: the sum of their copies is no time that the run can save."""
    sheet = next(sheet for name, sheet, _ in sheets("promise") if name == "eight-ranks")
    summed = sum(one["time"] for name, one in truth("eight-ranks")["operations"].items()
                 if name.startswith("copy"))  # fmt: skip
    assert given(sheet, {"s2-both": 1e3 * summed})["s2-both"][1] == 0.0
    assert given(sheet, {"s2-both": "108"})["s2-both"][1] == 1.0


def test_which_second_is_larger_only_where_samples_tell() -> None:
    found = {}
    for name, sheet, true in sheets("which-second"):
        lost = load(PROFILES / name / "scenario.toml").measurement.lost_samples
        counted = sum(true["cpu_time"].values()) * (1.0 - lost)
        assert chosen(sheet, "s2-larger") == [larger(true["wall"], counted)], name
        found[name] = larger(true["wall"], counted)
    assert found.keys() == TIMED
    assert found["low-occupancy"].startswith("Neither")
    assert found["eight-ranks"] == "CPU time of all threads"


def test_the_wait_for_a_straggler_is_a_share_of_the_steady_state() -> None:
    sheet, true = sample_sheet("straggler"), truth("eight-ranks")
    own = [true["streams"][f"rank {rank} main"] for rank in range(8)]
    late = (max(own) - median(own)) / true["iterations"]["count"]
    share = late / true["iterations"]["median"]
    assert values(sheet)["s1-wait"] == pytest.approx(share, rel=0.03)
    spread = share * true["iterations"]["count"] * true["iterations"]["median"] / true["wall"]
    assert codes(sheet, {"s1-wait": 100.0 * spread}) == {"s1-wait": "of-the-run"}


@pytest.mark.parametrize("balance", [1.0, 1.18, 1.3])
def test_what_follows_of_the_balance_depends_on_no_balance(balance: float) -> None:
    run = sample_run("eight-ranks")
    metrics = copy.deepcopy(dict(run.metrics))
    (found,) = [each for each in metrics["metrics"] if each["name"] == "balance.ranks"]
    found["value"] = balance
    sheet = sheet_of(load_exercises()["straggler"], Run(metrics, run.findings))
    right = "Nothing, as threads that wait may also take CPU time"
    assert chosen(sheet, "s2-balance") == [right]


CASES = cases()


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_table_of_cases(case: dict[str, Any]) -> None:
    plain = json.loads(json.dumps(case))
    graded = grade_item(plain["key"], plain["given"])
    assert (graded.code, pytest.approx(graded.points)) == (case["code"], case["points"])
    assert graded.feedback == case.get("feedback", graded.feedback)
    assert list(graded.parts) == case.get("parts", list(graded.parts))


def test_every_type_has_cases_and_every_code_words() -> None:
    assert {case["key"]["type"] for case in CASES} == set(list_type_names())
    named = {"cpu-time", "confused", "nine", "summed", "near-miss"}
    assert {case["code"] for case in CASES} - named <= set(load_feedback())
    assert set(SLIPS) <= set(load_feedback())


@pytest.mark.parametrize("slug", SAMPLES)
def test_what_a_page_prints_of_any_metric_is_graded_as_right(slug: str) -> None:
    asked = 0
    for name, key, printed in printed_numbers(slug):
        asked += 1
        for form in printed:
            assert grade_item(key, {"given": form}).code == "right", (name, form)
    assert asked > 20


@drawn(
    st.floats(min_value=1e-11, max_value=1e17, allow_nan=False),
    st.sampled_from(NUMERIC),
)
@example(0.5, "B/s")
@example(0.0005, "1")
def test_what_a_page_prints_of_any_number_is_graded_as_right(value: float, unit: str) -> None:
    key = reading_key(SolvedValue(value, unit))
    for form in forms(quantity(value, unit)):
        assert grade_item(key, {"given": form}).code == "right", form


@pytest.mark.parametrize(
    ("value", "unit"), [(6.879e-6, "B/s"), (0.00688, "B/s"), (3.9448e-10, "FLOP"), (4.374e-7, "Hz")]
)
def test_what_a_page_prints_below_one_is_graded_as_right(value: float, unit: str) -> None:
    key = reading_key(SolvedValue(value, unit))
    assert grade_item(key, {"given": quantity(value, unit)}).code == "right"
    assert grade_item(key, {"given": quantity(value * 2, unit)}).code == "wrong"


@drawn(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    read = parse_number(text)
    assert read is None or not any(map(math.isnan, read.values))


def test_a_learner_keeps_what_follows_from_a_wrong_figure(tmp_path: Any) -> None:
    items = fenced(
        {"id": "wall", "type": "number", "answer": {"metric": "time.wall"}},
        {"id": "busy", "type": "number", "answer": {"metric": "time.gpu_busy"}},
        {"id": "share", "type": "number", "follows": ["wall", "busy"], "unit": "%",
         "answer": {"expression": "busy / wall"}},
    )  # fmt: skip
    sheet = sheet_of(exercise_of(tmp_path, items), run_of({"time.wall": 10, "time.gpu_busy": 2}))
    key = json.loads(json.dumps(make_key_document(sheet)))
    answers = {"sheet": sheet.id, "items": {"wall": {"given": "5"}, "busy": {"given": "2"},
                                            "share": {"given": "40"}}}  # fmt: skip
    graded = grade_sheet(key, answers)
    assert {name: one.code for name, one in graded.items()} == {
        "wall": "wrong", "busy": "right", "share": "follows",
    }  # fmt: skip
    assert graded["share"].points == 1.0
    answers["items"] = {}
    assert {one.code for one in grade_sheet(key, answers).values()} == {"blank"}
    with pytest.raises(InputError, match="not of"):
        grade_sheet(key, answers | {"sheet": "AAAAAAAA"})
    with pytest.raises(InputError, match="has not"):
        grade_sheet(key, answers | {"items": {"other": {"given": "1"}}})
