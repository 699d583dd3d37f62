"""A document for others to read: without folders, names of users and hosts, and words of one's own.

In:  the findings document of a run, which holds its metrics. Out: the same in other words, and what
     was hidden.

Paths are what stands in columns of files and modules, and what the grammar finds elsewhere. What is
our own text, such as the definition of a metric, has no paths to hide. A name of a user that is a
word of our own texts (`work`) is hidden in paths alone. Names of files, functions and kernels
stay.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from perfolio.redaction.disclosure import walk_texts
from perfolio.redaction.own_words import collect_own_words
from perfolio.redaction.private_grammar import PERSONAL
from perfolio.redaction.pseudonyms import ReportPseudonyms, Secrets

Json = dict[str, Any]

_FILES = re.compile(r"(?:.*_)?(?:file|module)")
"""Columns whose cells are paths."""
_TOLD = ("run", "claims", "provenance")
"""Parts of a document that say what people and tools wrote."""


def redact_document(
    document: Mapping[str, Any], words: Sequence[str] = (), names: ReportPseudonyms | None = None
) -> tuple[Json, Secrets]:
    """The document without what is private, and what that was; `words` are to be hidden too.

    With `names`, what these say already stands for it.
    """
    known = names or ReportPseudonyms(collect_own_words())
    collect_private(known, document)
    known.add_words(words)
    shared: Json = _map_texts(document, known.told)
    shared["metrics"]["run"]["shared"] = {"words": len(words)}
    return shared, known.secrets()


def collect_private(names: ReportPseudonyms, document: Mapping[str, Any]) -> None:
    """Find what is private in a document."""
    for path in (document["metrics"]["run"]["path"], *_list_paths(document)):
        if re.search(r"[\\/]", path) and any(sign.isalnum() for sign in path):
            names.add_path(path)
    collect_run_facts(names, document["metrics"]["run"])
    for text in dict.fromkeys(
        (*_walk_run_texts(document), *(cell for _, cell in _walk_cells(document)))
    ):
        names.add_text(text)
    for text in dict.fromkeys(walk_texts(document)):
        if any(one.kind in PERSONAL for one in names.private_in(text)):
            names.add_text(text)
    names.add_here()


def collect_run_facts(names: ReportPseudonyms, run: Mapping[str, Any]) -> None:
    """Find what the settings and files of a run tell of users and hosts."""
    for key, value in run.get("settings", {}).items():
        names.add_setting(str(key), str(value))
    for text in walk_texts(run):
        names.add_text(text)


def _list_paths(document: Mapping[str, Any]) -> Iterator[str]:
    """Cells of files and modules."""
    for column, cell in _walk_cells(document):
        if _FILES.fullmatch(column) and re.search(r"[\\/]", cell) and cell[0] not in "<[":
            yield cell


def _walk_run_texts(document: Mapping[str, Any]) -> Iterator[str]:
    for part in _TOLD:
        yield from walk_texts(document.get(part, {}))
    yield from walk_texts(document["metrics"]["run"])


def _walk_cells(value: Any) -> Iterator[tuple[str, str]]:
    """Texts in tables, with the names of their columns."""
    if isinstance(value, Mapping):
        if value.get("rows") and value.get("columns"):
            names = [column["name"] for column in value["columns"]]
            for row in value["rows"]:
                yield from ((n, c) for n, c in zip(names, row, strict=True) if isinstance(c, str))
        for inner in value.values():
            yield from _walk_cells(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _walk_cells(inner)


def _map_texts(value: Any, told: Callable[[str], str], *, keys: bool = False) -> Any:
    """A value with all its texts in other words; keys are names of ours, but for settings."""
    if isinstance(value, str):
        return told(value)
    if isinstance(value, Mapping):
        return {
            told(key) if keys else key: _map_texts(inner, told, keys=key == "settings")
            for key, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return [_map_texts(inner, told) for inner in value]
    return value
