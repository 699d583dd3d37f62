"""Tables that charts draw from findings: what no metric holds, because it follows from rules.

In:  the content of findings.json.
Out: results of table metrics of their own, beside those of the run.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from perfolio.findings.model import denominator
from perfolio.findings.model.step_replay import name_unit, name_whole
from perfolio.findings.model.wording import choose_cost_words
from perfolio.metrics.model import Metric, MetricColumn, Result, Results

WATERFALL = "roadmap.waterfall"
REPLAYED = "roadmap.replayed"
SLOWDOWN = "balance.slowdown"
REPLAYED_ITERATION = "roadmap.replayed_iteration"

TABLES: Mapping[str, Metric] = MappingProxyType(
    {
        WATERFALL: Metric(
            name=WATERFALL,
            title="Roadmap, step by step",
            unit="1",
            shape="table",
            better="neither",
            definition="What all steps up to each one save together at most, and what is left.",
            population="the steps of the roadmap that have a gain; none where wholes differ",
            needs=(),
            source="the joint bound of estimates",
            sql="",
            columns=(
                MetricColumn("code", "Check", "text"),
                MetricColumn("title", "Step", "text"),
                MetricColumn("phase", "Phase", "text"),
                MetricColumn("saved", "Saved by this step, beyond those before", "ratio"),
                MetricColumn("left", "Left", "ratio"),
                MetricColumn("of", "Of", "text"),
            ),
        ),
        REPLAYED: Metric(
            name=REPLAYED,
            title="Steps, replayed",
            unit="1",
            shape="table",
            better="neither",
            definition="What changes that stand for steps save in a replay of the run: each alone, "
            "and all up to each.",
            population="the iterations that were replayed, or the recording where nothing marks "
            "iterations; none where they cannot be",
            needs=(),
            source="recorded calls and operations, replayed with the change",
            sql="",
            columns=(
                MetricColumn("title", "Change", "text"),
                MetricColumn("alone_low", "Alone, at worst", "ratio"),
                MetricColumn("alone_high", "Alone, at best", "ratio"),
                MetricColumn("added", "Added up so far", "ratio"),
                MetricColumn("low", "Together so far, at worst", "ratio"),
                MetricColumn("high", "Together so far, at best", "ratio"),
                MetricColumn("of", "Of", "text"),
            ),
        ),
        SLOWDOWN: Metric(
            name=SLOWDOWN,
            title="What each rank costs",
            unit="1",
            shape="table",
            better="neither",
            definition="How much longer an iteration takes if one rank is as recorded and all else "
            "takes the mean of its kind (transfers: the median), in a replay of the run; and what "
            "mending that rank alone recovers of all that is lost.",
            population="the iterations that were replayed; ranks that were mended one by one",
            needs=(),
            source="recorded calls and operations, replayed with other times",
            sql="",
            columns=(
                MetricColumn("rank", "Rank", "id"),
                MetricColumn("longer", "Iteration longer by", "ratio"),
                MetricColumn("recovers", "Mended alone, recovers of what is lost", "ratio"),
            ),
        ),
        REPLAYED_ITERATION: Metric(
            name=REPLAYED_ITERATION,
            title="An iteration, replayed",
            unit="1",
            shape="table",
            better="neither",
            definition="What the host and streams of the first rank do in one iteration, replayed "
            "without and with all changes that stand for steps. A lane of many intervals is cut "
            "into equal slices.",
            population="the iteration nearest the means, or the recording where nothing marks "
            "iterations; the five busiest streams",
            needs=(),
            source="recorded calls and operations, replayed with the changes",
            sql="",
            columns=(
                MetricColumn("side", "Before or after", "text"),
                MetricColumn("lane", "Lane", "text"),
                MetricColumn("kind", "Kind", "text"),
                MetricColumn("start", "Begin", "s"),
                MetricColumn("stop", "End", "s"),
                MetricColumn("share", "Busy share", "ratio"),
                MetricColumn("length", "Length of all of it", "s"),
                MetricColumn("of", "Of", "text"),
                MetricColumn("end", "End of a change's range", "text"),
            ),
        ),
    }
)
"""The tables by name."""

_WHOLES = {
    "wall": "the wall time",
    "span": "the GPU span",
    "gpu_work": "GPU-operation time",
    "running": "running time of threads",
}


def make_tables(document: Mapping[str, Any]) -> Results:
    """The tables of a findings document; those without rows are left out."""
    tables = {
        WATERFALL: _make_step_rows(document),
        REPLAYED: _make_replayed_rows(document),
        SLOWDOWN: _make_slowdown_rows(document),
        REPLAYED_ITERATION: make_iteration_rows(document.get("replay") or {}),
    }
    return {
        name: Result(TABLES[name], "measured", rows=rows) for name, rows in tables.items() if rows
    }


def make_iteration_results(replay: Mapping[str, Any]) -> Results:
    """The table of one replayed iteration, by name; none where it is not drawn."""
    rows = make_iteration_rows(replay)
    table = TABLES[REPLAYED_ITERATION]
    return {REPLAYED_ITERATION: Result(table, "measured", rows=rows)} if rows else {}


def _make_replayed_rows(document: Mapping[str, Any]) -> tuple[tuple[str | float, ...], ...]:
    replay = document.get("replay") or {"steps": ()}
    return tuple(
        (
            step["title"],
            step["alone"]["low"],
            step["alone"]["high"],
            step["added"],
            step["together"]["low"],
            step["together"]["high"],
            name_whole(replay),
        )
        for step in replay["steps"]
    )


def _make_slowdown_rows(document: Mapping[str, Any]) -> tuple[tuple[str | float, ...], ...]:
    found = document.get("stragglers") or {"ranks": ()}
    return tuple(
        (int(each["key"]), max(0.0, each["slowdown"] - 1.0), each["recovers"])
        for each in found["ranks"]
    )


def make_iteration_rows(replay: Mapping[str, Any]) -> tuple[tuple[str | float, ...], ...]:
    """The marks of a replay's timeline; none where it has none."""
    drawn = replay.get("timeline")
    if not drawn:
        return ()
    lengths = {False: float(drawn["before"]), True: float(drawn["after"])}
    names = ("is_after", "lane", "kind", "start", "stop", "share")
    whole = (name_unit(replay), "at worst" if drawn.get("at_worst") else "")
    return tuple(
        ("after" if is_after else "before", *mark, lengths[is_after], *whole)
        for is_after, *mark in zip(*(drawn[name] for name in names), strict=False)
    )


def describe_whole(causes: Mapping[str, Any]) -> str:
    """What 100 % of the tree of causes is, in a few words."""
    if causes["whole"] == "cost":
        return choose_cost_words(causes["unit"]).whole
    words = _WHOLES.get(str(causes["whole"]), "nothing that was measured")
    return f"{words} without short gaps" if causes.get("left_out") else words


def describe_steady(causes: Mapping[str, Any]) -> str:
    """What a share of the steady iterations is of, in a few words."""
    return denominator.describe_steady(float(causes.get("left_out") or 0.0))


def _make_step_rows(document: Mapping[str, Any]) -> tuple[tuple[str | float, ...], ...]:
    titles = {finding["code"]: finding["title"] for finding in document["findings"]}
    of = describe_whole(document["causes"])
    rows, before = [], 0.0
    if document["worth"]["most"] is None:
        return ()
    for phase in document["roadmap"]["phases"]:
        for step in phase["steps"]:
            if step["most"] is None:
                continue
            saved, before = step["joint"] - before, step["joint"]
            code = step["code"]
            rows.append((code, titles[code], phase["phase"], saved, 1.0 - before, of))
    return tuple(rows)
