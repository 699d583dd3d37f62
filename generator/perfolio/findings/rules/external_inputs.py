"""What rules need that no profile holds: `external_inputs.toml`.

In:  a TOML file: per input why it is missing, and the command that collects it.
Out: inputs by name. ContentError where an entry is not complete.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from perfolio.common.content_files import reload_when_edited
from perfolio.findings.model.content_entries import read_file
from perfolio.findings.model.rule import ExternalInput

INPUTS = Path(__file__).parent / "external_inputs.toml"


@reload_when_edited(INPUTS)
def load_inputs(path: Path) -> Mapping[str, ExternalInput]:
    """The inputs of `path` by name."""
    return read_file(path, dict[str, ExternalInput])
