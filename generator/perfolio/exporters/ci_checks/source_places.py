"""Where findings were seen, as files of a source tree.

In:  evidence of a finding, the metrics it was taken from, and a folder of sources.
Out: `SourcePlace`s with paths relative to that folder.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from perfolio.exporters.ci_checks.model import Locate, SourcePlace

_NAMES = ("code", "function", "kernel", "short", "path", "name", "context")
"""Columns that name what a row is about, best first."""
_SPOTS = (("file", "line"), ("called_file", "called_line"))
"""Columns of a place, and of where the program calls a function of a library."""
_MOST = 10
_LONGEST = 4_096
"""Bytes of a path that a system may open."""


def make_locator(root: Path) -> Locate:
    """How to find a profile's files below `root`, wherever they lay when it was recorded.

    Longest ending first: `/home/a/dlrm/src/train.py` is `src/train.py` of any checkout that
    has it. A name alone is too little, unless its folder is called like `root`.
    """
    base = root.resolve()

    def locate(path: str) -> str | None:
        if not path or not path.isprintable() or len(path.encode("utf-8", "replace")) > _LONGEST:
            return None
        parts = PurePosixPath(posixpath.normpath(path)).parts
        if ".." in parts:
            return None
        return next(
            (ending for ending in _list_endings(parts, base) if (base / ending).is_file()), None
        )

    return locate


def _list_endings(parts: Sequence[str], base: Path) -> Iterator[str]:
    inside = parts[1:] if parts[:1] == ("/",) else parts
    for start in range(len(inside)):
        rest = inside[start:]
        own = start > 0 and inside[start - 1] == base.name
        if len(rest) > 1 or own or len(parts) == 1:
            yield "/".join(rest)


def make_relative(path: Path, root: Path) -> str:
    """`path` relative to `root`, with slashes; empty where it lies elsewhere."""
    absolute, base = path.resolve(), root.resolve()
    return absolute.relative_to(base).as_posix() if absolute.is_relative_to(base) else ""


def find_places(
    evidence: Mapping[str, Any] | None, metrics: Mapping[str, Mapping[str, Any]], locate: Locate
) -> tuple[SourcePlace, ...]:
    """The places of the rows of evidence, in their order; those in the sources come first."""
    if not evidence:
        return ()
    places = [
        _find_place(row, locate) for row in _read_rows(evidence, metrics.get(evidence["metric"]))
    ]
    named = dict.fromkeys(place for place in places if place.text)
    return tuple(sorted(named, key=lambda place: not place.file))[:_MOST]


def find_cause_places(
    finding: Mapping[str, Any],
    nodes: Sequence[Mapping[str, Any]],
    metrics: Mapping[str, Mapping[str, Any]],
    locate: Locate,
) -> tuple[SourcePlace, ...]:
    """Places in the sources of a finding's root cause, for evidence that names none.

    Those of the cause itself, else of the largest cause below it that has any, else of the
    nearest one above it: what concerns copies is seen where the program copies.
    """
    for node in _list_near_causes(finding["parent"], nodes):
        places = [place for place in find_places(node["places"], metrics, locate) if place.file]
        if places:
            return tuple(places)
    return ()


def _list_near_causes(key: str, nodes: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """The cause, what lies below it in the order of the document, and what lies above it."""
    by_key = {node["key"]: node for node in nodes}
    above = list(_list_causes_above(key, by_key))
    yield from above[:1]
    for node in nodes:
        if not node["view"] and any(
            up["key"] == key for up in _list_causes_above(node["parent"], by_key)
        ):
            yield node
    yield from above[1:]


def _list_causes_above(
    key: str, by_key: Mapping[str, Mapping[str, Any]]
) -> Iterator[Mapping[str, Any]]:
    """The cause and all above it, without the run itself."""
    while key in by_key and by_key[key]["parent"]:
        yield by_key[key]
        key = by_key[key]["parent"]


def _read_rows(
    evidence: Mapping[str, Any], metric: Mapping[str, Any] | None
) -> Iterator[Mapping[str, Any]]:
    """Rows of evidence; what they leave out is looked up in the table they are taken from."""
    names = [column["name"] for column in evidence["columns"]]
    records = _make_records(metric) if metric else []
    for row in evidence["rows"]:
        shown = dict(zip(names, row, strict=True))
        same = (one for one in records if all(one.get(key) == shown[key] for key in names))
        yield next(same, shown)


def _make_records(metric: Mapping[str, Any]) -> list[dict[str, Any]]:
    names = [column["name"] for column in metric["columns"]]
    return [dict(zip(names, row, strict=True)) for row in metric["rows"]]


def _find_place(row: Mapping[str, Any], locate: Locate) -> SourcePlace:
    candidates = ((locate(str(row[path])), row.get(line)) for path, line in _SPOTS if row.get(path))
    file, line = next(((file, line) for file, line in candidates if file), (None, None))
    number = int(line) if file and isinstance(line, (int, float)) and line >= 1 else 0
    texts = (str(row[key]) for key in _NAMES if isinstance(row.get(key), str))
    return SourcePlace(file or "", number, next((text for text in texts if text), ""))
