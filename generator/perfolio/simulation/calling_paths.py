"""Calling paths of scenarios, and their frames.

"forward @ torch/nn/modules/linear.py:125"   a Python function, and the line that it is at
"@ train.py:54"                              top-level code of a Python file
"cudaLaunchKernel [libcudart.so.12]"         a native function and its module
"=forward"                                   the frames of another path
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from perfolio.readers.code_names import PYTHON_MODULE
from perfolio.simulation.toml_fields import make_fault

PLACED = re.compile(r"(.*?)\s*@ (\S.*):(\d{1,9})")
NATIVE = re.compile(r"(.+) \[([^\[\]]+)\]")
DEEPEST = 200


class PathFrame(NamedTuple):
    """A function on a calling path; `file` and `line` say where in it the next call is.

    `inlined`: its code is compiled into the function that calls it. A tuple,
    since each event looks up its path.
    """

    name: str
    module: str = ""
    file: str = ""
    line: int = 0
    inlined: bool = False


Path = tuple[PathFrame, ...]


def parse_frame(text: str) -> PathFrame:
    """One frame of a path, from its text."""
    placed, native = PLACED.fullmatch(text), NATIVE.fullmatch(text)
    if placed is not None:
        return PathFrame(placed[1], PYTHON_MODULE if placed[1] else "", placed[2], int(placed[3]))
    if native is not None:
        return PathFrame(f"{native[1]} [{native[2].rpartition('/')[2]}]", native[2])
    return PathFrame(text)


def resolve_paths(texts: Mapping[str, tuple[str, ...]]) -> dict[str, Path]:
    """All paths of a scenario by name, with references to other paths replaced."""
    known: dict[str, Path] = {}
    for name in texts:
        _resolve_path(texts, name, (), known)
    return known


def _resolve_path(
    texts: Mapping[str, tuple[str, ...]], name: str, above: tuple[str, ...], known: dict[str, Path]
) -> Path:
    """The path of this name, within those `above`; each is found once."""
    if name in above:
        raise make_fault(f"paths.{name}", "contains itself")
    if len(above) > DEEPEST:
        raise make_fault(f"paths.{name}", f"is {len(above)} paths deep; {DEEPEST} are allowed")
    if name in known:
        return known[name]
    found: list[PathFrame] = []
    for text in texts[name]:
        if text.startswith("="):
            found.extend(
                _resolve_path(texts, _find_reference(texts, name, text), (*above, name), known)
            )
        else:
            found.append(_check_frame(name, text))
        if len(found) > DEEPEST:
            raise make_fault(f"paths.{name}", f"has more than {DEEPEST} frames")
    return known.setdefault(name, tuple(found))


def _find_reference(texts: Mapping[str, tuple[str, ...]], name: str, text: str) -> str:
    """The name of the path that `=name` refers to."""
    if text[1:] not in texts:
        raise make_fault(f"paths.{name}", f"refers to {text[1:]!r}, which is no path")
    return text[1:]


def _check_frame(name: str, text: str) -> PathFrame:
    if not text.strip():
        raise make_fault(f"paths.{name}", "has a frame without text")
    return parse_frame(text)
