"""TOML to a scenario, over a base scenario if it names one.

Tables of a scenario are laid over those of its base, entry by entry; anything else, lists
included, replaces what the base has.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from perfolio.common.errors import InputError, UsageError
from perfolio.common.toml_files import TomlError, load_toml, read_text
from perfolio.simulation import part_parser as parts
from perfolio.simulation.calling_paths import resolve_paths
from perfolio.simulation.phase_steps import CopyStep, LoadStep, WaitStep
from perfolio.simulation.scenario import Scenario, ScenarioPhase
from perfolio.simulation.step_parser import StepNames, read_steps
from perfolio.simulation.toml_fields import HINT, ScenarioTable, check_known, make_fault

MOST_BASES = 8
NAME = re.compile(r"[A-Za-z0-9_.+-]{1,80}")
MAIN = "main"
_HINT = "give the TOML file of a scenario, or the folder of its scenario.toml"


def load(path: Path, changes: Mapping[str, Any] | None = None) -> Scenario:
    """The scenario of a file, with `changes` laid over it.

    Raises InputError when a file cannot be read, UsageError when an entry is faulty.
    """
    try:
        return parse_scenario(merge_entries(read_entries(path), changes or {}))
    except UsageError as problem:
        if problem.message.startswith(str(path)):
            raise
        raise UsageError(f"{path}: {problem.message}", hint=problem.hint) from problem


def read_entries(path: Path, depth: int = 0) -> dict[str, Any]:
    """The entries of a file, laid over those of its base."""
    own, base = _read_file(path)
    if base is None:
        return own
    if depth == MOST_BASES:
        raise UsageError(
            f"{path}: base must be the path of another scenario, {MOST_BASES} in a row at most",
            hint=HINT,
        )
    return merge_entries(read_entries(base, depth + 1), own)


def list_files(path: Path) -> list[Path]:
    """The file of a scenario and those of its bases, which together say what it is."""
    found = [path]
    while len(found) <= MOST_BASES:
        _, base = _read_file(found[-1])
        if base is None:
            break
        found.append(base)
    return found


def _read_file(path: Path) -> tuple[dict[str, Any], Path | None]:
    """The entries of one file, and the path of its base."""
    try:
        text = read_text(path)
    except TomlError as problem:
        raise InputError(f"{path}: {problem}", hint=_HINT) from problem
    try:
        own = load_toml(text)
    except TomlError as problem:
        raise UsageError(f"{path}: is not TOML: {problem}", hint=HINT) from problem
    base = own.pop("base", None)
    if not isinstance(base, str | None):
        raise UsageError(f"{path}: base must be the path of another scenario", hint=HINT)
    return own, None if base is None else path.parent / base


def merge_entries(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """`above` laid over `below`."""
    merged = dict(below)
    for key, value in above.items():
        held = merged.get(key)
        both = isinstance(held, Mapping) and isinstance(value, Mapping)
        merged[key] = merge_entries(held, value) if both else value  # type: ignore[arg-type]
    return merged


def parse_scenario(merged: Mapping[str, Any]) -> Scenario:
    """A scenario from its entries. Raises UsageError, whose message begins with the key."""
    top = ScenarioTable("", merged)
    texts = {
        name: tuple(_check_texts(f"paths.{name}", frames))
        for name, frames in _list_named(top, "paths")
    }
    names = StepNames(
        paths=resolve_paths(texts),
        kernels={
            name: parts.parse_kernel(ScenarioTable(f"kernels.{name}", entry))
            for name, entry in _list_named(top, "kernels")
        },
        host=parts.parse_host_costs(top.table("host")),
        loads=(loader := parts.parse_loader(top.table("loader"), resolve_paths(texts))).workers > 0,
    )
    phases = {name: _parse_phase(name, entry, names) for name, entry in _list_named(top, "phases")}
    found = Scenario(
        executable=top.take("executable", str, "a.out"),
        seed=top.whole("seed", 1, high=2**32 - 1),
        iterations=top.whole("iterations", 100, 1, 100_000),
        start=_choose_phases(top, "start", phases),
        iteration=_choose_phases(top, "iteration", phases),
        finish=_choose_phases(top, "finish", phases),
        device=parts.parse_device(top.table("device")),
        links=parts.parse_links(top.table("link")),
        host=names.host,
        measurement=parts.parse_measurement(top.table("measurement")),
        artefacts=parts.parse_artefacts(top.table("artefacts")),
        warm_up=parts.parse_warm_up(top.table("warm_up"), names.paths),
        loader=loader,
        ranks=parts.parse_ranks(top.table("ranks")),
        kernels=names.kernels,
    )
    top.end()
    if found.warm_up.extra.mean > 0.0:
        check_known("warm_up.phase", found.warm_up.phase, phases)
    if not found.iteration:
        raise make_fault("iteration", "must name at least one phase")
    return found


def _list_named(top: ScenarioTable, key: str) -> list[tuple[str, Any]]:
    """Entries of a table whose keys are names of the user's."""
    table = top.take(key, dict, {})
    for name in table:
        if NAME.fullmatch(name) is None:
            raise make_fault(f"{key}.{name!r}", "is no name: letters, digits and _.+- only")
    return list(table.items())


def _check_texts(where: str, values: Any) -> list[str]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise make_fault(where, "must be a list of texts")
    return values


def _choose_phases(
    top: ScenarioTable, key: str, phases: Mapping[str, ScenarioPhase]
) -> tuple[ScenarioPhase, ...]:
    return tuple(phases[check_known(key, name, phases)] for name in top.texts(key))


def _parse_phase(name: str, entry: Any, names: StepNames) -> ScenarioPhase:
    table = ScenarioTable(f"phases.{name}", entry)
    path = parts.find_path(table, names.paths)
    found = ScenarioPhase(
        name=name,
        thread=table.take("thread", str, MAIN),
        path=path,
        graph=table.take("graph", bool, False),  # noqa: FBT003  # the default
        steps=read_steps(table, path, names),
    )
    table.end()
    if found.graph:
        _check_graph(found)
    return found


def _check_graph(phase: ScenarioPhase) -> None:
    """A graph holds what the GPU does alone: host work in it was done at its capture."""
    for index, step in enumerate(phase.steps):
        copies = isinstance(step, CopyStep) and (step.blocking or not step.pinned)
        if copies or isinstance(step, WaitStep | LoadStep):
            raise make_fault(
                f"phases.{phase.name}.steps[{index + 1}]",
                "holds up the host, which no step of a graph can: copies need "
                'memory = "pinned" and blocking = false',
            )
