"""A document for others to read: without folders, names of users and hosts, and words of one's own.

In:  the findings document of a run, which holds its metrics. Out: the same in other words, and what
     was hidden.

    /home/alice/dlrm/train.py    …/train.py, another file of this name …2/train.py
    alice, login12               user, host-1
    a word that somebody names   hidden-1

Paths are what stands in columns of files and modules, and absolute ones elsewhere. What is our own
text, such as the definition of a metric, has no paths to hide. A name of a user that is a word of
these definitions (`work`) is hidden in paths alone. Names of files, functions and kernels stay.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from generator.exposure import people
from generator.exposure.told import texts_of

Json = dict[str, Any]

_FILES = re.compile(r"(?:.*_)?(?:file|module)")
"""Columns whose cells are paths."""
_TOLD = ("run", "claims", "provenance")
"""Parts of a document that say what people and tools wrote."""
_OURS = ("definition", "title", "population", "caveat", "source")
_ANY = frozenset({"root", "user", "users", "home", "host", "localhost"})
"""Names that tell nothing."""
_WORD = re.compile(r"[a-z0-9]+")
_SYSTEM = re.compile(r"/(?:usr|lib|lib64|bin|sbin|proc|sys|etc|dev)\b")


@dataclass(frozen=True)
class Secrets:
    """What was hidden of a run."""

    paths: tuple[str, ...] = ()
    """Whole paths, and folders that say more than that of the system."""
    words: tuple[str, ...] = ()


@dataclass
class _Names:
    """What stands for a path or a word."""

    paths: dict[str, str] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    ends: dict[str, int] = field(default_factory=dict)
    """How many paths end in a name."""

    def add_path(self, path: str) -> None:
        if path in self.paths:
            return
        end = path.rstrip("/").rpartition("/")[2]
        number = self.ends[end] = self.ends.get(end, 0) + 1
        self.paths[path] = f"…{number if number > 1 else ''}/{end}"

    def add_words(self, words: Iterable[str], called: str, first: str) -> None:
        """Call each word `called-2` and so on, the first one `first`."""
        for number, word in enumerate(dict.fromkeys(word.lower() for word in words), 1):
            name = first if number == 1 else f"{called}-{number}"
            self.words |= dict.fromkeys((word, _as_address(word)), name)


def hidden(document: Mapping[str, Any], words: Sequence[str] = ()) -> tuple[Json, Secrets]:
    """The document without what is private, and what that was; `words` are to be hidden too."""
    names = _names(document, words)
    told = _replacer(names)
    shared: Json = _mapped(document, told)
    shared["metrics"]["run"]["shared"] = {"words": len(words)}
    return shared, Secrets(tuple(_telling(names.paths)), tuple(names.words))


def _names(document: Mapping[str, Any], words: Sequence[str]) -> _Names:
    names = _Names()
    for path in (document["metrics"]["run"]["path"], *_paths(document)):
        if "/" in path and any(sign.isalnum() for sign in path):
            names.add_path(path)
    told = "\n".join(_told(document))
    ours = _own_words(document)
    users = [*people.users("\n".join([told, *names.paths])), people.user()]
    hosts = [*people.hosts(told), people.host()]
    names.add_words((each for each in users if _is_name(each, ours)), "user", "user")
    names.add_words((each for each in hosts if _is_name(each, ours)), "host", "host-1")
    if people.host().lower() in names.words:
        names.words[people.whole_host().lower()] = names.words[people.host().lower()]
    names.add_words(words, "hidden", "hidden-1")
    return names


def _is_name(word: str, ours: frozenset[str]) -> bool:
    return bool(word) and word.lower() not in _ANY | ours


def _paths(document: Mapping[str, Any]) -> Iterator[str]:
    """Cells of files and modules, and absolute paths in others and in what people wrote."""
    anywhere = people.paths()
    for column, cell in _cells(document):
        if _FILES.fullmatch(column) and "/" in cell and cell[0] not in "<[":
            yield cell
        else:
            yield from anywhere.findall(cell)
    for text in _told(document):
        yield from anywhere.findall(text)
    homes = people.homes()
    for text in texts_of(document):
        yield from (match[0].rstrip(".") for match in homes.finditer(text))


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


def _own_words(document: Mapping[str, Any]) -> frozenset[str]:
    """The words of definitions, which are in every report."""
    texts = (str(item[key]) for item in document["metrics"]["metrics"] for key in _OURS)
    return frozenset(word for text in texts for word in _WORD.findall(text.lower()))


def _replacer(names: _Names) -> Callable[[str], str]:
    paths = _alternatives(names.paths, r"(?<![\w/.~-])({})(?!\.?[\w/-])", 0)
    words = _alternatives(names.words, r"(?<![a-z0-9])({})(?![a-z0-9])", re.IGNORECASE)

    def told(text: str) -> str:
        if paths and "/" in text:
            text = paths.sub(lambda found: names.paths[found[0]], text)
        return words.sub(lambda found: names.words[found[0].lower()], text) if words else text

    return told


def _alternatives(known: Iterable[str], form: str, flags: int) -> re.Pattern[str] | None:
    """Any of these texts, the longest that fits."""
    ordered = sorted(known, key=len, reverse=True)
    return re.compile(form.format("|".join(map(re.escape, ordered))), flags) if ordered else None


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


def _telling(paths: Iterable[str]) -> list[str]:
    """Paths that no other text has, and folders that not every machine has."""
    found: dict[str, None] = {}
    for path in paths:
        parts = path.rstrip("/").split("/")
        if len(parts) > 2 or "." in parts[-1]:
            found[path] = None
        if path.startswith("/") and not _SYSTEM.match(path):
            found |= {"/".join(parts[:count]): None for count in range(3, len(parts))}
    return list(found)


def _as_address(word: str) -> str:
    """A word as it stands in the short name of a run."""
    return re.sub(r"[^a-z0-9]+", "-", word.lower()).strip("-") or word
