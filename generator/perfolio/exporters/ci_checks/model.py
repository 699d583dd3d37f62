"""What a check says: facts that every format prints in its own way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Locate = Callable[[str], str | None]
"""A path as the profile has it to one relative to the sources, None where it lies elsewhere."""

LEVELS = ("critical", "high", "medium", "low", "info", "never")
"""What can make a check fail: a finding of this severity or a worse one."""


@dataclass(frozen=True)
class SourcePlace:
    """Where a finding was seen. Names come from the profile and are not trusted."""

    file: str
    """Relative to the sources, with slashes; empty where it lies outside of them."""
    line: int
    """From 1; 0 where it is not known."""
    name: str
    """Function, kernel or calling path; may be empty."""

    @property
    def text(self) -> str:
        """`train.py:12 (make_batch)`, or what is known of it."""
        spot = f"{self.file}:{self.line}" if self.line else self.file
        return f"{spot} ({self.name})" if spot and self.name else spot or self.name


@dataclass(frozen=True)
class CheckItem:
    """One rule's outcome."""

    code: str
    slug: str
    title: str
    status: str
    """fired, passed, not_evaluated, not_applicable or error."""
    severity: str
    """Empty unless it fired."""
    fails: bool
    """Whether it fired at or above the level."""
    words: str
    """One line with the numbers, or why there are none."""
    collect: str
    """The command that would collect what is missing, or empty."""
    metric: str
    value: str
    """With its unit; empty where there is none."""
    thresholds: str
    """`above 15 %: medium, above 50 %: high`."""
    threshold_source: str
    worth: str
    """What it is worth at most; empty where nothing bounds it."""
    rank: float
    """0 to 1: the part of a whole that it is worth at most."""
    places: tuple[SourcePlace, ...]
    sections: Mapping[str, str]
    """The rule's advice: Markdown by heading."""
    is_figure: bool = False
    """Whether it is no rule's finding, but a figure that is held against that of other runs."""

    @property
    def label(self) -> str:
        """Code and title; the title alone of a figure."""
        return self.title if self.is_figure else f"{self.code} {self.title}"

    @property
    def message(self) -> str:
        """The words, and the worth where they do not say it already."""
        return f"{self.words} Worth: {self.worth}." if self.worth and not self.small else self.words

    @property
    def small(self) -> bool:
        """Whether it fired and is worth so little that its words say so."""
        return self.severity == "info"


@dataclass(frozen=True)
class Check:
    """One run against one level, or runs against others."""

    slug: str
    title: str
    verdict: str
    provenance: Mapping[str, Any]
    level: str
    subject: str
    """The profile or document itself, relative to the sources; empty where it lies elsewhere."""
    items: tuple[CheckItem, ...]
    doubt: str = ""
    """Why it neither fails nor passes; empty where it does."""
    marker: str = ""
    """What tells its comment on a pull request from others; empty where none is updated."""

    @property
    def state(self) -> str:
        """`failed`, `cannot tell` or `passed`: what fails does so whatever else is in doubt."""
        return "failed" if self.failing else "cannot tell" if self.doubt else "passed"

    @property
    def is_gate(self) -> bool:
        """Whether it is about figures of runs against others, and not about findings."""
        return bool(self.items) and all(item.is_figure for item in self.items)

    @property
    def failing(self) -> tuple[CheckItem, ...]:
        """Findings at or above the level."""
        return tuple(item for item in self.items if item.fails)

    def of(self, status: str) -> tuple[CheckItem, ...]:
        """The outcomes of one status, in the document's order: what matters first."""
        return tuple(item for item in self.items if item.status == status)

    @property
    def outcome(self) -> str:
        """`2 of 5 findings are high or worse`."""
        fired, failing = len(self.of("fired")), len(self.failing)
        if self.is_gate:
            return self._gate_outcome
        findings = f"{fired} finding{'' if fired == 1 else 's'}"
        if self.level == "never" or not fired:
            return findings if fired else "no findings"
        worse = "" if self.level == "critical" else " or worse"
        return f"{failing or 'none'} of {findings} {_choose_be(failing)} {self.level}{worse}"

    @property
    def _gate_outcome(self) -> str:
        failing, figures = len(self.failing), len(self.items) - len(self.of("error"))
        if not figures:
            return "no figure is compared"
        return f"{failing or 'none'} of {figures} figures {_choose_be(failing)} worse"

    @property
    def others(self) -> str:
        """`12 checks passed, 9 could not be evaluated, 1 does not apply`."""
        passed, unknown, other = (
            len(self.of(status)) for status in ("passed", "not_evaluated", "not_applicable")
        )
        if self.is_gate:
            return f"{passed} {_choose_be(passed)} equal or better, {unknown} could not be compared"
        does = "does" if other == 1 else "do"
        return (
            f"{passed} check{'' if passed == 1 else 's'} passed, {unknown} could not be "
            f"evaluated, {other} {does} not apply"
        )


def _choose_be(number: int) -> str:
    return "is" if number == 1 else "are"
