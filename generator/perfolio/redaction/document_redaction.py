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

from perfolio.redaction.disclosure import texts_of
from perfolio.redaction.own_words import own_words
from perfolio.redaction.private_grammar import PERSONAL
from perfolio.redaction.pseudonyms import Names, Secrets

Json = dict[str, Any]

_FILES = re.compile(r"(?:.*_)?(?:file|module)")
"""Columns whose cells are paths."""
_TOLD = ("run", "claims", "provenance")
"""Parts of a document that say what people and tools wrote."""


def hidden(
    document: Mapping[str, Any], words: Sequence[str] = (), names: Names | None = None
) -> tuple[Json, Secrets]:
    """The document without what is private, and what that was; `words` are to be hidden too.

    With `names`, what these say already stands for it.
    """
    known = names or Names(own_words())
    learn(known, document)
    known.add_words(words)
    shared: Json = _mapped(document, known.told)
    shared["metrics"]["run"]["shared"] = {"words": len(words)}
    return shared, known.secrets()


def learn(names: Names, document: Mapping[str, Any]) -> None:
    """Find what is private in a document."""
    for path in (document["metrics"]["run"]["path"], *_paths(document)):
        if re.search(r"[\\/]", path) and any(sign.isalnum() for sign in path):
            names.add_path(path)
    learn_facts(names, document["metrics"]["run"])
    for text in dict.fromkeys((*_told(document), *(cell for _, cell in _cells(document)))):
        names.add_text(text)
    for text in dict.fromkeys(texts_of(document)):
        if any(one.kind in PERSONAL for one in names.private_in(text)):
            names.add_text(text)
    names.add_here()


def learn_facts(names: Names, run: Mapping[str, Any]) -> None:
    """Find what the settings and files of a run tell of users and hosts."""
    for key, value in run.get("settings", {}).items():
        names.add_setting(str(key), str(value))
    for text in texts_of(run):
        names.add_text(text)


def _paths(document: Mapping[str, Any]) -> Iterator[str]:
    """Cells of files and modules."""
    for column, cell in _cells(document):
        if _FILES.fullmatch(column) and re.search(r"[\\/]", cell) and cell[0] not in "<[":
            yield cell


def _told(document: Mapping[str, Any]) -> Iterator[str]:
    for part in _TOLD:
        yield from texts_of(document.get(part, {}))
    yield from texts_of(document["metrics"]["run"])


def _cells(value: Any) -> Iterator[tuple[str, str]]:
    """Texts in tables, with the names of their columns."""
    if isinstance(value, Mapping):
        if value.get("rows") and value.get("columns"):
            names = [column["name"] for column in value["columns"]]
            for row in value["rows"]:
                yield from ((n, c) for n, c in zip(names, row, strict=True) if isinstance(c, str))
        for inner in value.values():
            yield from _cells(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _cells(inner)


def _mapped(value: Any, told: Callable[[str], str], *, keys: bool = False) -> Any:
    """A value with all its texts in other words; keys are names of ours, but for settings."""
    if isinstance(value, str):
        return told(value)
    if isinstance(value, Mapping):
        return {
            told(key) if keys else key: _mapped(inner, told, keys=key == "settings")
            for key, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return [_mapped(inner, told) for inner in value]
    return value
