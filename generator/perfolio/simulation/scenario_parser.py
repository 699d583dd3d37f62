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
from perfolio.simulation.calling_paths import paths
from perfolio.simulation.phase_steps import Copy, Load, Wait
from perfolio.simulation.scenario import Phase, Scenario
from perfolio.simulation.step_parser import Names, read_steps
from perfolio.simulation.toml_fields import HINT, Table, fault, known

MOST_BASES = 8
NAME = re.compile(r"[A-Za-z0-9_.+-]{1,80}")
MAIN = "main"
_HINT = "give the TOML file of a scenario, or the folder of its scenario.toml"


def load(path: Path, changes: Mapping[str, Any] | None = None) -> Scenario:
    """The scenario of a file, with `changes` laid over it.

    Raises InputError when a file cannot be read, UsageError when an entry is faulty.
    """
    try:
        return scenario(over(entries(path), changes or {}))
    except UsageError as problem:
        if problem.message.startswith(str(path)):
            raise
        raise UsageError(f"{path}: {problem.message}", hint=problem.hint) from problem


def entries(path: Path, depth: int = 0) -> dict[str, Any]:
    """The entries of a file, laid over those of its base."""
    own, base = _read(path)
    if base is None:
        return own
    if depth == MOST_BASES:
        raise UsageError(
            f"{path}: base must be the path of another scenario, {MOST_BASES} in a row at most",
            hint=HINT,
        )
    return over(entries(base, depth + 1), own)


def files(path: Path) -> list[Path]:
    """The file of a scenario and those of its bases, which together say what it is."""
    found = [path]
    while len(found) <= MOST_BASES:
        _, base = _read(found[-1])
        if base is None:
            break
        found.append(base)
    return found


def _read(path: Path) -> tuple[dict[str, Any], Path | None]:
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


def over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """`above` laid over `below`."""
    merged = dict(below)
    for key, value in above.items():
        held = merged.get(key)
        both = isinstance(held, Mapping) and isinstance(value, Mapping)
        merged[key] = over(held, value) if both else value  # type: ignore[arg-type]
    return merged


def scenario(merged: Mapping[str, Any]) -> Scenario:
    """A scenario from its entries. Raises UsageError, whose message begins with the key."""
    top = Table("", merged)
    texts = {name: tuple(_texts(f"paths.{name}", frames)) for name, frames in _named(top, "paths")}
    names = Names(
        paths=paths(texts),
        kernels={
            name: parts.kernel(Table(f"kernels.{name}", entry))
            for name, entry in _named(top, "kernels")
        },
        host=parts.host_costs(top.table("host")),
        loads=(loader := parts.loader(top.table("loader"), paths(texts))).workers > 0,
    )
    phases = {name: _phase(name, entry, names) for name, entry in _named(top, "phases")}
    found = Scenario(
        executable=top.take("executable", str, "a.out"),
        seed=top.whole("seed", 1, high=2**32 - 1),
        iterations=top.whole("iterations", 100, 1, 100_000),
        start=_chosen(top, "start", phases),
        iteration=_chosen(top, "iteration", phases),
        finish=_chosen(top, "finish", phases),
        device=parts.device(top.table("device")),
        links=parts.links(top.table("link")),
        host=names.host,
        measurement=parts.measurement(top.table("measurement")),
        artefacts=parts.artefacts(top.table("artefacts")),
        warm_up=parts.warm_up(top.table("warm_up"), names.paths),
        loader=loader,
        ranks=parts.ranks(top.table("ranks")),
        kernels=names.kernels,
    )
    top.end()
    if found.warm_up.extra.mean > 0.0:
        known("warm_up.phase", found.warm_up.phase, phases)
    if not found.iteration:
        raise fault("iteration", "must name at least one phase")
    return found


def _named(top: Table, key: str) -> list[tuple[str, Any]]:
    """Entries of a table whose keys are names of the user's."""
    table = top.take(key, dict, {})
    for name in table:
        if NAME.fullmatch(name) is None:
            raise fault(f"{key}.{name!r}", "is no name: letters, digits and _.+- only")
    return list(table.items())


def _texts(where: str, values: Any) -> list[str]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise fault(where, "must be a list of texts")
    return values


def _chosen(top: Table, key: str, phases: Mapping[str, Phase]) -> tuple[Phase, ...]:
    return tuple(phases[known(key, name, phases)] for name in top.texts(key))


def _phase(name: str, entry: Any, names: Names) -> Phase:
    table = Table(f"phases.{name}", entry)
    path = parts.path_of(table, names.paths)
    found = Phase(
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


def _check_graph(phase: Phase) -> None:
    """A graph holds what the GPU does alone: host work in it was done at its capture."""
    for index, step in enumerate(phase.steps):
        copies = isinstance(step, Copy) and (step.blocking or not step.pinned)
        if copies or isinstance(step, Wait | Load):
            raise fault(
                f"phases.{phase.name}.steps[{index + 1}]",
                "holds up the host, which no step of a graph can: copies need "
                'memory = "pinned" and blocking = false',
            )
