"""GraphFrames of any run: own costs add up to totals, and Hatchet agrees where it is right."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hatchet import GraphFrame

from perfolio.exporters.hatchet import graphframe, make_document
from perfolio.readers import registry
from perfolio.readers.run_description import read_description
from perfolio.store.ingest import ingest
from tests.kit.databases import write_database
from tests.kit.samples import PROFILES, simulated_sample, store_at
from tests.kit.shared import database, recorded
from tests.readers.hatchet import files


def stored(folder: Path, path: Path) -> Path:
    store = folder / "store.duckdb"
    ingest([(registry.read(path), read_description(path))], store)
    return store


def check_sums(frame: Any) -> None:
    """Own costs of all nodes are the total, and so are the inclusive ones of the roots."""
    totals = frame.metadata["totals"]
    roots = [node for node in frame.dataframe.index if not node.parents]
    for name in frame.exc_metrics:
        total = next(totals[each] for each in (name, "cpu_time", "elapsed_time") if each in totals)
        assert frame.dataframe[name].sum() == pytest.approx(total, rel=1e-9)
        assert frame.dataframe.loc[roots, f"{name} (inc)"].sum() == pytest.approx(total, rel=1e-9)


@pytest.mark.parametrize("sample", ["dlrm-cpu", "dlrm-cpu-torch"])
def test_own_costs_add_up_to_the_total(sample: str) -> None:
    (path,) = registry.find(PROFILES / sample)
    frame = graphframe(store_at(path))
    assert frame.exc_metrics[0] == "time"
    check_sums(frame)


def test_a_run_with_a_gpu_has_its_measures() -> None:
    frame = graphframe(store_at(simulated_sample("dlrm-h100-graphs").folder))
    assert {"time", "gpu_operation_time", "copy_time"} <= set(frame.exc_metrics)
    check_sums(frame)


@pytest.mark.slow
def test_rows_of_threads_add_up_to_those_of_the_run(tmp_path: Path) -> None:
    store = stored(tmp_path, files.write_database(tmp_path / "db", ranks=3))
    frame = graphframe(store, by_thread=True)
    assert frame.dataframe.index.names == ["node", "rank", "thread", "profile"]
    by_rank = frame.dataframe.groupby("rank")["time"].sum()
    assert by_rank.to_dict() == pytest.approx({0: 10e-6, 1: 20e-6, 2: 30e-6})


@pytest.mark.slow
def test_what_is_written_is_the_same_frame(tmp_path: Path) -> None:
    store = stored(tmp_path, write_database(tmp_path / "db"))
    ours = graphframe(store)
    read = GraphFrame.from_json(json.dumps(make_document(store)))
    assert read.inc_metrics == ours.inc_metrics
    assert read.exc_metrics == ours.exc_metrics
    assert len(read.graph.roots) == len(ours.graph.roots)

    def rows(frame: Any) -> dict[int, Any]:
        return {
            node._hatchet_nid: ([child._hatchet_nid for child in node.children], row)
            for node, row in zip(
                frame.dataframe.index, frame.dataframe.to_dict("records"), strict=True
            )
        }

    assert rows(read) == rows(ours)


@pytest.mark.slow
def test_a_graphframe_answers_as_hatchets_own(tmp_path: Path) -> None:
    """What Hatchet reads of a database of format 3 is what its GraphFrame of the store says."""
    folder = files.write_database(tmp_path / "db")
    theirs = GraphFrame.from_hpctoolkit(str(folder)).dataframe
    ours = graphframe(stored(tmp_path, folder)).dataframe
    own = theirs.groupby("name")["time (inc)"].sum() * 1e-6
    assert ours["time (inc)"][ours["name"] == "main"].iloc[0] == pytest.approx(own["main"])
    assert ours["time (inc)"][ours["name"] == "step"].iloc[0] == pytest.approx(own["7:step"])
    assert ours["time"].sum() == pytest.approx(30e-6)
    assert theirs["time"].sum() == pytest.approx(54)  # its loops and functions both count


@pytest.mark.real
@pytest.mark.parametrize("name", ["cpi-v4.d", "mpi4.d"])
def test_each_value_that_hatchet_reads_is_the_same(name: str) -> None:
    """Below the main thread, the only entry point that Hatchet reads."""
    path = database(name)
    theirs = GraphFrame.from_hpctoolkit_latest(str(path)).dataframe
    ours = graphframe(store_at(path))
    known = {
        node._hatchet_nid: row
        for node, row in zip(ours.dataframe.index, ours.dataframe.to_dict("records"), strict=True)
    }
    assert len(theirs) < len(known)
    differing = []
    for node, row in zip(theirs.index, theirs.to_dict("records"), strict=True):
        own = known[node._hatchet_nid]
        for name_there, name_here in (("time (inc)", "time (inc)"), ("time", "time (function)")):
            value = 0.0 if math.isnan(row[name_there]) else row[name_there]
            # Not pytest.approx, which takes longer for so many values than both readers.
            if not abs(own[name_here] - value) <= 1e-12 * max(abs(value), 1.0):
                differing.append((node._hatchet_nid, name_here, own[name_here], value))
    assert differing == []
    check_sums(ours)


@pytest.mark.real
def test_where_hatchet_is_wrong_totals_are_right_here() -> None:
    """Its exclusive times add up to twice the total; it lacks all threads but the main one."""
    path = database("cpi-v4.d")
    theirs = GraphFrame.from_hpctoolkit_latest(str(path)).dataframe
    ours = graphframe(store_at(path))
    total = ours.metadata["totals"]["cpu_time"]
    assert theirs["time"].sum() > 2 * total
    assert theirs["time (inc)"].max() < 0.9 * total
    assert ours.dataframe["time"].sum() == pytest.approx(total)


@pytest.mark.real
def test_databases_that_hatchet_cannot_read_have_a_graphframe() -> None:
    path = database("loops-cuda-nvidiapc-t.d")
    with pytest.raises((KeyError, AttributeError, ValueError, StopIteration)):
        GraphFrame.from_hpctoolkit_latest(str(path))
    check_sums(graphframe(store_at(path)))


@pytest.mark.real
def test_loops_that_count_twice_count_once() -> None:
    """Hatchet's exclusive times of this database are 3 % more than the inclusive ones of roots."""
    path = recorded("databases/public/v3/allgather")
    ours = graphframe(store_at(path))
    assert ours.metadata["totals"]["cpu_time"] == pytest.approx(26.158368)
    check_sums(ours)
