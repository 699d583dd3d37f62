"""What parsers made of the package's own content, so that no process parses it again.

In:  a text, and what parses it. Out: what that gives, made anew for each who asks.

Only what JSON says in just the same way is kept: mappings by texts, lists, texts, numbers. Parsers
of Python take a hundred times as long as that of JSON.
"""

from __future__ import annotations

import atexit
import json
import sys
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from typing import Any

from perfolio.common.cache import Cache, make_key

_CACHE = Cache("content")
_KEY = make_key("parsed texts, as JSON", sys.version, version("pyyaml"))
MOST = 4_000
"""Texts that are kept; the package has a quarter of them."""


class ParsedTexts:
    """Texts by their digest, with what was made of them, as JSON."""

    def __init__(self) -> None:
        self.known: dict[str, str] = json.loads(_CACHE.load(_KEY) or b"{}")
        self.new: dict[str, str] = {}

    def parse(self, parser: str, text: str, parse: Callable[[str], Any]) -> Any:
        """What `parse` makes of `text`; `parser` names it."""
        key = make_key(parser, text)
        if (found := self.known.get(key) or self.new.get(key)) is not None:
            return json.loads(found)
        made = parse(text)
        try:
            written = json.dumps(made, allow_nan=False)
        except (TypeError, ValueError):  # a date, say
            return made
        if json.loads(written) == made:
            self.new[key] = written
        return made

    def keep(self) -> None:
        """Keep what is new beside what is known; of too many, what is new."""
        if self.new:
            whole = {**self.known, **self.new}
            kept = whole if len(whole) <= MOST else self.new
            _CACHE.keep(_KEY, json.dumps(kept).encode())


@cache
def get_parsed_texts() -> ParsedTexts:
    """Those of this process, kept when it ends."""
    made = ParsedTexts()
    atexit.register(made.keep)
    return made
