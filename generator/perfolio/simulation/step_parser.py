"""Steps of a phase. What a step is, its first key says: `{ kernel = "gemm", repeat = 3 }`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from perfolio.simulation.calling_paths import Path
from perfolio.simulation.part_parser import find_path
from perfolio.simulation.phase_steps import (
    D2D,
    DIRECTIONS,
    CollectiveStep,
    CopyStep,
    EventStep,
    HostStep,
    LaunchStep,
    LoadStep,
    Step,
    WaitStep,
)
from perfolio.simulation.quantity_parser import parse_duration, parse_size
from perfolio.simulation.scenario import HostCosts, KernelModel
from perfolio.simulation.toml_fields import ScenarioTable, check_known, make_fault

STREAM = "main"
MEMORIES = ("pageable", "pinned")


@dataclass(frozen=True)
class StepNames:
    """What steps may refer to."""

    paths: Mapping[str, Path]
    kernels: Mapping[str, KernelModel]
    host: HostCosts
    loads: bool


def read_steps(phase: ScenarioTable, path: Path, names: StepNames) -> tuple[Step, ...]:
    """Entry `steps` of a phase, whose calling path is `path`."""
    found = []
    for index, entry in enumerate(phase.take("steps", list, [])):
        table = ScenarioTable(f"{phase.where}.steps[{index + 1}]", entry)
        found.append(_parse_step(table, path, names))
        table.end()
    return tuple(found)


def _parse_step(table: ScenarioTable, path: Path, names: StepNames) -> Step:
    kinds = [key for key in table.left() if key in _READERS]
    if len(kinds) != 1:
        raise make_fault(table.where, f"must have one of {', '.join(_READERS)}")
    common = {
        "path": find_path(table, names.paths, path),
        "repeat": table.whole("repeat", 1, 0, 100_000),
    }
    return _READERS[kinds[0]](table, names, common)


def _parse_host(table: ScenarioTable, _: StepNames, common: dict[str, Any]) -> Step:
    return HostStep(time=table.understood("cpu", parse_duration, table.take("cpu", str)), **common)


def _parse_launch(table: ScenarioTable, names: StepNames, common: dict[str, Any]) -> Step:
    name = check_known(f"{table.where}.kernel", table.take("kernel", str), names.kernels)
    return LaunchStep(
        kernel=name,
        time=table.read("time", parse_duration, names.kernels[name].time),
        host=table.read("host", parse_duration, names.host.dispatch),
        stream=table.take("stream", str, STREAM),
        **common,
    )


def _parse_copy(table: ScenarioTable, names: StepNames, common: dict[str, Any]) -> Step:
    direction = table.chosen("copy", DIRECTIONS, "")
    memory = table.chosen("memory", MEMORIES, MEMORIES[0])
    return CopyStep(
        direction=direction,
        size=table.understood("size", parse_size, table.take("size", str)),
        pinned=direction == D2D or memory == MEMORIES[1],
        blocking=table.take("blocking", bool, direction != D2D),
        host=table.read("host", parse_duration, names.host.dispatch),
        stream=table.take("stream", str, STREAM),
        **common,
    )


def _parse_wait(table: ScenarioTable, _: StepNames, common: dict[str, Any]) -> Step:
    return WaitStep(stream=table.take("wait", str), **common)


def _parse_event(table: ScenarioTable, _: StepNames, common: dict[str, Any]) -> Step:
    return EventStep(
        after=table.take("event", str), stream=table.take("stream", str, STREAM), **common
    )


def _parse_load(table: ScenarioTable, names: StepNames, common: dict[str, Any]) -> Step:
    if not table.take("load", bool):
        raise make_fault(f"{table.where}.load", "must be true")
    if not names.loads:
        raise make_fault(table.where, "loads a batch, but loader.workers is 0")
    return LoadStep(**common)


def _parse_collective(table: ScenarioTable, names: StepNames, common: dict[str, Any]) -> Step:
    return CollectiveStep(
        kernel=check_known(
            f"{table.where}.collective", table.take("collective", str), names.kernels
        ),
        size=table.understood("size", parse_size, table.take("size", str)),
        host=table.read("host", parse_duration, names.host.dispatch),
        stream=table.take("stream", str, STREAM),
        **common,
    )


_READERS: Mapping[str, Callable[[ScenarioTable, StepNames, dict[str, Any]], Step]] = (
    MappingProxyType(
        {
            "cpu": _parse_host,
            "kernel": _parse_launch,
            "copy": _parse_copy,
            "wait": _parse_wait,
            "event": _parse_event,
            "load": _parse_load,
            "collective": _parse_collective,
        }
    )
)
