"""The writer of HPCToolkit databases: read back, it is what was given and what follows from it."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from perfolio.readers.hpctoolkit import format_layouts as lay
from perfolio.readers.hpctoolkit import reader
from perfolio.readers.hpctoolkit.file_header import open_file
from perfolio.readers.model import Source
from perfolio.writers.hpctoolkit import (
    SCOPES,
    SQUARES,
    SUM,
    Database,
    EntryPoint,
    Identifier,
    Metric,
    Profile,
    Statistic,
    TracePoints,
    Tree,
    Values,
    cct_writer,
    cost_propagation,
    write,
)
from perfolio.writers.hpctoolkit.model import CALL, FUNCTION, LEXICAL, LINE, LOOP
from tests.writers.oracle import Cells, propagated, statistics
from tests.writers.strategies import Contents, contents, shown_parent, unlisted_contexts


def written(made: Contents, folder: str) -> Path:
    return write(made[0], Path(folder) / "made.d", made[1], made[2])


def _names_tree_and_profiles_are_read_back(made: Contents, _: Path, source: Source) -> None:
    database = made[0]
    assert (source.title, source.description) == (database.title, database.description)
    missing, unlisted = "trace.db is missing", "trace points are in contexts that meta.db does"
    assert all(missing in warning or unlisted in warning for warning in source.warnings)
    tables = {name: table.to_pylist() for name, table in source.tables.items()}
    assert [row["path"] for row in tables["module"]] == list(database.modules)
    assert [(row["path"], row["copied"]) for row in tables["file"]] == [
        (file.path, file.copied) for file in database.files
    ]
    assert [
        (row["name"], row["module"], row["offset"], row["file"], row["line"])
        for row in tables["function"]
    ] == [(f.name, *_pair(f.module, f.offset), *_pair(f.file, f.line)) for f in database.functions]
    assert {row["id"]: row for row in tables["context"]} == _expected_tree(database)
    assert [row["identifier_tuple"] for row in tables["profile"]] == [
        " ".join(
            f"{i.kind} {i.logical if i.physical is None else i.physical:{_base(i)}}"
            for i in profile.identifiers
        )
        for profile in database.profiles
    ]


def _base(identifier: Any) -> str:
    """A node is named by its host id, in hexadecimal."""
    return "x" if identifier.kind == "NODE" and identifier.physical is not None else "d"


def _pair(position: int, number: int) -> tuple[int | None, int | None]:
    """What is said of a place in a module or file; nothing without one."""
    return (None, None) if position < 0 else (position, number)


def _expected_tree(database: Database) -> dict[int, dict[str, Any]]:
    """Rows of table context by id."""
    found: dict[int, dict[str, Any]] = {}
    tree = database.tree
    row_of = {int(c): i for i, c in enumerate(tree.context)}
    unlisted = unlisted_contexts(tree)

    def depth(context: int) -> int:
        return depth(shown_parent(tree, context)) + 1 if context in row_of else 1

    def entry(context: int) -> int:
        return entry(shown_parent(tree, context)) if context in row_of else context

    names = {e.context: e.name or lay.ENTRY_POINTS[e.kind] for e in database.entry_points}
    for context, name in names.items():
        found[context] = dict.fromkeys(("function", "file", "line", "module", "offset"))
        found[context] |= {"id": context, "parent": 0, "depth": 1, "entry_point": name}
        found[context] |= {"relation": "entry", "lexical_type": "entry"}
    for context, i in row_of.items():
        if unlisted[i]:
            continue
        file, line = _pair(int(tree.file[i]), int(tree.line[i]))
        module, offset = _pair(int(tree.module[i]), int(tree.offset[i]))
        found[context] = {
            "id": context,
            "parent": shown_parent(tree, context),
            "depth": depth(context),
            "entry_point": names[entry(context)],
            "relation": lay.RELATIONS[int(tree.relation[i])],
            "lexical_type": lay.LEXICAL_TYPES[int(tree.lexical_type[i])],
            "function": None if tree.function[i] < 0 else int(tree.function[i]),
            "file": file,
            "line": line,
            "module": module,
            "offset": offset,
        }
    return found


def _values_are_those_of_the_definitions(made: Contents, path: Path, source: Source) -> None:
    expected = propagated(made[0], made[1])
    assert _cells(source) == expected
    assert _transposed(path, source) == expected
    assert _summary(source) == statistics(made[0], expected)


def _names(source: Source) -> dict[int, dict[str, Any]]:
    return {row["id"]: row for row in source.tables["metric"].to_pylist()}


def _rows(source: Source, stream: str) -> list[dict[str, Any]]:
    return [row for batch in source.streams[stream].batches() for row in batch.to_pylist()]


def _cells(source: Source) -> Cells:
    names = _names(source)
    rows = _rows(source, "value")
    found = {
        (r["profile"], r["context"], names[r["metric"]]["name"], names[r["metric"]]["scope"]): r[
            "value"
        ]
        for r in rows
    }
    assert len(found) == len(rows)
    return found


def _summary(source: Source) -> dict[Any, float]:
    names = _names(source)
    return {
        (
            row["context"],
            names[row["metric"]]["name"],
            names[row["metric"]]["scope"],
            Statistic(names[row["metric"]]["formula"], names[row["metric"]]["statistic"]),
        ): row["value"]
        for row in _rows(source, "summary")
    }


def _transposed(path: Path, source: Source) -> Cells:
    """The values of cct.db, whose order is checked on the way."""
    names = _names(source)
    cct = open_file(path / "cct.db", b"ctxt")
    head = cct.head("CtxInfos", lay.CTX_INFOS)
    infos = cct.array("CtxInfos", lay.CTX_INFO, head["pCtxs"], head["nCtxs"], head["szCtx"])
    found = {}
    for context, info in enumerate(infos):
        values = cct.file.records(lay.PROFILE_VALUE, int(info["pValues"]), int(info["nValues"]))
        at = int(info["pMetricIndices"])
        index = cct.file.records(lay.METRIC_INDEX, at, int(info["nMetrics"]))
        assert int(info["pValues"]) % 4 == 0
        assert at == int(info["pValues"]) + values.nbytes
        assert (np.diff(index["metricId"].astype(int)) > 0).all()
        ends = [*index["startIndex"].tolist(), len(values)][1:]
        assert len(index) or not len(values)
        for metric, first, last in zip(index["metricId"], index["startIndex"], ends, strict=True):
            plane = values[int(first) : int(last)]
            assert len(plane)
            assert (np.diff(plane["profIndex"].astype(int)) > 0).all()
            name = names[int(metric)]
            for one in plane:
                key = int(one["profIndex"]), context, name["name"], name["scope"]
                found[key] = float(one["value"])
    return found


def _traces_are_read_back(made: Contents, path: Path, source: Source) -> None:
    database, _, traces = made
    assert (path / "trace.db").exists() == bool(traces)
    if not traces:
        return
    rows = _rows(source, "trace")
    given_points = sorted(
        (p.profile, i, int(t), int(c))
        for p in _joined(traces)
        for i, (t, c) in enumerate(zip(p.time, p.context, strict=True))
    )
    assert [(r["profile"], r["time"], r["context"]) for r in rows] == [
        (profile, time, context) for profile, _, time, context in given_points
    ]
    trce = open_file(path / "trace.db", b"trce")
    head = trce.head("CtxTraces", lay.CTX_TRACES)
    times = [time for _, _, time, _ in given_points] or [0]
    assert (head["minTimestamp"], head["maxTimestamp"]) == (min(times), max(times))
    assert head["nTraces"] == len(database.profiles)
    lines = trce.array("CtxTraces", lay.TRACE, head["pTraces"], head["nTraces"], head["szTrace"])
    assert not (lines["pStart"] % 8).any()


def _joined(traces: Sequence[TracePoints]) -> list[TracePoints]:
    """One piece per profile."""
    return [
        TracePoints(
            profile,
            np.concatenate([t.time for t in traces if t.profile == profile]),
            np.concatenate([t.context for t in traces if t.profile == profile]),
        )
        for profile in {t.profile for t in traces}
    ]


CHECKS = (
    _names_tree_and_profiles_are_read_back,
    _values_are_those_of_the_definitions,
    _traces_are_read_back,
)


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(made=contents(), limit=st.integers(1, 20))
def test_what_is_written_is_read_back_however_small_the_pieces(
    made: Contents, limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To draw and write a database takes most of the time: each is looked at in every way."""
    with tempfile.TemporaryDirectory() as folder:
        whole = written(made, folder)
        source = reader.read(whole)
        for check in CHECKS:
            check(made, whole, source)
        before = {file.name: file.read_bytes() for file in whole.iterdir()}
        with monkeypatch.context() as patch:
            patch.setattr(cct_writer, "RANGE_VALUES", limit)
            patch.setattr(cost_propagation, "CELLS", limit)
            again = written(made, f"{folder}/again")
        assert {file.name: file.read_bytes() for file in again.iterdir()} == before


def test_scopes_of_a_loop_within_a_loop(tmp_path: Path) -> None:
    """main calls work; work has a loop, which has a line and a loop with a line that calls end."""
    contexts = np.arange(2, 9, dtype=np.uint32)
    none = np.full(7, -1, np.int32)
    tree = Tree(
        contexts,
        np.array([1, 2, 3, 4, 4, 6, 7], np.uint32),
        np.array([CALL, CALL, LEXICAL, LEXICAL, LEXICAL, LEXICAL, CALL], np.uint8),
        np.array([FUNCTION, FUNCTION, LOOP, LINE, LOOP, LINE, FUNCTION], np.uint8),
        *(none, none, np.zeros(7, np.uint32), none, np.zeros(7, np.uint64)),
    )
    profile = Profile((Identifier("THREAD", 0),))
    made = Database("loops", (Metric("CPUTIME (sec)"),), (EntryPoint(1),), tree, (profile,))
    at = np.array([3, 5, 7, 8], np.uint32)
    cost = np.array([1.0, 10.0, 100.0, 1000.0])
    path = write(made, tmp_path / "d", [Values(1, at, np.zeros(4, np.uint16), cost)])
    found = _cells(reader.read(path))
    by_scope = {
        scope: {key[1]: value for key, value in found.items() if key[3] == scope}
        for scope in SCOPES
    }
    assert by_scope == {
        "point": {3: 1, 5: 10, 7: 100, 8: 1000},
        "function": {3: 111, 4: 110, 5: 10, 6: 100, 7: 100, 8: 1000},
        "lex_aware": {3: 111, 4: 10, 5: 10, 6: 100, 7: 100, 8: 1000},
        "execution": {
            0: 1111,
            1: 1111,
            2: 1111,
            3: 1111,
            4: 1110,
            5: 10,
            6: 1100,
            7: 1100,
            8: 1000,
        },
    }


def test_a_statistic_of_0_is_left_out_of_the_summary(tmp_path: Path) -> None:
    """The square of a cost of 1e-200 is 0 in a double, the cost itself is not."""
    empty = np.zeros(0, np.int64)
    tree = Tree(*(empty.astype(kind) for kind in ("u4", "u4", "u1", "u1", *["i4"] * 5)))
    profile = Profile((Identifier("THREAD", 0),))
    metrics = (Metric("tiny", statistics=(SUM, SQUARES)),)
    made = Database("tiny", metrics, (EntryPoint(1),), tree, (profile,))
    one, first = np.ones(1, np.uint32), np.zeros(1, np.uint16)
    path = write(made, tmp_path / "d", [Values(1, one, first, np.array([1e-200]))])
    found = _summary(reader.read(path))
    assert found
    assert {(key[3], value) for key, value in found.items()} == {(SUM, 1e-200)}
