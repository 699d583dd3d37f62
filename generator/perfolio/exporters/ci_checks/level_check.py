"""A findings document against a level.

In:  findings.json as a dictionary. Out: `Check`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from perfolio.common.units import compute_half_width, format_threshold, quantity
from perfolio.exporters.ci_checks.model import LEVELS, Check, CheckItem, Locate, SourcePlace
from perfolio.exporters.ci_checks.source_places import find_cause_places, find_places


def check_findings(
    document: Mapping[str, Any], level: str, locate: Locate, subject: str = ""
) -> Check:
    """The findings of one run, with those that are at least as bad as `level` marked."""
    seen = _EvidenceSources(
        {metric["name"]: metric for metric in document["metrics"]["metrics"]},
        document["causes"]["nodes"],
        locate,
    )
    return Check(
        slug=document["run"]["slug"],
        title=document["run"]["title"],
        verdict=document["verdict"]["sentence"],
        provenance=document["provenance"],
        level=level,
        subject=subject,
        items=tuple(_make_item(one, level, seen) for one in document["findings"]),
    )


@dataclass(frozen=True)
class _EvidenceSources:
    """What places are taken from: tables by name, root causes, and where files are."""

    metrics: Mapping[str, Mapping[str, Any]]
    causes: Sequence[Mapping[str, Any]]
    locate: Locate

    def of(self, finding: Mapping[str, Any]) -> tuple[SourcePlace, ...]:
        """The places of its evidence; those of its root cause first, where it has no file."""
        own = find_places(finding["evidence"], self.metrics, self.locate)
        if finding["status"] != "fired" or any(place.file for place in own):
            return own
        return find_cause_places(finding, self.causes, self.metrics, self.locate) + own


def _make_item(finding: Mapping[str, Any], level: str, seen: _EvidenceSources) -> CheckItem:
    severity, unit = finding["severity"] or "", finding["unit"]
    value, half = finding["value"], compute_half_width(finding["low"], finding["high"])
    estimate = finding["estimate"]
    return CheckItem(
        code=finding["code"],
        slug=finding["slug"],
        title=finding["title"],
        status=finding["status"],
        severity=severity,
        fails=bool(severity) and LEVELS.index(severity) <= _rank_level(level),
        words=finding["sentence"] or finding["reason"],
        collect=finding["collect"],
        metric=finding["metric"] or "",
        value="" if value is None else quantity(value, unit, half),
        thresholds=", ".join(
            f"{finding['direction']} {format_threshold(each['value'], unit)}: {each['severity']}"
            for each in finding["thresholds"]
        ),
        threshold_source=finding["threshold_source"],
        worth=_describe_worth(estimate) if estimate else "",
        rank=estimate["reduction"] if estimate and estimate["kind"] == "gain" else 0.0,
        places=seen.of(finding),
        sections=finding["sections"],
    )


def _rank_level(level: str) -> int:
    """The last place in `LEVELS` that fails; none where the level is never."""
    return LEVELS.index(level) if level != "never" else -1


def _describe_worth(estimate: Mapping[str, Any]) -> str:
    """As pages say it: both forms where the factor says something.

    A limit is not a gain: what would be left at best.
    """
    of = estimate["of"].partition(";")[0]
    if estimate["kind"] == "limit":
        left = quantity(1.0 - estimate["reduction"], "ratio")
        return f"no gain but a limit: {left} of {of} would be left at best"
    share, factor = quantity(estimate["reduction"], "ratio"), estimate["told_factor"]
    speedup = f" (a factor of {quantity(factor, 'x')})" if factor else ""
    return f"at most {share}{speedup} of {of}"
