"""Runs of several sizes: efficiencies that multiply, losses that sum, fits, and what is refused."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from perfolio.common.errors import UsageError
from perfolio.comparison.instant_network import ProcessorMeetings, measure_instant_time
from perfolio.comparison.main_thread_time import QUERIES, read_processor_counts
from perfolio.comparison.run_record import (
    HostWork,
    ProcessorCounts,
    RankTime,
    RunRecord,
    TimeRow,
    parse_record,
    write_record,
)
from perfolio.comparison.scaling.context_models import (
    TERMS,
    ModelTerm,
    compute_f_tail,
    format_term,
    model_context,
)
from perfolio.comparison.scaling.efficiency_factors import (
    Factor,
    TimeLevels,
    compute_factors,
    measure_levels,
)
from perfolio.comparison.scaling.run_sizes import group_sizes
from perfolio.comparison.scaling.scaling_exports import format_extrap, format_talp
from perfolio.comparison.scaling.scaling_study import (
    ScalingStudy,
    make_scaling_document,
    study_scaling,
)
from perfolio.comparison.scaling.scaling_tables import format_study, write_advice
from perfolio.comparison.scaling.speedup_fits import MOST_BEYOND, fit_speedups
from perfolio.pipeline.run_comparison import read_records
from perfolio.simulation.scenario_parser import merge_entries, read_entries
from perfolio.store.run_tables import make_run_tables
from tests.comparison.planted import record_run
from tests.comparison.support import make_record
from tests.kit.samples import PROFILES
from tests.metrics.other_run import RUN
from tests.metrics.support import store_of

RECORDED = Path(__file__).with_name("recorded")
MS = 1_000_000
ITERATIONS = 10
PUBLISHED = {
    128: ("13.426047", "14.003071", "18.433987", "19.656685", 0.958793, 0.759633, 0.937797,
          0.683027),
    256: ("7.402236", "7.826016", "11.941295", "14.083169", 0.945850, 0.655374, 0.847913, 0.525609),
    512: ("4.234199", "4.605570", "8.514002", "13.792879", 0.919365, 0.540941, 0.617275, 0.306984),
    1024: ("2.769027", "3.137317", "7.1686", "17.400619", 0.882610, 0.437647, 0.411974, 0.159134),
}  # fmt: skip
"""Ranks: mean and most computation, critical path, time; load balance, serialisation, transfer and
parallel efficiency as a tool that analyses critical paths printed them."""


def run(ranks: Sequence[Mapping[str, int]], digest: str = "", **more: Any) -> RunRecord:
    """A run of ranks with these parts of an iteration [ns]: all of the same sum."""
    window = sum(ranks[0].values()) * ITERATIONS
    rows = [
        TimeRow(part, "product" if part == "kernel" else part, ns * ITERATIONS, 10,
                ("train", part), short=part)
        for part in ("kernel", "copy", "collective", "collective wait", "idle")
        if (ns := sum(rank.get(part, 0) for rank in ranks))
    ]  # fmt: skip
    made = make_record(rows, iterations=ITERATIONS)
    assert made.whole is not None
    each = tuple([window // ITERATIONS] * ITERATIONS)
    whole = replace(made.whole, lanes=len(ranks), window_ns=window, durations_ns=each)
    parts = [
        RankTime(number, {part: ns * ITERATIONS for part, ns in rank.items()})
        for number, rank in enumerate(ranks)
    ]
    given: dict[str, Any] = {
        "whole": whole,
        "ranks": tuple(parts) if len(parts) > 1 else (),
        "digest": digest or f"{len(ranks)}-{window}-{random.random()}",
        "slug": f"run-{len(ranks)}",
        "conditions": {"gpu": "H100", "gpus": len(ranks)},
    }
    return replace(made, **{**given, **more})


def drawn(count: int, seed: int = 0, work: int = 8 * MS) -> RunRecord:
    """A run with imbalance, serialisation and transfer by chance."""
    chance = random.Random(1000 * count + seed)
    kernels = [work + chance.randrange(work // 8) for _ in range(count)]
    copies, idle = work // 20, [work // 10 + chance.randrange(work // 50) for _ in kernels]
    transfer = chance.randrange(1, work // 10)
    most = max(map(sum, zip(kernels, idle, strict=True)))
    late = chance.randrange(work // 10)
    return run([
        {"kernel": kernel, "copy": copies, "idle": free, "collective": transfer,
         "collective wait": most + late - kernel - free}
        for kernel, free in zip(kernels, idle, strict=True)
    ])  # fmt: skip


def alone(work: int = 8 * MS, **more: Any) -> RunRecord:
    return run([{"kernel": work, "copy": work // 20, "idle": work // 10}], **more)


def series(work: int = 8 * MS, strong: bool = False, repeats: int = 1) -> list[RunRecord]:
    sizes = (2, 4, 8, 16)
    return [
        *(alone(work + 7 * number) for number in range(repeats)),
        *(
            drawn(size, n, work // size if strong else work)
            for size in sizes
            for n in range(repeats)
        ),
    ]  # fmt: skip


@pytest.mark.parametrize("ranks", PUBLISHED)
def test_factors_are_those_that_others_publish(ranks: int) -> None:
    mean, most, ideal, whole, *expected = PUBLISHED[ranks]
    levels = TimeLevels(*(Fraction(str(one)) for one in (whole, ideal, most, mean)))
    found = compute_factors(levels, levels, Fraction(1))
    names: tuple[Factor, ...] = ("load_balance", "serialisation", "transfer", "parallel")
    assert [float(found[name] or 0) for name in names] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("seed", range(20))
def test_factors_multiply_and_are_what_their_definitions_say(seed: int) -> None:
    first, record = alone(), drawn(2 + seed, seed)
    study = study_scaling([first, record], "weak")
    told = make_scaling_document(study)["sizes"][1]["factors"]
    product = math.prod(told[name] for name in ("load_balance", "serialisation", "transfer"))
    assert told["parallel"] == pytest.approx(product, abs=1e-9)
    assert told["computation"] == pytest.approx(
        told["kernels"] * told["copies"] * told["host"], abs=1e-9
    )
    times = [one.whole.window_ns / ITERATIONS for one in (first, record) if one.whole]
    assert told["efficiency"] == pytest.approx(times[0] / times[1], abs=1e-9)
    assert told["parallel"] * told["computation"] == pytest.approx(told["global"], abs=1e-9)
    assert told["global"] == pytest.approx(told["efficiency"], abs=1e-9), "one rank waits for none"
    gpu = ("gpu_load_balance", "gpu_communication", "gpu_orchestration")
    assert told["gpu_parallel"] == pytest.approx(math.prod(told[one] for one in gpu), abs=1e-9)
    computation = [
        sum(ns for part, ns in rank.parts.items() if not part.startswith("collective"))
        for rank in record.ranks
    ]
    assert told["load_balance"] == pytest.approx(np.mean(computation) / max(computation))
    assert told["transfer"] == pytest.approx(
        1 - record.ranks[0].parts["collective"] / (times[1] * ITERATIONS)
    )


def meet(
    computes: np.ndarray, transfers: np.ndarray, hidden: np.ndarray
) -> tuple[list[ProcessorMeetings], int, int]:
    """Ranks that compute and then meet, in turn, each time as long [ns]; what transfer hides ranks
    compute meanwhile. Also their time, and that without transfer."""
    end = ideal = 0
    starts, stops, works = [], [], []
    for compute, transfer, beside in zip(computes, transfers, hidden, strict=True):
        begin = end + compute
        end = int(begin.max()) + int(transfer)
        ideal += int(compute.max())
        starts.append(begin)
        stops.append(np.full(len(compute), end))
        works.append((begin - compute, begin + beside))
    ranks = [
        ProcessorMeetings(
            np.array([one[rank] for one in starts]),
            np.array([one[rank] for one in stops]),
            (np.array([one[0][rank] for one in works]), np.array([one[1][rank] for one in works])),
        )
        for rank in range(computes.shape[1])
    ]
    return ranks, end, ideal


@pytest.mark.parametrize("size", [1, 2, 7, 64])
def test_time_with_an_instant_network_is_exact_where_ranks_take_turns(size: int) -> None:
    chance = np.random.default_rng(size)
    computes = chance.integers(1_000, 9_000, (40, size))
    transfers = chance.integers(0, 5_000, 40)
    ranks, end, ideal = meet(computes, transfers, np.zeros_like(computes))
    assert end == ideal + int(transfers.sum())
    assert measure_instant_time(ranks, (0, end)) == ideal


def test_what_a_transfer_hides_takes_its_time_without_one() -> None:
    computes, transfers = np.array([[500, 800]] * 3), np.array([400] * 3)
    ranks, end, _ = meet(computes, transfers, np.array([[100, 300]] * 3))
    assert end == 3 * 1200
    assert measure_instant_time(ranks, (0, end)) == 800 + 1100 * 2 + 300


def test_a_collective_that_holds_nobody_is_none_to_wait_for() -> None:
    work = (np.array([0]), np.array([1000]))
    one = ProcessorMeetings(np.array([200]), np.array([700]), work)
    other = ProcessorMeetings(np.array([500]), np.array([700]), work)
    assert measure_instant_time([one, other], (0, 1000)) == 1000
    assert measure_instant_time([one, other], (300, 600)) == 300


@pytest.mark.slow
@pytest.mark.parametrize("rate", ["78 GB/s", "20 GB/s"])
def test_factors_where_ranks_take_turns_are_those_of_an_instant_network(
    rate: str, tmp_path: Path
) -> None:
    """Kernels scatter, one rank is slower, and the transfer is short, or so long that ranks begin
    each collective together."""
    entries = read_entries(PROFILES / "eight-ranks" / "scenario.toml")
    kernels = {
        name: {"time": one["time"].partition("±")[0] + "± 40 %"}
        for name, one in entries["kernels"].items()
        if name != "all_reduce"
    }
    ranks = {"count": 8, "rate": rate, "kernels": {"5": 1.02}}
    planted = merge_entries(entries, {"iterations": 8, "kernels": kernels, "ranks": ranks})
    instant = {"ranks": {"latency": "0 s", "rate": "1000000 TB/s"}}
    found = []
    for name, more in (("told", {}), ("true", instant)):
        (tmp_path / name).mkdir()
        record = record_run(merge_entries(planted, more), tmp_path / name, "Kineto")
        assert parse_record(write_record(record), "kept").whole == record.whole
        found.append(measure_levels(record))
    told, true = found
    factors = compute_factors(told, told, Fraction(1))
    assert factors["transfer"] == pytest.approx(float(true.whole / told.whole), rel=0.001)
    assert told.most is not None
    assert true.most is not None
    assert factors["serialisation"] == pytest.approx(float(told.most / true.whole), rel=0.001)
    assert float(told.most) == pytest.approx(float(true.most), rel=0.001)


@pytest.mark.parametrize("strong", [False, True])
def test_losses_sum_to_the_last_nanosecond(strong: bool) -> None:
    study = study_scaling(series(strong=strong, repeats=2))
    assert (study.work, len(study.losses)) == ("strong" if strong else "weak", 4)
    for loss, before, after in zip(study.losses, study.sizes, study.sizes[1:], strict=False):
        assert sum(row.lost_ns for row in loss.rows) == loss.time_ns - loss.ideal_ns
        scale = before.size / after.size if strong else 1
        assert loss.ideal_ns == pytest.approx(float(before.levels.whole) * scale, abs=1)
        assert loss.time_ns == pytest.approx(float(after.levels.whole), abs=1)
        known = {row.part: row for row in loss.rows}
        levels = after.levels
        assert known["transfer"].after_ns == pytest.approx(
            float(levels.whole - (levels.ideal or 0)), abs=1
        )


def test_planted_losses_are_named() -> None:
    base = {"kernel": 8 * MS, "copy": 0, "idle": 2 * MS}
    slow = [{**base, "collective wait": 2 * MS, "collective": MS} for _ in range(3)]
    slow.append({"kernel": 10 * MS, "idle": 2 * MS, "collective": MS})
    study = study_scaling([run([base]), run(slow)], "weak")
    lost = {row.part: row.lost_ns for row in study.losses[0].rows if row.lost_ns}
    assert lost == {"imbalance": 1_500_000, "kernel": 500_000, "transfer": MS}
    assert write_advice(study).startswith("Look at load balance first:")
    factors = study.sizes[1].factors
    assert factors["load_balance"] == Fraction(105, 120)
    assert factors["serialisation"] == 1
    assert factors["transfer"] == Fraction(12, 13)


def test_ranks_that_are_not_whole_processors_tell_nothing() -> None:
    record = drawn(2)
    parts = {**record.ranks[0].parts, "collective": 10**12}
    broken = replace(record, ranks=(RankTime(0, parts), record.ranks[1]))
    levels = measure_levels(broken)
    assert (levels.most, levels.ideal) == (None, None)
    assert levels.mean == measure_levels(record).mean
    untold = replace(broken, conditions={"gpu": "H100", "gpus": "many"})
    loss = study_scaling([alone(), untold], "weak").losses[0]
    assert sum(row.lost_ns for row in loss.rows) == loss.time_ns - loss.ideal_ns


def test_without_gpus_longer_computation_is_named() -> None:
    whole = replace(alone(), conditions={})
    assert whole.whole is not None
    one = replace(whole, whole=replace(whole.whole, of="main thread"), rows=(
        replace(whole.rows[0], part="main thread", ns=whole.whole.window_ns),
    ))  # fmt: skip
    slower = [{"main thread": 16 * MS, "collective wait": MS}, {"main thread": 17 * MS}]
    two = run(slower, conditions={})
    assert two.whole is not None
    two = replace(two, whole=replace(two.whole, of="main thread"))
    study = study_scaling([one, two], "weak")
    assert (study.unit, study.sizes[1].factors["kernels"]) == ("rank", None)
    assert write_advice(study).startswith("Look at computation scaling first: ranks compute longer")


def count_on(record: RunRecord, instructions: float, ipc: float, share: float) -> RunRecord:
    """A run without GPUs: ranks execute these instructions, at 2 GHz this part of the time."""
    assert record.whole is not None
    whole = replace(record.whole, of="main thread")
    rows = tuple(replace(row, part="main thread") if row.part == "kernel" else row
                 for row in record.rows)  # fmt: skip
    ranks = tuple(
        RankTime(one.rank, {"main thread" if part == "kernel" else part: ns
                            for part, ns in one.parts.items()})
        for one in record.ranks
    )  # fmt: skip
    cycles = instructions / ipc
    counts = ProcessorCounts(instructions, cycles, cycles / 2.0 / share)
    made = replace(record, whole=whole, rows=rows, ranks=ranks, processor=counts, conditions={})
    return parse_record(write_record(made), "kept")


def test_a_planted_loss_of_instructions_per_cycle_is_named() -> None:
    one = count_on(run([{"kernel": 8 * MS}]), 1.6e9, 2.0, 1.0)
    two = run([{"kernel": 10 * MS, "collective": MS}] * 2)
    two = count_on(two, 3.2e9 * 1.01, 1.6, 1.0)
    study = study_scaling([one, two], "weak")
    factors = {name: float(value) for name, value in study.sizes[1].factors.items() if value}
    assert factors["ipc"] == pytest.approx(0.8)
    assert factors["instructions"] == pytest.approx(1 / 1.01)
    assert factors["frequency"] == pytest.approx(1.0)
    product = [factors[name] for name in ("instructions", "ipc", "frequency", "off_processor")]
    assert math.prod(product) == pytest.approx(factors["computation"], abs=1e-12)
    assert "Look at instructions per cycle first: an instruction takes more cycles (20.0" in (
        write_advice(study)
    )


def test_strong_scaling_divides_instructions() -> None:
    one = count_on(run([{"kernel": 8 * MS}]), 1.6e9, 2.0, 1.0)
    two = count_on(run([{"kernel": 4 * MS, "collective": MS}] * 2), 1.6e9, 2.0, 1.0)
    factors = study_scaling([one, two], "strong").sizes[1].factors
    for name in ("instructions", "ipc", "frequency", "off_processor"):
        assert float(factors[name] or 0) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("names", "counts"),
    [
        (("perf::instructions", "perf::cycles"), ProcessorCounts(9e9, 4e9, 2e9)),
        (("PAPI_TOT_INS", "PAPI_TOT_CYC"), ProcessorCounts(9e9, 4e9, 2e9)),
        (("perf::instructions", "perf::other"), None),
    ],
)
def test_processors_count_in_code_that_works(
    names: tuple[str, str], counts: ProcessorCounts | None
) -> None:
    some, more = ({"CPUTIME (sec)": 1 * n, names[0]: 4.5e9 * n, names[1]: 2e9 * n} for n in (1, 2))
    contexts = [
        [1, 0, "entry", "main thread"],
        [2, 1, "function", "main@/app/run", some],
        [3, 2, "function", "work@/app/run", some],
        [4, 2, "function", "MPI_Allreduce@/usr/lib/libmpi.so.40", more],
    ]
    with (
        store_of(
            {"base": "cpu", "contexts": contexts, "collected": [*names]}, QUERIES
        ) as connection,
        make_run_tables(connection, RUN, QUERIES) as tables,
    ):
        assert read_processor_counts(tables) == counts


def test_load_balance_of_an_operator_is_told_where_rows_tell_it() -> None:
    two = run([{"kernel": 6 * MS, "collective wait": 2 * MS}, {"kernel": 8 * MS}])
    rows = tuple(
        replace(row, most_ns=8 * MS * ITERATIONS) if row.part == "kernel" else row
        for row in two.rows
    )
    study = study_scaling([run([{"kernel": 8 * MS}]), replace(two, rows=rows)], "weak")
    known = {one.part: one.balance for one in study.contexts}
    assert known == {
        "whole": (None, None), "kernel": (1.0, 7 / 8), "collective wait": (None, None),
    }  # fmt: skip


def test_repeats_are_one_size_and_the_same_recording_counts_once() -> None:
    sizes = group_sizes([alone(digest="a"), alone(digest="a"), alone(digest="b"), drawn(2)])
    assert [(one.size, len(one.records)) for one in sizes] == [(1, 2), (2, 1)]


def test_work_is_recognised_by_shapes_first() -> None:
    known = {"gpu": "H100", "shapes": "abc"}
    runs = [alone(conditions=known), replace(drawn(4, work=4 * MS), conditions=known)]
    assert study_scaling(runs).work == "weak"
    runs = [alone(), drawn(4, work=4 * MS)]
    with pytest.raises(UsageError, match=r"0\.5. times") as raised:
        study_scaling(runs)
    assert "--work strong" in str(raised.value.hint)
    assert study_scaling(runs, "strong").why == "as given"


@pytest.mark.parametrize(
    ("records", "said"),
    [
        (list, "there is no run"),
        (lambda: [alone()], "one run shows no scaling"),
        (lambda: [alone(digest="a")] * 2, "one run, given 2 times, shows no scaling"),
        (lambda: [drawn(4, 1), drawn(4, 2)],
         "all 2 runs have 4 GPUs: they are repeats of one size"),
        (lambda: [alone(), replace(drawn(2), whole=None, rows=())], "run-2: holds no times"),
        (lambda: [alone(), replace(drawn(2), conditions={"gpu": "A100"})],
         "mixed hardware: GPU differs: H100 and A100"),
        (lambda: [alone(), replace(drawn(2), conditions={"gpu": "H100", "ranks": 8})],
         "run-2: 8 ranks ran, and 2 of them are recorded here"),
        (lambda: [alone(), replace(drawn(2), conditions={"model": "x", "gpu": "H100"}),
                  replace(drawn(4), conditions={"model": "y", "gpu": "H100"})],
         "runs that do not belong together: model differs: x and y"),
    ],
)  # fmt: skip
def test_what_makes_no_study_is_refused_in_clear_words(records: Any, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        study_scaling(records(), "weak")


def test_missing_sizes_are_told() -> None:
    notes = study_scaling([drawn(2), drawn(16)], "weak").notes
    assert notes[0].startswith("No run of one rank: efficiencies are relative to 2")
    assert notes[1] == "Nothing between 2 and 16: a bend there is hidden."


def test_where_waiting_is_not_told_from_transfer_neither_is_claimed() -> None:
    blind = [{"kernel": 8 * MS, "collective": 3 * MS}, {"kernel": 9 * MS, "collective": 2 * MS}]
    study = study_scaling([alone(), run(blind)], "weak")
    factors = study.sizes[1].factors
    assert (factors["serialisation"], factors["transfer"]) == (None, None)
    assert factors["communication"] == Fraction(9, 11)
    loss = study.losses[0]
    assert sum(row.lost_ns for row in loss.rows) == loss.time_ns - loss.ideal_ns
    assert "communication" in {row.part for row in loss.rows}
    assert study.notes[0].startswith("Sizes without matched collectives")


def test_laws_find_what_was_planted() -> None:
    contention, coherency = 0.03, 0.002
    runs = [
        (n, 5.0 * (1 + contention * (n - 1) + coherency * n * (n - 1)))
        for n in (1, 2, 4, 8, 16, 32)
    ]
    amdahl, usl = fit_speedups(runs, 5.0)
    assert (usl.contention, usl.coherency) == pytest.approx((contention, coherency))
    assert usl.peak == pytest.approx(math.sqrt((1 - contention) / coherency))
    assert amdahl.coherency is None
    last = usl.points[-1]
    assert last.size == pytest.approx(32 * MOST_BEYOND)
    n = last.size
    assert last.speedup == pytest.approx(n / (1 + contention * (n - 1) + coherency * n * (n - 1)))
    assert [one.reason for one in fit_speedups(runs[:2], 5.0)] == [
        "2 sizes, and it needs 3", "2 sizes, and it needs 4",
    ]  # fmt: skip


def test_prediction_intervals_hold_as_many_runs_as_they_say() -> None:
    chance = np.random.default_rng(1)
    inside = 0
    for _ in range(300):

        def draw(n: int) -> float:
            return float((1 + 0.04 * (n - 1)) * math.exp(chance.normal(0, 0.02)))

        runs = [(n, draw(n)) for n in (1, 2, 4, 8, 16) for _ in range(3)]
        unit = float(np.mean([time for n, time in runs if n == 1]))
        point = fit_speedups(runs, unit)[0].points[-1]
        seen = point.size * unit / draw(round(point.size))
        inside += (point.low or 0) <= seen <= (point.high or math.inf)
    assert 0.92 <= inside / 300 <= 0.98


def test_no_coefficient_is_negative() -> None:
    runs = [(n, 1.0 - 0.01 * n) for n in (1, 2, 4, 8)]
    amdahl, usl = fit_speedups(runs, 1.0)
    assert (amdahl.contention, usl.contention, usl.coherency) == (0.0, 0.0, 0.0)
    assert usl.peak is None


@pytest.mark.parametrize("term", [(0.0, 0), (0.0, 1), (1.0, 0), (0.5, 1), (2.0, 0)])
def test_models_hold_the_truth(term: tuple[float, int]) -> None:
    chance = np.random.default_rng(3)

    def truth(n: int) -> float:
        return 1 + (0.05 * n ** term[0] * math.log2(n) ** term[1] if term != (0.0, 0) else 0.0)

    told = held = 0
    for _ in range(60):
        times = {
            n: [truth(n) * math.exp(chance.normal(0, 0.02)) for _ in range(3)]
            for n in (1, 2, 4, 8, 16, 32)
        }
        model = model_context(times)
        told += not model.reason
        held += not model.reason and model.low <= truth(128) <= model.high
    assert told >= 54, "the F test refutes 5 % of true terms"
    assert held >= 0.93 * told


def test_models_need_sizes_and_repeats() -> None:
    known = {n: [1.0, 1.1, 1.05] for n in (1, 2, 4, 8, 16)}
    assert model_context(known).terms[0] == ModelTerm(0.0, 0, pytest.approx(1.05), 0.0)  # type: ignore[arg-type]
    for times, said in (
        ({n: known[n] for n in (1, 2, 4, 8)}, "4 sizes, and a model needs 5"),
        (known | {4: [1.0, 1.1]}, "2 runs of a size, and a model needs 3"),
        (known | {4: [0.0, 1.1, 1.0]}, "some runs do not have it"),
        (dict.fromkeys(known, [1.0] * 3), "repeats are equal"),
        (known | {4: [9.0, 9.1, 9.05]}, "no term fits"),
    ):
        assert said in model_context(times).reason


def test_the_tail_of_f_is_that_of_tables() -> None:
    for ratio, above, below in ((4.1028, 2, 10), (2.7109, 5, 20), (161.4476, 1, 1)):
        assert compute_f_tail(ratio, above, below) == pytest.approx(0.05, abs=1e-5)
    assert len(set(TERMS)) == len(TERMS)
    assert format_term(ModelTerm(0.5, 1, 0.31, 0.0042)) == "0.31 + 0.0042 p^(1/2) log2(p)"
    assert format_term(ModelTerm(-1.0, 0, 2.0, -3.0)) == "2 - 3 p^(-1)"


def five_sizes() -> ScalingStudy:
    """Kernels scatter by 1 %, and the transfer grows with the logarithm."""
    chance = random.Random(4)
    runs = []
    for size in (1, 2, 4, 8, 16) * 3:
        kernel, transfer = round(8 * MS * chance.gauss(1, 0.01)), size.bit_length() * MS // 4
        others = {"kernel": kernel, "collective": transfer, "collective wait": MS}
        last = {"kernel": kernel + MS, "collective": transfer}
        runs.append(run([last, *[others] * (size - 1)]))
    return study_scaling(runs)


def test_contexts_have_models_with_five_sizes_of_three_runs() -> None:
    study = five_sizes()
    whole = study.contexts[0]
    assert (whole.part, whole.model.reason, whole.model.size) == ("whole", "", 64)
    assert [float(time) for time in whole.times_ns] == pytest.approx(
        [float(one.levels.whole) for one in study.sizes]
    )
    said = format_study(study)
    assert "terms fit" in said
    assert "\N{MIDDLE DOT}\N{MIDDLE DOT} Load balance" in said


def test_the_document_is_json_of_one_schema() -> None:
    study = five_sizes()
    text = json.dumps(make_scaling_document(study), allow_nan=False)
    told = json.loads(text)
    assert (told["schema"], [one["size"] for one in told["sizes"]]) == (
        "perfolio-scaling/1", [1, 2, 4, 8, 16],
    )  # fmt: skip
    assert told["sizes"][0]["speedup"] == 1.0
    levels = measure_levels(study.sizes[1].runs[0])
    assert levels.whole >= (levels.ideal or 0) >= (levels.most or 0) >= (levels.mean or 0) > 0


def test_lines_for_extrap_hold_each_time_of_each_run() -> None:
    study = five_sizes()
    lines = [json.loads(line) for line in format_extrap(study).splitlines()]
    assert {frozenset(line) for line in lines} == {
        frozenset({"params", "callpath", "metric", "value"})
    }
    whole = [line for line in lines if line["callpath"] == "whole"]
    assert [line["params"] for line in whole] == [{"p": size} for size in (1, 2, 4, 8, 16)]
    for line, size in zip(whole, study.sizes, strict=True):
        assert len(line["value"]) == len(size.runs)
        assert np.mean(line["value"]) == pytest.approx(float(size.levels.whole) / 1e9)
    assert len({(line["callpath"], line["params"]["p"]) for line in lines}) == len(lines)
    assert "kernel product->train->kernel" in {line["callpath"] for line in lines}


def test_the_form_of_talp_has_times_that_give_its_efficiencies() -> None:
    study = study_scaling([alone(), drawn(4), drawn(8)], "weak")
    files = format_talp(study)
    assert list(files) == ["runs/1-1.json", "runs/4-1.json", "runs/8-1.json"]
    told = [json.loads(text) for text in files.values()]
    for one in told:
        assert one["dlbVersion"].startswith("3.6")
        assert {"cycles", "instructions"} <= set(one["Application"]["Global"])
        assert "timestamp" not in one
    assert [one["resources"]["numMpiRanks"] for one in told] == [1, 4, 8]
    for one in told:
        region = one["Application"]["Global"]
        product = region["mpiLoadBalance"] * region["mpiCommunicationEfficiency"]
        assert region["parallelEfficiency"] == pytest.approx(product, abs=1e-9)
        total = region["elapsedTime"] * region["numCpus"]
        assert region["usefulTime"] / total == pytest.approx(region["parallelEfficiency"])
        assert region["usefulTime"] + region["mpiTime"] == pytest.approx(total, abs=2)
        assert region["mpiLoadBalanceIn"] * region["mpiLoadBalanceOut"] == region["mpiLoadBalance"]
        assert "deviceOffloadEfficiency" not in region, "its calls are not recorded"
        gpu = region["gpuUsefulTime"] / total
        assert gpu == pytest.approx(region["gpuParallelEfficiency"])


def test_the_form_of_talp_has_what_counters_and_hosts_tell() -> None:
    one, two = alone(), drawn(2)
    host = (HostWork("launches", ("train",), 30, 3), HostWork("other code", ("train",), 90, None))
    study = study_scaling([replace(one, host=host), replace(two, host=host)], "weak")
    regions = [json.loads(text)["Application"]["Global"] for text in format_talp(study).values()]
    assert [one["deviceOffloadEfficiency"] for one in regions] == [0.75, 0.75]
    first = count_on(run([{"kernel": 8 * MS}]), 1.6e9, 2.0, 1.0)
    last = count_on(run([{"kernel": 10 * MS}] * 2), 3.2e9, 1.6, 1.0)
    regions = [
        json.loads(text)["Application"]["Global"]
        for text in format_talp(study_scaling([first, last], "weak")).values()
    ]
    assert [(one["instructions"], one["cycles"]) for one in regions] == [
        (1.6e9, 0.8e9),
        (3.2e9, 2e9),
    ]


def test_contexts_of_one_name_are_no_repeats_for_extrap() -> None:
    base = alone()
    row = base.rows[0]
    other = replace(row, path=(*row.path, row.short), ns=1000)
    grown = replace(row, ns=row.ns - 1000)
    runs = [replace(base, rows=(grown, other, *base.rows[1:])), drawn(2)]
    lines = [json.loads(line) for line in format_extrap(study_scaling(runs, "weak")).splitlines()]
    names = [(line["callpath"], line["params"]["p"]) for line in lines]
    assert len(set(names)) == len(names)


def test_charts_show_each_size_and_sum() -> None:
    from perfolio.charts.comparison import lost_waterfall, speedup_curve

    study = study_scaling(series(), "weak")
    curve = speedup_curve.draw(study)
    assert [row[0] for row in curve.rows] == [1, 2, 4, 8, 16]
    assert "Universal Scalability Law" in curve.figure.note
    few = speedup_curve.draw(study_scaling([alone(), drawn(2)], "weak"))
    assert few.figure.description.endswith("Too few sizes for curves.")
    steps = lost_waterfall.make_steps(study, study.whole_loss)
    assert steps[0].end == study.whole_loss.ideal_ns
    assert steps[-2].end == steps[-1].end == study.whole_loss.time_ns
    assert all(one.end == two.begin for one, two in pairwise(steps[:-1]))
    drawn_loss = lost_waterfall.draw(study)
    assert drawn_loss is not None
    rows = [row for row in drawn_loss.rows if row[:2] == (1, 16)]
    lost = sum(row[6] for row in rows if isinstance(row[6], int))
    assert lost == study.whole_loss.time_ns - study.whole_loss.ideal_ns
    same = study_scaling([alone(digest="a"), run([{"kernel": 8 * MS, "copy": 8 * MS // 20,
                          "idle": 8 * MS // 10}] * 2)], "weak")  # fmt: skip
    assert lost_waterfall.draw(same) is None


def test_a_recorded_program_of_one_and_two_ranks_multiplies_and_sums() -> None:
    """PyTorch's DDP over gloo on two cores, as recorded: no truth is planted."""
    folders = [RECORDED / f"gloo-{ranks}" for ranks in (1, 2)]
    study = study_scaling(read_records(folders), "weak")
    document = make_scaling_document(study)
    one, two = (size["factors"] for size in document["sizes"])
    assert one["efficiency"] == 1.0
    levels = [size["levels_ns"]["whole"] for size in document["sizes"]]
    assert two["efficiency"] == pytest.approx(levels[0] / levels[1], rel=1e-9)
    parallel = two["load_balance"] * two["serialisation"] * two["transfer"]
    assert parallel * two["computation"] == pytest.approx(two["efficiency"], rel=1e-9)
    assert all(0.0 < two[name] < 1.0 for name in ("load_balance", "serialisation", "transfer"))
    assert two["load_balance"] > 0.9  # both ranks do the same
