"""Random pairs of scenarios with one planted change each, and the cause that it is.

In:  a seed and the number of a pair. Out: entries before and after, and causes that are right.

Four pairs have one scenario before: a sample whose kernels, links, host and ranks are drawn. Half
of the changes are undone: what was planted is there before, and gone after. A cause is right where
its kind, name and effect are those of the change; of a change of the host's work, its activity.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from perfolio.simulation.scenario_parser import merge_entries, read_entries
from tests.kit.samples import PROFILES

Entries = dict[str, Any]
FORMS = ("Kineto", "HPCToolkit")
PER_BASE = 4
KINDS: Mapping[str, Sequence[str]] = {
    "transformer": (
        "kernel", "launch", "loader", "graph", "fusion", "sync", "allocator", "copy",
    ),
    "transformer-fused": (
        "precision", "batch", "clock", "launch", "kernel", "fusion", "sync", "graph",
    ),
    "dlrm-h100-workers": (
        "loader", "pinning", "copy", "batch", "link", "allocator", "kernel", "clock",
    ),
    "dlrm-h100-pinned": (
        "loader", "pinning", "graph", "launch", "copy", "allocator", "clock", "fusion",
    ),
    "eight-ranks": (
        "straggler", "collective", "loader", "precision", "straggler", "collective", "batch",
        "sync",
    ),
}  # fmt: skip
"""Changes of each sample: two scenarios before have all of them."""
_ITERATIONS = {
    "transformer": (10, 60),
    "transformer-fused": (12, 60),
    "dlrm-h100-workers": (20, 150),
    "dlrm-h100-pinned": (20, 400),
    "eight-ranks": (12, 80),
}
"""As events, and as samples of the host, which need more to tell what it does."""
_PERIOD = {"measurement": {"cpu_period": "1 ms"}}
_TO_US = {"ns": 1e-3, "us": 1.0, "ms": 1e3}
RightCause = tuple[str, str, str]
"""Kind, name and effect: each a regular expression; @NAME is a kernel of that name."""


@dataclass(frozen=True)
class PlantedPair:
    """Scenarios before and after, and what is right to be named first."""

    number: int
    sample: str
    kind: str
    form: str
    what: str
    """The change in words."""
    before: Entries
    after: Entries
    causes: Sequence[RightCause]
    is_undone: bool
    """Whether the planted change is in `before`."""


@dataclass(frozen=True)
class _Change:
    """A drawn change."""

    entries: Entries
    causes: Sequence[RightCause]
    what: str


def draw_pair(seed: int, number: int) -> PlantedPair:
    """The pair of a number, always the same for a seed."""
    base, place = divmod(number, PER_BASE)
    rest, sample_place = divmod(base, len(KINDS))
    sample = list(KINDS)[sample_place]
    cycle, form = divmod(rest, len(FORMS))
    kind = KINDS[sample][(cycle % 2) * PER_BASE + place]
    entries = _draw_base(np.random.default_rng([seed, base]), sample)
    entries["iterations"] = _ITERATIONS[sample][form]
    if FORMS[form] == "HPCToolkit":
        entries = merge_entries(entries, _PERIOD)
    change = _DRAWS[kind](np.random.default_rng([seed, number, 1]), copy.deepcopy(entries))
    undone = bool((seed + number + cycle + cycle // 2) % 2)
    sides = (change.entries, entries) if undone else (entries, change.entries)
    return PlantedPair(
        number, sample, kind, FORMS[form], change.what, *sides, change.causes, undone
    )


def _draw_base(random: np.random.Generator, sample: str) -> Entries:
    """A sample whose kernels, links, host and ranks differ from what they are there."""
    entries = copy.deepcopy(read_entries(PROFILES / sample / "scenario.toml"))
    for kernel in entries["kernels"].values():
        kernel["factor"] = round(float(random.lognormal(0.0, 0.2)), 4)
    link, host = float(random.lognormal(0.0, 0.2)), float(np.exp(random.uniform(-0.5, 0.5)))
    for direction in entries.get("link", {}).values():
        for name in ("pageable", "pinned"):
            if name in direction:
                direction[name] = _scale_amount(direction[name], link)
    dispatch = entries.get("host", {}).get("dispatch", "10 us ± 20 %")
    entries = merge_entries(entries, {"host": {"dispatch": _scale_amount(dispatch, host)}})
    if "ranks" in entries:
        count = int(random.integers(3, 9))
        slow = {str(random.integers(count)): round(float(random.uniform(1.0, 1.2)), 3)}
        entries["ranks"] |= {"count": count, "kernels": slow, "host": {}}
    return entries


def _scale_amount(amount: str, factor: float) -> str:
    return re.sub(r"^[\d.]+", lambda found: f"{float(found[0]) * factor:.6g}", amount)


def _list_steps(entries: Entries) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """Steps of an iteration: phase, place in it, and step."""
    for phase in dict.fromkeys(entries["iteration"]):
        for place, step in enumerate(entries["phases"][phase]["steps"]):
            yield phase, place, step


def _list_kernels(entries: Entries) -> list[tuple[str, int, dict[str, Any]]]:
    return [one for one in _list_steps(entries) if "kernel" in one[2]]


def _measure_step(entries: Entries, phase: str, step: Mapping[str, Any]) -> float:
    """Time of a step's kernels in an iteration [us]."""
    kernel = entries["kernels"][step["kernel"]]
    number, unit = str(step.get("time", kernel["time"])).split()[:2]
    often = int(step.get("repeat", 1) * entries["iteration"].count(phase))
    return float(number) * _TO_US[unit] * float(kernel.get("factor", 1)) * often


def _name_kernel(entries: Entries, kernel: str) -> str:
    return f"@{entries['kernels'][kernel]['name']}"


def _choose_factor(random: np.random.Generator, low: float, high: float) -> float:
    return round(float(np.exp(random.uniform(np.log(low), np.log(high)))), 3)


def _draw_kernel(random: np.random.Generator, entries: Entries) -> _Change:
    steps = _list_kernels(entries)
    weights = np.array([_measure_step(entries, phase, step) for phase, _, step in steps])
    chosen = steps[random.choice(len(steps), p=weights / weights.sum())][2]["kernel"]
    factor = _choose_factor(random, 1.1, 2.5)
    entries["kernels"][chosen]["factor"] *= factor
    right = ("kernel", _name_kernel(entries, chosen), "duration")
    return _Change(entries, [right], f"{chosen} takes {factor} times as long")


def _draw_launch(random: np.random.Generator, entries: Entries) -> _Change:
    phase, _, step = (steps := _list_kernels(entries))[random.integers(len(steps))]
    more = int(random.integers(1, 7))
    step["repeat"] = step.get("repeat", 1) + more
    right = ("kernel", _name_kernel(entries, step["kernel"]), "calls")
    return _Change(entries, [right], f"{more} more {step['kernel']} in {phase}")


def _draw_fusion(random: np.random.Generator, entries: Entries) -> _Change:
    steps = _list_kernels(entries)
    pairs = [
        (one, two) for one, two in pairwise(steps) if one[0] == two[0] and two[1] == one[1] + 1
    ]
    (phase, place, one), (_, _, two) = pairs[random.integers(len(pairs))]
    names = [one["kernel"], two["kernel"]]
    often = entries["iteration"].count(phase)
    time = sum(_measure_step(entries, phase, step) for step in (one, two)) / often
    left = float(random.uniform(0.3, 0.8))
    called = f"fused_{names[0]}_{names[1]}_kernel"
    entries["kernels"]["fused"] = {"name": called, "time": f"{time * left:.5g} us ± 2 %"}
    replaced = {"kernel": "fused"} | {key: one[key] for key in ("path", "stream") if key in one}
    entries["phases"][phase]["steps"][place : place + 2] = [replaced]
    right = [("kernel", _name_kernel(entries, name), "") for name in (*names, "fused")]
    return _Change(entries, right, f"{' and '.join(names)} in {phase} as one, of {left:.2f}")


def _draw_precision(random: np.random.Generator, entries: Entries) -> _Change:
    factor, right = _choose_factor(random, 0.45, 0.85), []
    for name, kernel in entries["kernels"].items():
        if re.search("gemm", kernel["name"]):
            right.append(("kernel", _name_kernel(entries, name), "duration|not alike"))
            kernel["factor"] *= factor
            kernel["name"] = re.sub("bf16", "fp8", kernel["name"])
            right.append(("kernel", _name_kernel(entries, name), "duration|not alike"))
    return _Change(entries, right, f"products of fp8 take {factor} as long")


def _draw_batch(random: np.random.Generator, entries: Entries) -> _Change:
    factor, right = _choose_factor(random, 1.2, 3.0), [("copy", "copy H2D", "duration")]
    for name in entries["kernels"]:
        grown = round(factor ** float(random.uniform(0.5, 1.0)), 4)
        entries["kernels"][name]["factor"] *= grown
        right.append(("kernel", _name_kernel(entries, name), "duration|not alike"))
    for _, _, step in _list_steps(entries):
        if step.get("copy") == "h2d":
            step["size"] = _scale_amount(step["size"], factor)
    return _Change(entries, right, f"batches of {factor} times the size")


def _draw_loader(random: np.random.Generator, entries: Entries) -> _Change:
    factor = _choose_factor(random, 1.3, 8.0)
    right = [("idle", "loads input|waits for input", "time")]
    if "loader" in entries:
        entries["loader"]["time"] = _scale_amount(entries["loader"]["time"], factor)
    for step in entries["phases"]["data"]["steps"]:
        if "cpu" in step:
            step["cpu"] = _scale_amount(step["cpu"], factor)
    return _Change(entries, right, f"loading takes {factor} times as long")


def _draw_pinning(_: np.random.Generator, entries: Entries) -> _Change:
    steps = [step for _, _, step in _list_steps(entries) if step.get("copy") == "h2d"]
    memory = "pageable" if steps[0].get("memory") == "pinned" else "pinned"
    for step in steps:
        step["memory"] = memory
    right = [("copy", "copy H2D", "duration"), ("idle", "starts copies", "time")]
    return _Change(entries, right, f"batches in {memory} memory")


def _draw_copy(random: np.random.Generator, entries: Entries) -> _Change:
    size, direction = _choose_factor(random, 0.05, 16.0), random.choice(["h2d", "d2h", "d2d"])
    phase = "to_device" if "to_device" in entries["phases"] else "data"
    entries["phases"][phase]["steps"].append({"copy": str(direction), "size": f"{size} MiB"})
    right = ("copy", f"copy {direction.upper()}", "calls|not alike")
    return _Change(entries, [right], f"one more copy {direction} of {size} MiB in {phase}")


def _draw_link(random: np.random.Generator, entries: Entries) -> _Change:
    factor = _choose_factor(random, 0.3, 0.8)
    link = entries.setdefault("link", {}).setdefault("h2d", {})
    for name, usual in (("pageable", "6 GB/s"), ("pinned", "50 GB/s")):
        link[name] = _scale_amount(link.get(name, usual), factor)
    return _Change(entries, [("copy", "copy H2D", "duration")], f"a link of {factor} the rate")


def _draw_straggler(random: np.random.Generator, entries: Entries) -> _Change:
    ranks, factor = entries["ranks"], _choose_factor(random, 1.08, 1.8)
    rank = str(random.integers(ranks["count"]))
    ranks["kernels"] = {rank: factor * ranks["kernels"].get(rank, 1.0)} | {
        other: held for other, held in ranks["kernels"].items() if other != rank
    }
    # Where another rank was the last one before, it is waited for less, as it is for this more.
    right = [("collective wait", f"rank {one}$", "time") for one in ranks["kernels"]]
    what = f"rank {rank} of {ranks['count']} is slower by {factor}"
    return _Change(entries, right, what)


def _draw_collective(random: np.random.Generator, entries: Entries) -> _Change:
    factor = _choose_factor(random, 0.3, 0.8)
    entries["ranks"]["rate"] = _scale_amount(entries["ranks"]["rate"], factor)
    return _Change(entries, [("collective", "", "duration")], f"collectives of {factor} the rate")


def _draw_clock(random: np.random.Generator, entries: Entries) -> _Change:
    factor = _choose_factor(random, 1.04, 1.4)
    for kernel in entries["kernels"].values():
        kernel["factor"] *= factor
    return _Change(entries, [("clock", "", "duration")], f"all kernels take {factor} as long")


def _draw_sync(random: np.random.Generator, entries: Entries) -> _Change:
    phase, place, _ = (steps := _list_kernels(entries))[random.integers(len(steps))]
    entries["phases"][phase]["steps"].insert(place + 1, {"wait": "main"})
    return _Change(entries, [("idle", "^(?!loads)", "")], f"waits in {phase} at {place + 1}")


def _draw_allocator(random: np.random.Generator, entries: Entries) -> _Change:
    phase, place, _ = (steps := _list_kernels(entries))[random.integers(len(steps))]
    time = _choose_factor(random, 30, 600)
    entries["paths"]["allocate"] = ["@ train.py:1", "cudaMalloc [libcudart.so.12]"]
    step = {"cpu": f"{time} us", "path": "allocate"}
    entries["phases"][phase]["steps"].insert(place, step)
    right = [("idle", "allocates", "time")]
    return _Change(entries, right, f"allocates for {time} us in {phase} at {place}")


def _draw_graph(random: np.random.Generator, entries: Entries) -> _Change:
    phases = [
        phase
        for phase in dict.fromkeys(entries["iteration"])
        if all("kernel" in step for step in entries["phases"][phase]["steps"])
    ]
    chosen = [phase for phase in phases if random.random() < 0.7] or phases[:1]
    for phase in chosen:
        entries["phases"][phase]["graph"] = True
    return _Change(entries, [("idle", "^(?!loads)", "")], f"graphs of {', '.join(chosen)}")


_DRAWS: Mapping[str, Callable[[np.random.Generator, Entries], _Change]] = {
    "kernel": _draw_kernel,
    "launch": _draw_launch,
    "fusion": _draw_fusion,
    "precision": _draw_precision,
    "batch": _draw_batch,
    "loader": _draw_loader,
    "pinning": _draw_pinning,
    "copy": _draw_copy,
    "link": _draw_link,
    "straggler": _draw_straggler,
    "collective": _draw_collective,
    "clock": _draw_clock,
    "sync": _draw_sync,
    "allocator": _draw_allocator,
    "graph": _draw_graph,
}
