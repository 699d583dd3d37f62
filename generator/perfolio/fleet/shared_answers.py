"""Answers for others to read: machines, people and runs under other names, the same everywhere.

In:  answers whose columns say whose names they hold. Out: the same with `host 1`, `owner 2`,
     `team 1` and `run 17`, without sentences of reports; and what was hidden, for the leak check.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from perfolio.fleet.lake_questions import LakeAnswer, QuestionColumn
from perfolio.redaction.own_words import collect_own_words
from perfolio.redaction.pseudonyms import Secrets

SENTENCES = frozenset({"verdict"})
"""Columns of sentences, which may name anything: they are left out."""
IDENTIFIERS = frozenset({"run"})
"""Columns of hashes, which tell who has the input: they are left out."""
_SHARED = re.compile(r"(?:host|user|address|hidden)(?:-\d+)?")
"""What stands for a name already, in a lake that was read for others; and tells nothing else."""
_PIECE = re.compile("[a-z0-9]+")
_SHORTEST = 4
"""Characters of a name that is looked for in texts: a shorter one may be a part of any word."""


@dataclass
class FleetPseudonyms:
    """What stands for names of a lake."""

    hidden: tuple[str, ...] = ()
    """Words that somebody named."""
    allowed: frozenset[str] = frozenset()
    names: dict[tuple[str, str], str] = field(default_factory=dict)
    """By what a name is of, and the name."""
    counts: dict[str, int] = field(default_factory=dict)

    def collect_names(self, answer: LakeAnswer) -> None:
        """Names in the columns of an answer."""
        for column in answer.question.columns:
            if column.private:
                for row in answer.rows:
                    for name in _list_names(row[column.name]):
                        self._add_name(column.private, name)

    def _add_name(self, kind: str, name: str) -> None:
        if (kind, name) not in self.names:
            number = self.counts[kind] = self.counts.get(kind, 0) + 1
            self.names[kind, name] = f"{kind} {number}"

    def rename_answer(self, answer: LakeAnswer) -> LakeAnswer:
        """The answer as others may read it."""
        columns = answer.question.columns
        rows = tuple(
            {column.name: self._rename_cell(row[column.name], column) for column in columns}
            for row in answer.rows
        )
        return LakeAnswer(answer.question, rows)

    def _rename_cell(self, value: Any, column: QuestionColumn) -> Any:
        if value is None or column.unit != "text":
            return value
        if column.private:
            if isinstance(value, list):
                return [self.names[column.private, str(name)] for name in value]
            return self.names[column.private, str(value)]
        if column.name in SENTENCES:
            return None
        return value if column.name in IDENTIFIERS else self.rename_text(str(value))

    def rename_text(self, text: str) -> str:
        """A name of a workload or kernel, which may hold one of a machine or a person."""
        pieces = set(_PIECE.findall(text.lower()))
        found = {word for piece in pieces for word in self._by_piece.get(piece, ())}
        found |= self._by_piece.get("", set())
        if not found:
            return text
        longest = "|".join(map(re.escape, sorted(found, key=len, reverse=True)))
        form = rf"(?<![a-z0-9])(?:{longest})(?![a-z0-9])"
        return re.sub(
            form, lambda one: self._words.get(one[0].lower(), "hidden"), text, flags=re.IGNORECASE
        )

    @cached_property
    def _words(self) -> Mapping[str, str]:
        """What stands for each word that is looked for in texts."""
        ours = collect_own_words()
        found = {word.lower(): "hidden" for word in self.hidden}
        for (_, name), shown in self.names.items():
            low = name.lower()
            telling = low not in ours and name not in self.allowed and not _SHARED.fullmatch(low)
            if len(name) >= _SHORTEST and telling:
                found.setdefault(low, shown)
        return found

    @cached_property
    def _by_piece(self) -> Mapping[str, set[str]]:
        """These words by the first piece of each, empty of those that have none."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        for word in self._words:
            first = _PIECE.search(word)
            found[first[0] if first else ""].add(word)
        return found

    def list_secrets(self) -> Secrets:
        """What no file may tell."""
        asked = tuple(word.lower() for word in self.hidden)
        words = tuple(word for word in self._words if word not in asked)
        return Secrets(words=words, asked=asked, allowed=tuple(sorted(self.allowed)))


def _list_names(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        yield from map(str, value)
    elif value is not None:
        yield str(value)
