"""Replays against simulated truth, all pairs: `python -m tests.bench whatif`.

Prints each pair that is off by more than 3 % of an iteration, the worst of each kind, and how many
are within 1, 3 and 5 %. What is told as the least is off by what it says too much, and is printed.
See `tests.prediction.replay.simulated_pairs`. Then what a replay of a large step costs, 8 ranks of
20,000 operations, with each of three changes.
"""

from __future__ import annotations

import tempfile
import time
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from statistics import median

import click

from perfolio.prediction.replay.change_file import find_change
from perfolio.prediction.replay.change_kinds import apply_changes
from perfolio.prediction.replay.graph_replay import replay_graph
from perfolio.prediction.replay.launch_graph import (
    LAUNCH,
    NO_COLLECTIVE,
    NO_STREAM,
    HostCalls,
    LaunchGraph,
    QueuedOperations,
    RankGraph,
)
from tests.prediction.replay.simulated_pairs import measure_pairs

_CLOSE = 0.03
_RANKS, _OPERATIONS, _APART, _TIMES = 8, 20_000, 500, 5
_CHANGES = ("faster-kernels=0.5", "cuda-graphs", "equal-ranks")
_MOST = 0.2
"""What a step of that size may take [CPU-s]."""


def main() -> None:
    """Measure all pairs, and print how far replays are off; then what a large replay costs."""
    _measure_pairs()
    measure_cost()


def measure_cost() -> None:
    """Print processor time of one large step: a copy of the graph, a change in it, its replay."""
    graph = make_large_graph()
    click.echo(f"{_RANKS} ranks of {_OPERATIONS:,} operations:")
    for name in _CHANGES:
        change, spent = find_change(name), []
        for _ in range(_TIMES):
            moments = [time.process_time()]
            copied = graph.copy()
            touched = apply_changes(copied, [change])
            moments.append(time.process_time())
            replay_graph(copied)
            moments.append(time.process_time())
            spent.append([end - begin for begin, end in pairwise(moments)])
        made, replayed = (median(each) for each in zip(*spent, strict=True))
        whole = made + replayed
        click.echo(
            f"{name:24} {touched:,} changed in {made:.3f} CPU-s, replayed in {replayed:.3f}: "
            f"{whole:.3f}, {'within' if whole <= _MOST else 'above'} {_MOST}"
        )


def make_large_graph() -> LaunchGraph:
    """Ranks that launch kernels on one stream, copies on another, and meet in collectives."""
    ranks = []
    for rank in range(_RANKS):
        calls, own = HostCalls(), QueuedOperations()
        for number in range(_OPERATIONS):
            meets = number % _APART == _APART - 1
            copies = number % 50 == 7
            calls.start.append(number * 6_000)
            calls.stop.append(number * 6_000 + 4_000)
            calls.gap.append(2_000)
            calls.own.append(4_000)
            calls.after.append(0)
            calls.kind.append(LAUNCH)
            calls.target.append(NO_STREAM)
            calls.step.append(0)
            calls.first.append(number)
            calls.count.append(1)
            calls.name.append("cudaLaunchKernel")
            calls.thread.append(1)
            calls.loading.append(0)
            calls.updates.append(False)
            own.start.append(number * 6_000 + 5_000)
            own.duration.append(3_000 + (number * 7 + rank) % 5_000)
            own.stream.append(1 if meets or copies else 0)
            own.engine.append(0 if copies else -1)
            own.kind.append("copy H2D" if copies else "kernel")
            own.work.append(number % 40)
            own.size.append(0)
            own.step.append(0)
            own.call.append(number)
            own.delay.append(1_000)
            own.gap.append(500)
            own.collective.append(number // _APART if meets else NO_COLLECTIVE)
            if meets:
                own.waits_for[number] = (number - 1,)
        ranks.append(RankGraph(calls, own, streams=2))
    return LaunchGraph(ranks, dict.fromkeys(range(40), "product"), frozenset(), {}, steps=1)


def _measure_pairs() -> None:
    begin = time.process_time()
    kinds: dict[str, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        for pair, saved, true in measure_pairs(Path(folder)):
            off = (1.0 - saved) / (1.0 - true) - 1.0
            if pair.is_least and off > 0.0:
                click.echo(f"at least {saved:.2%}: {pair.kind}, {pair.scenario}: true {true:.2%}")
                off = 0.0
            kinds[pair.kind].append(abs(off))
            if abs(off) > _CLOSE:
                click.echo(
                    f"off {off:+.2%}: {pair.kind}, {pair.scenario}: {saved:.2%}, true {true:.2%}"
                )
    every = [off for each in kinds.values() for off in each]
    for kind, each in sorted(kinds.items()):
        click.echo(f"{kind:24} {len(each):3} pairs, worst {max(each):.2%}")
    shares = ", ".join(
        f"{sum(off <= limit for off in every) / len(every):.1%} within {limit:.0%}"
        for limit in (0.01, 0.03, 0.05)
    )
    click.echo(
        f"{len(every)} pairs of {len(kinds)} kinds: {shares}; median {median(every):.2%}; "
        f"{time.process_time() - begin:.0f} CPU-s"
    )


if __name__ == "__main__":
    main()
