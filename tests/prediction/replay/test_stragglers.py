"""Who holds up a run: planted causes, a second implementation, and jobs that were published."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median

import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import to_builtins
from msgspec.json import encode

from perfolio.findings.document import load_schema
from perfolio.findings.model.step_replay import StraggledRun
from perfolio.pages.report_rendering import render_report
from perfolio.pipeline.step_replays import RunReplays
from perfolio.prediction.graph_work import (
    HOST,
    TRANSFER,
    GraphWork,
    find_run_stragglers,
    find_stages,
    read_graph_work,
)
from perfolio.prediction.replay.graph_extraction import QUERIES, extract_graph
from perfolio.prediction.replay.graph_replay import replay_graph
from perfolio.prediction.replay.launch_graph import LaunchGraph, RankGroup
from perfolio.prediction.straggler_blame import (
    Floats,
    RankWork,
    WorkReplays,
    even_among_stages,
    even_among_workers,
    even_within_workers,
    find_stragglers,
    make_ideal,
    mend_worker,
)
from perfolio.simulation.engine import simulate
from perfolio.simulation.event_export import make_events
from perfolio.simulation.scenario_parser import merge_entries, parse_scenario
from perfolio.store.database import open_store
from perfolio.store.run_tables import make_run_tables
from perfolio.writers.events import kineto_json
from tests.kit.shared import recorded
from tests.pages.reading import seen, sentences, without_folded
from tests.pages.support import charts, documents, rendered
from tests.prediction.replay.published_jobs import read_job
from tests.prediction.replay.simulated_pairs import (
    Entries,
    Subject,
    load_scenarios,
    store_to_replay,
)
from tests.prediction.replay.test_replay import make_graph

MICROSECOND = 1_000
START = 1_000_000_000
CLOSE = 0.001
"""By how much a slow-down may differ from the published one [ratio]."""
PUBLISHED = {"SE": ("steps", None), "ST": ("stages", None), "AR": ("ranks", 0)}
"""Long sequences, an uneven partition, and one rank that was slowed: what their authors say."""


def make_runs(times: Sequence[Sequence[Sequence[int]]], transfers: Sequence[int]) -> LaunchGraph:
    """Ranks that run kernels, one after the other, and then meet; times by rank and iteration."""
    steps, kernels = len(transfers), len(times[0][0])
    ranks = []
    for number, own in enumerate(times):
        graph = make_graph([(0, 1, 1, 0)] * (kernels + 1), steps=steps)
        (rank,) = graph.ranks
        rank.number = number
        for step in range(steps):
            place = step * (kernels + 1)
            rank.operations.duration[place : place + kernels] = own[step]
            rank.operations.duration[place + kernels] = transfers[step]
            rank.operations.collective[place + kernels] = 0
        ranks.append(rank)
    works = dict.fromkeys(range(kernels), "product") | {kernels: "collective"}
    return LaunchGraph(ranks, works, frozenset(), {w: f"k{w}" for w in works}, steps=steps)


@dataclass
class SimpleRuns:
    """The same as arithmetic: an iteration takes its slowest rank, and the transfer."""

    times: Sequence[Sequence[Sequence[float]]]
    transfers: Sequence[float]

    def measure(self) -> float:
        """Mean time of the iterations that count: neither the first nor the last one."""
        return mean(
            max(sum(rank[step]) for rank in self.times) + self.transfers[step]
            for step in range(1, len(self.transfers) - 1)
        )

    def average(self, kernel: int, ranks: Sequence[int]) -> float:
        """Of a kernel, over some ranks and the iterations that count.

        The first kernel of the last iteration does not count: what follows its begin is no part.
        """
        steps = range(1, len(self.transfers) - 1)
        return mean(self.times[rank][step][kernel] for rank in ranks for step in steps)

    def change(self, to: Mapping[int, Sequence[int]], *, transfers: bool) -> SimpleRuns:
        """Some ranks take the mean of some others, and transfers their median."""
        steps = len(self.transfers)
        kernels = range(len(self.times[0][0]))
        usual = median(self.transfers[1:-1])
        return SimpleRuns(
            [
                [[self.average(each, to[rank]) for each in kernels]] * steps if rank in to else own
                for rank, own in enumerate(self.times)
            ],
            [usual] * steps if transfers else self.transfers,
        )

    def scale_ranks(self) -> SimpleRuns:
        """Each kernel of each rank by a factor that makes its mean that of all ranks."""
        ranks, kernels = range(len(self.times)), range(len(self.times[0][0]))
        return SimpleRuns(
            [
                [
                    [
                        step[each] * self.average(each, ranks) / self.average(each, [rank])
                        for each in kernels
                    ]
                    for step in self.times[rank]
                ]
                for rank in ranks
            ],
            self.transfers,
        )


@st.composite
def draw_runs(draw: st.DrawFn) -> SimpleRuns:
    """Two to four ranks, one to three kernels, five to seven iterations; no time below 20 µs."""
    ranks, kernels, steps = (
        draw(st.integers(2, 4)),
        draw(st.integers(1, 3)),
        draw(st.integers(5, 7)),
    )
    time = st.integers(20, 400).map(lambda each: each * MICROSECOND)
    rank = st.lists(
        st.lists(time, min_size=kernels, max_size=kernels), min_size=steps, max_size=steps
    )
    times = draw(st.lists(rank, min_size=ranks, max_size=ranks))
    return SimpleRuns(times, draw(st.lists(time, min_size=steps, max_size=steps)))


@settings(max_examples=60, deadline=None)
@given(draw_runs())
def test_slowdowns_are_what_arithmetic_says(runs: SimpleRuns) -> None:
    found = read_graph_work(make_runs(runs.times, runs.transfers))  # type: ignore[arg-type]
    assert isinstance(found, GraphWork)
    replays = WorkReplays(found.work, found.replay)
    ranks = list(range(len(runs.times)))
    before = runs.measure()
    ideal = runs.change(dict.fromkeys(ranks, ranks), transfers=True).measure()
    assert float(np.mean(replays.measured)) == pytest.approx(before, abs=2)
    assert float(np.mean(replays.best)) == pytest.approx(ideal, abs=2)
    within = runs.change({rank: [rank] for rank in ranks}, transfers=False).measure()
    told = replays.replay(even_within_workers(found.work))
    assert float(np.mean(told)) == pytest.approx(within, abs=2)
    told = replays.replay(even_among_workers(found.work))
    assert float(np.mean(told)) == pytest.approx(runs.scale_ranks().measure(), abs=2)
    for rank in ranks:
        one = runs.change({rank: ranks}, transfers=False).measure()
        told = replays.replay(mend_worker(found.work, rank))
        assert float(np.mean(told)) == pytest.approx(one, abs=2)


def test_what_is_made_alike_keeps_its_sum_and_transfers_take_medians() -> None:
    rng = np.random.default_rng(5)
    number = 600
    worker, is_transfer = rng.integers(0, 6, number), rng.uniform(size=number) < 0.2
    work = RankWork(
        time=rng.uniform(1.0, 9.0, number),
        kind=rng.integers(0, 5, number) + 5 * is_transfer,
        worker=worker,
        stage=worker // 3,
        category=np.zeros(number, np.int64),
        is_transfer=is_transfer,
        is_host=np.zeros(number, np.bool_),
    )
    kept: dict[Callable[[RankWork], Floats], Callable[[int, int], object]] = {
        make_ideal: lambda kind, _: kind,
        even_among_stages: lambda kind, _: kind,
        even_among_workers: lambda kind, rank: (kind, rank // 3),
        even_within_workers: lambda kind, rank: (kind, rank),
    }
    for change, group in kept.items():
        before, after = Counter[object](), Counter[object]()
        for place in np.flatnonzero(~is_transfer):
            key = group(int(work.kind[place]), int(worker[place]))
            before[key] += work.time[place]
            after[key] += change(work)[place]
        assert after == pytest.approx(before)
    for place in np.flatnonzero(is_transfer):
        alike = work.time[work.kind == work.kind[place]].tolist()
        assert make_ideal(work)[place] == pytest.approx(median(alike))
        assert even_within_workers(work)[place] == work.time[place]


def _draw_times(factor: Sequence[Sequence[float]], seed: int = 3) -> list[list[list[int]]]:
    """Kernels of 100 µs ± 1 %, by rank and iteration times a factor."""
    rng = np.random.default_rng(seed)
    return [
        [(each * 100_000 * rng.normal(1.0, 0.01, 4)).astype(int).tolist() for each in rank]
        for rank in factor
    ]


def _blame(
    factor: Sequence[Sequence[float]], transfers: Sequence[int] | None = None
) -> StraggledRun:
    steps = len(factor[0])
    found = read_graph_work(make_runs(_draw_times(factor), transfers or [30_000] * steps))
    assert isinstance(found, GraphWork)
    return find_stragglers(found.work, found.replay, found.numbers, found.titles, 8)


def test_one_slow_rank_is_named_and_its_gpu_is_to_blame() -> None:
    found = _blame([[1.3 if rank == 2 else 1.0] * 8 for rank in range(4)])
    assert (found.cause, found.rank, found.on_host) == ("ranks", 2, False)
    assert found.advice.startswith(
        "Look at the kernels and GPU of rank 2: as fast as the mean, they save 1"
    )
    assert found.slowdown == pytest.approx((4 * 130 + 30) / (4 * 107.5 + 30), abs=0.01)
    assert found.ranks[0].title == "Rank 2"


def test_nothing_is_told_of_ranks_that_take_longer_if_they_are_alike() -> None:
    """As where a rank's clock is slow: most transfers seem long, which cannot be."""
    transfers = [30_000 if step in (2, 3) else 400_000 for step in range(8)]
    found = _blame([[1.3 if rank == 2 else 1.0] * 8 for rank in range(4)], transfers)
    assert "would take longer" in found.reason
    assert (found.advice, found.rank, found.slowdown) == ("", None, None)


def test_two_slow_ranks_are_none_to_be_named() -> None:
    found = _blame([[1.3 if rank in (1, 2) else 1.0] * 8 for rank in range(4)])
    assert (found.cause, found.rank) == ("ranks", None)
    assert found.advice.startswith("Divide the work anew")


def test_long_sequences_are_nobodys_fault() -> None:
    """Each rank has long iterations now and then, no rank more of them than another one."""
    rng = np.random.default_rng(11)
    found = _blame(rng.choice([1.0, 2.0], (6, 30), p=[0.8, 0.2]).tolist())
    assert (found.cause, found.rank) == ("steps", None)
    assert found.advice.startswith("Give iterations alike work")


def test_one_rank_that_is_slow_now_and_then_is_named() -> None:
    slow = [2.0 if step % 4 == 2 else 1.0 for step in range(16)]
    found = _blame([slow if rank == 1 else [1.0] * 16 for rank in range(4)])
    assert found.rank == 1


@pytest.mark.parametrize(("ranks", "iterations"), [(2, 4), (2, 10), (4, 4), (8, 6)])
def test_no_rank_is_named_for_what_is_chance(ranks: int, iterations: int) -> None:
    """Ranks and iterations differ by 10 %, and no rank more than another one."""
    rng = np.random.default_rng(7)
    found = [_blame(rng.lognormal(0.0, 0.1, (ranks, iterations)).tolist()) for _ in range(20)]
    assert sum(each.rank is not None for each in found) <= 2
    several = [each for each in found if "several ranks" in each.advice]
    assert len(several) <= 2
    thin = [each.advice for each in found if each.causes and not each.cause]
    assert all(each.startswith(f"Record more iterations: in {iterations - 2}") for each in thin)


def test_a_slow_rank_is_told_from_chance_even_in_two_iterations() -> None:
    assert _blame([[1.3 if rank == 2 else 1.0] * 4 for rank in range(4)]).rank == 2
    assert _blame([[1.3 if rank == 1 else 1.0] * 5 for rank in range(2)]).rank == 1


def test_transfers_that_differ_are_no_ranks_fault() -> None:
    transfers = [300_000 if step % 5 == 1 else 30_000 for step in range(20)]
    found = _blame([[1.0] * 20 for _ in range(4)], transfers)
    assert (found.cause, found.rank) == ("transfers", None)
    assert next(part.title for part in found.kinds) == TRANSFER


def test_ranks_that_are_alike_are_left_as_they_are() -> None:
    found = _blame([[1.0] * 12 for _ in range(4)])
    assert (found.cause, found.rank, found.causes) == ("", None, ())
    assert found.advice.startswith("Leave the ranks as they are")


def test_an_uneven_partition_is_not_the_fault_of_the_rank_that_holds_it() -> None:
    """Two stages of two ranks, of which one stage has half as much again to do."""
    steps, ranks = 6, 4
    worker = np.tile(np.arange(ranks), steps)
    work = RankWork(
        time=np.where(worker >= 2, 15.0, 10.0),
        kind=np.zeros(len(worker), np.int64),
        worker=worker,
        stage=worker // 2,
        category=np.zeros(len(worker), np.int64),
        is_transfer=np.zeros(len(worker), np.bool_),
        is_host=np.zeros(len(worker), np.bool_),
    )
    found = find_stragglers(
        work, lambda times: times.reshape(steps, ranks).max(axis=1).tolist(), range(4), ["k"], 4
    )
    assert (found.cause, found.rank, found.stages) == ("stages", None, 2)
    assert found.slowdown == pytest.approx(1.2)
    assert (
        found.advice == "Divide the layers anew: stages take differently long, which costs "
        "16.7 % of an iteration."
    )


def test_a_rank_is_held_against_its_stage_where_other_stages_work_more() -> None:
    """Of few ranks that are tried, those of one stage may be one: its peers are, too."""
    ranks, steps = 8, 8
    worker = np.repeat(np.arange(ranks), steps)
    stage = worker % 4
    noise = np.random.default_rng(1).normal(1.0, 0.01, ranks * steps)
    time = noise * np.where(worker == 0, 3.0, 1.0) * np.where(stage == 3, 1.5, 1.0)
    plain = np.zeros(len(worker), np.bool_)
    work = RankWork(time, stage, worker, stage, plain.astype(np.int64), plain, plain)

    def replay(times: Floats) -> list[float]:
        return [float(each) for each in times.reshape(ranks, steps).max(axis=0)]

    found = find_stragglers(work, replay, range(ranks), ["kernels"], 2)
    assert (found.cause, found.rank) == ("ranks", 0)


def test_what_cannot_be_held_against_others_has_one_line_why() -> None:
    times = _draw_times([[1.0] * 6] * 2)
    assert "one rank" in str(read_graph_work(make_runs(times[:1], [1] * 6)))
    assert "fewer than 4" in str(read_graph_work(make_runs([each[:3] for each in times], [1] * 3)))
    apart = make_runs(times, [1] * 6)
    for rank in apart.ranks:
        rank.operations.collective = [-1] * len(rank.operations.collective)
    assert "meet in no collective" in str(read_graph_work(apart))
    pairs = make_runs(_draw_times([[1.0] * 6] * 4), [1] * 6)
    for rank in pairs.ranks:
        group = 1 + rank.number // 2
        own = rank.operations
        own.collective = [group if one >= 0 else one for one in own.collective]
    assert "not all of its ranks meet" in str(read_graph_work(pairs))
    pairs.ranks[2].operations.collective[3] = pairs.ranks[0].operations.collective[3] = 3
    assert isinstance(read_graph_work(pairs), GraphWork)
    other = make_runs(times, [1] * 6)
    other.names |= {10 + work: f"other {work}" for work in range(4)}
    other.ranks[1].operations.work = [
        work + 10 if work < 4 else work for work in other.ranks[1].operations.work
    ]
    assert "only 0% of the GPUs' computing" in str(read_graph_work(other))


NOBODY: Entries = {
    "ranks": {
        "kernels": {str(rank): 1.0 for rank in range(8)},
        "host": {str(rank): 1.0 for rank in range(8)},
    }
}
SLOW_HOST: Entries = {"ranks": {"host": {"3": 1.6}}, "host": {"dispatch": "300 us ± 1 %"}}
"""Launches that hardly vary: what varies is made alike, too, and is no part of the even run."""


@pytest.mark.parametrize(
    ("name", "mutation", "even", "named", "on_host"),
    [
        ("gpu", {}, {"ranks": {"kernels": {str(r): 1.0225 for r in range(8)}}}, 5, False),
        ("host", SLOW_HOST, {"ranks": {"host": {str(r): 1.075 for r in range(8)}}}, 3, True),
        ("nobody", {}, {}, None, False),
    ],
)
def test_a_planted_rank_is_named_and_costs_what_the_even_run_says(
    name: str, mutation: Entries, even: Entries, named: int | None, on_host: bool, tmp_path: Path
) -> None:
    """Truth: the scenario simulated with all ranks at the mean of the planted factors."""
    entries = load_scenarios()["eight-ranks"]
    base = entries if name == "gpu" else merge_entries(entries, NOBODY)
    subject = Subject(name, merge_entries(base, mutation), tmp_path)
    found = read_graph_work(subject.graph)
    assert isinstance(found, GraphWork)
    told = find_stragglers(found.work, found.replay, found.numbers, found.titles, 8)
    assert (told.rank, told.on_host) == (named, on_host)
    true = subject.measure_truth(subject.entries) / subject.measure_truth(
        merge_entries(subject.entries, even)
    )
    assert told.slowdown == pytest.approx(true, abs=0.02)
    if on_host:
        assert told.kinds[0].title == HOST
    with open_store(tmp_path / f"{name}.duckdb") as connection:
        replays = RunReplays(connection, 1, None, lambda _: nullcontext())
        assert replays.find_stragglers(8) == find_run_stragglers(*replays.opened or (None, None))
        assert replays.find_stragglers(1) is None


def _name_groups(folder: Path, groups: Mapping[int, Sequence[str | int]]) -> None:
    """Let collectives of each rank say what they do, in which group, and how many it has."""
    keys = ("Collective name", "Process Group Name", "Group size")
    for rank, told in groups.items():
        path = folder / f"trace_rank{rank}.json"
        trace = json.loads(path.read_text("utf-8"))
        for event in trace["traceEvents"]:
            if event.get("cat") == "kernel" and "nccl" in event["name"]:
                event["args"] |= dict(zip(keys, told, strict=True))
        path.write_text(json.dumps(trace), "utf-8")


@pytest.mark.parametrize(
    ("groups", "kept", "stages"),
    [
        ({0: "a", 1: "a", 2: "b", 3: "b"}, [1, 1, 2, 2], [0, 0, 0, 0]),
        ({0: "a", 1: "a", 2: "a", 3: "a"}, None, None),
    ],
)
def test_groups_of_ranks_are_those_that_the_trace_names(
    groups: dict[int, str], kept: list[int] | None, stages: list[int] | None, tmp_path: Path
) -> None:
    """Two ranks each; four ranks that say they are a group of two do not meet."""
    entries = {**load_scenarios()["four-main"], "iterations": 6, "seed": 1}
    scenario = parse_scenario(entries)
    trace = kineto_json.write(make_events(scenario, simulate(scenario)), tmp_path / "run")
    _name_groups(trace, {rank: ("allreduce", name, 2) for rank, name in groups.items()})
    store_to_replay([trace], tmp_path / "run.duckdb")
    with (
        open_store(tmp_path / "run.duckdb") as connection,
        make_run_tables(connection, 1, QUERIES) as tables,
    ):
        extracted = extract_graph(tables)
    assert extracted is not None
    graph, judged = extracted
    if kept is None or stages is None:
        assert "numbers or orders differ" in judged.reason
        return
    met = [max(rank.operations.collective) for rank in graph.ranks]
    assert (met, find_stages(graph)) == (kept, stages)
    assert [rank.number for rank in graph.ranks] == [0, 1, 2, 3]


def test_ranks_that_send_to_each_other_are_stages() -> None:
    """Ranks 0 and 1 reduce together, 2 and 3 do; 0 sends to 2, 1 to 3, and all meet once."""
    graph = make_runs(_draw_times([[1.0] * 4] * 4), [1] * 4)
    pairs = {0: [1, 3, 0], 1: [1, 4, 0], 2: [2, 3, 0], 3: [2, 4, 0]}
    for rank in graph.ranks:
        rank.operations.collective[:3] = pairs[rank.number]
    graph.groups = {number: RankGroup(2, sends=number > 2) for number in (1, 2, 3, 4)}
    assert find_stages(graph) == [0, 0, 1, 1]
    graph.groups = {}
    assert find_stages(graph) == [0, 0, 0, 0]


@pytest.mark.real
@pytest.mark.parametrize("name", PUBLISHED)
def test_slowdowns_are_those_that_were_published(name: str) -> None:
    folder = recorded("inputs/stragglers")
    job = read_job(folder / f"trace-{name}.parquet")
    published = json.loads((folder / f"result-{name}.json").read_text("utf-8"))
    work, titles = job.make_work()
    replays = WorkReplays(work, job.replay)
    assert replays.slowdown == pytest.approx(published["blocking_slowdown"], rel=CLOSE)
    parts = {
        "optype": {title: work.category == place for place, title in enumerate(titles)},
        "stage": {str(stage): work.stage == stage for stage in range(job.stages)},
        "dp_rank": {
            str(group): work.worker // job.stages == group
            for group in np.unique(work.worker // job.stages)
        },
    }
    for kind, each in parts.items():
        known = published[f"blocking_decompose_by_{kind}"]
        assert set(known) == set(each)
        for key, kept in each.items():
            assert replays.compute_slowdown(replays.replay_kept(kept)) == pytest.approx(
                known[key], rel=CLOSE
            ), key
    ranks = range(int(work.worker.max()) + 1)
    found = find_stragglers(work, job.replay, ranks, titles, 4)
    assert (found.cause, found.rank) == PUBLISHED[name]


@pytest.mark.parametrize(
    ("found", "says", "hides"),
    [
        (
            _blame([[1.3 if rank == 2 else 1.0] * 8 for rank in range(4)]),
            "GPU of rank 2",
            "No rank",
        ),
        (_blame([[1.3 if r in (1, 2) else 1.0] * 8 for r in range(4)]), "No rank alone", "GPU of"),
        (_blame([[1.0] * 8 for _ in range(4)]), "Leave the ranks as they are", "Recovers of"),
        (StraggledRun(reason="clocks differ"), "is not replayed: clocks differ.", "Recovers of"),
        (None, "How evenly the work is spread", "holds up the others"),
    ],
)
def test_the_page_says_what_to_do_or_why_it_cannot(
    found: StraggledRun | None, says: str, hides: str
) -> None:
    metrics, findings = documents()
    findings["stragglers"] = to_builtins(found)
    page = without_folded(str(render_report(metrics, findings, charts())["balance.md"]))
    text = rendered(page).text
    assert says in text
    assert hides not in text
    told = [each for each in sentences(seen(rendered(page).html)) if "iteration" in each]
    assert [each for each in told if len(each.split()) > 24] == []


def test_the_page_tells_a_saving_of_the_roadmap_from_its_own() -> None:
    """Both are of one action: to the mean here, which the slow rank raises, and to the median."""
    metrics, findings = documents()
    found = _blame([[1.3 if rank == 2 else 1.0] * 8 for rank in range(4)])
    share = {"low": 0.152, "high": 0.152}
    step = {"codes": ["D5"], "alone": share, "together": share, "added": 0.152, "error": 0.0}
    step |= {"is_nothing": False, "change": "equal-ranks", "title": "Alike"}
    findings["stragglers"] = to_builtins(found)
    findings["replay"] = {
        "reason": "", "plain": 0.01, "host": 0.5, "recorded": 0.012, "steps": [step],
        "resources": [], "iterations": 6, "is_recording": False, "unexplained": 0.0,
    }  # fmt: skip
    text = rendered(str(render_report(metrics, findings, charts())["balance.md"])).text
    assert "as fast as the median one, iteration by iteration: that saves 15.2" in text
    assert "the profiler's cost is taken off" in text


def test_the_document_with_stragglers_is_as_its_schema_says() -> None:
    schema = load_schema()
    part = {**schema["$defs"]["stragglers"], "$defs": schema["$defs"]}
    for factor in (1.3, 1.0):
        found = _blame([[factor if rank == 2 else 1.0] * 8 for rank in range(4)])
        jsonschema.validate(json.loads(encode(found)), part)
    jsonschema.validate(json.loads(encode(StraggledRun(reason="clocks differ"))), part)


@pytest.mark.real
@pytest.mark.parametrize("name", PUBLISHED)
def test_the_replay_of_ranks_gives_the_published_slowdown(name: str) -> None:
    """The same jobs as launch graphs: streams, waits, and groups of ranks that meet."""
    folder = recorded("inputs/stragglers")
    job = read_job(folder / f"trace-{name}.parquet")
    published = json.loads((folder / f"result-{name}.json").read_text("utf-8"))
    work, _ = job.make_work()
    means = []
    for times in (work.time, make_ideal(work)):
        told = [
            max(max(rank.stop) for rank in replay_graph(graph)) - START
            for graph in job.make_graphs(times)
        ]
        assert [each * 1e-9 for each in told] == pytest.approx(job.replay(times), abs=1e-6)
        means.append(mean(told))
    assert means[0] / means[1] == pytest.approx(published["blocking_slowdown"], rel=CLOSE)
