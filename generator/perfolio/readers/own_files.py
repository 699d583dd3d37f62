"""What Perfolio wrote, or reads besides profiles: a store, exported runs, a document, a scenario.

In:  a path. Out: which of these it is, and the error that says what to do with it where a profile
     is wanted.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from perfolio.common.errors import InputError
from perfolio.common.toml_files import TomlError, read_toml

SCENARIO = "scenario.toml"
TRUTH = "truth.json"
"""What a simulation knows of its profile, and no profiler: an exercise asks for it."""
EXPORTED = "run="
"""How the folder of an exported run begins."""
_DOCUMENT = b'"perfolio-findings/'
_DUCKDB, _DUCKDB_AT = b"DUCK", 8
"""What files of DuckDB have, and where [B]."""
_HEAD = 200
"""Bytes of a file that are looked at."""


def is_duckdb(path: Path) -> bool:
    """Whether a file is one of DuckDB, as a store is."""
    return _read_head(path)[_DUCKDB_AT:].startswith(_DUCKDB)


def is_export(folder: Path) -> bool:
    """Whether a folder holds exported runs."""
    return next(folder.glob(f"{EXPORTED}*/run.parquet"), None) is not None


def is_document(path: Path) -> bool:
    """Whether a file is the findings.json of a report."""
    return _DOCUMENT in _read_head(path)


def is_own(path: Path) -> bool:
    """Whether a file beside a profile is one of Perfolio's, and no tool's."""
    return path.name in (SCENARIO, TRUTH) or is_document(path)


def find_scenario(path: Path) -> Path | None:
    """The file of a scenario: `path` itself, or scenario.toml in a folder."""
    if path.is_dir():
        return path / SCENARIO if (path / SCENARIO).is_file() else None
    return path if path.suffix == ".toml" and _has_scenario(path) else None


def other_form(path: Path) -> InputError | None:
    """The error for what is one of these, and no profile; else None."""
    told = describe_own_file(path)
    return InputError(f"{path}: {told[0]}, and no profile", hint=told[1]) if told else None


def describe_own_file(path: Path) -> tuple[str, str] | None:
    """What a path is of these, and what to do with it."""
    return next(
        ((what, hint.format(path)) for recognises, what, hint in _FORMS if recognises(path)), None
    )


def _is_site(path: Path) -> bool:
    return next(path.glob("*/findings.json"), None) is not None


_FORMS: tuple[tuple[Callable[[Path], object], str, str], ...] = (
    (is_duckdb, "is a store", "see perfolio metrics {0}, or perfolio report {0}"),
    (is_export, "holds exported runs", "see perfolio metrics {0}, or perfolio report {0}"),
    (is_document, "is the findings.json of a report", "see perfolio report {0}"),
    (find_scenario, "is a scenario", "simulate it: perfolio simulate {0} -o DB"),
    (_is_site, "is a site of reports", "give what it was made of, or a findings.json in it"),
)


def _has_scenario(path: Path) -> bool:
    try:
        return not {"iteration", "phases", "base"}.isdisjoint(read_toml(path))
    except TomlError:
        return False


def _read_head(path: Path) -> bytes:
    if not path.is_file():
        return b""
    try:
        with path.open("rb") as file:
            return file.read(_HEAD)
    except OSError:
        return b""
