"""The page of a comparison: comparison.json and its charts to Markdown.

In:  the document, charts by name, and the folders of the reports beside it. Out: files by their
     path relative to the page: index.md, comparison.json, charts/<name>.*.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from perfolio.charts.chart_data import DIRECTIONS
from perfolio.charts.comparison.part_words import name_part
from perfolio.charts.model import RenderedChart
from perfolio.common.units import quantity
from perfolio.comparison.compared_tables import PART_TITLES, describe_difference, list_tables
from perfolio.comparison.finding_changes import SEVERITIES
from perfolio.comparison.formats.markdown_form import describe_sides
from perfolio.comparison.recording_conditions import describe_setting
from perfolio.comparison.verdict_sentences import describe_change
from perfolio.pages.report_rendering import add_tooltips, list_chart_files
from perfolio.pages.template_environment import render

Document = Mapping[str, Any]
DOCUMENT = "comparison.json"
MOST_ROWS = 15
"""Rows of a table; all are in the document."""
_LEAST_RUNS = 5
"""On each side, that are advised."""
_SAID_BETTER = ("Record ", "Not recorded: ")
"""How notes of the document begin that the page says in words of its own."""
_FEW = 3
_LEAST_CHANGE = 1e-4
"""Of a value: a smaller difference is about the same."""
_MATCHED = {
    "all": "matched by path, sizes, name",
    "only one side": "no match",
    "class": "matched by class alone",
    "moves values": "matched by class alone",
}
_OF_HOST = frozenset({"idle", "main thread", "collective wait"})
"""Parts whose rows are of what the host does, or of another rank."""
_SIGNED = {
    "calls": ("more calls", "fewer calls"),
    "duration": ("slower", "faster"),
    "time": ("longer", "shorter"),
}
_FATES = ("new", "worse", "better", "gone", "not evaluated any more", "unchanged")
"""What became of findings, in the order in which they are listed."""


@dataclass(frozen=True)
class ChartPair:
    """A chart that the reports of both sides have: its name, title, and the page that shows it."""

    name: str
    title: str
    page: str


PAIRS = (
    ChartPair("roofline", "Roofline of kernels", "ceilings"),
    ChartPair("roofline_operators", "Roofline of operators", "ceilings"),
    ChartPair("memory_over_time", "GPU memory over time", "memory"),
)
"""Charts that are shown one below the other: their axes, or what they are about, are the same."""
_TREES = ChartPair("gpu_icicle", "Call tree of GPU time", "hot-paths")
"""The chart on whose page call trees of both sides are compared in the browser."""


def render_comparison(
    document: Document,
    charts: Mapping[str, RenderedChart],
    reports: Mapping[str, str],
    files: Collection[str] = (),
) -> dict[str, str | bytes]:
    """The files of a comparison; `reports` are folders by side: before, after.

    `files` are those of the reports, by their path relative to the page.
    """
    page = render(
        "comparison/page.md.j2",
        document=document,
        charts=charts,
        reports=reports,
        title=describe_sides(document),
        headline=write_headline(document),
        advice=write_advice(document),
        file=DOCUMENT,
        words={
            "condition": lambda check, side: describe_setting(check["name"], check[side]),
            "cause": describe_cause,
            "change": describe_row_change,
            "matched": describe_match,
            "work": name_work,
            "named_cause": lambda cause: name_cause(cause, document),
            "part": lambda row: name_part(row["part"], row["kind"]),
            "parts": lambda part: PART_TITLES.get(part, part),
            "signed": describe_difference,
            "difference": describe_value_change,
            "count": describe_count_change,
            "counted": name_count,
        },
        notes=list_notes(document),
        rows=[row for row in document["waterfall"] if row["difference"]],
        findings=sorted(document["findings"], key=_rank_finding),
        counted=[one for one in document["counted"] if one["before"] or one["after"]],
        pairs=[pair for pair in PAIRS if _has_both(pair, reports, files)],
        trees=_has_both(_TREES, reports, files),
        most=MOST_ROWS,
    )
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return {
        "index.md": add_tooltips("comparison", page),
        DOCUMENT: f"{text}\n",
        **list_chart_files(charts),
    }


def render_comparison_cell(document: Document) -> str:
    """A comparison in a cell of a notebook, as HTML; see `report_rendering.render_run_cell`."""
    title, tables = describe_sides(document), list_tables(document)
    return render("notebook.html.j2", document=document, title=title, tables=tables)


def _has_both(pair: ChartPair, reports: Mapping[str, str], files: Collection[str]) -> bool:
    """Whether the reports of both sides have the chart."""
    images = [f"{reports.get(side)}/charts/{pair.name}.svg" for side in ("before", "after")]
    return all(image in files for image in images)


def list_notes(document: Document) -> list[str]:
    """What to know beside the verdict: without the advice, and with a few of what is unknown."""
    notes = document["verdict"]["details"]
    unknown = [
        check["title"]
        for check in document["comparability"]
        if check["agreement"] == "not recorded"
    ]
    found = [note for note in notes if not note.startswith(_SAID_BETTER)]
    if not unknown:
        return found
    if len(unknown) <= _FEW:
        return [*found, f"Not recorded: {_join_words(unknown)}."]
    count = quantity(len(unknown), "count")
    return [*found, f"{count} conditions are not recorded, such as {_join_words(unknown[:_FEW])}."]


def _rank_finding(one: Mapping[str, Any]) -> tuple[int, int, str]:
    """The severest first, then what is new or worse."""
    severities = [one[f"severity_{side}"] for side in ("before", "after")]
    worst = max(SEVERITIES.index(each) for each in severities if each in SEVERITIES)
    return -worst, _FATES.index(one["fate"]), one["code"]


def name_count(one: Mapping[str, Any]) -> str:
    """A counted figure in words: `bytes copied, host to device`."""
    kind, _, direction = str(one["name"]).partition("_")
    if kind == "bytes" and direction.upper() in DIRECTIONS:
        return f"bytes copied, {DIRECTIONS[direction.upper()]}"
    return str(one["name"]).replace("_", " ")


def write_headline(document: Document) -> str:
    """The verdict in a few words."""
    kind, value = document["verdict"]["kind"], document["difference"]["value"]
    share = quantity(abs(value), "ratio")
    differing = [check["title"] for check in document["comparability"] if check["matters"]]
    same = document["verdict"]["sentence"].startswith("Both sides")
    return {
        "faster": f"Faster: {share} less time.",
        "slower": f"Slower: {share} more time.",
        "no-difference": "Both sides are the same recordings." if same else "No difference.",
        "cannot-tell": "Not decided: these repeats cannot tell.",
        "recordings-differ": f"Not decided: these recordings differ by {describe_change(value)}.",
        "not-comparable": f"Not comparable: not the same {_join_words(differing)}.",
    }[str(kind)]


def write_advice(document: Document) -> str:
    """What to do now."""
    kind = document["verdict"]["kind"]
    if kind == "not-comparable":
        titles = [check["title"] for check in document["comparability"] if check["matters"]]
        return f"Record both sides with the same {_join_words(titles)}, then compare again."
    if kind in ("cannot-tell", "recordings-differ"):
        each = max(document["difference"]["repeats"] or _LEAST_RUNS, _LEAST_RUNS)
        return f"Record {each} runs on each side, one of each in turn, then compare again."
    if kind == "slower" and document["parts"]:
        most = max(document["parts"], key=lambda part: part["difference"])
        name = name_part(most["part"], most["kind"])
        return f"Look at this part first: {name}, {describe_difference(most['difference'])}."
    return {
        "faster": "Keep the change.",
        "slower": "Do not keep the change as it is.",
        "no-difference": "Nothing to act on: the time is the same.",
    }[str(kind)]


def _join_words(words: Sequence[str]) -> str:
    return " and ".join((*[", ".join(words[:-1])][: len(words) > 1], *words[-1:]))


def describe_match(row: Mapping[str, Any]) -> str:
    """How a row of both sides was found to be the same; empty of time that is no GPU operation."""
    if row["part"] in _OF_HOST:
        return ""
    return _MATCHED.get(row["matched_by"], f"matched by {row['matched_by']}")


def name_work(row: Mapping[str, Any]) -> str:
    """A piece of work as page's words where it is a whole class; empty where it has a name."""
    return name_part(row["part"], row["kind"]) if row["name"] == row["kind"] else ""


def name_cause(cause: Mapping[str, Any], document: Document) -> str:
    """A cause as page's words where it is a whole part; empty where it is a kernel by its name."""
    if cause["kind"] == "clock":
        return "GPU clock, all kernels"
    kinds = {(part["part"], part["kind"]) for part in document["parts"]}
    known = (cause["kind"], cause["name"]) in kinds
    return name_part(cause["kind"], cause["name"]) if known else ""


def describe_cause(cause: Mapping[str, Any]) -> str:
    """What makes a cause: `fewer calls`, `slower`."""
    if cause["effect"] == "not alike":
        return "other calls"
    return _SIGNED[str(cause["effect"])][cause["difference"] < 0]


def describe_row_change(row: Mapping[str, Any]) -> str:
    """What has changed of a row: `fewer calls`, `slower`, `more calls, faster`, `only after`."""
    change = row["change"]
    if not row["before"] or not row["after"]:
        return "only before" if row["before"] else "only after"
    if change == "not alike":
        return "other calls"
    if change != "both":
        return _SIGNED[str(change)][row["difference"] < 0]
    by_calls, by_duration = row["by_calls"] < 0, row["by_duration"] < 0
    return f"{_SIGNED['calls'][by_calls]}, {_SIGNED['duration'][by_duration]}"


def describe_value_change(one: Mapping[str, Any]) -> str:
    """The difference of two values: in points of a share, else as a share of the first one."""
    first, second, unit = one["before"], one["after"], one["unit"]
    if first is None or second is None or unit == "text":
        return ""
    change = second - first
    if not change:
        return "same"
    if abs(change) < _LEAST_CHANGE * (1.0 if unit == "ratio" else max(abs(first), abs(second))):
        return "about the same"
    sign = "+" if change > 0 else ""
    if unit == "ratio":
        return f"{sign}{quantity(100.0 * change, '1')} points"
    if first <= 0:
        return f"{sign}{quantity(change, unit)}"
    return f"{sign}{quantity(change / first, 'ratio')}"


def describe_count_change(one: Mapping[str, Any]) -> str:
    """The exact difference of two counts."""
    change = one["difference"]
    if change is None:
        return ""
    return f"{'+' if change > 0 else ''}{quantity(change, one['unit'])}" if change else "same"
