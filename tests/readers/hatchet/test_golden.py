"""Recorded files of every form: totals are those that other programs count."""

from __future__ import annotations

import pstats
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from perfolio.readers import registry
from perfolio.readers.model import Source
from tests.kit.shared import golden_inputs, recorded

TOTALS: Mapping[str, tuple[str, float]] = {
    "hpctoolkit-cpi-database": ("cpu_time", 3_998_242e-6),
    "caliper_lulesh.json": ("elapsed_time", 47_247_337e-6),
    "caliper_cpi.json": ("elapsed_time", 2_299_906e-6),
    "caliper_lulesh.cali": ("elapsed_time", 0.492491 + 0.001297),
    "caliper_sw4_cuda_activity.cali": ("gpu_operation_time", 15.360743999999999 + 0.001766),
    "timemory_wall.tree.json": ("elapsed_time", 113.816802493),
    "cprofile_cycle.pstats": ("elapsed_time", 23.045402999999997),
    "pyinstrument.json": ("elapsed_time", 0.47815),
    "gprof2dot_cpi.callgrind.dot": ("cost_share", 0.9907),
    "tau-cpi-mpi": ("elapsed_time", 214_047e-6),
}
"""In seconds or as a share; of Caliper's records those in no region are added to Hatchet's sum."""
FROM_GOLDEN = {
    "hpctoolkit-cpi-database": ("root_values", "time (inc)", 1e-6),
    "timemory_wall.tree.json": ("sums", "sum.wall_clock", 1.0),
    "cprofile_cycle.pstats": ("own", "tottime_sum", 1.0),
    "pyinstrument.json": ("root_values", "time (inc)", 1.0),
    "gprof2dot_cpi.callgrind.dot": ("sums", "time", 0.01),
    "tau-cpi-mpi": ("sums", "time", 1e-6),
}


@cache
def read(name: str) -> Source:
    """Read once: each reading starts a process that imports Hatchet."""
    return registry.read(recorded(f"inputs/hatchet/{name}"))


def totals(source: Source) -> dict[str, dict[str, float]]:
    """Of each measure the sum of scope point, and the whole run at scope execution."""
    names = {row["id"]: row for row in source.tables["metric"].to_pylist()}
    found: dict[str, dict[str, float]] = {}
    for row in source.tables["summary"].to_pylist():
        metric = names[row["metric"]]
        if metric["scope"] == "point" or (metric["scope"] == "execution" and row["context"] == 0):
            sums = found.setdefault(metric["measure"], {"point": 0.0, "execution": 0.0})
            sums[metric["scope"]] += row["value"]
    return found


@pytest.mark.real
@pytest.mark.parametrize("name", TOTALS)
def test_totals_are_those_of_another_program(name: str) -> None:
    measure, total = TOTALS[name]
    found = totals(read(name))[measure]
    assert found == {"point": pytest.approx(total), "execution": pytest.approx(total)}


@pytest.mark.real
@pytest.mark.parametrize("name", FROM_GOLDEN)
def test_totals_are_those_of_the_golden_file(name: str) -> None:
    golden: Mapping[str, Any] = golden_inputs().get("hatchet", {})
    source = read(name)
    table, column, unit = FROM_GOLDEN[name]
    assert TOTALS[name][1] == pytest.approx(golden[name][table][column] * unit)
    ranks = {row["rank"] for row in source.tables["profile"].to_pylist()} - {None}
    assert len(ranks) == golden[name].get("ranks", 0)


@pytest.mark.real
def test_json_of_caliper_has_the_golden_rows() -> None:
    golden = golden_inputs()["hatchet"]["caliper_lulesh.json"]["own"]
    source = read("caliper_lulesh.json")
    sums = totals(source)["elapsed_time"]
    assert sums["point"] == pytest.approx(golden["sums"]["sum#time.duration"] * 1e-6)
    executions = [
        row["value"]
        for row in source.tables["summary"].to_pylist()
        if row["metric"] % 3 == 65_538 % 3 and row["context"] > 1
    ]
    inclusive = golden["sums"]["inclusive#sum#time.duration"] * 1e-6
    assert sum(executions) == pytest.approx(inclusive)


@pytest.mark.real
def test_activity_without_its_kind_is_no_kernel() -> None:
    source = read("caliper_sw4_cuda_activity.cali")
    found = totals(source)
    assert found.keys() == {"gpu_operation_time", "elapsed_time"}
    assert {row["kind"] for row in source.tables["profile"].to_pylist()} == {"other"}


@pytest.mark.real
def test_functions_of_a_call_graph_have_their_own_times() -> None:
    source = read("cprofile_cycle.pstats")
    assert source.tables["function"].num_rows == 9
    names = {row["id"]: row["name"] for row in source.tables["function"].to_pylist()}
    contexts = {row["id"]: row["function"] for row in source.tables["context"].to_pylist()}
    own: dict[str, float] = {}
    for row in source.tables["summary"].to_pylist():
        if row["metric"] == 65_536:
            name = names[contexts[row["context"]]]
            own[name] = own.get(name, 0.0) + row["value"]
    stats = pstats.Stats(str(recorded("inputs/hatchet/cprofile_cycle.pstats"))).stats  # type: ignore[attr-defined]
    assert own == pytest.approx({key[2]: times[2] for key, times in stats.items()})


@pytest.mark.real
def test_least_and_largest_of_visits_are_none_of_ranks() -> None:
    source = read("caliper_lulesh.cali")
    assert {row["statistic"] for row in source.tables["metric"].to_pylist()} == {None, "sum"}
    assert any("avg#time.duration" in note for note in source.warnings)
