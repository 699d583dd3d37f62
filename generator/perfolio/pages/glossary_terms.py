"""Tooltips: words of a page that the glossary explains.

In:  the text of a page, `glossary_terms.toml`, and the glossary.
Out: definitions of abbreviations, in Markdown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from perfolio.common.errors import ContentError
from perfolio.common.toml_files import read_toml

TERMS = Path(__file__).with_name("glossary_terms.toml")
GLOSSARY = Path(__file__).parent / "templates" / "glossary.md.j2"
NONE = "-"
"""What words mean that are no term where they stand: they get no tooltip."""
_ENTRY = re.compile(r"^\*\*(.+)\*\*\n:   (.+(?:\n    .+)*)", re.MULTILINE)
_SENTENCE = re.compile(r"(?<=\.)\s")
_MARKUP = re.compile(r"[*`]|\[|\]\([^)]*\)")
_WORD = re.compile(r"\w+")


def write_abbreviations(text: str) -> str:
    """What the words of a page mean, as Markdown that makes tooltips of it; empty without any."""
    there = set(_WORD.findall(text))
    used = {
        word: meaning
        for word, meaning in read_meanings().items()
        # Most words are on no page, which is quick to tell.
        if there.issuperset(_WORD.findall(word)) and _is_in(word, text)
    }
    return "".join(f"\n*[{word}]: {meaning}" for word, meaning in used.items())


@cache
def read_meanings() -> Mapping[str, str]:
    """The first sentence of its entry, by word; ContentError for an entry that is not there."""
    entries = {NONE: NONE, **dict(_ENTRY.findall(GLOSSARY.read_text(encoding="utf-8")))}
    meanings: dict[str, str] = {}
    for entry, words in read_toml(TERMS).items():
        if entry not in entries:
            raise ContentError(f"{TERMS}: the glossary has no entry {entry!r}")
        first = _SENTENCE.split(" ".join(entries[entry].split()), maxsplit=1)[0]
        meanings |= dict.fromkeys(_list_spellings(words), _MARKUP.sub("", first))
    return meanings


def _list_spellings(words: list[str]) -> Iterator[str]:
    """As they are, and as they begin a sentence."""
    for word in words:
        yield word
        yield word[0].upper() + word[1:]


def _is_in(word: str, text: str) -> bool:
    # What a pattern begins with is looked for at once, unless that is a look behind.
    as_is = re.escape(word)
    return re.search(rf"{as_is}(?<!\w{as_is})(?!\w)", text) is not None
