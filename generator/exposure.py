"""What the pages of a site would tell of people and machines: private paths, names of hosts.

In:  the documents that pages are rendered from. Out: a sentence for who builds the site, or none.
"""

from __future__ import annotations

import getpass
import os
import platform
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from generator.errors import one_line

_HOMES = r"/(?:home|homes|Users|u|export/home|usr/home)/[^/\s:;,'\"()<>\[\]]+|/root(?=/)"
_PATH = r"(?:/[^\s:;,'\"()<>\[\]]*)?"
_EXAMPLES = 3
_SHORTEST = 4
"""Letters of the name of a user or host that is looked for: a shorter one may be any word."""


def exposed(documents: Iterable[Mapping[str, Any]]) -> str:
    """What the pages of these documents name that may be private; empty where there is nothing."""
    private = re.compile(rf"(?<![\w.~/-])({_homes()}){_PATH}")
    host = _host()
    found: dict[str, str] = {}
    hosts = 0
    for text in {text for document in documents for text in _texts(document)}:
        found |= {match[0].rstrip("/."): match[1] for match in private.finditer(text)}
        hosts += bool(host and host.search(text))
    parts = [f"{count} path{'s' * (count > 1)} below {home}" for home, count in _counted(found)]
    parts += [f"the host {_name()}"] if hosts else []
    if not parts:
        return ""
    examples = ", ".join(one_line(path, 60) for path in sorted(found)[:_EXAMPLES])
    told = f" ({examples}{', ...' * (len(found) > _EXAMPLES)})" if found else ""
    return f"the pages name {' and '.join(parts)}{told}: look before you publish them"


def _counted(found: Mapping[str, str]) -> list[tuple[str, int]]:
    return Counter(found.values()).most_common(_EXAMPLES)


def _homes() -> str:
    """What private paths begin with: usual places of homes, this user's own, and of this name."""
    own = os.path.expanduser("~")  # noqa: PTH111 - of a user without a home it gives the text back
    begins = [f"{re.escape(own)}(?=/)"] if Path(own).is_absolute() and own != "/" else []
    user = _user()
    if len(user) >= _SHORTEST and user not in ("root", "user"):
        begins.append(rf"/(?:[\w.-]+/){{1,4}}{re.escape(user)}(?=/)")
    return "|".join([*begins, _HOMES])


def _user() -> str:
    """The name of who runs this; empty for a number that has none."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""


def _host() -> re.Pattern[str] | None:
    name = _name()
    usual = len(name) < _SHORTEST or name == "localhost"
    return None if usual else re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")


def _name() -> str:
    return platform.node().partition(".")[0]


def _texts(value: Any) -> Iterator[str]:
    """All texts in a document, keys of tables too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield str(key)
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)
