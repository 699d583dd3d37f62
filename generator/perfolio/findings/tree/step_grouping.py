"""Which findings make a step of the roadmap, and which stand beside one that answers them.

In:  fired findings with a cause, the tree of causes, and how much of it each saves or concerns.
Out: the codes of steps with those beside each.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from perfolio.findings.model.change_effect import ChangeEffect
from perfolio.findings.model.finding import Estimate, Finding
from perfolio.findings.model.rule import SEVERITIES
from perfolio.findings.tree.cause_tree import Cause, CauseTree

WORTHWHILE = 0.01
"""A step that is worth less than this of the steady iterations, or of the whole where there are
none or it lies outside, is not worth taking now [ratio]."""


@dataclass(frozen=True)
class FiredFindings:
    """The fired findings of a run that have a cause."""

    tree: CauseTree
    findings: Mapping[str, Finding]
    """By code."""
    sizes: Mapping[str, float]
    """What those save that have a gain, and others concern where that is known, by code."""

    def cause_of(self, code: str) -> Cause | None:
        """The cause of a finding; None where this run has none of that key."""
        return self.tree.find(self.findings[code].rule.cause)

    def is_enough(self, code: str) -> bool:
        """Whether a finding with a size is worth a step by that alone."""
        cause = self.findings[code].rule.cause
        return self.tree.judged_share(self.sizes[code], cause) >= WORTHWHILE

    def leads(self) -> dict[str, list[str]]:
        """The findings that make a step, with those that stand beside it."""
        found: dict[str, list[str]] = {}
        for code in self.findings:
            lead = self._lead(code)
            found.setdefault(lead, [])
            if lead != code:
                found[lead].append(code)
        return found

    def _lead(self, code: str) -> str:
        """The finding whose step answers this one: itself, or the best one below with a gain."""
        seen: list[str] = []
        while code not in seen:
            seen.append(code)
            code = self._reason(code)
            cause = self.cause_of(code)
            best = self._best(cause) if cause is not None else None
            if best is None and cause is not None and code not in self.sizes:
                code = self._part(cause) or code
            if best is not None and (code not in self.sizes or (cause is not None and cause.same)):
                code = best if self.is_enough(best) else code
        return code

    def _reason(self, code: str) -> str:
        """The finding that explains this one and is worth no less; itself without one."""
        least = self.sizes.get(code, 0.0)
        by = self.findings[code].rule.worth.explained_by
        return next((each for each in by if self.sizes.get(each, -1.0) >= least), code)

    def explained(self, code: str, gains: Mapping[str, Estimate]) -> tuple[ChangeEffect, ...]:
        """What findings save of which this one is the reason: their time is not its own."""
        return tuple(
            effect
            for other, worth in gains.items()
            if other != code and self._reason(other) == code
            for effect in worth.effects
        )

    def _best(self, cause: Cause) -> str | None:
        """The largest below a cause that says the same or has no gain of its own, else on it.

        What is below as a view is no closer to a reason: there the largest of all is taken, so
        that a step brings what its own finding says.
        """
        cause = self._seen(cause)
        here = self._sized({cause.key})
        inside = self._sized({each.key for each in self._below(cause)})
        if not cause.same:
            return self._largest(here or inside)
        parts = {each.key for each in self._below(cause) if not each.view}
        return self._largest(self._sized(parts) or [*inside, *here])

    def _seen(self, cause: Cause) -> Cause:
        """The cause that one is a view of, where one step answers both; else itself."""
        above = self.tree.find(cause.parent)
        return above if cause.view and cause.same and above is not None and above.same else cause

    def _sized(self, keys: Collection[str]) -> list[str]:
        return [code for code in self.sizes if self.findings[code].rule.cause in keys]

    def _largest(self, codes: Sequence[str]) -> str | None:
        return max(codes, key=lambda code: (self.sizes[code], code), default=None)

    def _part(self, cause: Cause) -> str | None:
        """Without gains: a finding on a cause below that is most of this one, if there is one."""
        share = cause.share or 0.0
        most = (each for each in self._below(cause) if share and (each.share or 0.0) >= share / 2.0)
        found = (self._severest(each.key) for each in most)
        return next((code for code in found if code is not None), None)

    def _severest(self, key: str) -> str | None:
        """The severest finding on a cause."""

        def place(code: str) -> tuple[int, str]:
            severity = self.findings[code].severity
            return SEVERITIES.index(severity) if severity else len(SEVERITIES), code

        on_it = (code for code, finding in self.findings.items() if finding.rule.cause == key)
        return min(on_it, key=place, default=None)

    def _below(self, cause: Cause) -> Iterator[Cause]:
        for child in self.tree.children(cause.key):
            yield child
            yield from self._below(child)
