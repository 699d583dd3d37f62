r"""What is private in a text: one grammar, by which it is hidden and by which its author is told.

    home      /home/alice/x.py, /Users/alice, /root/x, ~/x, also behind a word: triton_/home/alice/x
    path      /scratch/project/x.py
    drive     C:\Users\alice\x.py, C:/x.py, \\?\C:\x.py, \Users\alice\x.py
    share     \\server\share\x.py, //server/share/x.py
    url       file:///scratch/x.py, s3://bucket/x, http://host/x
    login     alice@login12, alice@login12:/scratch/x.py, git@github.com:org/x.git
    remote    node17:/scratch/x.py
    address   10.1.2.3, 10.1.2.3:29500, fe80::1
    setting   USER=alice, HOSTNAME=node17
    host      node17.cluster.example.org, node[01-04].example.org, Alices-MacBook.local
    code      alice%40node17, &#47;home&#47;alice, /home/al<wbr>ice: what is private once it is read

No secret are links that `public_texts.toml` names, and what only looks like one of these: names of
C++ (`a::b`), versions (`12.4.5.8` behind the word, or four numbers of which the first is below 10),
modules of Python, nodes of a graph, operators and divisions. What proves that nothing is left
(`leak_patterns.py`) knows nothing of this grammar.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from perfolio.redaction.component_words import is_module_path, is_node
from perfolio.redaction.local_identity import find_user
from perfolio.redaction.private_match import HOMES, INNER, PrivateMatch
from perfolio.redaction.public_texts import is_public_host, is_public_link, load_public_texts
from perfolio.redaction.text_decodings import decode_text, find_coded_spans, is_coded

_END = r"\s:;,'\"()<>\[\]|…"
"""What ends a path in a text."""
_PART = rf"[^/\\{_END}]"
_ROOTS = "scratch|lustre|gpfs|nfs"
"""Folders that are private also behind a word."""
_BLANKS = rf"(?:/{_PART}*(?:(?: {_PART}+){{1,4}}(?=/))?)*"
"""The rest of a path, whose folders may have blanks in their names."""
_WINDOWS = rf"(?:[^\\/:*?\"<>|\n…]{{1,255}}[\\/]+)*[^\\/*?|{_END}]*"
_DRIVE = (
    r"(?:\\{1,2}[?.]\\{1,2}|\b|(?<=_))[A-Za-z]:(?=\\|/\w)[\\/]+"
    r"|[A-Za-z]:[\\/]+Users[\\/]+|\\+Users\\+(?=[^\\]+\\)"
)
_PLACE = rf"(?::(?:[/~][^{_END}]*|[\w.-]+/[^{_END}]*|\d{{1,5}}\b))?"
_SURE = "com|org|edu|gov|mil"
_DOMAINS = (
    "cluster|hpc|example|test|at|au|be|br|ca|ch|cn|cz|de|dk|es|eu|fi|fr|gr|hu|ie|il|in|it|jp|kr|lu|mx|nl|no|nz|pl|pt|ro|ru"
    "|se|sg|si|sk|tr|tw|uk|us|za|net|io|ai|dev|cloud|app|tech"
)
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_QUAD = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}"
_VERSIONED = "".join(
    rf"(?<!{word}.)(?<!{word}..)(?<!{word})" for word in ("version", "driver", "release", "cuda")
)
_SIX = (
    r"(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}"
    r"|(?=[0-9a-f:]*::)(?:fe[89ab][0-9a-f]|f[cd][0-9a-f]{2}|[23][0-9a-f]{3}):(?:[0-9a-f]{0,4}:){1,6}[0-9a-f]{0,4}"
)
_KINDS = {
    "url": r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,19}:/{2,3}[^\s'\"<>()\[\]|…]+",
    "drive": rf"(?:{_DRIVE}){_WINDOWS}",
    "share": (
        rf"(?<!\\)\\{{2,4}}[\w.$-]+\\+[\w$]{_WINDOWS}"
        rf"|(?<![\w:/.\\~-])//[A-Za-z0-9][\w.$-]*/{_PART}[^{_END}]*"
    ),
    "login": (
        r"(?<![\w.@?/+-])[A-Za-z_][\w.+-]+@(?!(?:plt|got|gotpcrel)\b)"
        rf"(?:{_QUAD}|[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])(?:\.{_LABEL})*)(?![\w@]){_PLACE}"
    ),
    "setting": (
        r"(?<![\w.-])(?:USER|USERNAME|LOGNAME|HOST|HOSTNAME|(?:SLURM_(?:JOB_)?)?NODELIST"
        r"|SLURMD_NODENAME|SLURM_JOB_USER)=(?!user\b|host\b|hidden\b)"
        r"[A-Za-z][\w.-]{3,}(?:\[\d[\d,-]*\])?"
    ),
    "remote": (
        r"(?<![\w.@:/\\-])[A-Za-z](?=[\w.-]*[\d.-])(?:[\w-]|\.(?=\w))*"
        rf":(?:~|/[A-Za-z_])[^{_END}]*"
    ),
    "home": (
        rf"(?<![/.~-])(?:/(?:{HOMES})/{_PART}+|(?<![A-Za-z0-9])(?:/u/{_PART}+|/root(?=/))){_BLANKS}"
        rf"|(?<![\w.~/])~[A-Za-z_][\w.-]*(?=/){_BLANKS}|(?<![\w.~/])~(?=/[\w.]){_BLANKS}"
    ),
    "path": (
        rf"(?<![A-Za-z0-9.~/\\…-])/(?:[^/{_END}]+/)+[^/{_END}]*"
        rf"|(?<![/.~-])/(?:{_ROOTS})/(?:[^/{_END}]+/)*[^/{_END}]+"
    ),
    "address": (
        rf"(?i:(?<![\w.@/+-])(?<!==){_VERSIONED}{_QUAD}(?![\w.-]*\w)(?::\d{{1,5}}\b)?"
        rf"|(?<![\w:.])(?:{_SIX})(?![\w:]))"
    ),
    "host": (
        rf"(?<![A-Za-z0-9.@:/\\-])(?i:(?:{_LABEL}(?:\[\d[\d,-]*\])?\.)+"
        rf"(?:{_SURE}|{INNER}|{_DOMAINS}))(?![\w(-]|\.\w){_PLACE}"
    ),
}
PERSONAL = frozenset(
    {"home", "drive", "share", "url", "login", "setting", "remote", "address", "host", "code"}
)
"""Kinds that are private wherever they stand: all but paths of the system."""
_LOWEST = 10
"""First number of addresses that are none of a version."""
_TOKEN = re.compile(r"(?:<[^<>\n]{1,200}>|[^\s\"'])+")
_ORDER = {kind: number for number, kind in enumerate(_KINDS)}
_HINTS = {
    "url": re.compile(":/"),
    "drive": re.compile(r":[\\/]|\\Users"),
    "share": re.compile(r"\\\\|//"),
    "login": re.compile("@"),
    "setting": re.compile("(?:USER|NAME|HOST|LIST)="),
    "remote": re.compile(":[/~]"),
    "home": re.compile(rf"/(?:{HOMES}|u|root)/|~"),
    "path": re.compile("/"),
    "address": re.compile(r"\d\.\d+\.\d+\.\d|::|:[0-9A-Fa-f]+:"),
    "host": re.compile(rf"(?i:\.(?:{_SURE}|{INNER}|{_DOMAINS})(?!\w))"),
}
"""What a text has in which there is one of a kind: nearly all texts have none."""


@cache
def _make_patterns(own: str) -> dict[str, tuple[re.Pattern[str], re.Pattern[str]]]:
    """Of each kind what tells that a text may have it, and what it is."""
    found = {kind: (_HINTS[kind], re.compile(form)) for kind, form in _KINDS.items()}
    if own:
        home = re.compile(rf"(?<![\w.~/-])(?:{own}){_BLANKS}|{_KINDS['home']}")
        found["home"] = (re.compile(rf"{own}|{_HINTS['home'].pattern}"), home)
    return found


def _make_home_pattern() -> str:
    """The home of who runs this, and folders of this name."""
    own = os.path.expanduser("~")  # noqa: PTH111 - of a user without a home it gives the text back
    begins = [f"{re.escape(own)}(?=/)"] if Path(own).is_absolute() and own != "/" else []
    name = find_user()
    if name and name not in ("root", "user"):
        begins.append(rf"/(?:[\w.-]+/){{1,4}}{re.escape(name)}(?=/)")
    return "|".join(begins)


@dataclass(frozen=True)
class PrivateGrammar:
    """What is private on this machine and for who uses it."""

    own: str
    """Homes of who runs this, as a regular expression."""

    @classmethod
    def here(cls) -> PrivateGrammar:
        """That of who runs this."""
        return cls(_make_home_pattern())

    def private_in(self, text: str) -> list[PrivateMatch]:
        """What is private in a text, in its order; of what overlaps, what begins first."""
        found = self._plain_in(text)
        if not is_coded(text):
            return found
        for match in _TOKEN.finditer(text):
            if self._is_coded_private(match, found):
                found = _merge_word(match, found)
        return found

    def _is_coded_private(self, match: re.Match[str], found: Sequence[PrivateMatch]) -> bool:
        """Whether a word has an escape, and is private once it is read; not in what is found."""
        return any(
            not any(one.start <= begin and stop <= one.stop for one in found)
            for begin, stop in find_coded_spans(match[0], match.start())
        ) and any(
            one.kind in PERSONAL for read in decode_text(match[0]) for one in self._plain_in(read)
        )

    def _plain_in(self, text: str) -> list[PrivateMatch]:
        found = [
            PrivateMatch(kind, words, match.start(), match.start() + len(words))
            for kind, (hint, pattern) in _make_patterns(self.own).items()
            if hint.search(text)
            for match in pattern.finditer(text)
            if (words := match[0].rstrip(". "))
        ]
        found.sort(key=lambda one: (one.start, _ORDER[one.kind]))
        kept: list[PrivateMatch] = []
        for one in found:
            if not kept or one.start >= kept[-1].stop:
                kept.append(one)
        return [one for one in kept if not _is_open(one.kind, one.text)]

    def home_of(self, private: PrivateMatch) -> str:
        """The home that a private path is in: `/home/alice`."""
        begin = re.match(rf"{self.own or '(?!)'}|/(?:{HOMES}|u)/{_PART}+|/root|~\w*", private.text)
        return begin[0] if begin else ""


def _merge_word(word: re.Match[str], found: Sequence[PrivateMatch]) -> list[PrivateMatch]:
    """What is found, with a word as one of it, and with what reaches into the word."""
    apart = [one for one in found if one.stop <= word.start() or word.end() <= one.start]
    within = [one for one in found if one not in apart]
    start = min([word.start(), *(one.start for one in within)])
    stop = max([word.end(), *(one.stop for one in within)])
    code = PrivateMatch("code", word.string[start:stop], start, stop)
    return sorted((*apart, code), key=lambda one: one.start)


def _is_open(kind: str, words: str) -> bool:
    """Whether it only looks private."""
    if words in load_public_texts():
        return True
    find = _OPEN.get(kind)
    return bool(find and find(words))


def _is_version(words: str) -> bool:
    return ":" not in words and int(words.partition(".")[0]) < _LOWEST


def _is_open_host(words: str) -> bool:
    """A host of our links, without a path or a port; or no host."""
    return is_public_host(words) or not _is_host(words)


def _is_host(words: str) -> bool:
    """A domain whose end is a word of programs (`self.at.to`) needs another sign of a host."""
    *labels, end = words.lower().partition(":")[0].split(".")
    if end in _SURE.split("|"):
        return True
    if is_module_path([*labels, "in"]):
        return False
    if end in INNER.split("|"):
        return len(labels) > 1 or bool(re.search(r"[a-z]\d|-", labels[0]))
    numbered = any(re.search(r"[a-z]\d|-", label) for label in labels)
    named = labels[-1] in ("ac", "co", "edu", "gov") or labels[0] in ("www", "login")
    return len(labels) > 1 and (numbered or named)


_OPEN: dict[str, Callable[[str], bool]] = {
    "url": is_public_link,
    "host": _is_open_host,
    "address": _is_version,
    "path": is_node,
}
