"""Real databases written anew, and hpcprof's own numbers against the writer's definitions."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from perfolio.readers.hpctoolkit import reader
from perfolio.readers.hpctoolkit.meta_db import STATISTIC_BASE
from perfolio.readers.model import Source
from perfolio.writers.hpctoolkit import Database, Tree, Values
from perfolio.writers.hpctoolkit.context_order import Topology, build_topology
from perfolio.writers.hpctoolkit.cost_propagation import propagate
from perfolio.writers.hpctoolkit.metric_numbers import MetricNumbering, number_metrics
from perfolio.writers.hpctoolkit.model import LEXICAL, LOOP
from tests.kit.shared import database, golden
from tests.writers.copies import as_database, copy, new_numbers

pytestmark = pytest.mark.real
NAMES = sorted(name for name in golden() if golden()[name]["values"]) or ["golden.json"]
Numbers = Any


def rows(source: Source, stream: str, *keys: str) -> pa.Table:
    table = pa.Table.from_batches(source.streams[stream].batches(), source.streams[stream].schema)
    return table.sort_by([(key, "ascending") for key in keys])


@pytest.mark.parametrize("name", NAMES)
def test_a_copy_holds_what_the_original_holds(name: str, tmp_path: Path) -> None:
    path = database(name)
    original, copied = copy(path, tmp_path / "copy.d")
    for table in ("module", "file", "function", "profile"):
        assert copied.tables[table].equals(original.tables[table]), table
    by_id = [("id", "ascending")]
    assert copied.tables["context"].sort_by(by_id).equals(original.tables["context"].sort_by(by_id))
    assert (copied.title, copied.description) == (original.title, original.description)
    numbers = new_numbers(original, as_database(path, original))
    before, after = (
        rows(renumbered(source, "value", table), "value", "profile", "context", "metric")
        for source, table in ((original, numbers), (copied, {}))
    )
    assert after.equals(before)
    if "trace" in original.streams:
        assert list(copied.streams["trace"].batches()) == list(original.streams["trace"].batches())
    compare_summaries(original, copied, numbers)
    compare_with_golden(copied, golden()[name])


def renumbered(source: Source, stream: str, numbers: dict[int, int]) -> Source:
    """The same source with other identifiers of metrics in a stream."""
    if not numbers:
        return source
    table = np.zeros(max(numbers) + 1, np.int32)
    table[list(numbers)] = list(numbers.values())
    given = source.streams[stream]

    def batches() -> Any:
        for batch in given.batches():
            column = pa.array(table[batch["metric"].to_numpy()])
            yield batch.set_column(batch.schema.get_field_index("metric"), "metric", column)

    changed = type(given)(given.rows, given.schema, batches)
    return type(source)(**{**vars(source), "streams": {**source.streams, stream: changed}})


def compare_summaries(original: Source, copied: Source, numbers: dict[int, int]) -> None:
    """Equal but for rounding, and for lex_aware of loops, which hpcprof sums otherwise.

    See `test_definitions_give_hpcprofs_numbers`: in profiles it counts loops within loops.
    """
    before = rows(renumbered(original, "summary", numbers), "summary", "context", "metric")
    after = rows(copied, "summary", "context", "metric")
    loops = pc.filter(
        original.tables["context"]["id"],
        pc.equal(original.tables["context"]["lexical_type"], "loop"),
    )
    scopes = copied.tables["metric"]
    aware = pc.filter(scopes["id"], pc.equal(scopes["scope"], "lex_aware"))
    before, after = (
        table.filter(
            pc.invert(
                pc.and_(
                    pc.is_in(table["context"], value_set=loops.combine_chunks()),
                    pc.is_in(table["metric"], value_set=aware.combine_chunks()),
                )
            )
        )
        for table in (before, after)
    )
    for column in ("context", "metric"):
        assert after[column].equals(before[column]), column
    np.testing.assert_allclose(after["value"].to_numpy(), before["value"].to_numpy(), rtol=1e-13)


def compare_with_golden(copied: Source, expected: dict[str, Any]) -> None:
    metrics = {row["id"]: row for row in copied.tables["metric"].to_pylist()}
    summary = rows(copied, "summary", "context", "metric")
    totals = {
        metrics[row["metric"]]["name"]: row["value"]
        for row in summary.filter(pc.equal(summary["context"], 0)).to_pylist()
        if metrics[row["metric"]]["scope"] == "execution"
    }
    assert totals == pytest.approx(expected["total"], rel=1e-12)
    values = rows(copied, "value", "metric")
    point = {
        row["name"]: math.fsum(values.filter(pc.equal(values["metric"], id_))["value"].to_pylist())
        for id_, row in metrics.items()
        if row["scope"] == "point" and id_ < STATISTIC_BASE
    }
    found = {name: value for name, value in point.items() if value}
    assert found == pytest.approx(expected["point_total"], rel=1e-12)
    assert copied.streams["value"].rows == expected["values"]


@pytest.mark.parametrize("name", NAMES)
def test_definitions_give_hpcprofs_numbers(name: str) -> None:
    """What hpcprof says of scope function tells what was measured in each listed context.

    From that the writer must find hpcprof's execution and lex_aware in every profile. In
    profiles, hpcprof's lex_aware of a loop is that of scope function; its summary says
    what the definition says, and the writer does the same in both.
    """
    path = database(name)
    source = reader.read(path)
    made = listed_only(as_database(path, source))
    shape, numbers = build_topology(made), number_metrics(made.metrics)
    table = rows(source, "value", "profile", "context", "metric")
    renumber = new_numbers(source, made)
    profile = table["profile"].to_numpy()
    edges = np.searchsorted(profile, np.arange(len(made.profiles) + 2))
    loops = made.tree.context[made.tree.lexical_type == LOOP].astype(np.int64)
    aware = np.zeros((numbers.size, shape.size))
    for index in range(1, len(made.profiles) + 1):
        part = table.slice(edges[index], edges[index + 1] - edges[index])
        if not part.num_rows:
            continue
        hpcprof = dense(part, renumber, shape, numbers)
        found = from_function_scope(index, hpcprof, made, shape, numbers)
        aware += found
        for position, metric in enumerate(made.metrics):
            for scope, kind in enumerate(metric.scopes):
                if kind == "point":
                    continue
                number = numbers.propagated(position, scope)
                expected = hpcprof[number].copy()
                if kind == "lex_aware":
                    expected[loops] = found[number][loops]
                close(found[number], expected, f"{metric.name} {kind} of profile {index}")
    compare_loops(source, renumber, aware, (shape, numbers), loops)


def listed_only(made: Database) -> Database:
    """Without the contexts that have no node: their parents are unknown."""
    tree = made.tree
    assert tree.unlisted is not None
    kept = ~tree.unlisted
    columns = {name: value[kept] for name, value in vars(tree).items()}
    return type(made)(**{**vars(made), "tree": Tree(**{**columns, "unlisted": None})})


def dense(
    table: pa.Table, renumber: dict[int, int], shape: Topology, numbers: MetricNumbering
) -> Numbers:
    """Values by metric and listed context."""
    found = np.zeros((numbers.size, shape.size))
    context = table["context"].to_numpy()
    known = context < shape.size
    known[known] = shape.order.position[context[known]] >= 0
    metric = np.array([renumber[m] for m in table["metric"].to_pylist()], np.int64)
    found[metric[known] & 0xFFFF, context[known]] = table["value"].to_numpy()[known]
    return found


def from_function_scope(
    index: int, hpcprof: Numbers, made: Database, shape: Topology, numbers: MetricNumbering
) -> Numbers:
    """All scopes by metric and context, of costs that explain hpcprof's scope function."""
    pieces = []
    inside = made.tree.relation == LEXICAL
    child = made.tree.context[inside].astype(np.int64)
    parent = made.tree.parent[inside].astype(np.int64)
    for position, metric in enumerate(made.metrics):
        function = hpcprof[numbers.propagated(position, metric.scopes.index("function"))]
        if not function.any():
            continue
        own = function.copy()
        np.subtract.at(own, parent, function[child])
        own[np.abs(own) < 1e-9 * np.abs(function).max(initial=0)] = 0
        context = np.flatnonzero(own)
        which = np.full(len(context), position, np.uint16)
        pieces.append(Values(index, context.astype(np.uint32), which, own[context]))
    found = np.zeros_like(hpcprof)
    if not pieces:
        return found
    block = propagate(shape, numbers, pieces)
    edges = np.append(block.start, len(block.value))
    context = np.repeat(block.context, edges[1:] - edges[:-1])
    found[block.metric, context] = block.value
    return found


def compare_loops(
    source: Source,
    renumber: dict[int, int],
    found: Numbers,
    shape: tuple[Topology, MetricNumbering],
    loops: Numbers,
) -> None:
    """The summary's lex_aware of loops is the sum of what the writer gives the profiles."""
    summary = dense(rows(source, "summary", "context"), renumber, *shape)
    for position, metric in enumerate(shape[1].metrics):
        scope = metric.scopes.index("lex_aware")
        summed = summary[shape[1].statistic(position, 0, scope)][loops]
        close(found[shape[1].propagated(position, scope)][loops], summed, f"loops, {metric.name}")


def close(found: Numbers, expected: Numbers, what: str) -> None:
    atol = 1e-9 * np.abs(expected).max(initial=0)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=atol, err_msg=what)
