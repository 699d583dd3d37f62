"""Frames of stacks, and the one of the program: where its memory was allocated."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from perfolio.readers.code_names import to_storable_text

_LIBRARY = re.compile(
    r"[\\/](?:site|dist)-packages[\\/]|[\\/]lib(?:64)?[\\/]python3|^<|^\?\?$|^$|"
    r"\.(?:cpp|cc|cxx|cu|c|h|hpp|so)(?:\.\d+)*$|^torch[\\/]"
)
"""Files of the interpreter, of installed packages, and of compiled code."""
_LONGEST = 500
_MOST_LINE = 1 << 30


class StackFrame:
    """A frame of a stack; `site` is its number in the file."""

    __slots__ = ("is_program", "site")

    def __init__(self, site: int, *, is_program: bool) -> None:
        self.site, self.is_program = site, is_program


class AllocationSite:
    """What stands for a stack: its innermost frame of the program."""

    __slots__ = ("site",)

    def __init__(self, site: int) -> None:
        self.site = site


class AllocationSites:
    """All frames of a file, each once."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, str, str, int]] = []
        self._known: dict[tuple[str, str, int], StackFrame] = {}
        self._stacks: dict[int, AllocationSite] = {}

    def frame(self, entries: Mapping[Any, Any]) -> StackFrame:
        """The frame that a dictionary with filename, line and name is of."""
        name, file = str(entries.get("name", "")), str(entries.get("filename", ""))
        line = entries.get("line", 0)
        line = line if isinstance(line, int) and 0 <= line < _MOST_LINE else 0
        key = (name[:_LONGEST], file[-_LONGEST:], line)
        if key not in self._known:
            self._known[key] = StackFrame(len(self.rows), is_program=not _LIBRARY.search(key[1]))
            self.rows.append(
                (len(self.rows), to_storable_text(key[0]) or "?", to_storable_text(key[1]), line)
            )
        return self._known[key]

    def stack(self, frames: Sequence[Any]) -> AllocationSite:
        """What stands for a stack, innermost frame first; of libraries alone, for that frame."""
        own = next((frame for frame in frames if frame.is_program), frames[0])
        site = self._stacks.get(own.site)
        if site is None:
            site = self._stacks[own.site] = AllocationSite(own.site)
        return site
