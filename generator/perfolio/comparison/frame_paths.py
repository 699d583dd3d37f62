"""Calling paths as two runs may both have them.

In:  calling contexts of a run. Out: for each the names of functions and operators on its path, the
     outermost first, and the lines on it.

What differs between equal runs is taken out: numbers in names, steps and runs of a profiler,
folders, and the calls of the GPU's runtime at the end, which differ by vendor.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from hashlib import sha256

from perfolio.store.run_tables import RunTables

LONGEST_NAME = 240
MOST_FRAMES = 12
"""Frames of a path that are kept, the innermost ones."""
_PATH = """
SELECT path.target, path.step, path.name, path.lexical_type, frame.role, frame.phase
FROM path_frames((
    SELECT list(DISTINCT frame) FROM enclosing_frame WHERE context IN (SELECT unnest($contexts))
)) AS path
JOIN frame ON frame.frame = path.frame
ORDER BY path.target, path.step
"""
_ENCLOSING = """
SELECT context, frame FROM enclosing_frame WHERE context IN (SELECT unnest($contexts))
"""
_LINES = """
WITH RECURSIVE above AS (
    SELECT context.id AS target, context.id, context.parent, coalesce(context.line, 0) AS line,
        0 AS step
    FROM context WHERE context.id IN (SELECT unnest($contexts))
    UNION ALL
    SELECT above.target, context.id, context.parent, coalesce(context.line, 0), above.step + 1
    FROM above JOIN context ON context.id = above.parent
)
SELECT target, string_agg(line, '.' ORDER BY step DESC) FROM above WHERE line > 0 GROUP BY target
"""
_FOLDER = re.compile(r"(?:[A-Za-z]:)?(?:[\\/][^\\/\s:()<>,\]]+)+[\\/](?=[^\\/\s])")
_NUMBER = re.compile(r"\b0x[0-9a-fA-F]+|(?<![A-Za-z\d])#?\d+|#\d+")
_STEP = re.compile(
    r"^(ProfilerStep|(## )?Call CompiledFxGraph|Torch-Compiled Region|TorchDynamo Cache Lookup)"
)
_LIBRARY = re.compile(r" \[[^\]]*\]$")


@dataclass(frozen=True)
class FramePath:
    """Where a context is."""

    names: tuple[str, ...] = ()
    """Of functions and operators, the outermost first, without the GPU's runtime."""
    place: str = ""
    """Lines on the path, the outermost first."""
    role: str = "working"
    """As in table frame."""
    phase: str = ""
    """Phase of the program, empty where nothing tells."""
    innermost: str = ""
    """Name of the innermost frame, the GPU's runtime included."""
    is_entry: bool = False
    """Whether it is an entry point alone: the thread was in nothing that was recorded."""


UNKNOWN = FramePath(is_entry=True)


def read_paths(tables: RunTables, contexts: Collection[int]) -> dict[int, FramePath]:
    """The path of each context; one that the run does not list has none."""
    if not contexts:
        return {}
    given = {"contexts": sorted(contexts)}
    frames: dict[int, list[tuple[str, str, str, str]]] = {}
    for target, _, name, kind, role, phase in tables.rows(_PATH, given):
        frames.setdefault(target, []).append((name, kind, role, phase or ""))
    enclosing = dict(tables.rows(_ENCLOSING, given))
    lines = dict(tables.rows(_LINES, given))
    return {
        context: _make_path(frames.get(enclosing.get(context, -1), []), lines.get(context, ""))
        for context in given["contexts"]
    }


def _make_path(frames: list[tuple[str, str, str, str]], lines: str) -> FramePath:
    """A path from its frames, the innermost first."""
    if not frames:
        return UNKNOWN
    name, _, role, phase = frames[0]
    told = [
        clean_frame(called)
        for called, kind, one, _ in frames
        if kind != "entry" and one not in ("gpu", "gpu wait") and not _STEP.match(called)
    ]
    names = tuple(name for name in reversed(told[:MOST_FRAMES]) if name)
    return FramePath(
        names, lines, role, phase, clean_name(name), all(one[1] == "entry" for one in frames)
    )


def clean_frame(name: str) -> str:
    """A function's or operator's name without numbers of its own, folders and library."""
    plain = _NUMBER.sub("", _LIBRARY.sub("", hide_folders(name)))
    return clip_name(" ".join(plain.split()))


def clean_name(name: str) -> str:
    """A whole name without folders, and no longer than a record has them."""
    return clip_name(hide_folders(name))


def hide_folders(name: str) -> str:
    """A name without the folders that it may hold: of a file, the name of the file stays."""
    return _FOLDER.sub("", name)


def clip_name(name: str) -> str:
    """The name; of a very long one its begin, and a digest by which it equals only itself."""
    if len(name) <= LONGEST_NAME:
        return name
    digest = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{name[: LONGEST_NAME - 10]}… {digest}"
