"""That what others get tells nothing private: neither what was hidden, nor what looks like it.

In:  files, and what was hidden. Out: nothing, or a SiteError that names the first file that does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from perfolio.common.errors import SiteError, one_line
from perfolio.redaction.leak_patterns import LeakMatch, find_leaks
from perfolio.redaction.own_words import collect_own_words
from perfolio.redaction.pseudonyms import Secrets
from perfolio.redaction.text_decodings import read_texts

_SHOWN = 5
_PIECE = re.compile("[a-z0-9]+")
"""What a word that is looked for is made of: it is in a text only where all of its pieces are."""
_PACKED = re.compile(
    rb"""(?<=timeline\.take\(")(r\d*",")[A-Za-z0-9+/=]+(?=",\d+\);\n)"""
    rb"""|(?<=id="pf-tile-)(r\d*">)[A-Za-z0-9+/=]+(?=</script>)"""
    rb"""|(?<="nodes":")[A-Za-z0-9+/=]+(?="[,}])"""
)
"""Numbers of a timeline's tile or of a call tree, packed, in a file of its own or in a report of
one file: their letters name nobody, and some of a million are like any short word."""
Content = tuple[str, bytes]
"""A name of a file, and what is in it."""


def prove(files: Iterable[Path], secrets: Iterable[Secrets]) -> None:
    """Look for each secret, and for what looks private, in each file, however it is written there.

    Raises SiteError where something is found that the author did not allow.
    """
    prove_contents(((path.name, path.read_bytes()) for path in files), secrets)


def prove_contents(contents: Iterable[Content], secrets: Iterable[Secrets]) -> None:
    """The same of what is not written yet."""
    known = list(secrets)
    named = _make_name_search(known)
    asked = {word for each in known for word in each.asked}
    allowed = {text for each in known for text in each.allowed}
    left: dict[LeakMatch, str] = {}
    for name, data in contents:
        for text in read_texts(_PACKED.sub(rb"\1\2", data)):
            if found := named(text):
                raise _make_named_error(name, found, asked=found in asked)
            for one in find_leaks(text):
                if not any(each in one.text for each in allowed):
                    left.setdefault(one, name)
    if left:
        raise _make_leak_error(left)


def _make_name_search(known: Iterable[Secrets]) -> Callable[[str], str]:
    """What says the first secret in a text."""
    secrets = list(known)
    allowed = {text for each in secrets for text in each.allowed}
    paths = sorted({path for each in secrets for path in each.paths} - allowed, key=len)
    words = {word for each in secrets for word in (*each.words, *each.asked)}
    words -= {each.lower() for each in allowed}
    bounded = [(word, frozenset(_PIECE.findall(word))) for word in words]

    def named(text: str) -> str:
        lower = text.lower()
        found = (path for path in paths if path in text)
        pieces = set(_PIECE.findall(lower))  # of a fleet there are ten thousand words
        words = (word for word, needed in bounded if needed <= pieces and _stands_in(word, lower))
        return next(found, "") or next(words, "")

    return named


def _stands_in(word: str, lower: str) -> bool:
    """Whether a word is in a text, and no part of another one."""
    form = rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])"
    return word in lower and re.search(form, lower) is not None


def _make_named_error(name: str, found: str, *, asked: bool) -> SiteError:
    """What is left of what was hidden, and what to do."""
    hint = "this is a defect of Perfolio: do not publish it"
    if asked and found in collect_own_words():
        hint = "Perfolio's own texts have this word: leave it out of --hide, or give more of it"
    elif asked:
        hint = f"leave --hide {one_line(found, 30)} out, or give more of it, and rename what has it"
    return SiteError(f"{name}: still names {one_line(found, 60)}, which --share hides", hint=hint)


def _make_leak_error(found: dict[LeakMatch, str]) -> SiteError:
    """Each of the texts, with its file and what it looks like."""
    shown = [
        f"{name}: {one_line(one.text, 60)!r} looks like {one.shape}"
        for one, name in list(found.items())[:_SHOWN]
    ]
    more = len(found) - len(shown)
    told = "; ".join([*shown, *([f"and {more} more"] if more else [])])
    return SiteError(told, hint="hide it: --hide WORD, or let it be read: --allow TEXT")


def read_folder_files(folder: Path) -> Iterator[Content]:
    """The files below a folder."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path.relative_to(folder).as_posix(), path.read_bytes()
