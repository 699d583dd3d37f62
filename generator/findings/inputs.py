"""What rules need that no HPCToolkit database holds: `inputs.toml`.

In:  a TOML file: per input why it is missing, and the command that collects it.
Out: inputs by name. ContentError where an entry is not complete.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from generator.content import until_edited
from generator.errors import ContentError
from generator.findings.model import Input, Status

INPUTS = Path(__file__).parent / "inputs.toml"
_REQUIRED = {"title", "why", "collect"}
_MISSING: tuple[Status, ...] = ("not_evaluated", "not_applicable")


@until_edited(INPUTS)
def load_inputs(path: Path) -> Mapping[str, Input]:
    """The inputs of `path` by name."""
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ContentError(f"{path}: {error}") from error
    return {name: _input(path, name, entry) for name, entry in entries.items()}


def _input(path: Path, name: str, entry: object) -> Input:
    if not isinstance(entry, dict) or not _REQUIRED <= entry.keys() <= _REQUIRED | {"missing"}:
        raise ContentError(f"{path}: `{name}` must have {sorted(_REQUIRED)}, and may have missing")
    if not all(isinstance(value, str) for value in entry.values()):
        raise ContentError(f"{path}: all entries of `{name}` must be text")
    for status in _MISSING:
        if entry.get("missing", "not_evaluated") == status:
            return Input(entry["title"], entry["why"], entry["collect"].strip(), status)
    raise ContentError(f"{path}: `missing` of `{name}` is one of {', '.join(_MISSING)}")
