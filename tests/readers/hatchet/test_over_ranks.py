"""Files of Caliper that hold statistics over ranks: what is read of each shape, and what is not."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from perfolio.readers import registry
from perfolio.readers.hatchet.columns import ColumnMeaning, choose_columns, find_meaning
from perfolio.readers.model import Source
from tests.readers.hatchet import files
from tests.readers.hatchet.test_reader import Tree, tree

OF_RANKS = "inclusive#sum#time.duration"
Found = dict[tuple[str, str], dict[str, Any]]
"""By statistic and scope: of each region."""


def over_ranks(source: Source) -> Found:
    names = {row["id"]: row["name"] for row in source.tables["function"].to_pylist()}
    contexts = {row["id"]: row["function"] for row in source.tables["context"].to_pylist()}
    metrics = {row["id"]: row for row in source.tables["metric"].to_pylist()}
    found: Found = {}
    for row in source.tables["summary"].to_pylist():
        metric = metrics[row["metric"]]
        statistic = "count" if metric["formula"] == "1" else metric["statistic"]
        if statistic != "sum":
            values = found.setdefault((statistic, metric["scope"]), {})
            values[names[contexts[row["context"]]]] = pytest.approx(row["value"])
    return found


def of_each(*values: float | None) -> dict[str, Any]:
    """Of main, solve and MPI_Allreduce."""
    regions = ("main", "solve", "MPI_Allreduce")
    return {name: each for name, each in zip(regions, values, strict=True) if each is not None}


class Shape(NamedTuple):
    columns: Mapping[str, Sequence[float]]
    ranks: int
    statistics: Found
    own: Tree
    """What regions cost themselves."""
    note: str


ALL = {
    f"min#{OF_RANKS}": [10.0, 4.0, 1.0],
    f"max#{OF_RANKS}": [10.0, 8.0, 5.0],
    f"avg#{OF_RANKS}": [10.0, 5.0, 4.0],
}
SPREAD: Found = {
    ("min", "execution"): of_each(10, 4, 1),
    ("mean", "execution"): of_each(10, 5, 4),
    ("max", "execution"): of_each(10, 8, 5),
}
COUNTED: Found = SPREAD | {("count", "execution"): of_each(4, 4, 4)}
SUMS = {("main",): 4.0, ("main", "solve"): 20.0, ("main", "MPI_Allreduce"): 16.0}
MEANS = {("main",): 1.0, ("main", "solve"): 5.0, ("main", "MPI_Allreduce"): 4.0}
SHAPES = {
    "all four": Shape(ALL | {f"sum#{OF_RANKS}": [40.0, 20.0, 16.0]}, 4, COUNTED, SUMS, "4 ranks"),
    "no sums": Shape(ALL, 4, SPREAD, MEANS, "mean rank"),
    "no number of ranks": Shape(ALL, 0, SPREAD, MEANS, "number is not told"),
    "sums tell the number of ranks": Shape(
        ALL | {f"sum#{OF_RANKS}": [40.0, 20.0, 16.0]}, 0, COUNTED, SUMS, "4 ranks"
    ),
    "titles of a report": Shape(
        {
            "Min time/rank": [10.0, 4.0, 1.0],
            "Max time/rank": [10.0, 8.0, 5.0],
            "Avg time/rank": [10.0, 5.0, 4.0],
            "Time %": [100.0, 50.0, 40.0],
        },
        4,
        SPREAD,
        MEANS,
        "Time %",
    ),
    "of a report, by attribute": Shape(
        {
            "min#inclusive#report.t": [10.0, 4.0, 1.0],
            "avg#inclusive#report.t": [10.0, 5.0, 4.0],
            "max#inclusive#report.t": [10.0, 8.0, 5.0],
        },
        4,
        SPREAD,
        MEANS,
        "mean rank",
    ),
    "no mean": Shape(
        {f"min#{OF_RANKS}": [10.0, 4.0, 1.0], f"max#{OF_RANKS}": [10.0, 8.0, 5.0]},
        4,
        {key: SPREAD[key] for key in SPREAD if key[0] != "mean"},
        {},
        "no mean or sum is measured",
    ),
    "of regions without what is below": Shape(
        {
            "min#sum#time.duration": [1.0, 4.0, 1.0],
            "max#sum#time.duration": [1.0, 8.0, 5.0],
            "sum#sum#time.duration": [4.0, 20.0, 16.0],
        },
        4,
        {
            ("min", "function"): of_each(1, 4, 1),
            ("mean", "function"): of_each(1, 5, 4),
            ("max", "function"): of_each(1, 8, 5),
        },
        SUMS,
        "4 ranks",
    ),
    "one rank alone never entered a region": Shape(
        {
            f"max#{OF_RANKS}": [10.0, 8.0, 5.0],
            f"avg#{OF_RANKS}": [10.0, 6.0, 4.0],
            f"sum#{OF_RANKS}": [40.0, 18.0, 16.0],
        },
        4,
        {
            ("mean", "execution"): of_each(10, 4.5, 4),
            ("max", "execution"): of_each(10, 8, 5),
            ("count", "execution"): of_each(4, 3, 4),
        },
        {("main",): 6.0, ("main", "solve"): 18.0, ("main", "MPI_Allreduce"): 16.0},
        "4 ranks",
    ),
    "least and largest of visits are none of ranks": Shape(
        {
            "min#time.duration": [1.0, 4.0, 1.0],
            "max#time.duration": [1.0, 8.0, 5.0],
            "sum#time.duration": [4.0, 20.0, 16.0],
        },
        4,
        {},
        SUMS,
        "max#time.duration, min#time.duration",
    ),
    "one rank": Shape(ALL | {f"sum#{OF_RANKS}": [10.0, 5.0, 4.0]}, 1, {}, MEANS, ""),
}


@pytest.mark.parametrize("name", SHAPES)
def test_statistics_over_ranks_are_read_and_none_is_made_up(tmp_path: Path, name: str) -> None:
    shape = SHAPES[name]
    path = tmp_path / "run.json"
    path.write_text(json.dumps(files.caliper_over_ranks(shape.columns, shape.ranks)), "utf-8")
    source = registry.read(path)
    assert over_ranks(source) == shape.statistics
    assert (tree(source, "elapsed_time") if shape.own else {}) == pytest.approx(shape.own)
    assert [row["rank"] for row in source.tables["profile"].to_pylist()] == [None]
    assert shape.note in " ".join(source.warnings)


@pytest.mark.slow
def test_the_mean_of_a_cali_file_is_over_all_ranks(tmp_path: Path) -> None:
    path = tmp_path / "run.cali"
    path.write_text(files.CALI_RANKS, "utf-8")
    source = registry.read(path)
    assert over_ranks(source) == {
        ("min", "execution"): {"main": 10.0, "solve": 4.0, "write": 2.0},
        ("mean", "execution"): {"main": 10.0, "solve": 5.0, "write": 0.5},
        ("max", "execution"): {"main": 10.0, "solve": 8.0, "write": 2.0},
        ("count", "execution"): {"main": 4.0, "solve": 4.0, "write": 1.0},
    }
    assert tree(source, "elapsed_time") == pytest.approx(
        {("main",): 18.0, ("main", "solve"): 20.0, ("main", "write"): 2.0}
    )
    assert source.ranks == 4


@pytest.mark.parametrize(
    ("column", "unit", "meaning"),
    [
        (f"min#{OF_RANKS}", "sec", ColumnMeaning("elapsed_time", 1.0, True, True, "min")),
        ("avg#inclusive#scale#sum#time.duration.ns", None,
         ColumnMeaning("elapsed_time", 1.0, True, True, "mean")),
        ("max#scale#sum#time.duration.ns", None,
         ColumnMeaning("elapsed_time", 1.0, False, True, "max")),
        ("max#sum#time.duration", None, ColumnMeaning("elapsed_time", 1e-6, False, False, "max")),
        ("Avg time/rank (exc)", None, ColumnMeaning("elapsed_time", 1.0, False, True, "mean")),
        ("avg.count#inclusive#sum#time.duration", None,
         ColumnMeaning("elapsed_time", 1.0, True, True, "count")),
        ("max#time.duration", None, None),
        ("max#max#time.duration", None, None),
        ("variance#inclusive#sum#time.duration", None, None),
        ("min#sum#rc.count", None, None),
        ("percent_total#sum#time.duration", None, None),
    ],
)  # fmt: skip
def test_a_column_says_what_was_done(
    column: str, unit: str | None, meaning: ColumnMeaning | None
) -> None:
    assert find_meaning(column, unit, "us") == meaning


def test_a_sum_is_read_before_a_mean() -> None:
    def meanings(*columns: str) -> dict[str, ColumnMeaning]:
        found = {name: find_meaning(name, "sec", "s") for name in columns}
        return {name: each for name, each in found.items() if each is not None}

    mean, own, whole = f"avg#{OF_RANKS}", "sum#sum#time.duration", f"sum#{OF_RANKS}"
    assert list(choose_columns(meanings(mean, own, whole))) == [whole]
    assert list(choose_columns(meanings(mean, own))) == [own]
    assert list(choose_columns(meanings(mean, f"max#{OF_RANKS}"))) == [mean]
    assert list(choose_columns(meanings(f"max#{OF_RANKS}"))) == []
