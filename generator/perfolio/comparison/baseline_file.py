"""Baselines: groups of run records under a name, as small documents beside a program.

In:  a name, records of repeats of one run, and a folder. Out: `<name>.json` there, and back.

The document has each record as its own file would have it, and at most 100 kB where that can be:
small rows of all records are added up until it fits. It holds no path, and no time but those of
the recordings, so that the same runs give the same bytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

import perfolio
from perfolio.common.atomic_output import write_file
from perfolio.common.errors import InputError, OutputError, UsageError, one_line
from perfolio.common.json_schema import find_first_problem, refuse_number
from perfolio.comparison.run_record import (
    MOST_BYTES,
    RunRecord,
    fold_small_rows,
    parse_record,
    write_record,
)

VERSION = 1
FOLDER = Path("baselines")
"""Where baselines are kept, relative to the project."""
_SCHEMA = "perfolio-baseline"
_SCHEMA_FILE = Path(__file__).parent / "schema" / "baseline-1.schema.json"
_ROW_STEPS = (600, 400, 250, 150, 80, 40, 20, 10, 5)
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_VERSIONED = re.compile(rf"{_SCHEMA}/(\d{{1,6}})")
_HEAD = 200
"""Characters that tell whether a file is a baseline."""
_OTHER = "choose another name or --folder"
_HINT = "make the baseline again: perfolio baseline add NAME RUN... --replace"
Document = dict[str, Any]
MIGRATIONS: Mapping[int, Callable[[Document], Document]] = {}
"""What makes of a document of this version one of the next."""


@dataclass(frozen=True)
class KeptBaseline:
    """Runs that later ones are held against."""

    name: str
    records: tuple[RunRecord, ...]
    """Repeats of one run, at least one."""
    perfolio: str
    """Version that kept them."""


def check_name(name: str, kind: str = "baseline") -> str:
    """The name of what a project keeps, as it is. Raises UsageError for what can name no file."""
    if not NAME.fullmatch(name):
        raise UsageError(
            f"{one_line(name, 60)!r} cannot name a {kind}",
            hint="use letters, digits, and . _ - between them; 64 characters at most",
        )
    return name


def find_baseline(name: str, folder: Path) -> Path:
    """Where a baseline is kept, or would be."""
    return folder / f"{check_name(name)}.json"


@cache
def load_baseline_schema() -> dict[str, Any]:
    """The JSON Schema of the document."""
    return cast(dict[str, Any], json.loads(_SCHEMA_FILE.read_text(encoding="utf-8")))


def write_baseline(name: str, records: Sequence[RunRecord]) -> str:
    """The content of the document, at most `MOST_BYTES` where durations alone do not take more."""
    text = _format_baseline(name, records)
    for most in _ROW_STEPS:
        if len(text.encode("utf-8")) <= MOST_BYTES:
            break
        text = _format_baseline(name, [fold_small_rows(record, most) for record in records])
    return text


def keep_baseline(
    name: str, records: Sequence[RunRecord], folder: Path, *, replace: bool = False
) -> Path:
    """Write a baseline, whole or not at all.

    Raises OutputError where there is one already, and where there is something else.
    """
    path = find_baseline(name, folder)
    if path.exists() and not _holds_baseline(path):
        raise OutputError(f"{path}: is no baseline, and is not replaced", hint=_OTHER)
    if path.exists() and not replace:
        raise OutputError(f"{path}: there is such a baseline already", hint="add --replace")
    text = write_baseline(name, records)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise OutputError(f"{folder}: cannot be made: {problem.strerror or problem}") from problem
    write_file(path, text.encode("utf-8"))
    return path


def remove_baseline(name: str, folder: Path) -> Path:
    """Remove a baseline. Raises InputError where there is none."""
    path = find_baseline(name, folder)
    if not path.is_file() or not _holds_baseline(path):
        raise InputError(f"{path}: there is no such baseline", hint=_list_known(path))
    try:
        path.unlink()
    except OSError as problem:
        raise OutputError(f"{path}: cannot be removed: {problem.strerror or problem}") from problem
    return path


def list_baselines(folder: Path) -> list[str]:
    """Names of the baselines of a folder, in the order of the alphabet; none where it is not."""
    if not folder.is_dir():
        return []
    files = (path for path in folder.glob("*.json") if NAME.fullmatch(path.stem))
    return sorted(path.stem for path in files if _holds_baseline(path))


def _holds_baseline(path: Path) -> bool:
    try:
        with path.open(encoding="utf-8") as file:
            return is_baseline_text(file.read(_HEAD))
    except (OSError, UnicodeDecodeError):
        return False


def read_baseline(path: Path) -> KeptBaseline:
    """The baseline of a file, of this or an earlier version. Raises InputError."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as problem:
        raise InputError(f"{path}: there is no such baseline", hint=_list_known(path)) from problem
    except OSError as problem:
        raise InputError(f"{path}: cannot be read: {problem.strerror or problem}") from problem
    except UnicodeDecodeError as problem:
        raise InputError(f"{path}: is no UTF-8: {problem.reason}", hint=_HINT) from problem
    return parse_baseline(text, str(path))


def is_baseline_text(text: str) -> bool:
    """Whether a text begins as a baseline does."""
    return text.lstrip().startswith(f'{{"schema":"{_SCHEMA}/')


def parse_baseline(text: str, where: str) -> KeptBaseline:
    """The baseline of such a text; `where` is named in errors. Raises InputError."""
    try:
        document = json.loads(text, parse_constant=refuse_number)
    except (ValueError, RecursionError) as problem:
        raise InputError(f"{where}: is no JSON: {problem}", hint=_HINT) from problem
    document = _bring_up(document, where)
    if problem_found := find_first_problem(document, load_baseline_schema()):
        raise InputError(f"{where}: is no baseline: {problem_found}", hint=_HINT)
    return KeptBaseline(
        document["name"], tuple(_read_records(document, where)), document["perfolio"]
    )


def _read_records(document: Document, where: str) -> Iterator[RunRecord]:
    for place, record in enumerate(document["records"], start=1):
        yield parse_record(json.dumps(record), f"{where}: run {place}")


def _bring_up(document: Any, where: str) -> Any:
    """A document of an earlier version as one of this. Raises InputError for a later one."""
    told = document.get("schema") if isinstance(document, dict) else None
    found = _VERSIONED.fullmatch(told) if isinstance(told, str) else None
    if found is None:
        return document
    version = int(found[1])
    if version > VERSION:
        raise InputError(
            f"{where}: is of version {version}, and this Perfolio knows up to {VERSION}",
            hint="install a later Perfolio",
        )
    try:
        for step in range(version, VERSION):
            document = MIGRATIONS[step](document)
    except (KeyError, TypeError) as problem:
        raise InputError(f"{where}: is no baseline: lacks {problem}", hint=_HINT) from problem
    return document


def _format_baseline(name: str, records: Sequence[RunRecord]) -> str:
    document = {
        "schema": f"{_SCHEMA}/{VERSION}",
        "name": check_name(name),
        "perfolio": perfolio.__version__,
        "records": [json.loads(write_record(record)) for record in records],
    }
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n"


def _list_known(path: Path) -> str:
    known = ", ".join(list_baselines(path.parent)[:8])
    return f"there are {known}" if known else "make one: perfolio baseline add NAME RUN..."
