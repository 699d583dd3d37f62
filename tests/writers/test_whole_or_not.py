"""What the writer refuses, and that nothing is left of a database that was not finished."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from perfolio.common.errors import OutputError
from perfolio.readers import registry
from perfolio.writers.hpctoolkit import (
    Database,
    EntryPoint,
    File,
    Function,
    Identifier,
    Metric,
    Profile,
    Statistic,
    TracePoints,
    Tree,
    Values,
    write,
)


def made(**changes: Any) -> Database:
    """One function that calls another, in two threads."""
    tree = Tree(
        np.array([2, 3], np.uint32),
        np.array([1, 2], np.uint32),
        np.array([1, 1], np.uint8),
        np.array([0, 0], np.uint8),
        np.array([0, 1], np.int32),
        np.array([-1, -1], np.int32),
        np.array([0, 0], np.uint32),
        np.array([-1, -1], np.int32),
        np.array([0, 0], np.uint64),
    )
    database = Database(
        "made",
        (Metric("CPUTIME (sec)"),),
        (EntryPoint(1),),
        tree,
        tuple(Profile((Identifier("THREAD", i),)) for i in range(2)),
        functions=(Function("main"), Function("work")),
    )
    columns = {k: np.array(v) for k, v in changes.items() if k in vars(tree)}
    others = {k: v for k, v in changes.items() if k not in columns}
    return replace(database, **others, tree=replace(tree, **columns))


def costs(profile: int = 1, context: int = 3, metric: int = 0, value: float = 1.0) -> Values:
    return Values(
        profile,
        np.array([context], np.uint32),
        np.array([metric], np.uint16),
        np.array([value]),
    )


def points(profile: int, *rows: tuple[int, int]) -> TracePoints:
    table = np.array(rows, np.uint64).reshape(-1, 2)
    return TracePoints(profile, table[:, 0], table[:, 1].astype(np.uint32))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"parent": [1, 1], "context": [2, 2]}, "context 2 is listed twice"),
        ({"context": [1, 3]}, "context 1 is listed twice"),
        ({"context": [0, 3]}, "above 0"),
        ({"parent": [1, 9]}, "context 9 is a parent, but not listed"),
        ({"parent": [3, 2]}, "is not below an entry point"),
        ({"parent": [0, 2]}, "a parent that does not exist"),
        ({"function": [0, 2]}, "a function that does not exist"),
        ({"file": [0, -1]}, "a file that does not exist"),
        ({"module": [-2, -1]}, "a module that does not exist"),
        ({"relation": [3, 0]}, "a relation that does not exist"),
        ({"lexical_type": [4, 0]}, "a lexical type that does not exist"),
        ({"line": [1]}, "differ in length"),
        ({"entry_points": (EntryPoint(1, kind=3),)}, "not a kind of entry points"),
        ({"functions": (Function("a"), Function(""))}, "neither name, module nor file"),
        ({"functions": (Function("a"), Function("b", file=0))}, "does not exist"),
        ({"functions": (Function("a\0b"), Function("b"))}, "NUL"),
        ({"files": (File("\ud800"),)}, "surrogates not allowed"),
        ({"metrics": (Metric("a", scopes=("execution", "point")),)}, "in order"),
        ({"metrics": (Metric("a", statistics=(Statistic("$$^3", "sum"),)),)}, "no statistic"),
        ({"metrics": tuple(Metric(str(i)) for i in range(16385))}, "identifiers"),
        ({"profiles": (Profile((Identifier("PLANET", 3),)),)}, "PLANET is not one of the kinds"),
        ({"beside": {"meta.db": b""}}, "no name for a file"),
        ({"beside": {"../profile.toml": b""}}, "no name for a file"),
    ],
)
def test_contradictions_are_refused(changes: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=message):
        write(made(**changes), tmp_path / "d", [])
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([costs(profile=0)], "profile 0 is not one of 1 to 2"),
        ([costs(profile=3)], "profile 3 is not one of 1 to 2"),
        ([costs(), costs(2), costs()], "profile 1 are not in a row"),
        ([costs(context=4)], "not in the tree"),
        ([costs(context=0)], "not in the tree"),
        ([costs(metric=1)], "only 1 metrics"),
        ([costs(value=float("nan"))], "not finite"),
        ([costs(value=-1.0)], "negative"),
        ([replace(costs(), value=np.zeros(2))], "differ in length"),
    ],
)
def test_impossible_values_are_refused(values: list[Values], message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=message):
        write(made(), tmp_path / "d", values)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("traces", "message"),
    [
        ([points(3, (1, 2))], "profile 3 is not one of 1 to 2"),
        ([points(1, (1, 2)), points(2, (1, 2)), points(1, (2, 2))], "not in a row"),
        ([points(1, (2, 2), (1, 3))], "times fall"),
        ([points(1, (2, 2)), points(1, (1, 3))], "times fall"),
        ([points(1, (1 << 63, 2))], "2262"),
        ([points(1, (1, 0), (2, 0))], "twice in a row"),
        ([points(1, (1, 0)), points(1, (2, 0))], "twice in a row"),
        ([points(1, (1, 4))], "not in the tree"),
    ],
)
def test_impossible_traces_are_refused(
    traces: list[TracePoints], message: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=message):
        write(made(), tmp_path / "d", [costs()], traces)
    assert not list(tmp_path.iterdir())


def test_an_interruption_leaves_nothing(tmp_path: Path) -> None:
    def stopped() -> Iterator[Values]:
        yield costs()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(made(), tmp_path / "d", stopped())
    assert not list(tmp_path.iterdir())


def test_a_database_is_replaced_only_on_demand(tmp_path: Path) -> None:
    target = write(made(title="first"), tmp_path / "d", [costs()])
    with pytest.raises(OutputError, match="exists already"):
        write(made(title="second"), target, [costs()])
    assert registry.read(target).title == "first"
    beside = {"profile.toml": b"[workload]\n"}
    write(made(title="second", beside=beside), target, [costs()], replace=True)
    assert registry.read(target).title == "second"
    assert (target / "profile.toml").read_bytes() == b"[workload]\n"
    assert [path.name for path in tmp_path.iterdir()] == ["d"]


def test_a_failed_replacement_keeps_the_earlier_database(tmp_path: Path) -> None:
    target = write(made(title="first"), tmp_path / "d", [costs()])
    with pytest.raises(ValueError, match="not in the tree"):
        write(made(title="second"), target, [costs(context=4)], replace=True)
    assert registry.read(target).title == "first"
    assert [path.name for path in tmp_path.iterdir()] == ["d"]


def test_a_folder_with_other_things_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter-1.md").write_text("kept")
    with pytest.raises(OutputError, match="is not a database"):
        write(made(), tmp_path / "thesis", [costs()], replace=True)
    assert (tmp_path / "thesis" / "chapter-1.md").read_text() == "kept"


def test_an_unwritable_place_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="cannot be written"):
        write(made(), tmp_path / "file" / "d", [costs()])


def test_names_in_other_encodings_keep_their_bytes(tmp_path: Path) -> None:
    write(made(title="r\udcff"), tmp_path / "d", [])
    assert b"r\xff\0" in (tmp_path / "d" / "meta.db").read_bytes()


def test_without_values_there_are_none(tmp_path: Path) -> None:
    source = registry.read(write(made(), tmp_path / "d", []))
    assert source.streams["value"].rows == 0
    assert source.streams["summary"].rows == 0
    assert source.tables["profile"].num_rows == 2
