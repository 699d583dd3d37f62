"""What stands for private paths and words in texts that others may read.

In:  texts of a run, and words that somebody names. Out: the same texts in other words.

    /home/alice/dlrm/train.py    …/train.py, another file of this name …2/train.py
    /home/alice/dlrm             …, another one …2
    alice, login12               user, host-1
    alice@login12, 10.1.2.3      user at host-1, address-1
    a word that somebody names   hidden-1

The name of a file stays at the end of a path: where only a text tells that there is a path, what
has an ending. So what a cut has left of a folder's name goes with the path, and so does what it has
left of a word before "…".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

from perfolio.redaction import local_identity
from perfolio.redaction.component_words import is_module_path
from perfolio.redaction.private_grammar import PrivateGrammar
from perfolio.redaction.private_match import (
    PrivateMatch,
    find_kept_end,
    find_machine,
    find_owners,
    is_domain,
    is_sure,
)
from perfolio.redaction.text_decodings import decode_text

_ANY = frozenset({"root", "user", "users", "home", "host", "localhost", "git", "localdomain"})
"""Names that tell nothing."""
_SYSTEM = re.compile(r"/(?:usr|lib|lib64|bin|sbin|proc|sys|etc|dev)\b")
_CUT = re.compile(r"(?<![A-Za-z0-9])([A-Za-z0-9][\w.-]{2,})…")
_SHORTEST_CUT = 3


@dataclass(frozen=True)
class Secrets:
    """What was hidden of a run."""

    paths: tuple[str, ...] = ()
    """Whole paths, and folders that say more than that of the system."""
    words: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    """Words that somebody named."""
    allowed: tuple[str, ...] = ()
    """What may be read, though it looks private."""


@dataclass
class ReportPseudonyms:
    """What stands for a path or a word; the same in all texts of a report."""

    ours: frozenset[str] = frozenset()
    """Words of our own texts, which are in every report."""
    allowed: frozenset[str] = frozenset()
    """What may be read, though it looks private."""
    grammar: PrivateGrammar = field(default_factory=PrivateGrammar.here)
    cells: dict[str, str] = field(default_factory=dict)
    """Paths that are known whole: they may be relative, and have any signs."""
    paths: dict[str, str] = field(default_factory=dict)
    """Those that the grammar finds in a text."""
    words: dict[str, str] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)
    """Words that somebody named."""
    ends: dict[str, int] = field(default_factory=dict)
    """How many paths end in a name."""
    counts: dict[str, int] = field(default_factory=dict)

    def add_path(self, path: str) -> None:
        """A path that is known whole, whose last part stays: what stands behind the last sign."""
        if path not in self.cells and path not in self.allowed:
            self.cells[path] = self._placed(re.split(r"[\\/]", path)[-1])
            vars(self).pop("_replace_cells", None)

    def add_text(self, text: str) -> None:
        """A text in which the grammar finds paths, users and hosts."""
        self.add_people(text)
        for one in self.private_in(text):
            if one.text not in self.paths and one.text not in self.cells:
                self.paths[one.text] = self._called(one, text)

    def add_people(self, text: str) -> None:
        """A text in which the grammar finds users and hosts, and whose paths do not matter yet."""
        for one in self.private_in(text):
            if one.kind == "code":
                for read in decode_text(one.text):
                    if read != one.text:
                        self.add_people(read)
            else:
                self._add_named(one)
        self.add_hosts(local_identity.find_recorded_hosts(text))
        for key, value in local_identity.parse_settings(text):
            self.add_setting(key, value)

    def _add_named(self, one: PrivateMatch) -> None:
        """Users and hosts, but not the words of `step@gpu0`, which stand elsewhere for a model."""
        users, host = find_owners(one), find_machine(one)
        self.add_users(user for user in users if is_sure(one) or not is_module_path([user]))
        self.add_hosts([] if is_module_path([host]) and not is_sure(one) else [host])

    def private_in(self, text: str) -> list[PrivateMatch]:
        """What is private in a text, and not allowed."""
        return [one for one in self.grammar.private_in(text) if one.text not in self.allowed]

    def add_setting(self, key: str, value: str) -> None:
        """A setting, which may name a user or a host."""
        if local_identity.is_user_key(key):
            self.add_users([value])
        if local_identity.is_host_key(key):
            self.add_hosts([value])

    def add_here(self) -> None:
        """Who makes the report, and where."""
        self.add_users([local_identity.find_user()])
        self.add_hosts([local_identity.find_full_host()] if local_identity.find_host() else [])

    def add_users(self, names: Iterable[str]) -> None:
        """Names of users."""
        self._add("user", "user", names, self._is_name)

    def add_hosts(self, names: Iterable[str]) -> None:
        """Names of hosts, each with and without its domain."""
        for name in names:
            short = name if is_domain(name) else name.partition(".")[0]
            self._add("host", "host-1", [short if self._is_name(short) else name], self._is_name)
            if short.lower() in self.words:
                for word in (name.lower(), _as_address(name)):
                    self.words.setdefault(word, self.words[short.lower()])
                vars(self).pop("_replace_words", None)

    def add_words(self, names: Iterable[str]) -> None:
        """Words that somebody names, whatever they are."""
        asked = list(names)
        self.asked.update(word.lower() for word in asked)
        self._add("hidden", "hidden-1", asked, bool)

    def told(self, text: str) -> str:
        """A text in other words."""
        text = self._without_paths(self._without_cells(text))
        if not self.words:
            return text
        text = self._replace_words.sub(lambda found: self.words[found[0].lower()], text)
        return _CUT.sub(self._without_end, text) if "…" in text else text

    def secrets(self) -> Secrets:
        """What was hidden."""
        telling = dict.fromkeys(
            part for path in self._hidden() for part in _find_unique_paths(path)
        )
        words = tuple(word for word in self.words if word not in self.asked)
        asked, allowed = tuple(sorted(self.asked)), tuple(sorted(self.allowed))
        return Secrets(tuple(telling), words, asked, allowed)

    def _hidden(self) -> list[str]:
        return [path for path in (*self.cells, *self.paths) if path not in self.allowed]

    def _called(self, one: PrivateMatch, text: str) -> str:
        """What stands for something that the grammar found."""
        if one.kind == "address":
            number = self.counts[one.kind] = self.counts.get(one.kind, 0) + 1
            return f"address-{number}"
        if one.kind == "setting":
            key, _, value = one.text.partition("=")
            name = "user" if local_identity.is_user_key(key) else "host"
            return f"{key}={self.words.get(value.lower(), name)}"
        if one.kind not in ("host", "login", "remote"):
            return self._placed(find_kept_end(one, text))
        host = self.words.get(find_machine(one).lower(), "host")
        place = f":{self._placed(find_kept_end(one, text))}" if ":" in one.text else ""
        if one.kind == "login":
            user = self.words.get(find_owners(one)[0].lower(), "user")
            return f"{user} at {host}{place}"
        return f"{host}{place}"

    def _placed(self, end: str) -> str:
        number = self.ends[end] = self.ends.get(end, 0) + 1
        return f"…{number if number > 1 else ''}{'/' * bool(end)}{end}"

    def _is_name(self, word: str) -> bool:
        low = word.lower()
        known = low in _ANY or low in self.ours or word in self.allowed
        return len(word) >= local_identity.SHORTEST and not known

    def _add(
        self, called: str, first: str, names: Iterable[str], fits: Callable[[str], bool]
    ) -> None:
        for word in names:
            if not fits(word) or word.lower() in self.words:
                continue
            number = self.counts[called] = self.counts.get(called, 0) + 1
            name = first if number == 1 else f"{called}-{number}"
            self.words |= dict.fromkeys((word.lower(), _as_address(word)), name)
            vars(self).pop("_replace_words", None)

    def _without_cells(self, text: str) -> str:
        if not self.cells or not ("/" in text or "\\" in text):
            return text
        return self._replace_cells.sub(lambda found: self.cells[found[0]], text)

    def _without_paths(self, text: str) -> str:
        if not self.paths:
            return text
        pieces: list[str] = []
        done = 0
        for one in self.private_in(text):
            if one.text in self.paths:
                pieces += (text[done : one.start], self.paths[one.text])
                done = one.stop
        return "".join((*pieces, text[done:]))

    def _without_end(self, found: re.Match[str]) -> str:
        """What a cut has left of a word that is hidden."""
        begin = found[1].lower()
        whole = next((word for word in self.words if word.startswith(begin)), "")
        return f"{self.words[whole]}…" if whole else found[0]

    @cached_property
    def _replace_cells(self) -> re.Pattern[str]:
        return _match_any(self.cells, r"(?<![\w/\\.~-])({})(?!\.?[\w/\\-])", 0)

    @cached_property
    def _replace_words(self) -> re.Pattern[str]:
        return _match_any(self.words, r"(?<![a-z0-9])({})(?![a-z0-9])", re.IGNORECASE)


def _match_any(known: Iterable[str], form: str, flags: int) -> re.Pattern[str]:
    """Any of these texts, the longest that fits."""
    ordered = sorted(known, key=len, reverse=True)
    return re.compile(form.format("|".join(map(re.escape, ordered))), flags)


def _find_unique_paths(path: str) -> list[str]:
    """A path that no other text has, and folders that not every machine has."""
    parts = path.rstrip("/").split("/")
    found = [path] if len(parts) > 2 or "." in parts[-1] or not path.startswith("/") else []
    if path.startswith("/") and not _SYSTEM.match(path):
        found += ["/".join(parts[:count]) for count in range(3, len(parts))]
    return found


def _as_address(word: str) -> str:
    """A word as it stands in the short name of a run."""
    return re.sub(r"[^a-z0-9]+", "-", word.lower()).strip("-") or word
