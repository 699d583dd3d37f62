"""The tools whose profiles are read: what each calls things, what it can record, and how.

In:  the folder of each reader, with `measures.csv` and `capabilities.toml`.
Out: the folder of a tool, by the name that its reader gives to a run.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from perfolio.common.toml_files import read_toml

CAPABILITIES = "capabilities.toml"
NEEDS = "needs.toml"
"""Entries that the capabilities of several tools inherit, in a folder that they name."""
_DEFAULT = "HPCToolkit"


@cache
def list_tools() -> dict[str, Path]:
    """The folders of all tools by name."""
    files = sorted(Path(__file__).parent.glob(f"*/{CAPABILITIES}"))
    found = {file.parent: read_toml(file) for file in files}
    return {
        str(name): folder
        for folder, told in found.items()
        for name in (told["tool"], *told.get("also", []))
    }


def find_tool_folder(tool: str) -> Path:
    """The folder of a tool; that of HPCToolkit for runs of unknown origin."""
    return list_tools().get(tool, list_tools()[_DEFAULT])


def list_inherited_files() -> tuple[Path, ...]:
    """The files of entries that tools inherit."""
    return tuple(sorted(Path(__file__).parent.glob(f"*/{NEEDS}")))
