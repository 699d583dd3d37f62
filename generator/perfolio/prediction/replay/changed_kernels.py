"""Changes to kernels: other times, several in one, and those of another device.

In:  a graph that may be changed, and a `Change`. Out: how many kernels it touched.

Another device is a model of nominal rates. A kernel of a product takes the ratio of peaks at its
precision, which names tell, and any other one that of memory bandwidths. Where the host decides
nothing is told: another device has another host.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from perfolio.prediction.device_peaks import DevicePeaks, load_devices
from perfolio.prediction.replay.change_file import Change
from perfolio.prediction.replay.graph_replay import list_step_times, replay_graph
from perfolio.prediction.replay.launch_graph import LAUNCH, LaunchGraph, RankGraph

KERNEL = "kernel"
_COMPUTES = ("product", "attention")
"""Classes of kernels whose time the peak decides."""
_PRECISIONS = (
    ("fp8", r"e4m3|e5m2|fp8|f8f8|nvjet_sm\d+_(?:qq|oo)"),
    ("tf32", r"tf32|nvjet_sm\d+_s"),
    ("fp16", r"bf16|f16|half|h884|s884|h1688|h16816|hgemm|hmma|nvjet_sm\d+_[ht]|_[bh]_?[bh]s?_"),
    ("fp16", r"flash|attn_fwd|attn_bwd"),
    ("fp64", r"dgemm|d884|f64|double"),
    ("tf32", r"s1688|s16816|tensorop_s"),
    ("fp32", r"sgemm|ffma|simt|scudnn|float|f32|_sb?_"),
)
"""Precisions by what is in names of kernels, in lower case; the first one that fits."""
_LESS, _DECIDES = 0.9, 0.2
"""The host decides where 10 % less of all operations saves less than a fifth of that."""


def scale_kernels(graph: LaunchGraph, change: Change) -> int:
    """Kernels of some classes, or all but collectives, take a factor of their time."""
    factor, touched = _get_factor(change), 0
    fitting = {
        work for work, name in graph.names.items() if change.precision in ("", find_precision(name))
    }
    for rank in graph.ranks:
        own = rank.operations
        for number, kind in enumerate(own.kind):
            group = graph.classes.get(own.work[number], "")
            wanted = group in change.classes if change.classes else group != "collective"
            wanted = wanted and (not change.precision or own.work[number] in fitting)
            if kind == KERNEL and wanted and own.step[number] >= 0:
                own.duration[number] = round(own.duration[number] * factor)
                touched += 1
    return touched


def fuse_chains(graph: LaunchGraph, change: Change) -> int:
    """Kernels that move data and follow each other become one.

    At worst a chain of k kernels of a time T in all takes T (k + 1) / 2k: a value that is written
    and read again is saved at each of its joins. At best only the longest one is left. The factor
    goes from one (1) to the other (0).
    """
    share, touched = _get_factor(change), 0
    for rank in graph.ranks:
        for chain in _find_chains(graph, rank, change.classes):
            times = [rank.operations.duration[rank.calls.first[place]] for place in chain]
            number, whole = len(times), sum(times)
            worst = whole * (number + 1) / (2 * number)
            best = max(times)
            _keep_first(rank, chain, round(best + share * max(0.0, worst - best)))
            touched += number
    return touched


def fuse_updates(graph: LaunchGraph, change: Change) -> int:
    """Kernels of each step of the optimizer become one that takes a factor of their time."""
    factor, touched = _get_factor(change), 0
    for rank in graph.ranks:
        own, calls = rank.operations, rank.calls
        for chain in _find_updates(rank):
            whole = sum(own.duration[calls.first[place]] for place in chain)
            _keep_first(rank, chain, round(whole * factor))
            touched += len(chain)
    return touched


def drop_call(rank: RankGraph, place: int) -> None:
    """Let a call with its operations take no time; the host's work before it goes, too."""
    calls, own = rank.calls, rank.operations
    calls.gap[place] = calls.own[place] = calls.after[place] = calls.loading[place] = 0
    first = calls.first[place]
    for number in range(first, first + calls.count[place]):
        own.duration[number] = own.gap[number] = own.delay[number] = 0


def is_dropped(rank: RankGraph, place: int) -> bool:
    """Whether a call and its operations take no time: see `drop_call`."""
    calls, own = rank.calls, rank.operations
    first = calls.first[place]
    return not (
        calls.gap[place]
        or calls.own[place]
        or calls.after[place]
        or any(own.duration[first : first + calls.count[place]])
    )


def _keep_first(rank: RankGraph, chain: Sequence[int], length: int) -> None:
    rank.operations.duration[rank.calls.first[chain[0]]] = length
    for place in chain[1:]:
        drop_call(rank, place)


def _get_factor(change: Change) -> float:
    return 1.0 if change.factor is None else change.factor


def _find_chains(
    graph: LaunchGraph, rank: RankGraph, classes: Collection[str]
) -> Iterator[list[int]]:
    """Launches of kernels of some classes, two or more in a row of one stream and iteration."""
    own, calls = rank.operations, rank.calls
    chain: list[int] = []
    for place, count in enumerate(calls.count):
        number = calls.first[place]
        fits = (
            count == 1
            and own.kind[number] == KERNEL
            and graph.classes.get(own.work[number]) in classes
            and calls.kind[place] == LAUNCH
            and calls.step[place] >= 0
            and not calls.updates[place]
        )
        joins = (
            fits
            and chain
            and (
                calls.step[chain[-1]] == calls.step[place]
                and own.stream[calls.first[chain[-1]]] == own.stream[number]
                and not calls.loading[place]
            )
        )
        if not joins:
            if len(chain) > 1:
                yield chain
            chain = []
        if fits:
            chain.append(place)
    if len(chain) > 1:
        yield chain


def _find_updates(rank: RankGraph) -> Iterator[list[int]]:
    """Launches of single kernels within steps of the optimizer, by iteration."""
    own, calls = rank.operations, rank.calls
    found: dict[int, list[int]] = {}
    for place, updates in enumerate(calls.updates):
        alone = updates and calls.count[place] == 1 and calls.kind[place] == LAUNCH
        if alone and own.kind[calls.first[place]] == KERNEL and calls.step[place] >= 0:
            found.setdefault(calls.step[place], []).append(place)
    yield from (chain for chain in found.values() if len(chain) > 1)


@dataclass(frozen=True)
class _DeviceRatios:
    """By what times are multiplied."""

    own: DevicePeaks
    other: DevicePeaks

    def of_peak(self, precision: str) -> float | None:
        """Of a product; of one whose precision is not told, the least good. None: not known."""
        both = [
            self.own.peaks[each] / self.other.peaks[each]
            for each in ([precision] if precision else ("fp16", "fp32"))
            if self.own.peaks[each] and self.other.peaks[each]
        ]
        return max(both, default=None)

    @property
    def of_memory(self) -> float:
        """Of what moves data on the device."""
        return self.own.bandwidth / self.other.bandwidth

    @property
    def of_link(self) -> float:
        """Of copies between host and device; 1 where a link is not known."""
        both = self.own.link and self.other.link
        return self.own.link / self.other.link if both else 1.0


def move_device(graph: LaunchGraph, change: Change) -> int:
    """Give operations the times that nominal rates of another device would have."""
    if explain_device(graph, change):
        return 0
    ratios = _DeviceRatios(load_devices()[graph.device], load_devices()[change.device])
    find = _make_finder(graph, ratios)
    touched = 0
    for rank in graph.ranks:
        own = rank.operations
        for number, work in enumerate(own.work):
            ratio = find(work, own.kind[number], own.engine[number])
            if ratio is not None and own.step[number] >= 0:
                own.duration[number] = round(own.duration[number] * ratio)
                touched += 1
    return touched


def explain_device(graph: LaunchGraph, change: Change) -> str:
    """Why nothing is told of another device; empty where something is."""
    known = load_devices()
    if change.device not in known:
        return "name the device: another-device=h200-sxm"
    if graph.device not in known:
        return "the run's own device is not known: name it as hardware in profile.toml"
    ratios = _DeviceRatios(known[graph.device], known[change.device])
    for precision in sorted(_list_precisions(graph)):
        if ratios.of_peak(precision) is None:
            return f"the peak of {graph.device} or {change.device} at {precision} is not known"
    return "the host decides, and another device has another host" if _is_host_bound(graph) else ""


def find_precision(name: str) -> str:
    """The precision in which a kernel multiplies, by its name; empty where that does not tell."""
    text = name.lower()
    return next((found for found, words in _PRECISIONS if re.search(words, text)), "")


def _list_precisions(graph: LaunchGraph) -> set[str]:
    used = {work for rank in graph.ranks for work in rank.operations.work}
    return {
        find_precision(graph.names.get(work, ""))
        for work in used
        if graph.classes.get(work) in _COMPUTES
    }


def _make_finder(
    graph: LaunchGraph, ratios: _DeviceRatios
) -> Callable[[int, str, int], float | None]:
    """The ratio of an operation by its work, kind and engine; None of what stays as it is."""
    products = {
        work: ratios.of_peak(find_precision(graph.names.get(work, "")))
        for work, group in graph.classes.items()
        if group in _COMPUTES
    }
    collectives = {work for work, group in graph.classes.items() if group == "collective"}

    def find(work: int, kind: str, engine: int) -> float | None:
        if work in collectives:
            return None
        if engine in (0, 1):
            return ratios.of_link
        return products[work] if kind == "kernel" and work in products else ratios.of_memory

    return find


def _is_host_bound(graph: LaunchGraph) -> bool:
    before = _measure_time(graph)
    less = graph.copy()
    for rank in less.ranks:
        rank.operations.duration = [round(_LESS * each) for each in rank.operations.duration]
    return before - _measure_time(less) < _DECIDES * (1.0 - _LESS) * before


def _measure_time(graph: LaunchGraph) -> float:
    first = replay_graph(graph)[0]
    times = list_step_times(graph.ranks[0], first.start, first.stop)
    return sum(times) / max(1, len(times))
