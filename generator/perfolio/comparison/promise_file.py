"""The promises of a project: what came of the steps of its reports, as a small document.

In:  outcomes of pairs of runs, and a file. Out: `promises.json`, about 1 kB a pair, and back.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

import msgspec

from perfolio.common.atomic_output import write_file
from perfolio.common.errors import InputError
from perfolio.common.json_schema import find_first_problem
from perfolio.comparison.promise_record import PairOutcome

VERSION = 1
FILE = Path("promises.json")
"""Where promises are kept, relative to the project."""
_SCHEMA = "perfolio-promises"
_SCHEMA_FILE = Path(__file__).parent / "schema" / "promises-1.schema.json"
_HINT = "restore the file, or move it away and add the pairs again"
MIGRATIONS: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""What makes of a document of this version one of the next."""


@cache
def load_promises_schema() -> dict[str, Any]:
    """The JSON Schema of the document."""
    return cast(dict[str, Any], json.loads(_SCHEMA_FILE.read_text(encoding="utf-8")))


def add_pair(pairs: Sequence[PairOutcome], new: PairOutcome) -> list[PairOutcome]:
    """The pairs with a new one, which takes the place of an earlier one of the same recordings."""
    return [*(pair for pair in pairs if pair.digests != new.digests), new]


def write_promises(pairs: Sequence[PairOutcome]) -> str:
    """The content of the document."""
    document = {"schema": f"{_SCHEMA}/{VERSION}", "pairs": msgspec.to_builtins(list(pairs))}
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def keep_promises(pairs: Sequence[PairOutcome], path: Path) -> None:
    """Write the document, whole or not at all. Raises OutputError where that cannot be."""
    write_file(path, write_promises(pairs).encode("utf-8"))


def read_promises(path: Path) -> list[PairOutcome]:
    """The pairs of a file, none where there is no file. Raises InputError."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return []
    except OSError as problem:
        raise InputError(f"{path}: cannot be read: {problem.strerror or problem}") from problem
    except UnicodeDecodeError as problem:
        raise InputError(f"{path}: is no UTF-8: {problem.reason}", hint=_HINT) from problem
    return parse_promises(text, str(path))


def parse_promises(text: str, where: str) -> list[PairOutcome]:
    """The pairs of such a text; `where` is named in errors. Raises InputError."""
    try:
        document = json.loads(text, parse_constant=_refuse_number)
    except (ValueError, RecursionError) as problem:
        raise InputError(f"{where}: is no JSON: {problem}", hint=_HINT) from problem
    document = _bring_up(document)
    if problem_found := find_first_problem(document, load_promises_schema()):
        raise InputError(f"{where}: holds no promises: {problem_found}", hint=_HINT)
    pairs = msgspec.convert(document["pairs"], list[PairOutcome])
    try:
        write_promises(pairs).encode("utf-8")
    except UnicodeEncodeError as problem:
        raise InputError(f"{where}: has half of a character: {problem.reason}") from problem
    return pairs


def _bring_up(document: Any) -> Any:
    """A document of an earlier version as one of this; any other as it is."""
    for version in sorted(MIGRATIONS):
        if isinstance(document, dict) and document.get("schema") == f"{_SCHEMA}/{version}":
            document = MIGRATIONS[version](document)
    return document


def _refuse_number(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON")
