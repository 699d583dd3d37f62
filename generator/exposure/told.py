"""What the pages of a site would tell of people and machines: private paths, names of hosts.

In:  the documents that pages are rendered from. Out: a sentence for who builds the site, or none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from generator.errors import one_line
from generator.exposure import people

_EXAMPLES = 3


def exposed(documents: Iterable[Mapping[str, Any]]) -> str:
    """What the pages of these documents name that may be private; empty where there is nothing."""
    private, name = people.homes(), people.host()
    host = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])") if name else None
    found: dict[str, str] = {}
    hosts = 0
    for text in {text for document in documents for text in texts_of(document)}:
        found |= {match[0].rstrip("/."): match[1] for match in private.finditer(text)}
        hosts += bool(host and host.search(text))
    parts = [f"{count} path{'s' * (count > 1)} below {home}" for home, count in _counted(found)]
    parts += [f"the host {name}"] if hosts else []
    if not parts:
        return ""
    examples = ", ".join(one_line(path, 60) for path in sorted(found)[:_EXAMPLES])
    told = f" ({examples}{', ...' * (len(found) > _EXAMPLES)})" if found else ""
    return (
        f"the pages name {' and '.join(parts)}{told}: look before you publish them, "
        "or build with --share"
    )


def _counted(found: Mapping[str, str]) -> list[tuple[str, int]]:
    return Counter(found.values()).most_common(_EXAMPLES)


def texts_of(value: Any) -> Iterator[str]:
    """All texts in a document, keys of tables too, in its order."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, (list, tuple)):
            waiting += reversed(one)
        elif isinstance(one, Mapping):
            for key, inner in reversed(list(one.items())):
                waiting += (inner, str(key))
