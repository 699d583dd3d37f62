"""Runs that belong together: a run whose profile.toml names the one before a change.

In:  reports. Out: their order on the start page, each with the report that it is compared with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from generator.pages.report import Report

BEFORE = "workload.before"
"""The setting that names the run before the change, by its short name."""
COMPARED = ("time.iteration_median", "time.wall", "cpu.time")
"""What is compared: the first of these that both runs have."""


@dataclass(frozen=True)
class Entry:
    """A report and the one before it."""

    report: Report
    before: Report | None
    compared: str
    """Name of the metric that both have; empty where there is none."""
    missing: str = ""
    """Name of a better one that one of them alone has."""


def in_series(reports: Sequence[Report]) -> list[Entry]:
    """Each report right after the one that it is compared with, else in the given order."""
    slugs = {report.run["slug"]: report for report in reports}
    following: dict[str, list[Report]] = {}
    first = []
    for report in reports:
        before = str(report.run["settings"].get(BEFORE, ""))
        if before in slugs and before != report.run["slug"]:
            following.setdefault(before, []).append(report)
        else:
            first.append(report)
    ordered: list[Report] = []
    waiting = first[::-1]
    while waiting:
        ordered.append(waiting.pop())
        waiting.extend(following.pop(ordered[-1].run["slug"], [])[::-1])
    ordered.extend(report for report in reports if report not in ordered)  # they name each other
    return [_entry(report, slugs) for report in ordered]


def _entry(report: Report, slugs: dict[str, Report]) -> Entry:
    before = slugs.get(str(report.run["settings"].get(BEFORE, "")))
    if before is None or before is report:
        return Entry(report, None, "")
    slowed = report.holds("slowed") or before.holds("slowed")  # then it is no time of the program
    names = [name for name in COMPARED if not (slowed and name == "time.wall")]
    found = [(name, report.has_any([name]), before.has_any([name])) for name in names]
    compared = next((name for name, here, there in found if here and there), "")
    missing = next((name for name, here, there in found if here or there), "")
    return Entry(report, before, compared, missing if missing != compared else "")
