"""Runs that belong together: a run whose profile.toml names the one before a change.

In:  reports. Out: their order in lists and in the navigation, each with the report that it is
     compared with.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from perfolio.pages.cpu_cost_unit import Record, find_cost_unit
from perfolio.pages.metric_groups import is_measured
from perfolio.pages.report_view import Report, is_simulated

BEFORE = "workload.before"
"""The setting that names the run before the change, by its short name."""
COMPARED = ("time.iteration_median", "time.wall", "cpu.time")
"""What is compared: the first of these that both runs have."""

TREES = "tree."
"""How metrics of call trees begin; the rest names the tree on pages."""


@dataclass(frozen=True)
class SeriesEntry:
    """A report and the one before it."""

    report: Report
    before: Report | None
    compared: str
    """Name of the metric that both have; empty where there is none."""
    missing: str = ""
    """Name of a better one that one of them alone has."""


def order_series(reports: Sequence[Report]) -> list[SeriesEntry]:
    """The reports in the order of `listed`, each with the one that it is compared with."""
    slugs = {report.run["slug"]: report for report in reports}
    settings = {slug: report.run["settings"] for slug, report in slugs.items()}
    return [_make_entry(slugs[slug], slugs) for slug in order_runs(settings)]


def order_runs(settings: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Short names of runs by their settings: recorded ones first, each after the one before it.

    Else by name, so that every list of the same runs has the same order.
    """
    first: list[str] = []
    following: dict[str, list[str]] = {}
    for slug in sorted(settings, key=lambda each: (is_simulated(settings[each]), each)):
        before = str(settings[slug].get(BEFORE, ""))
        known = before in settings and before != slug
        (following.setdefault(before, []) if known else first).append(slug)
    ordered: dict[str, None] = {}
    waiting = first[::-1]
    while waiting:
        slug = waiting.pop()
        ordered[slug] = None
        waiting.extend(following.pop(slug, [])[::-1])
    return list(ordered | dict.fromkeys(settings))  # those left over name each other


def _make_entry(report: Report, slugs: dict[str, Report]) -> SeriesEntry:
    before = slugs.get(str(report.run["settings"].get(BEFORE, "")))
    if before is None or before is report:
        return SeriesEntry(report, None, "")
    slowed = report.holds("slowed") or before.holds("slowed")  # then it is no time of the program
    names = [name for name in COMPARED if not (slowed and name == "time.wall")]
    changes = [(name, report.has_any([name]), before.has_any([name])) for name in names]
    compared = next((name for name, here, there in changes if here and there), "")
    missing = next((name for name, here, there in changes if here or there), "")
    return SeriesEntry(report, before, compared, missing if missing != compared else "")


def write_runs_script(documents: Sequence[tuple[Record, Record]]) -> str:
    """The runs of a site with the call trees that each has and their units, as a script.

    Call trees of two runs are compared in the browser (tree-compare.js), so that no site holds
    the difference of any two. `fetch` would not read a list on file://.
    """
    listed = [
        {
            "slug": metrics["run"]["slug"],
            "title": metrics["run"]["title"],
            "before": metrics["run"]["settings"].get(BEFORE, ""),
            "trees": _find_tree_units(metrics["metrics"]),
        }
        for metrics, _ in sorted(documents, key=lambda pair: str(pair[0]["run"]["slug"]))
    ]
    return (
        "window.perfolio = window.perfolio || {specs: {}};\n"
        f"window.perfolio.runs = {json.dumps(listed, separators=(',', ':'))};\n"
    )


def _find_tree_units(metrics: Sequence[Record]) -> dict[str, str]:
    """The unit of each call tree that is measured."""
    trees = [item for item in metrics if item["name"].startswith(TREES) and is_measured(item)]
    units = {item["name"]: [column["unit"] for column in item["columns"]] for item in trees}
    cpu = find_cost_unit(metrics)
    return {name.removeprefix(TREES): "s" if "s" in of else cpu for name, of in units.items()}
