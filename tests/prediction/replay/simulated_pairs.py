"""Changes whose truth is known: the scenario is simulated again with the change really made.

In:  the scenarios of `profiles`, variants of them, and changes. Out: a `TruthPair` each.

The simulator has the shape of the replay, streams and a line of control of the host: this tries the
code and the changes, not how far a model is from a machine. For that there are recorded pairs.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from perfolio.pipeline.run_documents import ingest_paths
from perfolio.prediction.replay.change_file import Change, load_changes
from perfolio.prediction.replay.graph_extraction import QUERIES, extract_graph
from perfolio.prediction.replay.launch_graph import LaunchGraph
from perfolio.prediction.replay.savings import ReplayedRun
from perfolio.simulation.engine import simulate
from perfolio.simulation.event_export import make_events
from perfolio.simulation.quantity_parser import parse_size
from perfolio.simulation.scenario_parser import merge_entries, parse_scenario, read_entries
from perfolio.store.database import open_store
from perfolio.store.run_tables import make_run_tables
from perfolio.writers.events import kineto_json
from tests.kit.measurements import derived_for
from tests.kit.shared import ROOT

ITERATIONS, LEAD = 26, 4
"""Iterations, and how many of them are left out of the truth: a replay does not take them either.
"""
WORKERS = (400, 80)
"""The same of scenarios in which workers decide: not until what they made ahead is used up."""
SEEDS = (5, 6)
LINK = 32e9
"""Nominal rate of the link, which these traces do not say [B/s]."""
DATALOADER = "lib/python3.12/site-packages/torch/utils/data/dataloader.py"
TAKE = ["=main", f"__next__ @ {DATALOADER}:708", f"_get_data @ {DATALOADER}:1251"]
COPY = {"copy": "h2d", "size": "64 KiB", "repeat": 2}
Entries = dict[str, Any]

Mutate = Callable[["Subject"], Entries]


def store_to_replay(paths: Sequence[Path], store: Path) -> None:
    """Store a run with what replays read of what a store derives."""
    with derived_for(QUERIES):
        ingest_paths(paths, store)


@dataclass
class Subject:
    """A scenario with its replay, made once."""

    name: str
    entries: Entries
    folder: Path
    truths: dict[str, float] = field(default_factory=dict)

    @cached_property
    def run(self) -> ReplayedRun:
        """The scenario, simulated, written as a trace, stored and extracted."""
        count = count_iterations(self.entries)[0]
        scenario = parse_scenario({**self.entries, "iterations": count, "seed": 1})
        place = self.folder / self.name
        trace = kineto_json.write(make_events(scenario, simulate(scenario)), place)
        store = self.folder / f"{self.name}.duckdb"
        store_to_replay([trace], store)
        with open_store(store) as connection, make_run_tables(connection, 1, QUERIES) as tables:
            found = extract_graph(tables)
        assert found is not None
        graph, judged = found
        assert not judged.reason, (self.name, judged.reason)
        graph.link_rate = graph.link_rate or LINK
        return ReplayedRun(graph)

    @property
    def graph(self) -> LaunchGraph:
        """What is replayed."""
        return self.run.graph

    def measure_truth(self, entries: Entries) -> float:
        """Mean time of an iteration of a scenario with other seeds [ns]."""
        key = repr(entries)
        if key not in self.truths:
            self.truths[key] = float(np.mean([measure_steps(entries, seed) for seed in SEEDS]))
        return self.truths[key]


def count_iterations(entries: Entries) -> tuple[int, int]:
    """Iterations of a scenario, and how many of them lead in."""
    return WORKERS if entries["iterations"] == WORKERS[0] else (ITERATIONS, LEAD)


def measure_steps(entries: Entries, seed: int) -> float:
    """Mean time from first operation to first operation, as the simulator has it [ns]."""
    iterations, lead = count_iterations(entries)
    scenario = parse_scenario({**entries, "iterations": iterations, "seed": seed})
    ran = simulate(scenario).operations
    own = np.flatnonzero((ran.rank == 0) & (ran.iteration >= 0))
    _, first = np.unique(ran.iteration[own], return_index=True)
    begins = ran.start[own[first]]
    return float(begins[-1] - begins[lead]) / (len(begins) - 1 - lead)


@dataclass(frozen=True)
class TruthPair:
    """A change to a scenario, as data and really made."""

    kind: str
    scenario: str
    change: Callable[[Subject], Change | Sequence[Change]]
    mutate: Mutate

    @property
    def is_least(self) -> bool:
        """Whether the saving is told as the least."""
        return self.kind.endswith("loader workers")

    def measure(self, subject: Subject) -> tuple[float, float]:
        """What is saved by the replay, and in truth [ratio]."""
        changes = self.change(subject)
        asked = [changes] if isinstance(changes, Change) else list(changes)
        saving = subject.run.compute_saving(asked)
        before = subject.measure_truth(subject.entries)
        after = subject.measure_truth(self.mutate(subject))
        return (saving.low + saving.high) / 2.0, 1.0 - after / before


def load_scenarios() -> dict[str, Entries]:
    """Scenarios of `profiles`, and variants in which something else decides."""
    names = (
        *("dlrm-h100-pinned", "dlrm-h100-timed", "dlrm-h100-gpu-data", "transformer"),
        *("transformer-fused", "eight-ranks", "amd-mi300x", "dlrm-h100-workers"),
    )
    found = {name: read_entries(ROOT / "profiles" / name / "scenario.toml") for name in names}
    slow = {"host": {"dispatch": "60 us ± 20 %"}}
    ranks = found["eight-ranks"]
    reduced = {
        f"reduce_{number}": {
            "steps": [{"collective": "all_reduce", "size": size, "stream": "main"}]
        }
        for number, size in ((1, "50 MB"), (2, "50 MB"), (3, "120 MB"))
    }
    for time, many in (("14 ms", 4), ("30 ms", 4), ("14 ms", 2), ("60 ms", 8)):
        loader = {"workers": many, "time": f"{time} ± 10 %"}
        found[f"workers-{many}-{time}"] = merge_entries(
            found["dlrm-h100-workers"], {"loader": loader, "iterations": WORKERS[0]}
        )
    found["transformer-workers"] = merge_entries(
        found["transformer"],
        {
            "iterations": WORKERS[0],
            "loader": {"workers": 2, "time": "160 ms ± 20 %", "path": "batch"},
            "paths": {"take": TAKE},
            "phases": {
                "data": {"path": "take", "steps": [{"load": True}, {"cpu": "60 us"}]},
                "move": {"path": "batch", "steps": [COPY]},
            },
            "iteration": [
                part
                for one in found["transformer"]["iteration"]
                for part in ((one, "move") if one == "data" else (one,))
            ],
        },
    )
    found["transformer-host"] = merge_entries(found["transformer"], slow)
    found["transformer-waits"] = add_wait(found["transformer"], "backward")
    found["fused-waits"] = add_wait(found["transformer-fused"], "layer")
    found["pinned-waits"] = add_wait(found["dlrm-h100-pinned"], "loss")
    found["eight-main"] = merge_entries(ranks, {"phases": reduced})
    found["eight-slow-link"] = merge_entries(ranks, {"ranks": {"rate": "25 GB/s"}})
    found["eight-two"] = merge_entries(ranks, {"ranks": {"kernels": {"5": 1.3, "1": 1.15}}})
    found["four-main"] = {
        **copy.deepcopy(found["eight-main"]),
        "ranks": {"count": 4, "latency": "24 us", "rate": "78 GB/s", "kernels": {"3": 1.1}},
    }
    return found


def get_steps(entries: Entries, phase: str) -> list[dict[str, Any]]:
    """The steps of a phase, to be changed."""
    return copy.deepcopy(entries["phases"][phase]["steps"])


def add_wait(entries: Entries, phase: str) -> Entries:
    """A wait of the host at the end of a phase."""
    steps = [*get_steps(entries, phase), {"wait": "main"}]
    return merge_entries(entries, {"phases": {phase: {"steps": steps}}})


def map_steps(
    entries: Entries, change: Callable[[list[dict[str, Any]]], list[dict[str, Any]]]
) -> Entries:
    """Phases of an iteration with other steps."""
    phases = {
        name: {"steps": change(get_steps(entries, name))} for name in set(entries["iteration"])
    }
    return merge_entries(entries, {"phases": phases})


def multiply(text: str, factor: float) -> str:
    """An amount of a scenario, `24 us ± 25 %`, times a factor."""
    return re.sub(r"^[\d.]+", lambda found: f"{float(found[0]) * factor:.6g}", text)


def name(change: str, **entries: Any) -> Callable[[Subject], Change]:
    """A known change, with other entries."""
    return lambda _: msgspec.structs.replace(load_changes()[change], best=None, **entries)


def scale_all(factor: float, classes: tuple[str, ...] = ()) -> Mutate:
    """Kernels of some classes, or all, take a factor of their time."""

    def mutate(subject: Subject) -> Entries:
        graph, entries = subject.graph, subject.entries
        wanted = {
            graph.names[work] for work, group in graph.classes.items()
            if work in graph.names and (not classes or group in classes)
        }  # fmt: skip
        kernels = {
            key: {"factor": factor * float(one.get("factor", 1))}
            for key, one in entries["kernels"].items()
            if any(
                one["name"].startswith(known) or known in one["name"] for known in wanted if known
            )
        }
        return merge_entries(entries, {"kernels": kernels})

    return mutate


def get_launch(entries: Entries) -> str:
    """What a launch takes; 5 µs where a scenario does not say."""
    return str(entries.get("host", {}).get("launch", "5 us"))


def scale_launch(factor: float) -> Mutate:
    return lambda subject: merge_entries(
        subject.entries,
        {
            "host": {
                "launch": multiply(subject.entries.get("host", {}).get("launch", "5 us"), factor)
            }
        },
    )


def scale_host(factor: float) -> Mutate:
    """What the host does for each launch, and its functions, but for loading."""

    def mutate(subject: Subject) -> Entries:
        loads = any(any(rank.calls.loading) for rank in subject.graph.ranks)
        made = map_steps(
            subject.entries,
            lambda steps: [
                {**one, "cpu": multiply(one["cpu"], factor)} if "cpu" in one and not loads else one
                for one in steps
            ],
        )
        dispatch = multiply(subject.entries["host"]["dispatch"], factor)
        return merge_entries(made, {"host": {"dispatch": dispatch}})

    return mutate


def drop_waits(subject: Subject) -> Entries:
    return map_steps(subject.entries, lambda steps: [one for one in steps if "wait" not in one])


def scale_rate(factor: float) -> Mutate:
    return lambda subject: merge_entries(
        subject.entries, {"ranks": {"rate": multiply(subject.entries["ranks"]["rate"], 1 / factor)}}
    )


def equalise(subject: Subject) -> Entries:
    same = {str(rank): 1.0 for rank in range(subject.entries["ranks"]["count"])}
    return merge_entries(subject.entries, {"ranks": {"kernels": same, "host": same}})


def overlap(subject: Subject) -> Entries:
    """Collectives on a stream of their own, for which the optimizer waits."""
    phases: dict[str, Any] = {"join": {"steps": [{"event": "nccl"}]}}
    for number in (1, 2, 3):
        steps = get_steps(subject.entries, f"reduce_{number}")
        moved = [{**one, "stream": "nccl"} for one in steps if "collective" in one]
        phases[f"reduce_{number}"] = {"steps": [{"event": "main", "stream": "nccl"}, *moved]}
    return merge_entries(subject.entries, {"phases": phases})


def scale_link(factor: float) -> Mutate:
    def mutate(subject: Subject) -> Entries:
        link = parse_scenario({**subject.entries, "seed": 1}).links["h2d"]
        rates = {
            kind: f"{getattr(link, kind) / factor / 1e9} GB/s" for kind in ("pageable", "pinned")
        }
        return merge_entries(subject.entries, {"link": {"h2d": rates, "d2h": rates}})

    return mutate


def capture() -> tuple[Callable[[Subject], Change], Mutate]:
    """Phases without copies and waits as a graph each; what a launch costs is the scenario's."""

    def find(subject: Subject) -> list[str]:
        return [
            phase
            for phase in dict.fromkeys(subject.entries["iteration"])
            if all(set(one) & {"kernel"} for one in subject.entries["phases"][phase]["steps"])
            and sum(one.get("repeat", 1) for one in subject.entries["phases"][phase]["steps"]) > 4
        ]

    def change(subject: Subject) -> Change:
        graph = subject.graph.ranks[0]
        known = load_changes()["cuda-graphs"]
        scenario = parse_scenario({**subject.entries, "seed": 1})
        launches = sum(phase in find(subject) for phase in subject.entries["iteration"])
        operations = len(graph.operations.start) / subject.graph.steps
        each = launches * scenario.host.graph_launch.mean / operations * 1e-9
        return msgspec.structs.replace(known, cost=each, gap=scenario.host.graph_gap * 1e-9)

    def mutate(subject: Subject) -> Entries:
        phases = {phase: {"graph": True} for phase in find(subject)}
        return merge_entries(subject.entries, {"phases": phases})

    return change, mutate


def prepare_input(factor: float) -> Mutate:
    """The phase that loads input takes a factor of its time."""

    def change(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [
            {**one, "cpu": multiply(one["cpu"], factor)} if "cpu" in one else one for one in steps
        ]

    return lambda subject: merge_entries(
        subject.entries,
        {"phases": {"data": {"steps": change(get_steps(subject.entries, "data"))}}},
    )


def pin_copies(subject: Subject) -> Entries:
    """Copies to the device come from pinned memory at the rate that the change has."""
    rate = load_changes()["pinned-copies"].rate * subject.graph.link_rate
    made = map_steps(
        subject.entries,
        lambda steps: [
            {**one, "memory": "pinned", "blocking": False} if one.get("copy") == "h2d" else one
            for one in steps
        ],
    )
    return merge_entries(made, {"link": {"h2d": {"pinned": f"{rate / 1e9} GB/s"}}})


def merge_input(phase: str) -> Mutate:
    """All copies of a phase to the device become one."""

    def mutate(subject: Subject) -> Entries:
        steps = get_steps(subject.entries, phase)
        copies = [one for one in steps if one.get("copy") == "h2d"]
        whole = sum(parse_size(one["size"]) * one.get("repeat", 1) for one in copies)
        first = {**copies[0], "size": f"{whole} B", "repeat": 1}
        made = [first, *(one for one in steps if one.get("copy") != "h2d")]
        if steps.index(copies[0]) > 0:
            place = steps.index(copies[0])
            made = [*steps[:place], first, *(one for one in steps[place:] if one not in copies)]
        return merge_entries(subject.entries, {"phases": {phase: {"steps": made}}})

    return mutate


def chain(*changes: Mutate) -> Mutate:
    """One after the other."""

    def mutate(subject: Subject) -> Entries:
        made = replace(subject)
        made.__dict__["run"] = subject.run
        for change in changes:
            made.entries = change(made)
        return made.entries

    return mutate


def several(*changes: Callable[[Subject], Change]) -> Callable[[Subject], Sequence[Change]]:
    """Changes that are made together."""
    return lambda subject: [change(subject) for change in changes]


def add_workers(factor: float) -> Mutate:
    """So many times more workers."""
    return lambda subject: merge_entries(
        subject.entries,
        {"loader": {"workers": round(subject.entries["loader"]["workers"] / factor)}},
    )


SCENARIOS: Mapping[str, tuple[str, ...]] = {
    "kernels": (
        *("transformer", "transformer-fused", "dlrm-h100-pinned", "dlrm-h100-gpu-data"),
        *("amd-mi300x", "eight-ranks", "transformer-host", "dlrm-h100-timed"),
    ),
    "launches": (
        *("transformer", "dlrm-h100-pinned", "dlrm-h100-gpu-data"),
        *("transformer-host", "transformer-fused", "amd-mi300x"),
    ),
    "host": ("transformer-host", "transformer-fused", "amd-mi300x", "transformer"),
    "network": ("eight-ranks", "eight-slow-link", "eight-main", "four-main"),
    "link": ("dlrm-h100-pinned", "eight-ranks", "amd-mi300x", "transformer", "dlrm-h100-timed"),
}
Made = tuple[Callable[["Subject"], Change | Sequence[Change]], Mutate]
WORKERS_DECIDE = (
    *("workers-4-14 ms", "workers-4-30 ms", "workers-2-14 ms", "workers-8-60 ms"),
    "transformer-workers",
)
HALVES, COPIED = (0.25, 0.5), ("transformer", "amd-mi300x", "dlrm-h100-timed")
GROUPS: tuple[tuple[str, tuple[str, ...], tuple[Made, ...]], ...] = (
    (
        "faster kernels",
        SCENARIOS["kernels"],
        tuple((name("faster-kernels", factor=one), scale_all(one)) for one in (0.3, 0.5, 0.8)),
    ),
    *(
        (
            f"faster {group}",
            ("transformer", "transformer-fused", "amd-mi300x"),
            ((name("faster-kernels", factor=0.4, classes=(group,)), scale_all(0.4, (group,))),),
        )
        for group in ("product", "element-wise", "normalisation", "optimizer")
    ),
    (
        "cheaper launches",
        SCENARIOS["launches"],
        tuple((name("cheaper-launches", factor=one), scale_launch(one)) for one in (0.2, 0.6)),
    ),
    (
        "faster host",
        SCENARIOS["host"],
        tuple((name("faster-host", factor=one), scale_host(one)) for one in (0.3, 0.6)),
    ),
    (
        "no waits",
        ("transformer-waits", "fused-waits", "pinned-waits", "eight-ranks"),
        ((name("no-waits"), drop_waits),),
    ),
    (
        "faster network",
        SCENARIOS["network"],
        tuple((name("faster-network", factor=one), scale_rate(one)) for one in (*HALVES, 0.75)),
    ),
    (
        "equal ranks",
        ("eight-ranks", "eight-two", "eight-slow-link", "four-main"),
        ((name("equal-ranks"), equalise),),
    ),
    (
        "overlapped collectives",
        ("eight-main", "four-main"),
        ((name("overlapped-collectives"), overlap),),
    ),
    (
        "faster link",
        SCENARIOS["link"],
        tuple((name("faster-link", factor=one), scale_link(one)) for one in HALVES),
    ),
    (
        "CUDA graphs",
        ("transformer", "transformer-fused", "transformer-host", "amd-mi300x"),
        (capture(),),
    ),
    (
        "ready input",
        ("transformer", "amd-mi300x", "eight-ranks", "transformer-host"),
        tuple((name("ready-input", factor=one), prepare_input(one)) for one in (0.0, 0.3)),
    ),
    (
        "loader workers",
        WORKERS_DECIDE,
        tuple((name("loader-workers", factor=one), add_workers(one)) for one in HALVES),
    ),
    (
        "kernels and loader workers",
        WORKERS_DECIDE,
        (
            (name("faster-kernels"), scale_all(0.5)),
            (
                several(name("faster-kernels"), name("loader-workers")),
                chain(scale_all(0.5), add_workers(0.5)),
            ),
        ),
    ),
    ("pinned copies", COPIED, ((name("pinned-copies"), pin_copies),)),
    ("merged copies", ("transformer",), ((name("merged-copies"), merge_input("data")),)),
    ("merged copies", ("dlrm-h100-pinned",), ((name("merged-copies"), merge_input("to_device")),)),
    (
        "kernels and launches",
        SCENARIOS["launches"],
        (
            (
                several(name("faster-kernels"), name("cheaper-launches", factor=0.4)),
                chain(scale_all(0.5), scale_launch(0.4)),
            ),
        ),
    ),
    (
        "kernels and host",
        SCENARIOS["host"],
        (
            (
                several(name("faster-kernels"), name("faster-host", factor=0.4)),
                chain(scale_all(0.5), scale_host(0.4)),
            ),
        ),
    ),
    (
        "kernels and network",
        SCENARIOS["network"],
        (
            (
                several(name("faster-kernels"), name("faster-network", factor=0.4)),
                chain(scale_all(0.5), scale_rate(0.4)),
            ),
        ),
    ),
    (
        "ranks and network",
        ("eight-two", "four-main", "eight-slow-link"),
        (
            (
                several(name("equal-ranks"), name("faster-network")),
                chain(equalise, scale_rate(0.5)),
            ),
        ),
    ),
    (
        "launches and host",
        SCENARIOS["host"],
        (
            (
                several(name("cheaper-launches"), name("faster-host", factor=0.4)),
                chain(scale_launch(0.2), scale_host(0.4)),
            ),
        ),
    ),
    (
        "link and kernels",
        SCENARIOS["link"],
        (
            (
                several(name("faster-link"), name("faster-kernels")),
                chain(scale_link(0.5), scale_all(0.5)),
            ),
        ),
    ),
)
"""Kinds of changes, their scenarios, and how each is made."""
PAIRS: tuple[TruthPair, ...] = tuple(
    TruthPair(kind, scenario, change, mutate)
    for kind, scenarios, made in GROUPS
    for scenario in scenarios
    for change, mutate in made
)


def list_subjects(folder: Path) -> Mapping[str, Subject]:
    """Scenarios of pairs, each simulated when it is asked."""
    return {name: Subject(name, entries, folder) for name, entries in load_scenarios().items()}


def measure_pairs(
    folder: Path, pairs: tuple[TruthPair, ...] = PAIRS
) -> Iterator[tuple[TruthPair, float, float]]:
    """Each pair with what the replay says, and the truth [ratio]."""
    subjects = list_subjects(folder)
    for pair in pairs:
        yield pair, *pair.measure(subjects[pair.scenario])
