"""Steps of a phase. What a step is, its first key says: `{ kernel = "gemm", repeat = 3 }`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from perfolio.simulation.calling_paths import Path
from perfolio.simulation.part_parser import path_of
from perfolio.simulation.phase_steps import (
    D2D,
    DIRECTIONS,
    Collective,
    Copy,
    Event,
    Host,
    Launch,
    Load,
    Step,
    Wait,
)
from perfolio.simulation.quantity_parser import duration, size
from perfolio.simulation.scenario import HostCosts, Kernel
from perfolio.simulation.toml_fields import Table, fault, known

STREAM = "main"
MEMORIES = ("pageable", "pinned")


@dataclass(frozen=True)
class Names:
    """What steps may refer to."""

    paths: Mapping[str, Path]
    kernels: Mapping[str, Kernel]
    host: HostCosts
    loads: bool


def read_steps(phase: Table, path: Path, names: Names) -> tuple[Step, ...]:
    """Entry `steps` of a phase, whose calling path is `path`."""
    found = []
    for index, entry in enumerate(phase.take("steps", list, [])):
        table = Table(f"{phase.where}.steps[{index + 1}]", entry)
        found.append(_step(table, path, names))
        table.end()
    return tuple(found)


def _step(table: Table, path: Path, names: Names) -> Step:
    kinds = [key for key in table.left() if key in _READERS]
    if len(kinds) != 1:
        raise fault(table.where, f"must have one of {', '.join(_READERS)}")
    common = {
        "path": path_of(table, names.paths, path),
        "repeat": table.whole("repeat", 1, 0, 100_000),
    }
    return _READERS[kinds[0]](table, names, common)


def _host(table: Table, _: Names, common: dict[str, Any]) -> Step:
    return Host(time=table.understood("cpu", duration, table.take("cpu", str)), **common)


def _launch(table: Table, names: Names, common: dict[str, Any]) -> Step:
    name = known(f"{table.where}.kernel", table.take("kernel", str), names.kernels)
    return Launch(
        kernel=name,
        time=table.read("time", duration, names.kernels[name].time),
        host=table.read("host", duration, names.host.dispatch),
        stream=table.take("stream", str, STREAM),
        **common,
    )


def _copy(table: Table, names: Names, common: dict[str, Any]) -> Step:
    direction = table.chosen("copy", DIRECTIONS, "")
    memory = table.chosen("memory", MEMORIES, MEMORIES[0])
    return Copy(
        direction=direction,
        size=table.understood("size", size, table.take("size", str)),
        pinned=direction == D2D or memory == MEMORIES[1],
        blocking=table.take("blocking", bool, direction != D2D),
        host=table.read("host", duration, names.host.dispatch),
        stream=table.take("stream", str, STREAM),
        **common,
    )


def _wait(table: Table, _: Names, common: dict[str, Any]) -> Step:
    return Wait(stream=table.take("wait", str), **common)


def _event(table: Table, _: Names, common: dict[str, Any]) -> Step:
    return Event(after=table.take("event", str), stream=table.take("stream", str, STREAM), **common)


def _load(table: Table, names: Names, common: dict[str, Any]) -> Step:
    if not table.take("load", bool):
        raise fault(f"{table.where}.load", "must be true")
    if not names.loads:
        raise fault(table.where, "loads a batch, but loader.workers is 0")
    return Load(**common)


def _collective(table: Table, names: Names, common: dict[str, Any]) -> Step:
    return Collective(
        kernel=known(f"{table.where}.collective", table.take("collective", str), names.kernels),
        size=table.understood("size", size, table.take("size", str)),
        host=table.read("host", duration, names.host.dispatch),
        stream=table.take("stream", str, STREAM),
        **common,
    )


_READERS: Mapping[str, Callable[[Table, Names, dict[str, Any]], Step]] = MappingProxyType(
    {
        "cpu": _host,
        "kernel": _launch,
        "copy": _copy,
        "wait": _wait,
        "event": _event,
        "load": _load,
        "collective": _collective,
    }
)
