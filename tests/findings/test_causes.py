"""The tree of causes: shares of one whole, never more than it, whatever was measured."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfolio.common.errors import ContentError
from perfolio.findings.estimates.estimator_catalog import load_estimators
from perfolio.findings.estimates.time_formulas import compute_amount, find_metrics
from perfolio.findings.evaluation.rule_evaluation import evaluate
from perfolio.findings.model.finding import Estimate
from perfolio.findings.rules.catalog import load_rules
from perfolio.findings.tree.catalog import load_causes
from perfolio.findings.tree.cause_tree import CauseTree
from perfolio.findings.tree.run_tree import build_tree
from perfolio.metrics.model import Results
from tests.findings.support import metrics, results

TIMES = st.floats(0.0, 1e6, allow_subnormal=False)
SHARES = st.floats(0.0, 1.0, allow_subnormal=False)
DLRM = {
    "time.wall": 129.662, "time.gpu_busy": 0.140737, "time.gpu_utilisation": 0.0010854,
    "time.exposed_copy": 0.074855, "time.kernel_busy": 0.065882, "time.overlap": 0.0,
    "time.gpu_idle_share": 0.998915,
    "time.gpu_operations": 8715.0, "time.gap_time": 81.782,
    "time.idle_in_long_gaps": 1.0, "time.blame_launches": 0.0,
    "time.top_blame": 0.7217, "time.iterations": 100.0, "time.steady_iterations": 98.0,
    "time.iteration_median": 0.734557,
    "time.iteration_longest_gap": 0.619403, "time.iteration_gap_share": 0.8432,
    "time.iteration_gap_time": 61.94, "time.steady_utilisation": 0.0018855,
    "time.steady_idle_share": 0.9981145,
    "time.iteration_gpu_busy": 0.0013965, "time.steady": 72.5376, "time.start_up": 54.71584,
    "time.start_up_share": 0.42199,
}  # fmt: skip
TABLES: dict[str, list[dict[str, Any]]] = {
    "time.phases": [
        {"phase": "start-up", "start": 0.0, "duration": 54.71584, "gpu_busy": 0.001396},
        {"phase": "steady state", "start": 54.7, "duration": 74.5, "gpu_busy": 0.139},
        {"phase": "tail", "start": 129.2, "duration": 0.44, "gpu_busy": 0.0},
    ],
    "time.idle_parts": [
        {"part": "start-up", "period": "start-up", "host": 54.714444, "profiler": 0.0, "wait": 0.0},
        {"part": "iterations", "period": "typical iterations", "host": 74.361, "profiler": 0.0,
         "wait": 61.94},
        {"part": "end", "period": "end", "host": 0.445819, "profiler": 0.0, "wait": 0.0},
    ],
    "time.iteration_times": [
        {"iteration": i, "duration": 0.7346, "gpu_busy": 0.0014, "longest_gap": 0.6194, "mark": ""}
        for i in range(100)
    ],
    "time.blame_focus": [
        {"function": "__getitem__", "file": "/x/dlrm_data.py", "line": 569, "time": 59.02,
         "share": 0.7217},
    ],
    "time.iteration_blame": [
        {"function": "__getitem__", "file": "/x/dlrm_data.py", "line": 569, "time": 58.4,
         "exclusive": 27.0, "share": 0.8, "lead": 0.7},
    ],
}  # fmt: skip


SAMPLED = {"time.wall": 10.0, "time.gpu_utilisation": 0.7, "time.gpu_busy": 7.0,
           "time.exposed_copy": 0.0, "time.kernel_busy": 7.0}  # fmt: skip


def tree(given_results: Results) -> CauseTree:
    return build_tree(given_results, evaluate(given_results, load_rules()))


def assert_shares_out(found: CauseTree) -> None:
    """Children never sum to more than the parent, nor the tree to more than the whole.

    No upper end is below its amount, or above that of the parent.
    """
    ends = {each.key: each.most if each.most is not None else each.amount for each in found.causes}
    for cause in found.causes:
        assert cause.share is None or 0.0 <= cause.share <= 1.0 + 1e-9
        if cause.amount is None:
            continue
        assert cause.most is None or cause.most > cause.amount
        above = ends.get(cause.parent)
        assert cause.most is None or above is None or cause.most <= above
        children = found.children(cause.key)
        parts = [child.amount or 0.0 for child in children if not child.view]
        views = [child.amount or 0.0 for child in children if child.view]
        assert math.fsum(parts) <= cause.amount * (1 + 1e-9)
        assert all(view <= cause.amount * (1 + 1e-9) for view in views)


def test_copies_hide_behind_kernels_as_their_finding_says() -> None:
    """Of 0.42 s 0.35 s in steady iterations, where kernels run alone for 0.2 s."""
    copies = {"time.wall": 2.0, "time.gpu_utilisation": 0.8, "time.exposed_copy": 0.42,
              "time.iteration_exposed_copy": 0.42, "time.iteration_exposed_copy_share": 0.35,
              "time.iteration_kernel_alone": 0.24, "time.iteration_kernel_alone_share": 0.2,
              "time.steady": 1.0, "time.steady_utilisation": 0.75,
              "time.iteration_overlap_share": 0.0, "time.overlap_share": 0.0,
              "time.copy_busy": 0.42, "time.gpu_operations": 100.0}  # fmt: skip
    gaps = {"gaps": 0.12, "before": 0.06, "gap_share": 0.1, "before_share": 0.05}
    waits = [{"part": part, **gaps} for part in ("steady iterations", "iterations")]
    given_results = results(copies, {"time.copy_waits": waits})
    findings = evaluate(given_results, load_rules())
    cause = build_tree(given_results, findings).find("transfers.overlap")
    (found,) = (one.estimate for one in findings if one.rule.code == "X6")
    assert cause is not None
    assert cause.amount is not None
    assert found is not None
    assert cause.amount == pytest.approx(0.2), "no kernel runs in the warm-up"
    assert found.saved == pytest.approx(cause.amount), "without the gaps beside them"


def test_the_dlrm_run_reads_from_the_top() -> None:
    found = tree(results(DLRM, TABLES))
    shown = [(c.depth, c.key) for c in found.causes if c.share is not None and not c.view]
    assert shown == [
        (0, "run"), (1, "host"), (2, "host.iterations"), (3, "host.gap"), (4, "host.data"),
        (3, "host.launch"), (2, "host.start"), (2, "host.tail"), (1, "transfers"), (1, "gpu"),
    ]  # fmt: skip
    assert found.find("host.other") is None, "below a thousandth, and nothing is said of it"
    host, data = found.find("host"), found.find("host.data")
    assert host is not None
    assert host.amount == pytest.approx(129.662 - 0.140737)
    assert data is not None
    assert data.share == pytest.approx(58.4 / 129.662), "what start-up has of it is start-up's"
    assert data.places is not None
    assert data.places.rows[0][:3] == ("__getitem__", "/x/dlrm_data.py", 569)
    assert_shares_out(found)


@pytest.mark.parametrize(
    ("lead", "share", "title"),
    [
        (0.1, 0.45, "The host makes or loads input data, mostly in __getitem__"),
        (0.0, 0.45, "The host makes or loads input data"),
        (0.1, 0.01, "The host runs __getitem__"),
        (-0.2, 0.01, "The host runs one of several functions"),
    ],
)
def test_a_function_is_named_only_where_samples_put_it_before_all_others(
    lead: float, share: float, title: str
) -> None:
    rows = [{**TABLES["time.iteration_blame"][0], "lead": lead}]
    data = tree(
        results({**DLRM, "time.data_share": share}, {**TABLES, "time.iteration_blame": rows})
    ).find("host.data")
    assert data is not None
    assert data.title == title
    assert ("__getitem__" in data.sentence) == (lead > 0.0)


def test_start_up_is_seen_in_its_parts_where_threads_were_sampled() -> None:
    part = {"part": "Before GPU initialisation", "start": 0.0, "time": 0.5, "share": 0.2}
    sampled = {**TABLES, "time.start_up_parts": [part]}
    for tables, metric in ((sampled, "time.start_up_parts"), (TABLES, "time.phases")):
        cause = tree(results(DLRM, tables)).find("host.start")
        assert cause is not None
        assert cause.places is not None
        assert cause.places.metric == metric


def test_time_in_steady_iterations_alone_says_so() -> None:
    """The table of kernels beside it has the warm-up's, too."""
    moving = tree(results({**SAMPLED, "gpu.moving_time": 2.0})).find("gpu.kernels.moving")
    assert moving is not None
    assert moving.amount == 2.0
    assert moving.title.endswith("in steady iterations")


def test_slow_copies_say_what_they_would_take_at_the_rate_of_the_link() -> None:
    """Of 5 s of copies a model's upload is most; what X5 and X1 bound lies in iterations."""
    copied = {"time.wall": 20.0, "time.gpu_utilisation": 0.5, "time.gpu_busy": 10.0,
              "time.kernel_busy": 5.0, "time.exposed_copy": 5.0,
              "time.iteration_exposed_copy": 0.5, "transfer.link_efficiency": 0.1,
              "transfer.bandwidth": 6e9, "gpu.copy_time": 5.0,
              "transfer.bytes_h2d": 30e9}  # fmt: skip
    on_device = {**copied, "transfer.bytes_d2d": 1e6}
    iterating = {**on_device, "time.iterations": 9.0}
    for measured, told in ((copied, False), (on_device, True), (iterating, True)):
        link = tree(results(measured)).find("transfers.link")
        assert link is not None
        assert (
            "those within" in link.sentence or "without those within the device" in link.sentence
        ) == told


def test_a_sampled_cause_has_an_upper_end() -> None:
    """59.2 % by samples, 59.6 % at most."""
    found = tree(results({"cpu.event_total": 500.0, "cpu.waiting_share": [0.592, 0.588, 0.596]}))
    waiting = found.find("cpu.waiting")
    assert waiting is not None
    assert waiting.amount == pytest.approx(296.0)
    assert waiting.most == pytest.approx(298.0)


@pytest.mark.parametrize(
    ("wait", "waits", "high", "most"),
    [
        (60.63, 60.72, 0.857, 60.72),
        (60.63, 60.72, 0.836, 0.836 * 72.42),
        (60.63, 60.63, 0.857, 60.63),
        (60.40, 60.40, 0.857, None),
    ],
)
def test_no_upper_end_is_above_that_of_the_cause_above(
    wait: float, waits: float, high: float, most: float | None
) -> None:
    """Input of 60.49 s, by samples up to 62.08 s, lies in a wait that is 60.72 s at most."""
    rows = [{"part": "iterations", "period": "typical", "host": 61.69, "profiler": 1.8,
             "wait": wait, "waits": waits}]  # fmt: skip
    shares: dict[str, float | Sequence[float]] = {"time.data_share": [0.835, 0.811, high]}
    sampled = {**DLRM, **shares, "time.steady_complete": 72.42}
    found = tree(results(sampled, {**TABLES, "time.idle_parts": rows}))
    data = found.find("host.data")
    assert data is not None
    assert data.parent == "host.gap"
    assert data.most == (None if most is None else pytest.approx(most))
    assert_shares_out(found)


@given(st.lists(TIMES, min_size=9, max_size=9), SHARES, SHARES)
def test_no_tree_sums_to_more_than_its_whole(
    times: Sequence[float], blamed: float, stalled: float
) -> None:
    """However inconsistent the times are: each share is capped by what is left."""
    wall, busy, exposed, kernels, gaps, start, gap, iteration, focus = times
    measured = {
        "time.wall": wall, "time.gpu_busy": busy, "time.gpu_utilisation": 0.5,
        "time.exposed_copy": exposed, "time.kernel_busy": kernels, "time.overlap": 0.0,
        "time.gap_time": gaps, "gpu.kernel_time": kernels, "time.top_blame": blamed,
        "time.idle_in_long_gaps": 1.0, "time.blame_launches": 0.0,
    }  # fmt: skip
    tables: dict[str, list[dict[str, Any]]] = {
        "time.idle_parts": [
            {
                "part": "start-up",
                "period": "start-up",
                "host": start,
                "profiler": busy,
                "wait": 0.0,
            },
            {"part": "warm-up", "period": "warm-up", "host": gaps, "profiler": 0.0, "wait": 0.0},
            {
                "part": "iterations",
                "period": "outlying iterations",
                "host": iteration,
                "profiler": start,
                "wait": gap,
            },
        ],
        "time.blame_focus": [{"function": "f", "file": "f.py", "time": focus, "share": blamed}],
        "time.iteration_blame": [{"function": "f", "file": "f.py", "time": focus, "share": blamed}],
        "gpu.kernels": [{"short": "k", "share": 1.0, "stalled": stalled, "mean": 1e-6}],
    }
    assert_shares_out(build_tree(results(measured, tables), ()))


@given(SHARES, TIMES)
def test_cost_is_never_a_share_of_time_on_the_clock(waiting: float, cost: float) -> None:
    measured = {"cpu.event_total": cost, "cpu.waiting_share": waiting, "time.wall": 10.0}
    found = build_tree(results(measured), ())
    assert_shares_out(found)
    if cost > 0.0:
        assert (found.whole, found.amount) == ("cost", cost)
        assert "no time on the clock" in found.of


def test_the_stalled_time_has_an_upper_end() -> None:
    """Of 10 samples 7 stalled: of 7 s with kernels 4.9 s stall, and 6.2 s at most."""
    rows = [{"short": "k", "share": 1.0, "stalled": 0.7, "independent": 10.0, "occupancy": 0.1}]
    found = build_tree(results(SAMPLED, {"gpu.kernels": rows}), ())
    stalls = found.find("gpu.kernels.stalls")
    assert stalls is not None
    assert stalls.most is not None
    assert stalls.amount == pytest.approx(4.9)
    assert 6.1 < stalls.most < 6.3


def test_what_a_lower_bound_leaves_is_an_upper_one() -> None:
    """Lateness that samples do not show is not known: work has it."""
    measured = {"cpu.event_total": 66.6, "cpu.engaged_time": 66.6, "cpu.work": 52.8}
    late = {**measured, "cpu.late_share": 0.523}
    told = {"cpu.working_functions": [{"function": "f", "exclusive_share": 0.1}]}
    bounds = {cause.key: cause.bound for cause in tree(results(late, told)).causes}
    assert bounds["cpu.late"] == "least"
    assert bounds["cpu.hot"] == "most"
    assert bounds["cpu"] == ""
    in_time = {cause.key: cause.bound for cause in tree(results(measured, told)).causes}
    assert in_time["cpu.hot"] == ""


@pytest.mark.parametrize("streams", [0.0, 2.0])
@pytest.mark.parametrize("own", [[], [{"function": "g", "share": 0.2}]])
def test_shares_of_work_name_their_whole(streams: float, own: list[dict[str, Any]]) -> None:
    """What is left of a run with a GPU holds the GPU's runtime, which the shares do not."""
    measured = {"cpu.event_total": 20.0, "cpu.work": 10.0, "run.gpu_streams": streams}
    told = {"cpu.working_functions": [{"function": "f", "exclusive_share": 0.1}]}
    found = tree(results(measured, {**told, "cpu.own_functions": own})).find("cpu.hot")
    assert found is not None
    assert ("outside that runtime" in found.sentence) == (streams > 0.0)
    assert ("g has most" in found.sentence) == bool(own)


@pytest.mark.parametrize("streams", [0.0, 2.0])
@pytest.mark.parametrize("late", [0.0, 0.141])
@pytest.mark.parametrize("ahead", [0.004, -2.0])
def test_waits_charged_to_python_leave_no_order_of_its_functions(
    streams: float, late: float, ahead: float
) -> None:
    measured = {"cpu.event_total": 20.0, "cpu.work": 10.0, "run.gpu_streams": streams}
    measured |= {"cpu.late_share": late, "cpu.python_waits": 3.0}
    told = {
        "cpu.working_functions": [{"function": "f", "exclusive_share": 0.1, "ahead": ahead}],
        "cpu.own_functions": [{"function": "g", "share": 0.2, "python_waits": 2.0, "ahead": -0.1}],
    }
    found = tree(results(measured, told)).find("cpu.hot")
    assert found is not None
    assert "Up to 3.00 thread-s of it is waiting that the profile charges" in found.sentence
    assert "is not known" in found.sentence
    assert "g has most" not in found.sentence
    assert ("own code is f, with 10.0 %" in found.sentence) == (ahead > 0.0)


@pytest.mark.parametrize(("waits", "is_open"), [(10.177, True), (0.0, False)])
def test_waits_charged_to_python_leave_the_balance_of_threads_open(
    waits: float, *, is_open: bool
) -> None:
    measured = {"cpu.event_total": 20.0, "balance.threads": 1.75, "cpu.python_waits": waits}
    measured |= {"run.cpu_threads": 3.0, "run.gpu_streams": 0.0, "run.ranks": 0.0}
    found = tree(results(measured)).find("cpu.balance")
    assert found is not None
    assert ("seems to have 1.75×" in found.sentence) == is_open
    assert ("up to 10.18 thread-s of what counts as work is waiting" in found.sentence) == is_open


def test_what_ranks_exchange_without_a_gpu_is_calls_of_mpi() -> None:
    measured = {"cpu.event_total": 10.0, "run.ranks": 2.0, "balance.communication_efficiency": 0.1}
    rows = [{"rank": rank, "time": 5.0, "mpi": 4.5, "share": 0.9} for rank in (0, 1)]
    found = tree(results(measured, {"balance.mpi": rows})).find("communication")
    assert found is not None
    assert (found.amount, found.share, found.view) == (9.0, 0.9, True)
    assert found.sentence.startswith("Calls of MPI")
    assert "GPU" not in found.sentence
    assert found.places is not None
    assert found.places.metric == "balance.mpi"
    unknown = tree(results(measured)).find("communication")
    assert unknown is not None
    assert unknown.sentence == ""


def test_a_short_wait_is_no_cause_of_its_own() -> None:
    """Where the longest gap is small, idle time within iterations is the host's pace."""
    small = {**DLRM, "time.iteration_gap_share": 0.03, "time.iteration_longest_gap": 0.0002}
    idle = [{**row, "wait": 0.0} for row in TABLES["time.idle_parts"]]
    found = tree(results(small, {**TABLES, "time.idle_parts": idle}))
    assert found.find("host.gap") is None
    data, launch = found.find("host.data"), found.find("host.launch")
    assert data is not None
    assert data.parent == "host.iterations"
    assert launch is not None
    assert_shares_out(found)


def test_without_a_trace_the_tree_says_what_is_unknown() -> None:
    measured = {"gpu.operation_time": 0.14, "gpu.kernel_time": 0.066, "gpu.copy_time": 0.074,
                "gpu.copy_share": 0.53, "gpu.kernel_share": 0.47}  # fmt: skip
    found = build_tree(results(measured), ())
    host = found.find("host")
    assert found.whole == "gpu_work"
    assert host is not None
    assert (host.amount, host.share) == (None, None)
    assert "Whether the GPU waits" in host.unknown
    assert host.collect == "hpcrun -e something PROGRAM"  # of the wall time that is missing


@pytest.mark.parametrize(
    ("traced", "says"),
    [
        (
            {"time.wall": 110.4, "time.cpu_load": 4.53},
            "in 110.4 s of wall time: 4.53 threads were seen",
        ),
        ({}, "the run took at least 45.30 s, the time of the busiest one"),
    ],
)
def test_cost_names_the_wall_time_where_it_was_traced(traced: dict[str, float], says: str) -> None:
    cost = {"cpu.event_total": 500.2, "cpu.time": 500.2, "run.cpu_threads": 223.0}
    found = tree(results({**cost, "run.time_at_least": 45.3, **traced})).find("cpu")
    assert found is not None
    assert says in found.sentence
    assert ("at least" in found.sentence) == (not traced)


def test_nothing_measured_has_no_causes() -> None:
    found = build_tree(results(), ())
    assert (found.whole, found.causes) == ("", ())


def test_every_cause_of_every_rule_is_in_the_file() -> None:
    known = {node.key for node in load_causes().nodes}
    assert {rule.cause for rule in load_rules().values()} - {""} <= known


def test_every_metric_of_the_file_exists() -> None:
    known = load_causes()
    nodes = known.nodes
    formulas = [whole.amount for whole in known.wholes]
    formulas += [w.say for node in nodes for listed in node.amount.values() for w in listed]
    formulas += [formula for node in nodes for formula in node.most.values()]
    named = {name for formula in formulas for name in find_metrics(formula)}
    named |= {place.metric for node in nodes for place in node.places}
    assert named <= set(metrics())
    for node in nodes:
        for place in node.places:
            columns = {column.name for column in metrics()[place.metric].columns}
            assert {*place.columns, *filter(None, [place.order])} <= columns


def test_amounts_are_formulas_over_metrics() -> None:
    rows = [{"phase": "start-up", "duration": 2.0}, {"phase": "tail", "duration": 3.0}]
    given_results = results({"time.wall": 10.0, "time.start_up": 4.0}, {"time.phases": rows})
    assert compute_amount("time.wall - time.start_up", given_results) == 6.0
    assert compute_amount("time.wall * time.start_up + time.wall", given_results) == 50.0
    assert compute_amount("time.phases[phase=tail].duration", given_results) == 3.0
    assert compute_amount("time.phases[].duration", given_results) == 5.0
    assert compute_amount("time.phases[0].duration", given_results) == 2.0
    assert compute_amount("time.wall - time.tail", given_results) is None
    assert compute_amount("time.phases[phase=none].duration", given_results) is None


@pytest.mark.parametrize("formula", ["no.such", "@none", "time.phases[].no", "time.phases[x"])
def test_faulty_amounts_are_refused(formula: str) -> None:
    with pytest.raises(ContentError):
        compute_amount(formula, results({}, {"time.phases": [{"phase": "tail"}]}))


def test_an_unknown_measure_reads_nothing() -> None:
    with pytest.raises(ContentError):
        find_metrics("time.wall - @none")


@pytest.mark.parametrize(
    ("stalled", "occupancy", "slots"),
    [(0.75, 0.3, 0.7), (0.2, 1 / 16, 0.6), (0.75, 1 / 32, 0.9375)],
)
def test_slots_that_stay_empty_can_be_more_than_the_stalled_time(
    stalled: float, occupancy: float, slots: float
) -> None:
    """Of 7 s: with half of the schedulers, or three quarters, without a warp, which never stall."""
    rows = [{"short": "k", "share": 1.0, "stalled": stalled, "occupancy": occupancy}]
    found = build_tree(results(SAMPLED, {"gpu.kernels": rows}), ())
    stalls, empty = (found.find(f"gpu.kernels.{key}") for key in ("stalls", "occupancy"))
    assert stalls is not None
    assert empty is not None
    assert stalls.amount == pytest.approx(7.0 * stalled)
    assert empty.amount == pytest.approx(7.0 * slots)
    assert empty.view, "the same time as part of the stalls: no sum has both"


@given(SHARES, SHARES)
def test_measures_are_parts_of_the_kernels(stalled: float, occupancy: float) -> None:
    rows = [{"short": "k", "share": 0.7, "stalled": stalled, "occupancy": occupancy, "mean": 1e-6},
            {"short": "l", "share": 0.3, "mean": 1e-3}]  # fmt: skip
    given_results = results({"gpu.kernel_time": 2.0}, {"gpu.kernels": rows})
    assert compute_amount("@stalled", given_results) == pytest.approx(2.0 * 0.7 * stalled)
    assert compute_amount("@small", given_results) == pytest.approx(1.4)
    unfilled = compute_amount("@unfilled", given_results)
    assert unfilled is not None
    assert 0.0 <= unfilled <= 1.4 + 1e-9


def test_products_of_libraries_and_collectives_leave_no_slots_unused() -> None:
    """As K4: of three kernels that fill a quarter, one counts."""
    kinds = {"other": 0.2, "library product": 0.5, "collective": 0.3}
    rows = [{"short": kind, "kind": kind, "share": share, "occupancy": 0.25, "stalled": 1.0}
            for kind, share in kinds.items()]  # fmt: skip
    given_results = results({"gpu.kernel_time": 2.0}, {"gpu.kernels": rows})
    assert compute_amount("@unfilled", given_results) == pytest.approx(2.0 * 0.2 * 0.75)
    library = results({"gpu.kernel_time": 2.0}, {"gpu.kernels": rows[1:]})
    assert compute_amount("@unfilled", library) is None


def test_imports_are_told_where_the_main_thread_was_seen_in_them() -> None:
    """They are work, and in no function of the program's own."""
    measured = {"cpu.event_total": 20.3, "cpu.work": 17.3, "run.ranks": 1.0}
    rows = [{"part": "importing modules", "time": 14.0}, {"part": "other", "time": 3.0}]
    imports = build_tree(results(measured, {"time.main_running": rows}), ()).find("cpu.imports")
    assert imports is not None
    assert (imports.parent, imports.view) == ("cpu.hot", True)
    assert imports.amount == pytest.approx(14.0)
    assert "none of the program's own functions" in imports.sentence
    without = results(measured, {"time.main_running": rows[1:]})
    assert build_tree(without, ()).find("cpu.imports") is None


@pytest.mark.parametrize(
    ("key", "part", "title"),
    [
        ("cpu.imports", "importing modules", "Main threads import modules"),
        ("cpu.input", "preparing input data", "Main threads prepare input data"),
    ],
)
def test_what_main_threads_of_several_ranks_run_is_summed_as_costs_are(
    key: str, part: str, title: str
) -> None:
    """The metric is a mean over them: 8 times 2 s of 20 s, not 2 s."""
    measured = {"cpu.event_total": 20.0, "cpu.work": 20.0, "run.ranks": 8.0}
    found = build_tree(results(measured, {"time.main_running": [{"part": part, "time": 2.0}]}), ())
    cause = found.find(key)
    assert cause is not None
    assert cause.title == title
    assert cause.amount == pytest.approx(16.0)


@pytest.mark.parametrize(("imported", "is_told"), [(0.9, False), (1.1, True)])
def test_a_view_of_less_than_one_percent_is_told_only_where_a_finding_is_about_it(
    imported: float, is_told: bool
) -> None:
    rows = [{"part": "importing modules", "time": imported}]
    given = results({"cpu.event_total": 100.0, "cpu.work": 99.0}, {"time.main_running": rows})
    assert (build_tree(given, ()).find("cpu.imports") is not None) is is_told


@pytest.mark.parametrize(("alone", "unfilled"), [(0.4, 0.2), (1.9, 0.75)])
def test_kernels_that_run_alone_keep_their_time_where_others_overlap(
    alone: float, unfilled: float
) -> None:
    """Two GPUs, 2 s of kernels on each, of which 0.75 s are on the clock: K4 has the same bound."""
    rows = [{"short": "a", "kind": "other", "share": alone / 2.0, "occupancy": 0.5, "stalled": 1.0},
            {"short": "n", "kind": "collective", "share": 1.0 - alone / 2.0}]  # fmt: skip
    given_results = results(
        {"gpu.kernel_time": 4.0, "run.gpus": 2.0, "time.kernel_busy": 0.75, "time.wall": 10.0},
        {"gpu.kernels": rows},
    )
    assert compute_amount("@unfilled", given_results) == pytest.approx(unfilled)
    bound = load_estimators()["occupancy"]("launch.occupancy", 0.5, given_results)
    assert isinstance(bound, Estimate)
    assert bound.saved == pytest.approx(unfilled)


def test_a_result_that_is_read_back_is_a_reason_where_much_idle_time_follows_it() -> None:
    row = {"path": "loop > item", "copies": 1.0, "median": 2e-6, "idle": 5e-4}
    tables = {**TABLES, "time.readbacks": [row]}
    for share, told in ((0.006, False), (0.4, True)):
        cause = tree(results(DLRM | {"time.readback_share": share}, tables)).find("host.launch")
        assert cause is not None
        assert ("40.0 % of these idle times follow such copies" in cause.sentence) == told
        assert (cause.places is not None and cause.places.metric == "time.readbacks") == told


def test_without_wall_time_nothing_is_called_start_up() -> None:
    span = {
        "time.gpu_span": 80.0,
        "time.gap_time": 79.0,
        "time.gpu_busy": 1.0,
        "time.iterations": 100.0,
    }
    cause = tree(results(span, TABLES)).find("host.start")
    assert cause is not None
    assert cause.title == "From the first GPU operation to the first iteration"
    assert "Longer runs" not in cause.sentence
    started = tree(results(DLRM, TABLES)).find("host.start")
    assert started is not None
    assert started.title == "Start-up"


def test_idle_time_is_divided_once_by_period_and_by_who_spends_it() -> None:
    """The profiler's calls are not the host's; warm-up and outliers stand beside the rest."""
    idle = [
        ("start-up", "start-up", 50.0, 0.0, 0.0),
        ("warm-up", "warm-up", 1.1, 0.8, 0.0),
        ("iterations", "typical iterations", 58.0, 0.9, 57.5),
        ("iterations", "outlying iterations", 3.0, 0.6, 2.4),
        ("iterations", "last iteration", 0.1, 0.0, 0.0),
        ("end", "end", 0.4, 0.0, 0.0),
    ]
    names = ("part", "period", "host", "profiler", "wait")
    rows = [dict(zip(names, row, strict=True)) for row in idle]
    many = {
        "time.warm_up_iterations": 1.0,
        "time.warm_up_excess": 0.5,
        "time.iteration_outliers": 4.0,
    }
    found = tree(results(DLRM | many, {**TABLES, "time.idle_parts": rows}))
    amounts = {cause.key: cause.amount for cause in found.causes}
    assert amounts["profiler"] == pytest.approx(2.3)
    assert amounts["host"] == pytest.approx(112.6)
    assert amounts["host.start"] == 50.0
    assert amounts["host.warm_up"] == 1.1
    assert amounts["host.iterations"] == pytest.approx(61.1)
    assert amounts["host.gap"] == pytest.approx(59.9)
    assert amounts["host.outliers"] == pytest.approx(0.6)
    assert amounts["host.launch"] == pytest.approx(0.6)
    host, warm = found.find("host"), found.find("host.warm_up")
    assert host is not None
    assert host.most == pytest.approx(114.9), "samples tell the profiler's part"
    assert warm is not None
    assert "500.0 ms of it is beyond" in warm.sentence
    assert_shares_out(found)


def test_gaps_that_pc_sampling_may_have_made_belong_to_no_cause() -> None:
    busy = {**SAMPLED, "time.wall": 10.0, "time.gpu_busy": 2.0, "time.gpu_utilisation": 0.2}
    without, sampled = (
        build_tree(
            results(
                given,
                {
                    "time.idle_parts": [
                        {"part": "end", "period": "end", "host": left, "profiler": 0.0}
                    ]
                },
            ),
            (),
        )
        for given, left in ((busy, 8.0), ({**busy, "time.sampling_gaps": 7.0}, 1.0))
    )
    assert without.find("sampling") is None
    assert (without.amount, without.left_out) == (10.0, 0.0)
    assert (sampled.amount, sampled.left_out) == (3.0, 7.0)
    told, host = sampled.find("sampling"), sampled.find("host")
    assert told is not None
    assert host is not None
    assert told.amount is None
    assert host.amount == pytest.approx(1.0)
    assert "7.00 s in all" in told.unknown


def test_ranks_that_wait_in_the_warm_up_are_a_cause_below_the_kernels_they_wait_in() -> None:
    rows = [
        {"part": "warm-up", "period": "warm-up", "host": 1.1, "profiler": 0.0},
        {"part": "iterations", "period": "typical iterations", "host": 58.0, "profiler": 0.0},
    ]
    ranks = {
        "time.warm_up_iterations": 1.0,
        "time.warm_up_excess": 0.5,
        "communication.warm_up_wait_share": 0.02,
        "time.gpu_busy": 60.0,
        "time.kernel_busy": 59.9,
    }
    found = tree(results(DLRM | ranks, {**TABLES, "time.idle_parts": rows}))
    wait, warm = found.find("communication.warm_up"), found.find("host.warm_up")
    assert wait is not None
    assert wait.parent == "gpu"
    assert wait.view
    assert "this is no work of their GPUs" in wait.sentence
    assert warm is not None
    assert "Waits of ranks for the one that comes last are on top" in warm.sentence
    little = ranks | {"communication.warm_up_wait_share": 0.005}
    found = tree(results(DLRM | little, {**TABLES, "time.idle_parts": rows}))
    assert found.find("communication.warm_up") is None
    warm = found.find("host.warm_up")
    assert warm is not None
    assert "on top" not in warm.sentence


@pytest.mark.parametrize(
    ("name", "metric", "value"),
    [
        ("@small_grids", "launch.empty_share", 0.25),
        ("@last_waves", "launch.tail_share", 0.25),
        ("@partial_warps", "launch.partial_warp_time", 2.0),
    ],
)
def test_kernels_of_all_gpus_concern_the_time_of_one(name: str, metric: str, value: float) -> None:
    """A quarter of the 8 s that kernels of four GPUs took in all is half a second on the clock."""
    whole = {"gpu.kernel_time": 8.0, "time.kernel_busy": 2.0, "run.gpus": 4.0}
    assert compute_amount(name, results({**whole, metric: value})) == pytest.approx(0.5)
    assert compute_amount(name, results(whole)) is None
    assert compute_amount(name, results({metric: value})) is None
