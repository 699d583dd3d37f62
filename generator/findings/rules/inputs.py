"""What rules need that no profile holds: `inputs.toml`.

In:  a TOML file: per input why it is missing, and the command that collects it.
Out: inputs by name. ContentError where an entry is not complete.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from generator.content import until_edited
from generator.errors import ContentError
from generator.findings.rules.head import read_each
from generator.findings.terms.model import Input
from generator.toml import read_toml

INPUTS = Path(__file__).parent / "inputs.toml"


@until_edited(INPUTS)
def load_inputs(path: Path) -> Mapping[str, Input]:
    """The inputs of `path` by name."""
    try:
        return read_each(read_toml(path), Input)
    except ValueError as error:
        raise ContentError(f"{path}: {error}") from error


def for_vendor(texts: Mapping[str, str], vendor: str) -> str:
    """The text for a vendor; that for any where none is for it, and nothing without texts."""
    return texts.get(vendor, texts.get("any", ""))
