"""Reports of CPU programs that share cores, against what is known of the programs."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from perfolio.pipeline.build_context import RunDocuments
from perfolio.readers.own_files import TRUTH
from perfolio.simulation.cores.cpu_database import sum_thread_times, take_samples, write_program
from perfolio.simulation.cores.cpu_program import (
    ComputeStep,
    CoreMachine,
    CpuProgram,
    ElapsedTimer,
    MeetingStep,
    Step,
)
from perfolio.simulation.cores.scheduler import DUE, HELD, RUNS, ThreadLife, schedule
from perfolio.simulation.quantity_parser import Duration
from tests.kit.kept import SIMULATED, digest_of, kept
from tests.kit.queries import rows_of
from tests.kit.samples import documents_at, store_at
from tests.simulation.programs import DOT, MAIN, TRUTHS, alone, held

STATES = ("works", "waits", "late")
LAG = 0.015
"""The timer's own lateness, a hundredth of a period on average, is counted as such."""


def made(program: CpuProgram) -> Path:
    """The database of a program."""

    def make(folder: Path) -> None:
        write_program(program, folder / "program.d")

    return kept("program", digest_of(repr(program), by=SIMULATED), make) / "program.d"


@cache
def reported(name: str) -> tuple[RunDocuments, list[dict[str, Any]]]:
    """The documents of a scenario, and the truth of each of its threads [ns]."""
    database = made(TRUTHS[name].program)
    threads = json.loads((database / TRUTH).read_text("utf-8"))["threads"]
    return documents_at(database), threads


@cache
def ledger(name: str) -> tuple[int, list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    """Of a scenario the time of all parts, and lines and stretches with begin and end [ns]."""
    with duckdb.connect(str(store_at(made(TRUTHS[name].program))), read_only=True) as store:
        ((wall,),) = rows_of(store, "SELECT sum(ns) FROM cpu_wall")
        lines = rows_of(store, "SELECT profile, start, stop FROM trace_line ORDER BY profile")
        stretches = rows_of(
            store,
            "SELECT profile, line.name, state, start, stop FROM cpu_stretch "
            "LEFT JOIN line_name AS line USING (profile)",
        )
    return wall, lines, stretches


def late_share(documents: RunDocuments) -> float:
    """The metric cpu.late_share."""
    named = (one for one in documents.metrics["metrics"] if one["name"] == "cpu.late_share")
    return float(next(named)["value"] or 0.0)


@pytest.mark.slow
@pytest.mark.parametrize("name", TRUTHS)
def test_a_report_says_what_is_true(name: str) -> None:
    truth, found = TRUTHS[name], reported(name)[0].findings
    fired = [one["code"] for one in found["findings"] if one["status"] == "fired"]
    assert found["verdict"]["kind"] == truth.verdict, truth.because
    assert fired[0] in truth.first if truth.first else not fired, (fired, truth.because)


@pytest.mark.slow
@pytest.mark.parametrize("name", TRUTHS)
def test_no_more_is_late_than_was(name: str) -> None:
    documents, threads = reported(name)
    late, works = (sum(one[state] for one in threads) for state in ("late", "works"))
    assert late_share(documents) <= late / (late + works) + LAG


@pytest.mark.slow
def test_a_function_that_is_inlined_is_named() -> None:
    (hot,) = (
        one["sentence"]
        for one in reported("inlined hot function")[0].findings["findings"]
        if one["code"] == "C2"
    )
    assert "one function of the program, dot," in hot


@pytest.mark.slow
@pytest.mark.parametrize("name", TRUTHS)
def test_the_ledger_has_all_time_once(name: str) -> None:
    """Each moment of the run is in one part, and each between samples of a thread in one state."""
    wall, lines, told = ledger(name)
    assert wall == max(stop for *_, stop in lines) - min(start for _, start, _ in lines)
    for profile, start, stop in lines:
        own = sorted((begin, end) for of, _, _, begin, end in told if of == profile)
        assert start <= own[0][0] <= own[-1][1] == stop
        assert all(before[1] == after[0] for before, after in pairwise(own))


@pytest.mark.slow
@pytest.mark.parametrize("name", TRUTHS)
def test_the_ledger_agrees_with_the_truth(name: str) -> None:
    """As far as samples tell.

    A stretch in which a thread was late begins between two samples: by less than a period too much
    of it counts as work, each time. A change between work and a wait is told by less than a
    period too early or too late, and these errors have a mean of 0 and a standard deviation of
    0.58 periods or less: their sum stays below twice the root of their number, 3.4 deviations.
    """
    truth = TRUTHS[name]
    stretches = ledger(name)[2]
    for profile, thread in enumerate(reported(name)[1], 1):
        own = [(state, start, stop) for of, _, state, start, stop in stretches if of == profile]
        told = defaultdict[str, int](int)
        for state, start, stop in own:
            told[state] += stop - start
        seen = max(stop for *_, stop in own) - min(start for _, start, _ in own)
        unseen = thread["end"] - thread["begin"] - seen
        chance = 2.0 * truth.timer.period * math.sqrt(thread["changes"]) + unseen
        late = truth.timer.period * thread["times_late"]
        errors = [told[state] - thread[state] for state in STATES]
        assert all(abs(error) <= chance + late for error in errors), (profile, errors)
        assert errors[STATES.index("late")] <= chance, (profile, errors)


@pytest.mark.slow
@pytest.mark.parametrize("name", TRUTHS)
def test_threads_are_drawn_busy_while_they_work(name: str) -> None:
    """Neither while they wait nor while they are due: as long as the ledger says."""
    documents, _ = reported(name)
    drawn, works = defaultdict[str, float](float), dict[str, float]()
    for _, line, state, start, stop in ledger(name)[2]:
        if state == "works":
            works[line] = works.get(line, 0.0) + (stop - start) / 1e9
    rows = next(one for one in documents.metrics["metrics"] if one["name"] == "time.timeline")
    for line, _, _, start, stop, busy in rows["rows"]:
        drawn[line] += (stop - start) * busy
    assert drawn == pytest.approx({line: works[line] for line in drawn}, rel=1e-9)


def life_of(*steps: Step, cores: int = 1, threads: int = 1) -> ThreadLife:
    """The first of some threads that take steps."""
    machine = CoreMachine(cores, Duration(4e6))
    return schedule(CpuProgram("run", machine, alone(*[steps] * threads)))[0]


def test_threads_that_share_a_core_take_turns() -> None:
    first = life_of(ComputeStep(MAIN, Duration(8e6)), threads=2)
    assert [(span.state, span.stop - span.start) for span in first.spans] == [
        (RUNS, 4_000_000), (DUE, 4_000_000), (RUNS, 4_000_000),
    ]  # fmt: skip
    assert sum_thread_times(first).late == 4_000_000


def test_a_sample_comes_when_the_kernel_is_done() -> None:
    first = life_of(ComputeStep(MAIN, Duration(5e6)), *held(7), ComputeStep(MAIN, Duration(5e6)))
    assert [span.state for span in first.spans] == [RUNS, HELD, RUNS]
    period = 2_000_000
    found = take_samples(first, ElapsedTimer(period, lag=0.0), np.random.default_rng(1))
    assert [one.since for one in found[:2]] == [period, period]
    assert found[2].time == first.spans[1].stop
    assert found[2].path == first.spans[1].path
    assert found[3].since == period


@pytest.mark.slow
def test_threads_that_wait_for_ever_are_refused() -> None:
    apart = alone(
        [MeetingStep(MAIN, "one")], [ComputeStep(MAIN, Duration(1e6))], [MeetingStep(MAIN, "one")]
    )
    ends = CpuProgram("run", CoreMachine(4), apart)
    assert all(life.end for life in schedule(ends))
    twice = alone([MeetingStep(MAIN, "one"), MeetingStep(MAIN, "one")], [MeetingStep(MAIN, "one")])
    with pytest.raises(ValueError, match="wait in vain"):
        schedule(replace(ends, processes=twice))


@pytest.mark.slow
def test_the_trace_has_the_function_around_one_that_is_inlined(tmp_path: Path) -> None:
    program = CpuProgram("run", CoreMachine(1), alone([ComputeStep(DOT, Duration(1e8))]))
    write_program(program, tmp_path / "run.d")
    with duckdb.connect(str(store_at(tmp_path / "run.d")), read_only=True) as store:
        traced = rows_of(
            store,
            "SELECT DISTINCT frame.name FROM trace JOIN enclosing_frame USING (context) "
            "JOIN frame USING (frame)",
        )
        charged = rows_of(
            store,
            "SELECT frame.name FROM charged JOIN frame ON frame.frame = charged.context",
        )
    assert (traced, charged) == ([("solve",)], [("dot",)])
