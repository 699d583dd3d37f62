"""Calls to the tables of a source: the same that a reader of samples gives.

Statistics over ranks stand where HPCToolkit's over profiles do: at scope execution where one is
inclusive, and at scope function where it is not. Of ranks that a profile adds up, the sum of the
formula `1` counts those that entered.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from perfolio.readers.code_names import to_storable_text
from perfolio.readers.events.code_tables import make_code_tables
from perfolio.readers.events.cost_tables import SUMMED, make_cost_tables
from perfolio.readers.events.gpu_operations import MeasuredCost
from perfolio.readers.events.placed_recording import ENTRIES
from perfolio.readers.events.range_nesting import DEEPEST, ROOT, CallingContextTree
from perfolio.readers.events.recording import CodePlace, Ints, Recording
from perfolio.readers.hatchet.call_places import (
    NOISE,
    CallPlace,
    CallThread,
    CostedCallTree,
    OverRanks,
    compute_own_amounts,
)
from perfolio.readers.measures import find_tool_name, load_measures

_MAIN, _, _UNKNOWN = ENTRIES
_LONGEST_NAME = 4_000
_LEXICAL = {"function": "function", "inlined": "function", "loop": "loop", "line": "line"}
_RELATION = {"function": "call", "inlined": "inlined call", "loop": "lexical", "line": "lexical"}
_COUNT = ("sum", "1")
_VALUE = "$$"


def make_call_tables(calls: CostedCallTree) -> dict[str, pa.Table]:
    """All tables that follow from calls; notes of what had to be changed are added to them."""
    codes = Recording()
    tree, contexts = _place_calls(calls, codes)
    owner = _find_owners(calls.places, contexts, len(tree))
    profiles = np.arange(len(calls.threads) + 1)
    costs = list(_list_costs(calls, contexts))
    tables = make_cost_tables(costs, tree, profiles, load_measures(Path(__file__).parent), owner)
    return {
        "profile": _make_profile_table(calls.threads),
        **_make_code_tables(codes, calls.places),
        "context": _make_context_table(tree, calls.places, contexts, codes),
        **add_statistics(tables, calls.ranks.statistics, contexts),
    }


def _place_calls(calls: CostedCallTree, codes: Recording) -> tuple[CallingContextTree, Ints]:
    """The tree, and the context of each place: equal places of one caller are one context."""
    tree = CallingContextTree()
    is_main = {each.thread for each in calls.threads} == {0}
    entry = tree.below(ROOT, _MAIN if is_main else _UNKNOWN)
    contexts = np.zeros(len(calls.places), np.int64)
    for position, place in enumerate(calls.places):
        outer = entry if place.parent < 0 else int(contexts[place.parent])
        shallow = tree.depths[outer] < DEEPEST
        code = codes.codes.of(_make_code(place))
        contexts[position] = tree.below(outer if shallow else tree.parents[outer], code)
    return tree, contexts


def _make_code(place: CallPlace) -> CodePlace:
    """By which a place is told from others: lines and loops by their kind as well."""
    name = to_storable_text(place.name)[:_LONGEST_NAME] or "<unnamed>"
    kind = "" if _LEXICAL[place.kind] == "function" else f"<{place.kind}> "
    return CodePlace(
        kind + name, to_storable_text(place.module), to_storable_text(place.file), place.line
    )


def _find_owners(places: list[CallPlace], contexts: Ints, count: int) -> Ints:
    """Of each context, that of the function which it is in."""
    owner = np.arange(count)
    for position, place in enumerate(places):
        if _LEXICAL[place.kind] != "function" and place.parent >= 0:
            owner[contexts[position]] = owner[contexts[place.parent]]
    return owner


def _list_costs(calls: CostedCallTree, contexts: Ints) -> Iterator[MeasuredCost]:
    for each in calls.measures:
        own, worst = compute_own_amounts(calls.places, each)
        whole = float(own.sum(axis=1).max(initial=0.0))
        if worst > NOISE * whole:
            calls.notes.append(
                f"places cost less {each.measure} than what is below them, by {worst / whole:.2g} "
                "of a thread's total at most: they count as much as that"
            )
        thread, place = np.nonzero(own)
        yield MeasuredCost(each.measure, thread + 1, contexts[place], own[thread, place])


def _make_profile_table(threads: list[CallThread]) -> pa.Table:
    rows = []
    for number, each in enumerate(threads, 1):
        told = [("RANK", each.rank), ("THREAD", each.thread)]
        words = " ".join(f"{name} {value}" for name, value in told if value is not None)
        rows.append(
            {
                "index": number,
                "identifier_tuple": words or "ALL 0",
                "kind": each.kind,
                "node": None,
                "rank": each.rank,
                "thread": each.thread,
                "gpu_context": None,
                "gpu_stream": None,
            }
        )
    names = ("node", "rank", "thread", "gpu_context", "gpu_stream")
    schema = pa.schema(
        [("index", pa.int32()), ("identifier_tuple", pa.string()), ("kind", pa.string())]
        + [(name, pa.uint64()) for name in names]
    )
    return pa.Table.from_pylist(rows, schema=schema)


def _make_code_tables(codes: Recording, places: list[CallPlace]) -> dict[str, pa.Table]:
    """Tables module, file and function; loops and lines are places, but no functions."""
    tables = make_code_tables(codes)
    functions = {_make_code(each) for each in places if _LEXICAL[each.kind] == "function"}
    kept = pa.array([code in functions for code in codes.codes.all()], pa.bool_())
    return {**tables, "function": tables["function"].filter(kept)}


def _make_context_table(
    tree: CallingContextTree, places: list[CallPlace], contexts: Ints, codes: Recording
) -> pa.Table:
    """Table context: the entry point, then all places."""
    files = _number_names(code.file for code in codes.codes.all())
    modules = _number_names(code.module for code in codes.codes.all())
    words = dict(ENTRIES)
    rows: dict[int, dict[str, object]] = {}
    for position, place in enumerate(places):
        code = _make_code(place)
        is_function = _LEXICAL[place.kind] == "function"
        rows[int(contexts[position])] = {
            "relation": _RELATION[place.kind],
            "lexical_type": _LEXICAL[place.kind],
            "function": codes.codes.of(code) if is_function else None,
            "file": None if is_function else files.get(code.file),
            "line": None if is_function else place.line,
            "module": None if is_function else modules.get(code.module),
        }
    entry = {"relation": "entry", "lexical_type": "entry"}
    return pa.Table.from_pylist(
        [
            {
                "id": number,
                "parent": tree.parents[number],
                "depth": tree.depths[number],
                "entry_point": words[tree.codes[tree.entries[number]]],
                "offset": None,
                **rows.get(number, entry),
            }
            for number in range(1, len(tree))
        ],
        schema=_CONTEXT,
    )


def _number_names(names: Iterator[str]) -> dict[str, int]:
    """Names as `make_code_tables` numbers them."""
    return {name: number for number, name in enumerate(dict.fromkeys(filter(None, names)))}


_CONTEXT = pa.schema(
    [
        ("id", pa.uint32()),
        ("parent", pa.uint32()),
        ("depth", pa.int32()),
        ("entry_point", pa.string()),
        ("relation", pa.string()),
        ("lexical_type", pa.string()),
        ("function", pa.int32()),
        ("file", pa.int32()),
        ("line", pa.uint32()),
        ("module", pa.int32()),
        ("offset", pa.uint64()),
    ]
)


def add_statistics(
    tables: Mapping[str, pa.Table], statistics: Sequence[OverRanks], contexts: Ints
) -> dict[str, pa.Table]:
    """Tables metric and summary with these statistics; none of a context with two places."""
    if not statistics:
        return dict(tables)
    first = max(tables["metric"]["id"].to_pylist(), default=SUMMED - 1) + 1
    alone = np.bincount(contexts)[contexts] == 1
    metrics, parts = [], []
    for number, each in enumerate(statistics, first):
        metrics.append(_describe_statistic(each, number))
        kept = np.flatnonzero(np.isfinite(each.amounts) & alone)
        parts.append(
            pa.table(
                {
                    "context": pa.array(contexts[kept].astype(np.uint32)),
                    "metric": pa.array(np.full(len(kept), number, np.int32)),
                    "value": pa.array(each.amounts[kept]),
                }
            )
        )
    metric, summary = tables["metric"], tables["summary"]
    parts = [each.select(summary.column_names) for each in parts]
    return {
        **tables,
        "metric": pa.concat_tables([metric, pa.Table.from_pylist(metrics, schema=metric.schema)]),
        "summary": pa.concat_tables([summary, *parts]),
    }


def _describe_statistic(each: OverRanks, number: int) -> dict[str, object]:
    statistic, formula = _COUNT if each.statistic == "count" else (each.statistic, _VALUE)
    return {
        "id": number,
        "name": find_tool_name(each.measure, load_measures(Path(__file__).parent)),
        "measure": each.measure,
        "scope": "execution" if each.is_inclusive else "function",
        "statistic": statistic,
        "formula": formula,
    }
