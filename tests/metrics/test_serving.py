"""A server's figures against a second, plain count of the events of the recorded samples.

Names of steps are taken out as well: what is left tells the same kinds by sizes and replays.
"""

from __future__ import annotations

import bisect
import gzip
import json
import re
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np
import pytest

from perfolio.metrics.metric_values import get_rows, get_value
from perfolio.readers import registry
from perfolio.readers.engine_step_names import names_engine_step
from perfolio.simulation.engine import simulate
from perfolio.simulation.event_export import make_events
from perfolio.simulation.scenario_parser import parse_scenario, read_entries
from perfolio.writers.events import kineto_json
from tests.exercises.answering import values
from tests.exercises.support import sample_sheet
from tests.kit.samples import PROFILES, results_at, some_results_at
from tests.kit.shared import recorded

SAMPLES = ("decoder-h200", "decoder-h200-graphs")
SCALARS = ("decode_median", "prefill_median", "prefill_rate", "token_time", "output_rate", "batch",
           "eager_share", "between_share", "in_step_share", "padding_share")  # fmt: skip
NAMES = tuple(f"serving.{name}" for name in (*SCALARS, "steps", "over_time"))
ROWS = {5: 8, 6: 8, 7: 8, 8: 8, 9: 16, 11: 16, 12: 16}
"""Rows of the graph by requests: the sizes of the workload are powers of two."""


class MarkedStep(NamedTuple):
    """A step as its annotation tells it, in nanoseconds."""

    start: int
    stop: int
    prompts: int
    tokens: int
    answers: int


def _ns(microseconds: Any) -> int:
    return round(float(microseconds) * 1000)


def _read_events(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        found: list[dict[str, Any]] = json.load(file)["traceEvents"]
    return found


def _list_steps(events: list[dict[str, Any]]) -> list[MarkedStep]:
    steps = []
    for event in events:
        if event.get("cat") == "user_annotation" and event["name"].startswith("execute_"):
            numbers = event["name"].replace("(", "_").replace(")", "").split("_")
            start = _ns(event["ts"])
            steps.append(
                MarkedStep(start, start + _ns(event["dur"]), *map(int, numbers[2:4] + numbers[5:6]))
            )
    return sorted(steps)


def _count_plainly(events: list[dict[str, Any]], steps: list[MarkedStep]) -> dict[str, float]:
    """Each figure from begins and ends."""
    busy = sorted((_ns(each["ts"]), _ns(each["ts"]) + _ns(each["dur"])) for each in events
                  if each.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset"))  # fmt: skip
    end = max(steps[-1].stop, busy[-1][1])
    begins = [step.start for step in steps]
    lengths = [stop - start for start, stop in zip(begins, [*begins[1:], end], strict=True)]
    launches = sorted(_ns(each["ts"]) for each in events if each.get("name") == "cudaGraphLaunch")
    decode = [number for number, step in enumerate(steps) if step.answers]
    prefill = [number for number, step in enumerate(steps) if step.prompts]

    def covered(since: int, upto: int) -> int:
        total, reached = 0, since
        for start, stop in busy:
            total += max(0, min(upto, stop) - max(reached, start))
            reached = max(reached, min(upto, stop))
        return total

    whole = sum(lengths[number] for number in decode)
    inside = sum(step.stop - step.start - covered(step.start, step.stop)
                 for step in (steps[number] for number in decode))  # fmt: skip
    between = sum(lengths[number] - (steps[number].stop - steps[number].start)
                  - covered(steps[number].stop, begins[number] + lengths[number])
                  for number in decode)  # fmt: skip
    replays = sum(
        bisect.bisect(launches, steps[number].stop) > bisect.bisect(launches, steps[number].start)
        for number in decode
    )
    answers = [steps[number].answers for number in decode]
    found = {
        "decode_median": median(lengths[number] for number in decode) / 1e9,
        "prefill_median": median(lengths[number] for number in prefill) / 1e9,
        "prefill_rate": sum(steps[n].tokens for n in prefill)
        * 1e9
        / sum(lengths[n] for n in prefill),
        "token_time": sum(lengths) / len(decode) / 1e9,
        "output_rate": sum(answers) * 1e9 / sum(lengths),
        "batch": sum(answers) / len(answers),
        "eager_share": 1 - replays / len(decode),
        "in_step_share": inside / whole,
        "between_share": between / whole,
    }
    if replays:
        found["padding_share"] = 1 - sum(answers) / sum(ROWS[each] for each in answers)
    return found


@pytest.mark.parametrize("name", SAMPLES)
def test_figures_are_those_of_a_plain_count(name: str) -> None:
    (found,) = registry.find(PROFILES / name)
    results = results_at(found)
    events = _read_events(PROFILES / name / "trace.json.gz")
    plain = _count_plainly(events, _list_steps(events))
    measured = {name: get_value(results, f"serving.{name}") for name in plain}
    assert measured == {
        name: pytest.approx(value, rel=1e-6, abs=1e-9) for name, value in plain.items()
    }
    assert ("padding_share" in plain) == (get_value(results, "serving.padding_share") is not None)


def test_keys_of_exercises_are_those_of_a_plain_count() -> None:
    eager, graphs = (
        _count_plainly(events, _list_steps(events))
        for events in (_read_events(PROFILES / name / "trace.json.gz") for name in SAMPLES)
    )
    kinds = values(sample_sheet("prefill-decode"))
    assert kinds["s1-decode"] == pytest.approx(graphs["decode_median"])
    assert kinds["s1-longer"] == pytest.approx(graphs["prefill_median"] / graphs["decode_median"])
    assert kinds["s2-token"] == pytest.approx(graphs["token_time"])
    replay = values(sample_sheet("decode-graphs"))
    assert replay["s1-faster"] == pytest.approx(eager["decode_median"] / graphs["decode_median"])
    assert replay["s1-idle"] == pytest.approx(graphs["in_step_share"], rel=1e-6)
    assert replay["s2-rows"] == pytest.approx(graphs["batch"] / (1 - graphs["padding_share"]))


@pytest.mark.parametrize("name", SAMPLES)
def test_structure_tells_what_names_do(name: str, tmp_path: Path) -> None:
    events = _read_events(PROFILES / name / "trace.json.gz")
    kinds = ["decode" if step.answers else "prefill" for step in _list_steps(events)]
    left = [each for each in events if "execute_context" not in str(each.get("name"))]
    (tmp_path / "trace.json").write_text(json.dumps({"traceEvents": left}), encoding="utf-8")
    (found,) = registry.find(tmp_path / "trace.json")
    results = some_results_at(found, *NAMES)
    assert [row["kind"] for row in get_rows(results, "serving.over_time")] == kinds
    told = {row["kind"]: row["told"] for row in get_rows(results, "serving.steps")}
    assert told == {"prefill": "sizes", "decode": "replay" if "graphs" in name else "sizes"}
    assert get_value(results, "serving.batch") is None


@pytest.mark.real
def test_a_graph_of_another_engine_is_a_decode_step() -> None:
    (found,) = registry.find(recorded("inputs/pytorch/mi300x_graph_decode.json.gz"))
    results = some_results_at(found, *NAMES)
    (row,) = get_rows(results, "serving.steps")
    assert (row["kind"], row["told"], row["requests"]) == ("decode", "name", 32)
    assert get_value(results, "serving.eager_share") == 0


@pytest.mark.real
@pytest.mark.parametrize(
    "name", ["h100_qwen_infer", "h100_falconsai_infer", "v100_5steps", "mi300x_ddp_rank0of8"]
)
def test_other_runs_serve_nobody(name: str) -> None:
    (found,) = registry.find(recorded(f"inputs/pytorch/{name}.json.gz"))
    results = some_results_at(found, *NAMES)
    assert {each.status for each in results.values()} == {"not_measured"}


@pytest.mark.parametrize(
    ("name", "serves"),
    [
        ("execute_context_1(512)_generation_3(3)", True),
        ("execute_32_context_0(sq0sk0sqsq0sqsk0)_generation_32(sq32sk32785sqsq32sqsk32785)", True),
        ("step[DECODE bs=32]", True),
        ("step[EXTEND bs=1 toks=512]", True),
        ("[Executor] _forward_step 7: 1 ctx reqs, 512 ctx tokens, 8 gen reqs", True),
        ("[Executor] _forward_step: 1 ctx reqs, 8 gen reqs", True),
        ("ProfilerStep#3", False),
        ("train step[3]", False),
        ("Optimizer.step#AdamW.step", False),
    ],
)
def test_names_of_engines(name: str, serves: bool) -> None:
    assert names_engine_step(name) is serves


@pytest.mark.parametrize("name", SAMPLES)
def test_a_pause_without_requests_is_no_part_of_a_token(name: str, tmp_path: Path) -> None:
    """A second in which the server waits for requests: nobody waits for a token in it."""
    path = PROFILES / name / "trace.json.gz"
    events = _read_events(path)
    steps = _list_steps(events)
    later = steps[20].start / 1000
    for event in events:
        if float(event.get("ts", 0)) >= later:
            event["ts"] = float(event["ts"]) + 1e6
    paused = tmp_path / "trace.json"
    paused.write_text(json.dumps({"traceEvents": events}), "utf-8")
    names = ("serving.token_time", "serving.between_share", "serving.output_rate")
    (sample,) = registry.find(PROFILES / name)
    plain, found = results_at(sample), some_results_at(paused, *names)
    for each in names:
        before, after = get_value(plain, each), get_value(found, each)
        assert before is not None
        assert after == pytest.approx(before, rel=0.05), each


def test_a_simulated_server_takes_what_was_planted(tmp_path: Path) -> None:
    """Steps of a decoder with known kernels, named as an engine's: each eighth reads a prompt."""
    entries = read_entries(PROFILES / "transformer-fused" / "scenario.toml")
    own = {"iterations": 42, "iteration": ["data", *["layer"] * 12, "loss"], "seed": 3}
    scenario = parse_scenario({**entries, **own})
    ran = simulate(scenario)
    (trace,) = kineto_json.write(make_events(scenario, ran), tmp_path / "server").iterdir()
    trace.write_text(re.sub(r"ProfilerStep#(\d+)", _name_step, trace.read_text("utf-8")), "utf-8")
    found = some_results_at(trace, *NAMES, "serving.parts")

    decode = [number for number in range(4, 41) if number % 8]
    rows = get_rows(found, "serving.parts")
    parts = {row["part"]: float(row["time"] or 0) for row in rows if row["kind"] == "decode"}
    for part, word in (("attention", "flash"), ("products", "gemm")):
        works = [number for number, kernel in enumerate(ran.kernels) if word in kernel]
        chosen = np.isin(ran.operations.kernel, works) & np.isin(ran.operations.iteration, decode)
        spent = float((ran.operations.stop - ran.operations.start)[chosen].sum())
        assert parts[part] == pytest.approx(spent / len(decode) / 1e9, rel=0.01), part
    lengths = np.diff(ran.iterations[0])
    planted = float(np.median(lengths[decode])) / 1e9
    assert get_value(found, "serving.decode_median") == pytest.approx(planted, rel=0.01)
    assert get_value(found, "serving.batch") == 6.0
    assert sum(parts.values()) == pytest.approx(float(lengths[decode].mean()) / 1e9, rel=0.01)


def _name_step(found: re.Match[str]) -> str:
    if int(found[1]) % 8:
        return "execute_context_0(0)_generation_6(6)"
    return "execute_context_1(512)_generation_0(0)"
