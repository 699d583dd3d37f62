"""What a run is about: `verdicts/*.toml`, data only; and the key figures beside it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from perfolio.common.errors import ContentError
from perfolio.findings.evaluation.rule_evaluation import evaluate
from perfolio.findings.model.conditions import LONGEST_NAME, find_fields, get_field_metric
from perfolio.findings.model.denominator import BoundWhole
from perfolio.findings.model.finding import Estimate
from perfolio.findings.model.wording import FIELDS
from perfolio.findings.report.key_figures import MOST, choose_key_figures, load_families
from perfolio.findings.report.verdict import CASES, choose_verdict, load_verdicts
from perfolio.findings.rules.catalog import load_rules
from tests.findings.support import cases, metrics, results

RULES = load_rules()
KINDS = [(kind, case) for kind, listed in cases("verdicts").items() for case in listed]
IDS = [f"{kind}: {case['name']}" for kind, case in KINDS]


@pytest.mark.parametrize(("kind", "case"), KINDS, ids=IDS)
def test_verdict(kind: str, case: dict[str, Any]) -> None:
    seen = {"run.launches_seen": 0.0, "run.sampled": 1.0, **case.get("measured", {})}
    found = choose_verdict(results(seen, case.get("tables")))
    assert found.kind == kind
    assert case["sentence"] in found.sentence
    assert len(found.details) == len(case["details"])
    for detail, words in zip(found.details, case["details"], strict=True):
        assert words in detail
    if "headline" in case:
        assert case["headline"] == found.headline
    assert found.why == case.get("why", "")
    for text in (found.headline, found.sentence, found.why, *found.details):
        assert "\n" not in text
        assert len(text) < 400 + LONGEST_NAME


@pytest.mark.parametrize("case", [case for _, case in KINDS], ids=IDS)
def test_key_figures_suit_the_run(case: dict[str, Any]) -> None:
    given = results(case.get("measured"), case.get("tables"))
    figures = choose_key_figures(given, evaluate(given, RULES))
    assert [figure.metric for figure in figures] == case["figures"]
    unknown = [figure.metric for figure in figures if figure.rating == "unknown"]
    assert unknown == case.get("unknown", [])


def test_a_headline_is_one_short_sentence() -> None:
    for case in load_verdicts().cases:
        for wording in case.headline:
            assert len(wording.say.split()) <= 20
            assert len(re.findall(r"\{|\d", re.sub(r"\[\d\]", "", wording.say))) <= 2


def test_each_kind_has_a_case() -> None:
    assert {case.kind for case in load_verdicts().cases} == set(cases("verdicts"))


def test_ratings_follow_the_findings() -> None:
    given = results(
        {"gpu.operation_time": 1.0, "gpu.copy_share": 0.9, "gpu.kernel_share": 0.1,
         "gpu.copy_to_kernel": 9.0, "gpu.kernel_time": 0.1, "gpu.copy_time": 0.9,
         "gpu.mean_kernel_time": 8e-6, "gpu.launches": 100.0, "stall.stalled_share": 0.05}
    )  # fmt: skip
    ratings = {
        each.metric: each.rating for each in choose_key_figures(given, evaluate(given, RULES))
    }
    assert ratings == {
        "gpu.operation_time": "neutral",
        "gpu.busy_at_most": "unknown",
        "gpu.copy_share": "high",
        "gpu.kernel_share": "neutral",
        "gpu.mean_kernel_time": "neutral",
        "stall.stalled_share": "good",
    }


@pytest.mark.parametrize(
    ("interval", "rating"), [([0.1, 0.09, 0.15], "good"), ([0.1, 0.09, 0.3], "neutral")]
)
def test_what_the_interval_does_not_decide_is_not_good(interval: list[float], rating: str) -> None:
    given = results({"cpu.event_total": 9.0, "run.gpu_streams": 0.0, "cpu.hot_share": interval})
    found = choose_key_figures(given, evaluate(given, RULES))
    assert [each.rating for each in found if each.metric == "cpu.hot_share"] == [rating]


@pytest.mark.parametrize(
    ("measured", "wall", "iteration"),
    [
        ({}, "the whole trace", "98 steady ones"),
        (
            {"time.profiler_share": 0.01, "time.iteration_profiler": 0.0},
            "the whole trace",
            "98 steady",
        ),
        (
            {"time.profiler_share": 0.09, "time.iteration_profiler": 0.1163},
            "as profiled; by samples, 9.0 % of it",
            "as profiled, on average 116.3 ms of it the profiler's; half",
        ),
        (
            {
                "time.profiler_share": 0.09,
                "time.iteration_profiler": 0.1163,
                "time.data_dropped_share": 0.812,
            },
            "as profiled; by samples, 9.0 % of it",
            "of it the profiler's calls, and most likely more of it its hook in Python; half",
        ),
    ],
)
def test_cards_say_what_of_a_time_is_the_profilers(
    measured: dict[str, Any], wall: str, iteration: str
) -> None:
    run = {
        "time.gpu_utilisation": 0.1,
        "time.wall": 9.0,
        "time.iteration_median": 0.7,
        "time.steady_iterations": 98.0,
        "time.iteration_q1": 0.6,
        "time.iteration_q3": 0.8,
    }
    given = results({**run, **measured})
    found = {
        each.metric: each.comment for each in choose_key_figures(given, evaluate(given, RULES))
    }
    assert wall in found["time.wall"]
    assert iteration in found["time.iteration_median"]


def test_one_iteration_has_no_half_and_a_run_that_begins_in_one_no_start_up() -> None:
    run = {
        "time.gpu_utilisation": 0.1,
        "time.wall": 9.0,
        "time.iterations": 1.0,
        "time.steady_iterations": 1.0,
        "time.iteration_median": 8.0,
        "time.iteration_q1": 8.0,
        "time.iteration_q3": 8.0,
        "time.start_up": 0.0,
        "time.start_up_share": 0.0,
        "time.idle_chunks": 20.0,
        "time.gpu_operations": 100.0,
        "time.longest_gap": 1.0,
    }
    given = results(run)
    figures = choose_key_figures(given, evaluate(given, RULES), "G2")
    found = {each.metric: each.comment for each in figures}
    assert found["time.iteration_median"] == "the only steady one"
    assert "time.start_up_share" not in found
    assert found["time.idle_chunks"] == ""


def test_key_figures_are_at_most_eight_of_what_exists() -> None:
    named = [each for family in load_families() for each in family.figures]
    assert {each.metric for each in named} <= set(metrics())
    assert {each.rule for each in named} - {""} <= set(RULES)
    everything = results({name: 1.0 for name, each in metrics().items() if each.shape == "scalar"})
    assert len(choose_key_figures(everything, evaluate(everything, RULES))) == MOST


@pytest.mark.parametrize(
    "text",
    [
        "groups: {}\nfamilies: []",
        "groups: {}\nfamilies: [{when: time.wall > 0, figures: [{metric: time.wall}]}]",
        "groups: {}\nfamilies: [{figures: [{group: absent}]}]",
        "groups: {}\nfamilies: [{figures: [{metric: time.wall, coment: x}]}]",
    ],
)
def test_faulty_key_figures_name_their_file(text: str, tmp_path: Path) -> None:
    path = tmp_path / "key_figures.yaml"
    path.write_text(text)
    with pytest.raises(ContentError, match="key_figures"):
        load_families(path)


def test_verdicts_read_metrics_and_columns_that_exist() -> None:
    known = load_verdicts()
    for case in known.cases:
        lines = [known.lines[name] for name in case.details]
        wordings = [*case.say, *case.why, *(wording for line in lines for wording in line.say)]
        conditions = [*case.when, *(each for line in lines for each in line.when)]
        conditions += [each for wording in wordings for each in wording.when]
        stated = [field for wording in wordings for field in find_fields(wording.say)]
        named = [field for field in stated if field not in FIELDS]
        named += [condition.metric for condition in conditions]
        for field in named:
            metric = metrics()[get_field_metric(field)]
            assert not metric.name.startswith("seed.")
            columns = {column.name for column in metric.columns}
            assert field == metric.name or field.rpartition(".")[2] in columns


def test_a_part_that_no_metric_tells_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.yaml"
    path.write_text(
        "parts: {idle: [time.gpu_idle_share]}\nlines: {}\n"
        "cases:\n- {kind: a, part: copies, headline: [Word.], say: [Words.]}\n"
    )
    with pytest.raises(ContentError, match="no part 'copies'"):
        load_verdicts(path)


@pytest.mark.parametrize(
    ("shares", "kind"),
    [
        ({"time.steady_idle_share": 0.2, "communication.exposed_everywhere_share": 0.3},
         "gpu-communication"),
        ({"time.steady_idle_share": 0.3, "communication.exposed_everywhere_share": 0.2},
         "gpu-idle"),
        ({"time.steady_idle_share": 0.3}, "gpu-busy"),
        ({"time.copy_wait_share": 0.4, "communication.exposed_everywhere_share": 0.2},
         "gpu-copies-exposed"),
        ({"time.copy_wait_share": 0.35, "time.steady_idle_share": 0.4}, "gpu-idle"),
    ],
)  # fmt: skip
def test_the_largest_part_of_the_time_leads(shares: dict[str, float], kind: str) -> None:
    seen = {"time.gpu_operations": 9.0, "time.wall": 1.0, "time.gpu_utilisation": 0.6,
            "time.steady_utilisation": 0.6, "run.sampled": 0.0}  # fmt: skip
    assert choose_verdict(results({**seen, **shares})).kind == kind


def test_a_verdict_without_a_last_resort_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.yaml"
    path.write_text(
        "parts: {}\nlines: {}\n"
        "cases:\n- {kind: a, when: [run.ranks], headline: [Word.], say: [Words.]}\n"
    )
    with pytest.raises(ContentError, match="last case"):
        load_verdicts(path)


@pytest.mark.parametrize(
    "text",
    ["", "lines: {}", "[]", "lines: {}\ncases: [{kind: a}]", "a: [", "lines: {}\ncases: 3",
     "lines: {}\ncases: [{kind: a, headline: [b], say: [b], details: [c]}]",
     "lines: {a: {say: [b], when: ['c >= d']}}\ncases: [{kind: a, headline: [b], say: [b]}]",
     "lines: {}\ncases: [{kind: a, say: [b]}]"],
)  # fmt: skip
def test_faulty_verdicts_are_refused_naming_the_file(tmp_path: Path, text: str) -> None:
    path = tmp_path / "verdicts.yaml"
    path.write_text(text)
    with pytest.raises(ContentError, match=r"verdicts\.yaml"):
        load_verdicts(path)


def test_the_cases_are_a_file_beside_the_code() -> None:
    assert CASES.is_file()


SCREEN = ("gpu.operation_time", "gpu.busy_at_most", "gpu.copy_share", "gpu.kernel_share")


def on_the_screen(first: str, **estimate: float) -> dict[str, str]:
    """The first four figures and what is said of them, where a run begins with this step."""
    given = results(
        {"gpu.operation_time": 1.0, "gpu.copy_share": 0.5, "gpu.kernel_share": 0.5,
         "gpu.copy_to_kernel": 1.0, "gpu.kernel_time": 0.5, "gpu.copy_time": 0.5,
         "launch.own_occupancy": 0.1, "stall.stalled_share": 0.9}
    )  # fmt: skip
    found = [
        replace(each, estimate=Estimate(estimate["saves"], BoundWhole("wall"), "", ()))
        if each.rule.code == first and estimate
        else each
        for each in evaluate(given, RULES)
    ]
    return {each.metric: each.comment for each in choose_key_figures(given, found, first)[:4]}


def test_what_the_first_step_is_about_is_on_the_first_screen() -> None:
    assert tuple(on_the_screen("")) == SCREEN
    told = on_the_screen("M1", saves=0.8)
    assert tuple(told) == (*SCREEN[:3], "stall.stalled_share")
    assert "good below" in told["stall.stalled_share"]


def test_a_figure_much_larger_than_what_its_step_saves_is_not() -> None:
    assert tuple(on_the_screen("M1", saves=0.1)) == SCREEN
