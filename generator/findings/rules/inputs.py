"""What rules need that no HPCToolkit database holds: `inputs.toml`.

In:  a TOML file: per input why it is missing, and the command that collects it.
Out: inputs by name. ContentError where an entry is not complete.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from generator.content import until_edited
from generator.errors import ContentError
from generator.findings.terms.model import Input, Status
from generator.toml import TomlError, read_toml

INPUTS = Path(__file__).parent / "inputs.toml"
VENDORS = ("any", "NVIDIA", "AMD", "Intel")
"""For whom a text by vendor may be; `any` serves those that are not named."""
_REQUIRED = {"title", "why", "collect"}
_MISSING: tuple[Status, ...] = ("not_evaluated", "not_applicable")


@until_edited(INPUTS)
def load_inputs(path: Path) -> Mapping[str, Input]:
    """The inputs of `path` by name."""
    try:
        entries = read_toml(path)
    except TomlError as error:
        raise ContentError(f"{path}: {error}") from error
    return {name: _input(path, name, entry) for name, entry in entries.items()}


def by_vendor(value: object) -> dict[str, str]:
    """One text for all, or texts by vendor, with one for `any`; ContentError for all else."""
    texts = {"any": value} if isinstance(value, str) else value
    if not isinstance(texts, dict) or not {"any"} <= texts.keys() <= set(VENDORS):
        raise ContentError(f"texts by vendor are of {', '.join(VENDORS)}, and one is of any")
    if not all(isinstance(text, str) for text in texts.values()):
        raise ContentError(f"not a text by vendor: {value!r}")
    return {vendor: text.strip() for vendor, text in texts.items()}


def for_vendor(texts: Mapping[str, str], vendor: str) -> str:
    """The text for a vendor; that for any where none is for it, and nothing without texts."""
    return texts.get(vendor, texts.get("any", ""))


def _input(path: Path, name: str, entry: object) -> Input:
    if not isinstance(entry, dict) or not _REQUIRED <= entry.keys() <= _REQUIRED | {"missing"}:
        raise ContentError(f"{path}: `{name}` must have {sorted(_REQUIRED)}, and may have missing")
    if not isinstance(entry["title"], str):
        raise ContentError(f"{path}: the title of `{name}` must be text")
    for status in _MISSING:
        if entry.get("missing", "not_evaluated") == status:
            why, collect = by_vendor(entry["why"]), by_vendor(entry["collect"])
            return Input(entry["title"], why, collect, status)
    raise ContentError(f"{path}: `missing` of `{name}` is one of {', '.join(_MISSING)}")
