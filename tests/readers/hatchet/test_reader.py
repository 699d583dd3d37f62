"""Call trees of tools that Hatchet reads: what is read of them, and in which units."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from perfolio.common.errors import InputError
from perfolio.readers import registry
from perfolio.readers.hatchet.profile_kinds import CallTreeFormat, detect_format
from perfolio.readers.model import Source
from tests.readers.hatchet import files

Tree = dict[tuple[str, ...], float]


def tree(source: Source, measure: str, scope: str = "point") -> Tree:
    """Sums over threads by path of names below the entry point; () is the whole run."""
    contexts = {row["id"]: row for row in source.tables["context"].to_pylist()}
    names = {row["id"]: row["name"] for row in source.tables["function"].to_pylist()}
    (metric,) = (
        row["id"]
        for row in source.tables["metric"].to_pylist()
        if (row["measure"], row["scope"], row["statistic"]) == (measure, scope, "sum")
    )

    def path(context: int) -> tuple[str, ...]:
        row = contexts.get(context)
        if row is None or row["lexical_type"] == "entry":
            return ()
        own = names.get(row["function"], f"{row['lexical_type']} {row['line']}")
        return (*path(row["parent"]), own)

    found: Tree = {}
    for row in source.tables["summary"].to_pylist():
        if row["metric"] == metric and (row["context"] == 0 or path(row["context"])):
            found[path(row["context"])] = row["value"]
    return found


def by_rank(source: Source) -> dict[int | None, Any]:
    ranks = {row["index"]: row["rank"] for row in source.tables["profile"].to_pylist()}
    (metric,) = (
        row["id"]
        for row in source.tables["metric"].to_pylist()
        if (row["scope"], row["statistic"]) == ("execution", None)
    )
    rows = source.tables["value"].to_pylist()
    return {
        ranks[row["profile"]]: pytest.approx(row["value"])
        for row in rows
        if row["metric"] == metric and row["context"] == 0
    }


@pytest.mark.slow
def test_statements_loops_and_functions_count_once(tmp_path: Path) -> None:
    source = registry.read(files.write_database(tmp_path / "db"))
    assert source.tool == "HPCToolkit 3"
    assert source.title == "solver"
    micro = 1e-6
    assert tree(source, "cpu_time") == pytest.approx(
        {
            ("main",): 6 * micro,
            ("main", "step", "loop 21"): 6 * micro,
            ("main", "step", "loop 21", "line 22"): 18 * micro,
        }
    )
    functions = tree(source, "cpu_time", "function")
    assert functions["main", "step"] == pytest.approx(24 * micro)
    assert functions["main", "step", "loop 21", "line 22"] == pytest.approx(18 * micro)
    assert tree(source, "cpu_time", "execution")[()] == pytest.approx(30 * micro)
    assert by_rank(source) == {0: 10 * micro, 1: 20 * micro}


@pytest.mark.slow
def test_the_unit_of_a_database_is_that_of_its_metric(tmp_path: Path) -> None:
    folder = files.write_database(tmp_path / "db", ranks=1)
    xml = folder / "experiment.xml"
    xml.write_text(files.XML.replace("(usec)", "(sec)"))
    assert tree(registry.read(folder), "cpu_time", "execution")[()] == pytest.approx(10.0)


@pytest.mark.slow
def test_hardware_events_of_a_database_keep_their_names(tmp_path: Path) -> None:
    folder = files.write_database(tmp_path / "db", ranks=1)
    (folder / "experiment.xml").write_text(files.XML.replace("CPUTIME (usec)", "PAPI_TOT_CYC"))
    assert tree(registry.read(folder), "PAPI_TOT_CYC", "execution")[()] == pytest.approx(10.0)


@pytest.mark.parametrize(
    ("metric", "measure", "unit"),
    [
        ("TIME", "elapsed_time", 1e-6),
        ("CPU_TIME", "cpu_time", 1e-6),
        ("PAPI_L2_TCM", "PAPI_L2_TCM", 1.0),
    ],
)
def test_tau_says_what_it_counted(tmp_path: Path, metric: str, measure: str, unit: float) -> None:
    source = registry.read(files.write_tau(tmp_path / "tau", metric))
    whole = tree(source, measure)
    assert whole == pytest.approx(
        {(".TAU application",): 22 * unit, (".TAU application", "work()"): 8 * unit}
    )
    assert by_rank(source) == {0: 10 * unit, 1: 20 * unit}


def test_one_profile_of_tau_may_be_given_alone(tmp_path: Path) -> None:
    folder = files.write_tau(tmp_path / "tau")
    source = registry.read(folder / "profile.1.0.0")
    assert tree(source, "elapsed_time", "execution")[()] == pytest.approx(20e-6)


def test_json_of_caliper_is_read_with_what_is_in_no_region(tmp_path: Path) -> None:
    source = registry.read(files.write_caliper(tmp_path / "run.json"))
    assert source.tool == "Caliper"
    found = tree(source, "elapsed_time")
    assert found == pytest.approx(
        {("<outside of regions>",): 11e-6, ("main",): 25e-6, ("main", "solve"): 45e-6}
    )
    assert by_rank(source) == {0: 35e-6, 1: 46e-6}
    assert any("unit" in note and "us" in note for note in source.warnings)


def test_json_of_caliper_may_say_its_unit(tmp_path: Path) -> None:
    about = [{"is_value": True, "attribute.unit": "sec"}] * 3 + [{"is_value": False}]
    source = registry.read(files.write_caliper(tmp_path / "run.json", column_metadata=about))
    assert tree(source, "elapsed_time", "execution")[()] == pytest.approx(81.0)
    assert source.warnings == ()


def test_a_sum_over_threads_bounds_no_wall_time(tmp_path: Path) -> None:
    source = registry.read(files.write_caliper(tmp_path / "run.json"))
    assert {row["kind"] for row in source.tables["profile"].to_pylist()} == {"rank"}


def test_cali_is_read_with_what_hatchet_leaves_out(tmp_path: Path) -> None:
    path = tmp_path / "records.txt"
    path.write_text(files.CALI)
    source = registry.read(path)
    assert tree(source, "elapsed_time") == pytest.approx(
        {("main",): 1.5, ("main", "solve"): 4.0, ("<outside of regions>",): 0.25}
    )


def test_kernels_of_caliper_are_operations_of_a_gpu(tmp_path: Path) -> None:
    path = tmp_path / "run.cali"
    path.write_text(files.CALI_GPU)
    source = registry.read(path)
    kernel, copy = (
        ("main", "launch", "<gpu kernel>", "axpy"),
        ("main", "launch", "<gpu copy>", "memcpy"),
    )
    assert tree(source, "kernel_time") == pytest.approx({kernel: 3.0})
    assert tree(source, "copy_time") == pytest.approx({copy: 0.5})
    assert tree(source, "gpu_operation_time") == pytest.approx({kernel: 3.0, copy: 0.5})
    assert tree(source, "elapsed_time") == pytest.approx({("main",): 3.0, ("main", "launch"): 5.0})


def test_least_and_largest_values_are_no_cost(tmp_path: Path) -> None:
    path = tmp_path / "run.cali"
    path.write_text(files.CALI.replace("sum#time", "max#time"))
    with pytest.raises(InputError, match="holds no time or event"):
        registry.read(path)


def test_pyinstrument_has_the_rest_of_each_function(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text(json.dumps(files.pyinstrument()))
    source = registry.read(path)
    assert tree(source, "elapsed_time") == pytest.approx(
        {("<module>",): 0.5, ("<module>", "work"): 1.5}
    )


def test_timemory_adds_sums_of_ranks_alone(tmp_path: Path) -> None:
    path = tmp_path / "wall.json"
    path.write_text(json.dumps(files.timemory()))
    source = registry.read(path)
    assert tree(source, "elapsed_time") == pytest.approx({("main",): 3.0, ("main", "solve"): 6.0})
    assert by_rank(source) == {0: 3.0, 1: 6.0}


def test_a_shared_function_is_divided_among_its_callers(tmp_path: Path) -> None:
    path = tmp_path / "graph.dot"
    path.write_text(files.DOT)
    source = registry.read(path)
    assert tree(source, "cost_share") == pytest.approx(
        {("main",): 0.1, ("main", "left", "shared"): 0.3, ("main", "right", "shared"): 0.6}
    )
    assert any("not calling paths" in note for note in source.warnings)


def test_recursion_counts_once(tmp_path: Path) -> None:
    path = files.write_recursion(tmp_path / "run.pstats")
    source = registry.read(path)
    import pstats

    stats = pstats.Stats(str(path)).stats  # type: ignore[attr-defined]
    whole = sum(each[2] for each in stats.values())
    found = tree(source, "elapsed_time", "execution")
    assert found[()] == pytest.approx(whole)
    assert sum(tree(source, "elapsed_time").values()) == pytest.approx(whole)
    modules = {row["path"] for row in source.tables["module"].to_pylist()}
    assert modules == {"<logical python>"}


def _write(text: str) -> Callable[[Path], Path]:
    def write(path: Path) -> Path:
        path.write_text(text, "utf-8")
        return path

    return write


@pytest.mark.parametrize(
    ("form", "write"),
    [
        (CallTreeFormat.CALI, _write(files.CALI)),
        (CallTreeFormat.CALIPER_JSON, files.write_caliper),
        (CallTreeFormat.TIMEMORY, _write(json.dumps(files.timemory()))),
        (CallTreeFormat.PYINSTRUMENT, _write(json.dumps(files.pyinstrument()))),
        (CallTreeFormat.CPROFILE, files.write_recursion),
        (CallTreeFormat.DOT, _write(files.DOT)),
    ],
)
def test_a_form_is_told_by_content_and_not_by_name(
    tmp_path: Path, form: CallTreeFormat, write: Callable[[Path], Path]
) -> None:
    assert detect_format(write(tmp_path / "something")) is form


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        '{"data": {}}',
        "digraph { a -> b }",
        "<?xml version='1'?><a/>",
        '{"traceEvents": []}',
    ],
)
def test_other_files_are_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "file"
    path.write_text(text)
    assert detect_format(path) is None


@pytest.mark.slow
def test_contexts_are_a_tree_with_functions_and_files(tmp_path: Path) -> None:
    source = registry.read(files.write_database(tmp_path / "db"))
    rows: list[dict[str, Any]] = source.tables["context"].to_pylist()
    assert [row["lexical_type"] for row in rows] == [
        "entry",
        "function",
        "function",
        "loop",
        "line",
    ]
    assert all(row["parent"] < row["id"] for row in rows)
    assert {row["path"] for row in source.tables["file"].to_pylist()} == {"/home/me/solver.c"}
    assert {row["path"] for row in source.tables["module"].to_pylist()} == {"/home/me/solver"}
