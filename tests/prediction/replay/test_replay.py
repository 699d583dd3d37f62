"""The replay itself, against equations; what is inferred of streams; changes; orders; refusals."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perfolio.common.errors import ContentError, UsageError
from perfolio.findings.model.step_replay import StepReplay, StraggledRun
from perfolio.findings.rules.catalog import load_rules
from perfolio.prediction.replay.call_columns import find_batches
from perfolio.prediction.replay.change_file import Change, find_change, load_changes, read_change
from perfolio.prediction.replay.change_kinds import (
    KINDS,
    apply_change,
    apply_changes,
    explain_nothing,
)
from perfolio.prediction.replay.changed_kernels import find_precision
from perfolio.prediction.replay.graph_replay import list_step_times, replay_graph
from perfolio.prediction.replay.iteration_timeline import (
    cut_slices,
    draw_iteration,
    list_host_times,
    share_room,
)
from perfolio.prediction.replay.launch_graph import (
    ALL_STREAMS,
    BLOCKING,
    GRAPH,
    INSIDE,
    LAUNCH,
    NO_COLLECTIVE,
    NO_STREAM,
    WAIT,
    HostCalls,
    LaunchGraph,
    QueuedOperations,
    RankGraph,
    RankGroup,
    RecordedWait,
)
from perfolio.prediction.replay.rank_meetings import find_meetings, list_ends
from perfolio.prediction.replay.refusals import judge_graph
from perfolio.prediction.replay.saving_report import describe_savings
from perfolio.prediction.replay.savings import ReplayedRun, ReplayedTime, compute_paired_error
from perfolio.prediction.replay.step_savings import find_resources, remove_profiler_cost
from perfolio.prediction.replay.stream_edges import (
    compute_lateness,
    infer_edges,
    set_recorded_targets,
)

START = 1_000_000
STREAMS = 3


@st.composite
def draw_rank(draw: st.DrawFn, collectives: list[int]) -> RankGraph:
    """A rank with calls of all kinds, and collectives of these groups, in this order."""
    rank = RankGraph(HostCalls(), QueuedOperations(), streams=STREAMS)
    times = st.integers(0, 60)
    kinds = draw(st.lists(st.sampled_from([LAUNCH, LAUNCH, BLOCKING, WAIT, GRAPH]), max_size=9))
    kinds = [LAUNCH, *kinds, *[-1] * len(collectives)]
    groups = iter(collectives)
    order = draw(st.permutations(kinds))
    for kind in order if order[0] not in (WAIT, INSIDE) else [LAUNCH, *order]:
        group = next(groups) if kind < 0 else NO_COLLECTIVE
        _add_call(draw, rank, LAUNCH if kind < 0 else kind, group)
        if kind == GRAPH:
            _add_call(draw, rank, INSIDE, NO_COLLECTIVE)
    rank.backlog = draw(
        st.dictionaries(st.integers(0, STREAMS - 1), st.integers(START, START + 90))
    )
    rank.node_gap = draw(times)
    rank.queue = draw(st.sampled_from([0, 0, 1, 3]))
    rank.batch = draw(st.sampled_from([0, 40, 200]))
    return rank


def _add_call(draw: st.DrawFn, rank: RankGraph, kind: int, group: int) -> None:
    calls, own, is_collective = rank.calls, rank.operations, group >= 0
    if draw(st.booleans()) and kind != INSIDE:
        calls.takes[len(calls.start)] = 0
    if kind == WAIT and own.start and draw(st.booleans()):
        calls.awaited[len(calls.start)] = draw(st.integers(0, len(own.start) - 1))
    times = st.integers(0, 60)
    count = 0 if kind == WAIT else 1 if is_collective else draw(st.integers(1, 2))
    calls.start.append(START)
    calls.stop.append(START)
    calls.gap.append(0 if kind == INSIDE else draw(times))
    calls.own.append(0 if kind == INSIDE else draw(times))
    calls.after.append(draw(times) if kind == BLOCKING else 0)
    calls.kind.append(kind)
    calls.target.append(draw(st.sampled_from([ALL_STREAMS, NO_STREAM, *range(STREAMS)])))
    calls.step.append(0)
    calls.first.append(len(own.start))
    calls.count.append(count)
    calls.name.append("cudaLaunchKernel")
    calls.thread.append(1)
    calls.loading.append(0)
    calls.updates.append(False)
    for _ in range(count):
        number = len(own.start)
        own.start.append(START)
        own.duration.append(draw(times))
        own.stream.append(draw(st.integers(0, STREAMS - 1)))
        own.engine.append(-1 if is_collective else draw(st.sampled_from([-1, -1, 0, 1])))
        own.kind.append("kernel")
        own.work.append(1)
        own.size.append(0)
        own.step.append(0)
        own.call.append(len(calls.kind) - 1)
        own.delay.append(draw(times))
        own.gap.append(draw(times))
        own.collective.append(group)
        if number and draw(st.booleans()):
            own.waits_for[number] = (draw(st.integers(0, number - 1)),)


@st.composite
def draw_graph(draw: st.DrawFn) -> LaunchGraph:
    """One to four ranks that meet, all of them or in pairs; each has its own in one order."""
    number = draw(st.integers(1, 4))
    members = {0: set(range(number)), 1: {0, 1}, 2: {2, 3}, 3: {1, number - 1}}
    order = draw(st.lists(st.sampled_from(sorted(members)), max_size=4))
    ranks = [
        draw(draw_rank([group for group in order if place in members[group]]))
        for place in range(number)
    ]
    return LaunchGraph(ranks, {1: "other"}, frozenset(), {1: "k"}, steps=1)


@settings(max_examples=150, deadline=None)
@given(draw_graph())
def test_a_replay_is_what_its_equations_say(graph: LaunchGraph) -> None:
    assert [one.start for one in replay_graph(graph)] == replay_by_equations(graph)


@settings(max_examples=80, deadline=None)
@given(draw_graph())
def test_the_host_is_drawn_as_equations_say(graph: LaunchGraph) -> None:
    every = [
        [end for _, _, end in list_host_times(rank, replay)]
        for rank, replay in zip(graph.ranks, replay_graph(graph), strict=True)
    ]
    assert every == [one.left for one in solve_equations(graph)]


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 40)), max_size=60), st.integers(1, 50))
def test_slices_are_few_and_as_busy_as_what_they_hold(
    rows: list[tuple[int, int]], room: int
) -> None:
    spans, now = [], 0
    for gap, length in rows:
        spans.append((now + gap, now + gap + length, "kernel"))
        now += gap + length
    found = cut_slices(spans, now, room)
    assert len(found) <= max(room, 0) or len(spans) <= room
    busy = sum((stop - start) * share for start, stop, _, share in found)
    assert busy == pytest.approx(sum(length for _, length in rows), abs=1e-6)
    assert sum(share_room([len(spans), 3, 1_000], room + 4)) <= room + 4
    assert share_room([1, 100, 2], 400) == [1, 100, 2]


def test_an_iteration_is_drawn_before_and_after_with_few_marks() -> None:
    graph = make_graph([(10, 5, 1, 0)] * 400, steps=6)
    drawn = draw_iteration(graph, [find_change("faster-host=0.5")])
    assert drawn is not None
    run = ReplayedRun(graph)
    assert drawn.before == pytest.approx(run.unchanged.step)
    saved = run.compute_saving([find_change("faster-host=0.5")]).high
    assert drawn.after == pytest.approx(drawn.before * (1.0 - saved))
    assert not drawn.at_worst
    ranged = msgspec.structs.replace(find_change("faster-host=0.5"), best=0.25)
    worse = draw_iteration(graph, [ranged])
    assert worse is not None
    assert worse.at_worst
    assert worse.after == drawn.after
    assert 4 < len(drawn.lane) <= 400
    assert set(drawn.lane) == {"Host", "Stream 1"}
    for is_after, length in ((False, drawn.before), (True, drawn.after)):
        busy = {"Host": 0.0, "Stream 1": 0.0}
        for late, lane, start, stop, share in zip(
            drawn.is_after, drawn.lane, drawn.start, drawn.stop, drawn.share, strict=True
        ):
            if late == is_after:
                busy[lane] += (stop - start) * share
                assert 0.0 <= start < stop <= length + 1e-9
        assert busy["Host"] == pytest.approx(length, rel=0.01)
        assert busy["Stream 1"] == pytest.approx(400e-6, rel=0.01)


def test_a_launch_that_finds_the_queue_full_is_drawn_as_waiting() -> None:
    graph = make_graph([(1, 1, 50, 0)] * 8, steps=6)
    graph.ranks[0].queue = 4
    drawn = draw_iteration(graph, [])
    assert drawn is not None
    kinds = dict.fromkeys(drawn.kind, 0.0)
    for kind, start, stop in zip(drawn.kind, drawn.start, drawn.stop, strict=True):
        kinds[kind] += stop - start
    assert kinds["wait"] == pytest.approx(2 * 8 * 48e-6)
    assert kinds["call"] == pytest.approx(2 * 8 * 1e-6)


def test_of_a_recording_without_iterations_all_is_drawn() -> None:
    graph = make_graph([(10, 5, 1, 0)] * 8, steps=1)
    assert draw_iteration(graph, []) is None
    graph.is_recording = True
    drawn = draw_iteration(graph, [])
    assert drawn is not None
    assert drawn.before == drawn.after == pytest.approx(ReplayedRun(graph).unchanged.step)


def make_graph(rows: list[tuple[int, int, int, int]], steps: int = 4) -> LaunchGraph:
    """Iterations of launches: host's work, launch, duration and stream of each [µs]."""
    rank = RankGraph(HostCalls(), QueuedOperations(), streams=2)
    calls, own, now = rank.calls, rank.operations, START
    free = [0, 0]
    for step in range(steps):
        for work, (gap, launch, length, stream) in enumerate(rows):
            now += gap * 1000
            calls.start.append(now)
            now += launch * 1000
            calls.stop.append(now)
            calls.gap.append(gap * 1000)
            calls.own.append(launch * 1000)
            calls.after.append(0)
            calls.kind.append(LAUNCH)
            calls.target.append(NO_STREAM)
            calls.step.append(step)
            calls.first.append(len(own.start))
            calls.count.append(1)
            calls.name.append("cudaLaunchKernel")
            calls.thread.append(1)
            calls.loading.append(0)
            calls.updates.append(False)
            begin = max(now, free[stream])
            own.start.append(begin)
            own.duration.append(length * 1000)
            free[stream] = begin + length * 1000
            own.stream.append(stream)
            own.engine.append(-1)
            own.kind.append("kernel")
            own.work.append(work)
            own.size.append(0)
            own.step.append(step)
            own.call.append(len(calls.kind) - 1)
            own.delay.append(0)
            own.gap.append(0)
            own.collective.append(NO_COLLECTIVE)
    classes = dict.fromkeys(range(len(rows)), "product")
    return LaunchGraph([rank], classes, frozenset(), {}, steps=steps)


def save(graph: LaunchGraph, *names: str) -> float:
    """What changes save, in the middle of their range [ratio]."""
    found = ReplayedRun(graph).compute_saving([find_change(name) for name in names])
    return (found.low + found.high) / 2.0


def test_kernels_save_nothing_where_the_host_decides_and_all_where_they_do() -> None:
    host, gpu = make_graph([(10, 5, 1, 0)] * 8), make_graph([(1, 1, 20, 0)] * 8)
    assert save(host, "faster-kernels=0.5") == pytest.approx(0.0, abs=0.005)
    assert save(host, "faster-host=0.5") == pytest.approx(1 / 3, abs=0.01)
    assert save(gpu, "faster-kernels=0.5") == pytest.approx(0.5, abs=0.01)
    assert save(gpu, "faster-host=0.5") == pytest.approx(0.0, abs=0.005)


def test_steps_together_save_what_none_does_alone_and_their_order_shows_it() -> None:
    """Kernels and host take as long: each alone saves little, both together half."""
    even = make_graph([(8, 2, 10, 0)] * 8, steps=6)
    run = ReplayedRun(even)
    both = {name: find_change(name) for name in ("faster-kernels", "faster-host")}
    order = run.find_order(both)
    assert len(order) == 2
    assert order[0].high < 0.1
    assert order[1].high == pytest.approx(0.4, abs=0.03)


def test_products_that_tensor_cores_make_already_gain_nothing() -> None:
    graph = make_graph([(1, 1, 20, 0), (1, 1, 20, 0)])
    names = {0: "ampere_sgemm_128x64_nn", 1: "ampere_bf16_s16816gemm_bf16_128x64_nn"}
    some = replace(graph, names=names)
    cores = replace(graph, names=dict.fromkeys(names, names[1]))
    assert save(cores, "tensor-core-products") == 0.0
    assert save(some, "tensor-core-products=0.5") == pytest.approx(0.25, abs=0.01)


def test_an_order_leaves_out_what_changes_nothing() -> None:
    run = ReplayedRun(make_graph([(1, 1, 20, 0)] * 4))
    order = run.find_order(dict(load_changes()))
    assert "merged-copies" not in {name for one in order for name in one.names}


def test_a_graph_costs_its_launch_and_closes_gaps() -> None:
    graph = make_graph([(10, 5, 1, 0)] * 8)
    change = Change(title="A", kind="capture graphs", source="B", cost=1e-6, gap=0.5e-6, name="g")
    saving = ReplayedRun(graph).compute_saving([change])
    # 10 µs of work before the graph, 8 of its launch: as launches follow, the host decides
    assert saving.low == pytest.approx(1 - 18 / 120, abs=0.01)


def test_two_factors_of_one_change_are_two_changes() -> None:
    run = ReplayedRun(make_graph([(1, 1, 20, 0)] * 4))
    half = run.compute_saving([find_change("faster-kernels=0.5")])
    most = run.compute_saving([find_change("faster-kernels=0.1")])
    assert half.high == pytest.approx(0.5, abs=0.02)
    assert most.high == pytest.approx(0.88, abs=0.03)


def test_what_the_profiler_costs_is_taken_off_the_host_alone() -> None:
    graph = make_graph([(10, 5, 1, 0)] * 8)
    factor = remove_profiler_cost(graph, 60e-6)
    assert factor == pytest.approx(0.5, abs=0.01)
    assert ReplayedRun(graph).unchanged.step == pytest.approx(60e-6, rel=0.01)
    gpu = make_graph([(1, 1, 20, 0)] * 8)
    assert remove_profiler_cost(gpu, 100e-6) == 0.0
    assert ReplayedRun(gpu).unchanged.step == pytest.approx(160e-6, rel=0.01)


def test_a_wait_of_one_stream_for_another_is_found_where_no_iteration_contradicts() -> None:
    """The second stream begins when the first has ended, in all iterations: that is a wait."""
    graph = make_graph([(5, 1, 40, 0), (1, 1, 10, 1)], steps=6)
    rank = graph.ranks[0]
    own = rank.operations
    for number in range(1, len(own.start), 2):
        own.start[number] = own.start[number - 1] + own.duration[number - 1]
    infer_edges(rank)
    assert own.waits_for == {number: (number - 1,) for number in range(1, len(own.start), 2)}
    assert sum(map(abs, compute_lateness(rank))) == 0
    free = make_graph([(5, 1, 40, 0), (1, 1, 10, 1)], steps=6).ranks[0]
    infer_edges(free)
    assert not free.operations.waits_for


def make_wait(rank: RankGraph, place: int, recorded: int, **beside: int) -> RecordedWait:
    """The stream of a call waits for what stream 0 had before the end of another call."""
    calls, own = rank.calls, rank.operations
    told = {"stream": own.stream[calls.first[place]], "source": 0, **beside}
    return RecordedWait(
        by_stream=True, start=calls.start[place] - 500, thread=1,
        recorded=calls.stop[recorded], **told,
    )  # fmt: skip


def test_recorded_waits_of_streams_take_the_place_of_inferred_ones() -> None:
    """The second stream begins when the first has ended, by chance: it waits for the one before."""
    graph = make_graph([(5, 1, 40, 0), (30, 1, 10, 0), (1, 1, 10, 1)], steps=6)
    rank = graph.ranks[0]
    own = rank.operations
    for number in range(2, len(own.start), 3):
        own.start[number] = own.start[number - 1] + own.duration[number - 1]
    inferred, recorded, other = rank.copy(), rank.copy(), rank.copy()
    infer_edges(inferred)
    assert inferred.operations.waits_for == {n: (n - 1,) for n in range(2, len(own.start), 3)}
    places = range(2, len(own.start), 3)
    infer_edges(recorded, [make_wait(rank, place, place - 2) for place in places])
    assert recorded.operations.waits_for == {n: (n - 2,) for n in places}
    infer_edges(other, [make_wait(rank, place, place - 2, stream=0, source=1) for place in places])
    found = other.operations.waits_for
    assert {n: found[n] for n in places} == {n: (n - 1,) for n in places}, "of another pair"


def test_recorded_waits_that_begins_contradict_tell_nothing() -> None:
    """The second stream never waited: numbers of events that are used again may say so."""
    graph = make_graph([(5, 1, 40, 0), (1, 1, 10, 1)], steps=6)
    rank = graph.ranks[0]
    infer_edges(rank, [make_wait(rank, place, place - 1) for place in range(1, 12, 2)])
    assert not rank.operations.waits_for


def add_host_wait(rank: RankGraph, length: int) -> None:
    """A call that waits, after all others [µs]."""
    calls, own = rank.calls, rank.operations
    start = calls.stop[-1]
    for column, value in (
        (calls.start, start), (calls.stop, start + length * 1000), (calls.gap, 0),
        (calls.own, 0), (calls.after, 0), (calls.kind, WAIT), (calls.target, NO_STREAM),
        (calls.step, calls.step[-1]), (calls.first, len(own.start)), (calls.count, 0),
        (calls.thread, 1), (calls.loading, 0),
    ):  # fmt: skip
        column.append(value)
    calls.name.append("cudaStreamSynchronize")
    calls.updates.append(False)


def test_a_call_waits_for_the_stream_or_the_event_that_is_recorded() -> None:
    graph = make_graph([(1, 1, 40, 0), (1, 1, 10, 1), (1, 1, 10, 1)], steps=1)
    rank = graph.ranks[0]
    add_host_wait(rank, 60)
    begin = rank.calls.start[-1]
    of_stream = RecordedWait(
        by_stream=False, start=begin, thread=1, stream=1, recorded=-1, source=-3
    )
    of_event = of_stream._replace(stream=-1, recorded=rank.calls.stop[1], source=1)
    lost = of_event._replace(source=-3)
    early = of_stream._replace(stream=0)
    told = {}
    for name, wait in {"s": of_stream, "e": of_event, "l": lost, "0": early}.items():
        one = rank.copy()
        set_recorded_targets(one, [wait])
        told[name] = (one.calls.target[-1], one.calls.awaited, one.calls.own[-1] // 1000)
    assert told == {
        "s": (1, {}, 60 - 24 + 6),
        "e": (NO_STREAM, {3: 1}, 60 - 14 + 6),
        "l": (NO_STREAM, {}, 0),
        "0": (0, {}, 60 - 42 + 6),
    }
    rank.calls.stop[-1] -= 50_000
    set_recorded_targets(rank, [early])
    assert rank.calls.target[-1] == NO_STREAM, "it returned before: that was not what it was for"


def make_group_ranks(*ranks: list[tuple[int, int]], sizes: tuple[int, ...]) -> LaunchGraph:
    """Ranks with collectives, by group and number; each of 20 µs, one µs later by rank."""
    made = []
    for place, keys in enumerate(ranks):
        rank = make_graph([(1, 1, 20, 0)] * len(keys), steps=2).ranks[0]
        own = rank.operations
        own.start = [start + place * 1000 for start in own.start]
        for number in range(len(own.start)):
            group, sequence = keys[number % len(keys)]
            own.collective[number] = group
            if sequence >= 0:
                rank.sequence[number] = sequence + len(keys) * (number // len(keys))
        made.append(rank)
    classes = dict.fromkeys(range(9), "collective")
    groups = {number: RankGroup(size) for number, size in enumerate(sizes)}
    return LaunchGraph(made, classes, frozenset(), {}, steps=2, groups=groups)


def find_fault(graph: LaunchGraph, ranks: int) -> str:
    find_meetings(graph)
    return judge_graph(graph, [], ranks, 0.0).reason


def test_ranks_meet_in_their_groups_however_many_collectives_others_have() -> None:
    """Ranks 0 and 1 meet in two groups, and rank 2 with 1 in a third: by order none would pair."""
    keys = [(0, -1), (1, -1)], [(0, -1), (2, -1), (1, -1)], [(2, -1)]
    graph = make_group_ranks(*keys, sizes=(2, 2, 2))
    assert find_fault(graph, 3) == ""
    assert [rank.operations.collective for rank in graph.ranks] == [
        [0, 1, 0, 1], [0, 2, 1, 0, 2, 1], [2, 2]
    ]  # fmt: skip
    assert graph.ranks[0].operations.duration[0] == 19_000, "from the begin of rank 1"


def test_collectives_meet_by_number_where_a_rank_saw_one_more() -> None:
    """Of rank 0 the first collective was not recorded, of rank 1 the last one."""
    graph = make_group_ranks([(0, 1), (0, 2)], [(0, 0), (0, 1)], sizes=(2,))
    bare = graph.copy()
    find_meetings(graph)
    met = [rank.operations.collective for rank in graph.ranks]
    assert met == [[0, 0, 0, -1], [-1, 0, 0, 0]]
    for rank in bare.ranks:
        rank.sequence = {}
    find_meetings(bare)
    assert bare.ranks[0].operations.collective == [0] * 4, "the n-th with the n-th"


def test_numbers_that_ranks_see_in_another_order_tell_nothing() -> None:
    graph = make_group_ranks([(0, 1), (0, 2)], [(0, 2), (0, 1)], sizes=(2,))
    find_meetings(graph)
    assert graph.ranks[0].operations.collective == [0] * 4


def test_a_group_of_one_rank_waits_for_nobody() -> None:
    assert find_fault(make_group_ranks([(0, 0)], [(1, 0)], sizes=(1, 1)), 2) == ""


def take_batches(waits: list[int]) -> list[tuple[int, int]]:
    """When batches are taken: 10 µs each and so much more, 100 µs after each other [µs]."""
    taken, now = [], 0
    for wait in waits:
        taken.append((now, now + 10_000 + wait * 1000))
        now = taken[-1][1] + 100_000
    return taken


def test_workers_decide_where_a_program_waits_for_them_throughout() -> None:
    """Of four workers each fourth batch is late, once what they made ahead is taken."""
    ahead, late = [500, *[0] * 8], [0, 0, 0, 240] * 8
    found = find_batches(take_batches([*ahead, *late]))
    assert (found.least, found.apart) == (10_000, 170_000)
    assert found.since == take_batches([*ahead, *late[:4]])[-1][1]
    for odd in ([0] * 40, [*ahead, *late[:8]], [*late, *[0] * 20, *late], []):
        assert find_batches(take_batches(odd)).apart == 0
    rare = [0, 0, 0, 0, 0, 0, 0, 0, 0, 240] * 6
    assert find_batches(take_batches(rare)).apart == 0, "a batch of ten is late"


@pytest.mark.parametrize(
    ("name", "precision"),
    [
        ("sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64", "fp16"),
        ("nvjet_sm90_tst_256x128_64x4_1x2_h_bz_coopA_NNT", "fp16"),
        ("nvjet_sm90_sss_128x128_NN", "tf32"),
        ("cutlass_80_tensorop_s1688gemm_256x64_16x4_nn_align4", "tf32"),
        ("sm80_xmma_wgrad_implicit_gemm_indexed_tf32f32_tf32f32_f32_nhwckrsc", "tf32"),
        ("sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize128x128x8_ffma", "fp32"),
        ("volta_sgemm_64x64_nt", "fp32"),
        ("Cijk_Alik_Bljk_B_BS_BH_Bias_HA_S_SAV_UserArgs_MT16x16x128", "fp16"),
        ("Cijk_Ailk_Bljk_HHS_BH_MT128x128x16", "fp16"),
        ("Cijk_Ailk_Bljk_SB_MT128x128x16", "fp32"),
        ("cutlass3x_sm90_tensorop_gemm_e4m3_e4m3_f32_f32_bf16", "fp8"),
        ("volta_dgemm_64x64_nn", "fp64"),
        ("mystery_gemm", ""),
    ],
)
def test_names_of_products_tell_their_precision(name: str, precision: str) -> None:
    assert find_precision(name) == precision


def make_device_graph() -> LaunchGraph:
    """On an H100: a product, a kernel that moves data, and a copy from the host [µs]."""
    graph = make_graph([(1, 1, 100, 0), (1, 1, 100, 0), (1, 1, 100, 0)])
    graph.device = "h100-sxm5"
    graph.classes = {0: "product", 1: "element-wise", 2: "copy H2D"}
    graph.names = {0: "volta_sgemm_64x64_nt", 1: "add", 2: ""}
    own = graph.ranks[0].operations
    for number, work in enumerate(own.work):
        if work == 2:
            own.engine[number], own.kind[number] = 0, "copy H2D"
    return graph


def test_another_device_is_a_model_of_its_nominal_rates() -> None:
    """From an H100 to an MI300X, whose FP32 is 163.4 against 66.9 TFLOP/s, memory 5.3 to 3.35."""
    graph = make_device_graph()
    change = find_change("another-device=mi300x")
    assert apply_change(graph, change) == 12
    own = graph.ranks[0].operations
    assert own.duration[:3] == [round(1e5 * 66.9 / 163.4), round(1e5 * 3.35 / 5.3), 100_000]
    run = ReplayedRun(make_device_graph())
    known = StepReplay(
        reason="", unexplained=0.0, recorded=run.recorded.step, plain=None, host=1.0,
        unchanged=run.unchanged.step, iterations=run.recorded.steps,
    )  # fmt: skip
    told = describe_savings(known, run, [change])
    assert "a model" in told.title
    assert any("model of nominal rates" in line for line in told.assumptions)


def test_another_device_is_not_told_where_it_would_say_nothing_true() -> None:
    """Without a device, of a run whose own is not known, of an unknown peak, and by the host."""
    graph = make_device_graph()
    other = find_change("another-device=mi300x")
    asked = [(graph, find_change("another-device"))]
    host = make_graph([(50, 50, 1, 0)] * 4)
    host.device = "h100-sxm5"
    asked += [(make_graph([(1, 1, 100, 0)]), other), (host, other)]
    peak = make_device_graph()
    peak.names = {**peak.names, 0: "gemm_e4m3"}
    asked.append((peak, find_change("another-device=a100-40gb")))
    told = [explain_nothing(*each) for each in asked]
    for words, found in zip(
        ("name the device", "own device is not known", "the host decides", "at fp8 is not known"),
        told,
        strict=True,
    ):
        assert words in found
    assert [apply_change(*each) for each in asked] == [0] * 4
    with pytest.raises(UsageError, match="did you mean h200-sxm"):
        find_change("another-device=h200-sxn")


def test_iterations_are_from_first_operation_to_first_operation() -> None:
    graph = make_graph([(10, 5, 1, 0)] * 2, steps=5)
    (one,) = replay_graph(graph)
    assert list_step_times(graph.ranks[0], one.start, one.stop) == [30_000] * 3


def test_each_kind_has_a_change_and_each_change_a_kind() -> None:
    known = load_changes()
    assert {change.kind for change in known.values()} == set(KINDS)
    answered = [code for change in known.values() for code in change.answers]
    assert len(answered) == len(set(answered))
    assert set(answered) <= set(load_rules())
    for change in known.values():
        assert change.best is None or change.factor is not None


def test_a_file_of_ones_own_is_a_change(tmp_path: Path) -> None:
    own = tmp_path / "mine.toml"
    own.write_text('title = "A"\nkind = "scale kernels"\nfactor = 0.5\nsource = "B"\n', "utf-8")
    assert find_change(str(own)).factor == 0.5
    own.write_text('title = "A"\nkind = "scale kernels"\nfactor = -1\nsource = "B"\n', "utf-8")
    with pytest.raises(ContentError, match="factor"):
        read_change(own)
    own.write_text('title = "A"\nkind = "dream"\nsource = "B"\n', "utf-8")
    with pytest.raises(ContentError, match="no change is of kind 'dream'"):
        apply_change(make_graph([(1, 1, 1, 0)]), find_change(str(own)))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("cuda-graph", "no change is called 'cuda-graph'"),
        ("cuda-graphs=2", "takes no number"),
        ("faster-kernels=x", "no factor"),
        ("faster-kernels=-1", "no factor"),
        ("faster-kernels=nan", "no factor"),
        ("none.toml", "no such file"),
    ],
)
def test_what_is_no_change_is_refused_in_one_line(text: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        find_change(text)


def test_changes_do_the_same_in_whatever_order_they_are_named() -> None:
    """Fused kernels are no nodes of a graph: neither launched nor apart from the next one."""
    rows = [(10, 5, 1, 0)] * 8
    graph = make_graph(rows)
    names = ("cuda-graphs", "fused-chains")
    graph.classes = dict.fromkeys(range(len(rows)), "element-wise")
    assert save(graph, *names) == save(graph, *reversed(names))
    changed = graph.copy()
    apply_changes(changed, [find_change(name) for name in names])
    calls = changed.ranks[0].calls
    assert [own for own, kind in zip(calls.own, calls.kind, strict=True) if kind == GRAPH] == [
        1_000
    ] * 4


def test_input_that_is_loaded_between_launches_stays_where_a_graph_is_captured() -> None:
    graph = make_graph([(10, 5, 1, 0)] * 12, steps=4)
    calls = graph.ranks[0].calls
    for place in range(6, len(calls.gap), 12):
        calls.loading[place] = calls.gap[place]
    apply_changes(graph, [find_change("cuda-graphs")])
    assert calls.kind.count(GRAPH) == 8
    assert all(gap >= loading for gap, loading in zip(calls.gap, calls.loading, strict=True))


def test_merged_copies_do_not_return_as_pinned_ones() -> None:
    graph = make_graph([(1, 8, 2, 0)] * 3 + [(1, 1, 1, 0)])
    own = graph.ranks[0].operations
    for number, work in enumerate(own.work):
        if work < 3:
            own.engine[number], own.kind[number], own.size[number] = 0, "copy H2D", 64
    both = apply_changes(graph, [find_change("pinned-copies"), find_change("merged-copies")])
    assert both == 3 * 4 + 4
    assert graph.ranks[0].calls.own[1:3] == [0, 0]


def test_a_pinned_copy_begins_as_a_launched_kernel_does_and_not_as_one_of_a_graph() -> None:
    graph = make_graph([(1, 8, 2, 0), (1, 1, 1, 0), (1, 1, 1, 0), (1, 1, 1, 0)])
    rank = graph.ranks[0]
    for number, work in enumerate(rank.operations.work):
        if work == 0:
            rank.operations.engine[number], rank.operations.kind[number] = 0, "copy H2D"
        elif work > 1:
            rank.calls.kind[number], rank.operations.delay[number] = GRAPH, 200_000
    apply_changes(graph, [find_change("pinned-copies")])
    assert rank.operations.delay[0] == 0


def test_what_takes_a_share_of_every_iteration_has_no_error() -> None:
    before = ReplayedTime(2e-6, 0.0, (1000, 2000, 3000))
    assert compute_paired_error(before, ReplayedTime(1e-6, 0.0, (500, 1000, 1500))) == 0.0
    other = compute_paired_error(before, ReplayedTime(1e-6, 0.0, (1000, 1000, 1000)))
    assert other == pytest.approx(500 / 3**0.5 / 2000)


def test_each_end_of_a_range_has_an_error_of_its_own() -> None:
    """At worst kernels take 1,000 times as long: that tells nothing of the best."""
    graph = make_graph([(10, 5, 1, 0)] * 4, steps=8)
    own = graph.ranks[0].operations
    own.duration = [length + number * 10 for number, length in enumerate(own.duration)]
    change = Change(title="A", kind="scale kernels", source="B", factor=1e3, best=1.0, name="wide")
    run = ReplayedRun(graph)
    saving = run.compute_saving([change])
    assert saving.low_error > 0.1 > saving.high_error
    known = StepReplay(
        reason="", unexplained=0.0, recorded=run.recorded.step, plain=1.0, host=1.0,
        unchanged=run.unchanged.step, iterations=run.recorded.steps,
    )  # fmt: skip
    why = describe_savings(known, run, [], StraggledRun(reason="clocks differ")).answer
    assert why == "Who holds up the others is not replayed: clocks differ."
    told = describe_savings(known, run, [change])
    *_, step, saved = told.figures
    assert None not in (step.low, step.high, saved.low, saved.high)
    assert step.low == pytest.approx(known.unchanged * (1.0 - (saved.high or 0.0)))
    assert step.high == pytest.approx(known.unchanged * (1.0 - (saved.low or 0.0)))
    assert any("no less time" in line for line in told.assumptions)


def test_a_resource_after_changes_is_told_as_a_share_of_what_they_leave() -> None:
    run = ReplayedRun(make_graph([(1, 1, 20, 0)] * 8))
    now, after = [
        next(one for one in find_resources(run, changes) if one.title == "Kernels").after
        for changes in ([], [find_change("faster-kernels=0.5")])
    ]
    assert now == pytest.approx(0.1, abs=0.01)
    assert after == pytest.approx(0.1, abs=0.01)


def test_another_factor_is_told_in_place_of_the_usual_one() -> None:
    assert find_change("faster-kernels=0.7").title == "faster-kernels=0.7"


def test_recorded_ends_of_collectives_are_kept_where_ranks_meet() -> None:
    ranks = [make_graph([(1, 1, 20, 0)], steps=1).ranks[0] for _ in range(2)]
    ranks[1].operations.start[0] += 15_000
    ranks[1].operations.duration[0] -= 15_000
    graph = LaunchGraph(ranks, {0: "collective"}, frozenset(), {}, steps=1)
    for rank in ranks:
        rank.operations.collective = [0]
    find_meetings(graph)
    assert ReplayedRun(graph).recorded.step == pytest.approx(20e-6)
    assert list_ends(graph)[0] == list_ends(graph)[1]


def _make_ranks(orders: list[list[int]]) -> LaunchGraph:
    """Ranks of which each has collectives of these groups alone, of 10 µs."""
    ranks = []
    for order in orders:
        (rank,) = make_graph([(1, 1, 10, 0)] * len(order), steps=1).ranks
        rank.operations.collective = list(order)
        ranks.append(rank)
    return LaunchGraph(ranks, dict.fromkeys(range(9), "collective"), frozenset(), {}, steps=1)


def test_ranks_meet_in_their_groups_alone() -> None:
    """Two pairs: who waits for a late rank is the one of its group."""
    graph = _make_ranks([[1], [1], [2], [2]])
    graph.groups = {1: RankGroup(2), 2: RankGroup(2)}
    graph.ranks[1].calls.start[0] += 49_000
    for rank in graph.ranks:
        rank.operations.start[0] = START + 2_000
    graph.ranks[1].operations.start[0] = START + 51_000
    graph.ranks[0].operations.duration[0] = 59_000
    find_meetings(graph)
    assert [rank.operations.duration[0] for rank in graph.ranks] == [10_000] * 4
    begins = [one.start[0] - START for one in replay_graph(graph)]
    ends = [one.stop[0] - START for one in replay_graph(graph)]
    assert begins[1] - begins[0] == 49_000
    assert ends[0] == ends[1] == begins[1] + 10_000
    assert ends[2] == ends[3] == begins[2] + 10_000


@pytest.mark.parametrize(
    ("orders", "groups", "kept"),
    [
        ([[1, 2], [1, 2]], {1: RankGroup(2), 2: RankGroup(2)}, [[1, 2], [1, 2]]),
        ([[1, 2], [2, 1]], {1: RankGroup(2), 2: RankGroup(2)}, [[-1, -1], [-1, -1]]),
        ([[1], [1], [1]], {1: RankGroup(2)}, [[-1]] * 3),
        ([[1], [1], [1]], {1: RankGroup(4)}, [[-1]] * 3),
        ([[1, 1], [1]], {1: RankGroup(2)}, [[-1, -1], [-1]]),
        ([[1], [1], [1]], {1: RankGroup(3, sends=True)}, [[-1]] * 3),
        ([[1], [1]], {1: RankGroup(2, sends=True)}, [[1], [1]]),
        ([[0], [0]], {}, [[0], [0]]),
        ([[0]], {}, [[-1]]),
    ],
)
def test_where_ranks_cannot_be_told_to_meet_they_do_not(
    orders: list[list[int]], groups: dict[int, RankGroup], kept: list[list[int]]
) -> None:
    """Other orders, more ranks than a group has, or fewer; other numbers, sends among three."""
    graph = _make_ranks(orders)
    graph.groups = groups
    find_meetings(graph)
    assert [rank.operations.collective for rank in graph.ranks] == kept


@pytest.mark.parametrize(("ranks", "kept"), [(0, 0), (3, 0), (4, -1)])
def test_ranks_do_not_meet_where_one_of_the_run_was_not_recorded(ranks: int, kept: int) -> None:
    """All three may wait for the fourth one: what that takes is no transfer."""
    graph = _make_ranks([[0]] * 3)
    find_meetings(graph, ranks)
    assert [rank.operations.collective for rank in graph.ranks] == [[kept]] * 3


# Replay by equations: a second implementation, for comparison alone. Every moment is the largest of
# what it waits for; all are computed again from the definitions until none changes.


@dataclass
class Moments:
    """Of a rank: when the host reaches and leaves each call, and operations begin and end."""

    rank: RankGraph
    reached: list[int] = field(init=False)
    taken: list[int] = field(init=False)
    left: list[int] = field(init=False)
    begin: list[int] = field(init=False)
    end: list[int] = field(init=False)

    def __post_init__(self) -> None:
        calls, operations = len(self.rank.calls.kind), len(self.rank.operations.start)
        self.reached, self.taken, self.left = [0] * calls, [0] * calls, [0] * calls
        self.begin, self.end = [0] * operations, [0] * operations


def replay_by_equations(graph: LaunchGraph) -> list[list[int]]:
    """Begins of operations by rank [ns]."""
    return [one.begin for one in solve_equations(graph)]


def solve_equations(graph: LaunchGraph) -> list[Moments]:
    """All moments by rank."""
    every = [Moments(rank) for rank in graph.ranks]
    for _ in range(10_000):
        before = repr([(one.reached, one.left, one.begin, one.end) for one in every])
        for one in every:
            _set_hosts(one)
            _set_begins(one)
        _set_ends(every)
        if before == repr([(one.reached, one.left, one.begin, one.end) for one in every]):
            return every
    raise AssertionError("the equations have no solution")


def _set_hosts(one: Moments) -> None:
    calls = one.rank.calls
    for place, kind in enumerate(calls.kind):
        origin = calls.start[0] - calls.gap[0]
        free = one.left[place - 1] if place else origin
        one.reached[place] = free + calls.gap[place]
        if one.rank.batch and place in calls.takes:
            one.reached[place] = max(one.reached[place], _find_delivery(one, place))
        one.taken[place] = one.reached[place]
        submitted = calls.first[place]
        queue = one.rank.queue
        if kind == LAUNCH and queue and submitted >= queue:
            one.reached[place] = max(one.reached[place], one.begin[submitted - queue])
        leaves = one.reached[place] + calls.own[place]
        if kind == WAIT:
            awaited = _list_awaited(one, calls.target[place], submitted)
            if place in calls.awaited:
                awaited = [one.end[calls.awaited[place]]] * 2
            leaves = max(one.reached[place], *awaited) + calls.own[place]
        if kind == BLOCKING:
            last = calls.first[place] + calls.count[place] - 1
            leaves = max(leaves, one.end[last]) + calls.after[place]
        one.left[place] = leaves


def _find_delivery(one: Moments, place: int) -> int:
    """When the batch that is taken before a call is there: one after the other, two ahead."""
    taken = [each for each in sorted(one.rank.calls.takes) if each < place]
    there = one.taken[taken[0]] if taken else 0
    for each in taken:
        there = max(there, one.taken[each] - 2 * one.rank.batch) + one.rank.batch
    return there


def _list_awaited(one: Moments, target: int, submitted: int) -> list[int]:
    """Ends of what was submitted before, of one stream or all; never later than needed."""
    if target == NO_STREAM:
        return [0, 0]
    streams = range(one.rank.streams) if target == ALL_STREAMS else [target]
    found = [0, 0]
    for stream in streams:
        own = [n for n in range(submitted) if one.rank.operations.stream[n] == stream]
        found.append(one.end[own[-1]] if own else one.rank.backlog.get(stream, 0))
    return found


def _set_begins(one: Moments) -> None:
    calls, own = one.rank.calls, one.rank.operations
    for number, place in enumerate(own.call):
        launch = max(n for n in range(place + 1) if calls.kind[n] not in (INSIDE, WAIT))
        ready = one.reached[launch]
        if calls.kind[launch] == LAUNCH:
            ready += calls.own[launch]
        inside = calls.kind[place] == INSIDE
        reasons = [ready if inside else ready + own.delay[number]]
        node_gap = one.rank.node_gap if own.duration[number] else 0
        gap = node_gap if inside else own.gap[number]
        earlier = [n for n in range(number) if own.stream[n] == own.stream[number]]
        if earlier:
            reasons.append(one.end[earlier[-1]] + gap)
        elif own.stream[number] in one.rank.backlog:
            reasons.append(one.rank.backlog[own.stream[number]] + gap)
        same = [n for n in range(number) if own.engine[n] == own.engine[number] >= 0]
        reasons += [one.end[same[-1]]] if same else []
        reasons += [one.end[cause] for cause in own.waits_for.get(number, ())]
        one.begin[number] = max(reasons)


def _set_ends(every: list[Moments]) -> None:
    for one in every:
        for number, length in enumerate(one.rank.operations.duration):
            group = one.rank.operations.collective[number]
            place = _list_met(one, group).index(number) if group >= 0 else 0
            begins = [
                other.begin[_list_met(other, group)[place]]
                for other in every
                if group >= 0 and _list_met(other, group)
            ]
            one.end[number] = max([one.begin[number], *begins]) + length


def _list_met(one: Moments, group: int) -> list[int]:
    """Operations of a rank in which a group meets."""
    return [n for n, met in enumerate(one.rank.operations.collective) if met == group]
