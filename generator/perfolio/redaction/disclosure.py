"""What the pages of a site would tell of people and machines: private paths, names of hosts.

In:  the documents that pages are rendered from. Out: a sentence for who builds the site, or none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from perfolio.common.errors import one_line
from perfolio.redaction import local_identity
from perfolio.redaction.private_grammar import PERSONAL, PrivateGrammar

_EXAMPLES = 3
_CALLED = {
    "drive": "path{} of Windows",
    "share": "path{} of a network share",
    "url": "address{es} of files or pages",
    "login": "login{} of a user on a host",
    "setting": "setting{} of a user or host",
    "remote": "path{} on a host",
    "code": "private name{} with escapes",
    "address": "address{es} of a machine",
    "host": "name{} of a host",
}


def describe_exposure(documents: Iterable[Mapping[str, Any]]) -> str:
    """What the pages of these documents name that may be private; empty where there is nothing."""
    grammar, name = PrivateGrammar.here(), local_identity.find_host()
    host = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])") if name else None
    found: dict[str, str] = {}
    hosts = 0
    for text in {text for document in documents for text in walk_texts(document)}:
        for one in grammar.private_in(text):
            if one.kind in PERSONAL:
                place = f"path{{}} below {grammar.home_of(one)}"
                found[one.text.rstrip("/")] = _CALLED.get(one.kind, place)
        hosts += bool(host and host.search(text))
    parts = [_format_count(count, what) for what, count in Counter(found.values()).most_common()]
    parts = parts[:_EXAMPLES]
    parts += [f"the host {name}"] if hosts else []
    if not parts:
        return ""
    examples = ", ".join(one_line(path, 60) for path in sorted(found)[:_EXAMPLES])
    told = f" ({examples}{', ...' * (len(found) > _EXAMPLES)})" if found else ""
    return (
        f"the pages name {' and '.join(parts)}{told}: look before you publish them, "
        "or build with --share"
    )


def _format_count(count: int, what: str) -> str:
    plural = count > 1
    return f"{count} {what.format('s' * plural, es='es' * plural)}"


def walk_texts(value: Any) -> Iterator[str]:
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
