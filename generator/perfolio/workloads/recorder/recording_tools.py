"""What each recording tool needs and runs, a file each.

In:  the folder `tools`. Out: a `RecordingTool` by name; ContentError where a file is faulty.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from perfolio.common.content_files import reload_when_edited
from perfolio.common.errors import ContentError
from perfolio.common.toml_files import TomlError, read_toml

TOOLS = Path(__file__).with_name("tools")
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=300)]


class RecordingTool(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tool that records a program."""

    about: Text
    order: int
    """Passes go from what changes the program least to what changes it most."""
    program: str
    """What must be there; nothing for what PyTorch brings."""
    commands: Annotated[tuple[Text, ...], msgspec.Meta(min_length=1)]
    """Of a pass, one after the other. `{program}` stands for the user's command, `{out}` for the
    folder of the pass, `{gpu}` for the entry of this name where a GPU is there."""
    profile: Literal["", "torch", "cuda"] = ""
    """Who starts at the first step: PyTorch's profiler, the tool by CUDA's calls, or nobody."""
    beside: str = ""
    """A command that runs beside the program; what it prints is kept."""
    gpu: str = ""
    metrics: tuple[Text, ...] = ()
    """What `{metrics}` in a command stands for."""
    needs_gpu: bool = False
    whole: bool = False
    """Whether it records the program from its begin."""
    one_step: bool = False
    """Whether a single step is enough, as each takes long."""


@reload_when_edited(TOOLS)
def load_tools(folder: Path) -> Mapping[str, RecordingTool]:
    """All tools by name, in the order of their passes. Raises ContentError."""
    found: dict[str, RecordingTool] = {}
    for path in folder.glob("*.toml"):
        try:
            found[path.stem] = msgspec.convert(read_toml(path), RecordingTool)
        except (TomlError, msgspec.ValidationError) as error:
            raise ContentError(f"{path}: {error}") from error
    return dict(sorted(found.items(), key=_get_order))


def _get_order(named: tuple[str, RecordingTool]) -> int:
    return named[1].order
