"""A scenario to a database with its ground truth: the folder appears whole or not at all."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from perfolio.common.atomic_output import write_file
from perfolio.common.content_files import code_digest
from perfolio.common.errors import InputError, OutputError
from perfolio.common.progress import Progress, QuietProgress
from perfolio.readers.own_files import TRUTH
from perfolio.readers.run_description import NAME as DESCRIPTION
from perfolio.simulation.engine import simulate
from perfolio.simulation.ground_truth import compute_truth
from perfolio.simulation.hpctoolkit_export import record
from perfolio.simulation.scenario import Scenario
from perfolio.simulation.scenario_parser import list_files, load
from perfolio.writers.hpctoolkit import write

MADE_FROM = "made_from"
UNDESCRIBED = b"simulated = true\n"
"""profile.toml of a database whose scenario has none."""
_FILES = {"meta.db", "profile.db", "cct.db", "trace.db", TRUTH, DESCRIPTION}


@dataclass(frozen=True)
class SimulatedRun:
    """What was written."""

    folder: Path
    truth: Mapping[str, Any]


def simulate_file(
    scenario: Path, folder: Path, *, seed: int | None = None, progress: Progress | None = None
) -> SimulatedRun:
    """Simulate the scenario of a file into `folder`, which is replaced if a simulation made it.

    The profile.toml beside the scenario goes with it.
    Raises InputError, UsageError (a faulty entry, named) or OutputError.
    """
    return write_simulated(
        _replace_seed(load(scenario), seed),
        folder,
        progress=progress,
        made_from=compute_fingerprint(scenario),
        description=_read_description(scenario),
    )


def write_simulated(
    scenario: Scenario,
    folder: Path,
    *,
    progress: Progress | None = None,
    made_from: str = "",
    description: bytes = UNDESCRIBED,
) -> SimulatedRun:
    """Simulate a scenario into `folder`, with its truth and a profile.toml of these bytes."""
    _refuse_foreign(folder)
    told = progress or QuietProgress()
    recording = simulate(scenario, told)
    found = {MADE_FROM: made_from, "seed": scenario.seed, **compute_truth(scenario, recording)}
    recorded = record(scenario, recording)
    text = json.dumps(found, indent=2, allow_nan=False) + "\n"
    beside = {TRUTH: text.encode("utf-8"), DESCRIPTION: description}
    database = replace(recorded.database, beside=beside)
    write(database, folder, recorded.values, recorded.traces, told, replace=True)
    return SimulatedRun(folder, found)


def _refuse_foreign(folder: Path) -> None:
    """Raise OutputError unless replacing `folder` destroys only what a simulation made."""
    held = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    if held and TRUTH not in held:
        raise OutputError(
            f"{folder}: was not made by a simulation, and is not replaced",
            hint="choose another folder",
        )
    if others := sorted(held - _FILES):
        raise OutputError(
            f"{folder}: holds {others[0]}, which no simulation made, and is not replaced",
            hint="move it away, or choose another folder",
        )


def is_current(scenario: Path, folder: Path) -> bool:
    """Whether `folder` holds what its scenario's file and this version would make again."""
    try:
        held = json.loads((folder / TRUTH).read_text("utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError):
        return False
    return isinstance(held, dict) and held.get(MADE_FROM) == compute_fingerprint(scenario)


def compute_fingerprint(scenario: Path) -> str:
    """Hash of all that a database follows from: scenario, its bases, the code."""
    digest = hashlib.sha256(code_digest("simulation", "writers", "readers").encode())
    for path in list_files(scenario):
        digest.update(_read_bytes(path))
    return digest.hexdigest()


def update_description(scenario: Path, folder: Path) -> None:
    """Give a database that is current the profile.toml that lies beside its scenario now."""
    held, words = folder / DESCRIPTION, _read_description(scenario)
    if not held.is_file() or _read_bytes(held) != words:
        write_file(held, words)


def _replace_seed(scenario: Scenario, seed: int | None) -> Scenario:
    return scenario if seed is None else replace(scenario, seed=seed)


def _read_description(scenario: Path) -> bytes:
    path = scenario.parent / DESCRIPTION
    return _read_bytes(path) if path.is_file() else UNDESCRIBED


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as problem:
        raise InputError(f"{path}: cannot be read: {problem.strerror}") from problem
