"""The method on a run: classes of bottlenecks, and the steps of an analysis."""

from __future__ import annotations

import re
import shlex
from typing import Any

import pytest

from perfolio.cli.main import main as cli
from perfolio.findings.method.bottlenecks import find_bottleneck, load_bottlenecks
from perfolio.findings.method.workflow import describe_workflow, load_workflow
from perfolio.findings.model.conditions import find_fields, get_field_metric, look_up
from perfolio.findings.rules.catalog import load_rules
from perfolio.metrics.catalog import load_catalog
from tests.findings.support import results

CLASSES = load_bottlenecks()
TASKS = [task for step in load_workflow() for task in step.tasks]
PROGRAMS = {"perfolio", "nvidia-smi", "dcgmi", "rocm-smi", "nsys", "ncu", "rocprofv3", "hpcrun",
            "all_reduce_perf", "python"}  # fmt: skip


def _parts(**shares: float) -> dict[str, Any]:
    return {
        "time.iteration_classes": [
            {"class": key, "time": share, "share": share} for key, share in shares.items()
        ]
    }


def test_there_is_a_class_for_each_part_of_an_iteration() -> None:
    sql = load_catalog()["time.iteration_classes"].sql
    assert set(CLASSES) == {"compute", "memory", "communication", "input", "host"}
    assert all(f"'{key}'" in sql for key in CLASSES)


@pytest.mark.parametrize("key", CLASSES)
def test_symptoms_and_remedies_of_a_class_are_known(key: str) -> None:
    rules, known = load_rules(), results()
    assert set(CLASSES[key].remedies) <= set(rules)
    for symptom in CLASSES[key].symptoms:
        assert len(symptom.says.split()) <= 22
        for condition in (*symptom.when, *symptom.at_least):
            look_up(condition.metric, known)  # ContentError where there is no such metric


def test_a_clear_lead_with_its_symptoms_is_sure() -> None:
    given = results(
        {"gpu.moving_share": 0.45, "roofline.memory_share": 0.6, "gpu.fusable_share": 0.0},
        _parts(memory=0.5, compute=0.3, host=0.2),
    )
    found = find_bottleneck(given, ())
    assert found is not None
    assert found["confidence"] == "sure"
    first = found["classes"][0]
    assert (first["key"], first["share"]) == ("memory", 0.5)
    states = {each["metric"]: each["state"] for each in first["symptoms"]}
    assert states["gpu.moving_share"] == states["roofline.memory_share"] == "met"
    assert states["gpu.fusable_share"] == "not met"
    assert states["device.memory_active"] == "not measured"


@pytest.mark.parametrize(
    ("measured", "lead", "word"),
    [
        ({"gpu.moving_share": 0.45}, 0.01, "likely"),
        ({"gpu.moving_share": 0.1}, 0.2, "likely"),
        ({"gpu.moving_share": 0.1}, 0.01, "open"),
        ({}, 0.01, "open"),
    ],
)
def test_a_close_call_or_symptoms_that_disagree_are_not_sure(
    measured: dict[str, float], lead: float, word: str
) -> None:
    found = find_bottleneck(results(measured, _parts(memory=0.4 + lead, compute=0.4)), ())
    assert found is not None
    assert found["confidence"] == word


@pytest.mark.parametrize("share", [0.55, 0.45])
def test_a_number_is_what_the_words_beside_it_say(share: float) -> None:
    """Two classes read one metric: each says memory, whose share it shows."""
    given = results({"roofline.memory_share": share}, _parts(memory=0.5, compute=0.5))
    told = _told(given, "roofline.memory_share")
    assert {each["value"] for each in told} == {share}
    assert all(each["says"].startswith("Memory bounds") for each in told)
    assert sorted(each["state"] for each in told) == ["met", "not met"]


@pytest.mark.parametrize(
    ("measured", "metric", "state", "value"),
    [
        ({"gpu.sync_share": 0.47}, "gpu.sync_share", "met", 0.47),
        ({"gpu.sync_share": 0.01}, "calls.wait_share", "not measured", None),
        ({"gpu.sync_share": 0.01, "calls.wait_share": 0.02}, "calls.wait_share", "not met", 0.02),
    ],
)
def test_a_lower_bound_shows_a_symptom_but_never_that_there_is_none(
    measured: dict[str, float], metric: str, state: str, value: float | None
) -> None:
    (told,) = [
        each
        for each in _told(results(measured, _parts(host=1.0)), metric)
        if each["says"].startswith("Host threads wait")
    ]
    assert (told["state"], told["value"]) == (state, value)


@pytest.mark.parametrize(
    ("measured", "kernels", "state"),
    [
        ({}, 1.18, "met"),
        ({}, 1.0, "not measured"),
        ({"balance.computing_ranks": 1.1}, 1.18, "met"),
        ({"balance.computing_ranks": 1.1}, 1.0, "not met"),
    ],
)
def test_a_late_rank_with_longer_kernels_shows_that_ranks_compute_for_different_times(
    measured: dict[str, float], kernels: float, state: str
) -> None:
    late = {"communication.late_rank": [{"rank": 5, "kernels": kernels}]}
    given = results(measured, _parts(communication=1.0) | late)
    (told,) = [each for each in _all(given) if each["says"].startswith("Ranks compute for")]
    assert told["state"] == state
    assert told["metric"] in load_catalog()


def _told(given: Any, metric: str) -> list[dict[str, Any]]:
    return [each for each in _all(given) if each["metric"] == metric]


def _all(given: Any) -> list[dict[str, Any]]:
    found = find_bottleneck(given, ())
    assert found is not None
    return [each for class_ in found["classes"] for each in class_["symptoms"]]


@pytest.mark.parametrize(
    ("parts", "word"),
    [({"host": 0.7, "memory": 0.2}, "check first"), ({"memory": 0.7, "host": 0.2}, "likely")],
)
def test_idle_time_of_a_host_that_the_profiler_held_up_is_to_be_checked_first(
    parts: dict[str, float], word: str
) -> None:
    found = find_bottleneck(results({"steps.overhead": 1.2}, _parts(**parts)), ())
    assert found is not None
    assert found["confidence"] == word


def test_kernels_whose_names_tell_no_class_leave_it_open() -> None:
    parts = {"time.iteration_classes": [
        {"class": "other kernels", "time": 0.9, "share": 0.9},
        {"class": "host", "time": 0.1, "share": 0.1},
    ]}  # fmt: skip
    found = find_bottleneck(results({"time.steady_idle_share": 0.2}, parts), ())
    assert found is not None
    assert (found["untold"], found["confidence"]) == (0.9, "open")


def test_no_class_is_named_without_iterations() -> None:
    assert find_bottleneck(results({"gpu.moving_share": 0.45}), ()) is None


def test_tasks_are_done_where_a_metric_has_a_value_and_open_where_they_concern_the_run() -> None:
    given = results({"gpu.kernel_time": 1.0, "run.ranks": 1.0, "compute.mfu": 0.306}, {})
    told = {task["what"]: task for step in describe_workflow(given) for task in step["tasks"]}
    known = told["Know the model's operations"]
    assert (known["state"], known["collect"]) == ("done", "")
    assert known["shows"] == "The model reaches 30.6 % of the device's peak."
    assert told["Test the links between the ranks"]["state"] == "not needed"
    kernels = told["Name the class of bottleneck"]
    assert (kernels["state"], kernels["shows"]) == ("open", "")
    assert kernels["collect"].startswith("perfolio info")


@pytest.mark.parametrize("task", TASKS, ids=[task.what for task in TASKS])
def test_tasks_read_known_metrics_and_their_commands_parse(task: Any) -> None:
    known = results()
    for field in (*task.done, *(name for text in task.shows for name in find_fields(text))):
        assert get_field_metric(field) in known
        look_up(field, known)
    for text in task.collect.values():
        for line in filter(None, text.splitlines()):
            _parses(line)


def _parses(line: str) -> None:
    """A command of a known program; of ours with its options; or a line of Python."""
    if re.match(r"(with |    \w|print)", line):
        return
    words = shlex.split(line, comments=True)
    assert not words or words[0] in PROGRAMS
    if words[:1] == ["perfolio"]:
        command = cli.commands[words[1]]
        command.make_context(words[1], words[2:], **cli.context_settings)
