"""profile.toml: what a person knows about a run and no profile says.

    title = "DLRM on an H100"
    description = "One training run, 100 iterations"
    hardware = "h100-sxm5"              # a name of table hardware
    model_flops_per_iteration = 2.92e10
    notes = "..."
    witnesses = ["../ncu/counters.csv"] # files of other tools about the same run

    [workload]
    batch_size = 2048

    [ceiling]                           # measured on this device
    memory = 3.0e12                     # B/s
    bf16 = 7.8e14                       # FLOP/s

    [price]
    gpu_hour = 2.5
    currency = "EUR"
    gpu_power = 700                     # W
    gpus = 1

The file lies inside the profile's folder, or beside it if no other profile does. So does
claims.toml, which holds the claims of another report about the run.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from perfolio.common.errors import UsageError
from perfolio.common.toml_files import TomlError, load_toml
from perfolio.common.toml_files import read_text as read_bounded
from perfolio.readers.registry import is_profile_beside

NAME = "profile.toml"
CLAIMS = "claims.toml"
TEXTS = ("title", "description", "hardware", "notes")
FLOPS = "model_flops_per_iteration"
WITNESSES = "witnesses"
MOST_WITNESSES = 100
CEILINGS = ("memory", "fp64", "fp32", "tf32", "fp16", "bf16", "fp8")
"""Of which `ceiling` gives a measured rate."""
PRICES = ("gpu_hour", "gpu_power", "gpus")
MOST_OF_A_CURRENCY = 12
"""Characters."""
HOURS = "gpu_hours"
"""Of the whole job: the entry of `workload` that is a number."""
HINT = "see the reference of profile.toml"


@dataclass(frozen=True)
class RunDescription:
    """The entries of profile.toml; all empty where there is none."""

    path: Path | None = None
    name: str = ""
    """What the caller calls the run."""
    is_shared: bool = False
    """Whether its report is for others, whom the names of folders are hidden from."""
    title: str = ""
    description: str = ""
    hardware: str = ""
    notes: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    """Everything else as text: `workload.<name>`, `price.<name>`,
    `model_flops_per_iteration`, `simulated`."""
    claims: str = ""
    """The content of claims.toml, unread."""
    witnesses: tuple[Path, ...] = ()
    """Files of other tools that `witnesses` names, by their whole paths."""


def read_description(database: Path) -> RunDescription:
    """The description of a database's folder. Raises UsageError when it is faulty."""
    path, claims = locate_file(database), locate_file(database, CLAIMS)
    told = read_text(claims) if claims else ""
    if path is None:
        return RunDescription(claims=told)
    try:
        entries = load_toml(read_text(path))
    except TomlError as problem:
        raise UsageError(f"{path}: cannot be read: {problem}", hint=HINT) from problem
    return replace(_make_description(path, entries), claims=told)


def read_text(path: Path, hint: str = HINT) -> str:
    """The content of a file that a person wrote. Raises UsageError where it cannot be read."""
    try:
        return read_bounded(path)
    except TomlError as problem:
        raise UsageError(f"{path}: {problem}", hint=hint) from problem


def locate_file(database: Path, name: str = NAME) -> Path | None:
    """Where the description of a database is, or another file that may lie beside it."""
    here = resolve_place(database)
    inside, beside = database / name, here.parent / name
    if inside.is_file():
        return inside
    return beside if beside.is_file() and is_alone(here) else None


def resolve_place(database: Path) -> Path:
    """Where a database lies for those who look for it: a link to it counts, not its target."""
    if database.name in ("", ".."):
        return database.resolve()
    return database.parent.resolve() / database.name


def is_alone(database: Path) -> bool:
    """Whether no other profile lies beside it, file or folder, of whatever form."""
    beside = (other for other in database.parent.iterdir() if other != database)
    return not any(map(is_profile_beside, beside))


def _make_description(path: Path, entries: dict[str, Any]) -> RunDescription:
    known = {*TEXTS, FLOPS, "simulated", "workload", "price", "ceiling", WITNESSES}
    if unknown := sorted(set(entries) - known):
        raise UsageError(
            f"{path}: unknown entry {unknown[0]!r}",
            hint=f"known ones are {', '.join(sorted(known))}",
        )
    texts = {name: _check_entry(path, name, entries.get(name, ""), str) for name in TEXTS}
    settings = (
        {FLOPS: str(_check_positive(path, FLOPS, entries[FLOPS]))} if FLOPS in entries else {}
    )
    if _check_entry(path, "simulated", entries.get("simulated", False), bool):
        settings["simulated"] = "true"
    workload = _check_entry(path, "workload", entries.get("workload", {}), dict)
    for key, value in workload.items():
        if key == HOURS:
            _check_positive(path, f"workload.{key}", value)
        text = _check_entry(path, f"workload.{key}", value, str | int | float | bool)
        settings[f"workload.{key}"] = str(text).lower() if isinstance(text, bool) else str(text)
    prices = _read_prices(path, _check_entry(path, "price", entries.get("price", {}), dict))
    ceilings = _read_ceilings(path, _check_entry(path, "ceiling", entries.get("ceiling", {}), dict))
    return RunDescription(
        path=path,
        settings={**settings, **prices, **ceilings},
        witnesses=_list_witnesses(
            path, _check_entry(path, WITNESSES, entries.get(WITNESSES, []), list)
        ),
        **texts,
    )


def _list_witnesses(path: Path, entries: list[Any]) -> tuple[Path, ...]:
    """Files below the folder of profile.toml, or below the one around it."""
    if len(entries) > MOST_WITNESSES:
        raise UsageError(f"{path}: {WITNESSES}: more than {MOST_WITNESSES} files", hint=HINT)
    found = []
    for entry in entries:
        name = Path(_check_entry(path, WITNESSES, entry, str))
        if name.is_absolute() or ".." in name.parts[1:]:
            raise UsageError(
                f"{path}: {WITNESSES}: {str(name)[:100]!r} is not below this folder or the one "
                "around it",
                hint='name it from here, as in "counters.csv" or "../ncu/counters.csv"',
            )
        found.append(path.parent / name)
    return tuple(found)


def _read_ceilings(path: Path, entries: dict[str, Any]) -> dict[str, str]:
    """Rates that were measured on this device: of memory [B/s], of a precision [FLOP/s]."""
    if unknown := sorted(set(entries) - set(CEILINGS)):
        raise UsageError(
            f"{path}: unknown entry {f'ceiling.{unknown[0]}'!r}",
            hint=f"known ones are {', '.join(CEILINGS)}",
        )
    return {
        f"ceiling.{name}": str(_check_positive(path, f"ceiling.{name}", value))
        for name, value in entries.items()
    }


def _read_prices(path: Path, entries: dict[str, Any]) -> dict[str, str]:
    """What a GPU-hour costs, in money and power; a price without a currency says nothing."""
    if unknown := sorted(set(entries) - {*PRICES, "currency"}):
        raise UsageError(
            f"{path}: unknown entry {f'price.{unknown[0]}'!r}",
            hint=f"known ones are {', '.join(sorted({*PRICES, 'currency'}))}",
        )
    currency = _check_entry(path, "price.currency", entries.get("currency", ""), str).strip()
    if ("gpu_hour" in entries) != bool(currency):
        raise UsageError(f"{path}: price.gpu_hour and price.currency go together", hint=HINT)
    numbers = {
        f"price.{name}": str(_check_positive(path, f"price.{name}", entries[name]))
        for name in PRICES
        if name in entries
    }
    return numbers | ({"price.currency": currency[:MOST_OF_A_CURRENCY]} if currency else {})


def _check_entry(path: Path, name: str, value: Any, kind: Any) -> Any:
    if not isinstance(value, kind):
        raise UsageError(
            f"{path}: {name} must be {getattr(kind, '__name__', kind)}, not {type(value).__name__}",
            hint=HINT,
        )
    return value


def _check_positive(path: Path, name: str, value: Any) -> float:
    """A number above 0; TOML also knows true, nan and inf."""
    number = _check_entry(path, name, value, int | float)
    if isinstance(number, bool) or not 0 < number < math.inf:
        raise UsageError(f"{path}: {name} must be a number above 0, not {value}", hint=HINT)
    return float(number)
