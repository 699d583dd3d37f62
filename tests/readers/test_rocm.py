"""Recordings of ROCm's profilers: every form of the same events gives the same tables."""

from __future__ import annotations

import gzip
import json
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from perfolio.common.errors import InputError, PerfolioError
from perfolio.metrics.catalog import load_catalog
from perfolio.metrics.requirements import find_unmet_need, load_vocabulary
from perfolio.metrics.run_inventory import FixedInventory
from perfolio.readers import registry, sqlite_file
from perfolio.readers.kineto import reader as kineto
from perfolio.readers.model import Source
from perfolio.readers.rocm import reader
from perfolio.readers.rocm.field_values import (
    count_blocks,
    find_rank,
    find_rank_counts,
    parse_agent,
    parse_whole,
)
from perfolio.readers.run_description import RunDescription
from perfolio.readers.text_lines import MOST_OF_A_LINE
from perfolio.readers.tool_catalog import CAPABILITIES, find_tool_folder
from perfolio.store.database import open_store
from perfolio.store.ingest import ingest
from tests.kit.queries import rows_of
from tests.readers.rocm_files import (
    BOOT,
    CALL_COLUMNS,
    CALLS,
    COPY,
    COPY_COLUMNS,
    KERNEL,
    KERNEL_COLUMNS,
    chrome_events,
    csv_text,
    sdk_document,
    v1_csv,
    write_csv,
    write_rocpd,
)

Write = Callable[[Path], Path]


def a_folder(folder: Path) -> Path:
    return write_csv(folder / "run")


def rocpd(folder: Path) -> Path:
    return write_rocpd(folder / "70_results.db")


def sdk(folder: Path) -> Path:
    path = folder / "70_results.json"
    path.write_text(json.dumps(sdk_document()))
    return path


def chrome(folder: Path) -> Path:
    path = folder / "results.json"
    events = ",\n".join(json.dumps(event, indent=1) for event in chrome_events())
    path.write_text(f'{{ "traceEvents":[{events}\n], "otherData": {{"CMD": "./a"}} }}')
    return path


def v1_table(folder: Path) -> Path:
    path = folder / "results.csv"
    path.write_text(v1_csv())
    return path


FORMS = {"csv": a_folder, "rocpd": rocpd, "json": sdk, "v1 json": chrome, "v1 csv": v1_table}
WHOLE = ("csv", "rocpd", "json", "v1 json")
"""Forms that hold calls and markers as well."""


def text(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def operations(source: Source) -> list[dict[str, Any]]:
    """Operations with where they ran, what they are called and what called them."""
    names = {row["id"]: row["name"] for row in source.tables["function"].to_pylist()}
    contexts = {row["id"]: row for row in source.tables["context"].to_pylist()}
    lines = {row["index"]: row for row in source.tables["profile"].to_pylist()}
    calls = {row["id"]: row["name"] for row in source.tables["host_call"].to_pylist()}
    return [
        {
            "name": names[contexts[row["context"]]["function"]],
            "device": lines[row["profile"]]["gpu_context"],
            "stream": lines[row["profile"]]["gpu_stream"],
            "caller": calls.get(row["call"]),
            **{key: row[key] for key in ("operation", "start", "duration", "bytes", "blocks")},
        }
        for row in source.tables["gpu_operation"].to_pylist()
    ]


def one(source: Source, kind: str) -> dict[str, Any]:
    (found,) = [row for row in operations(source) if row["operation"] == kind]
    return found


def sums(source: Source) -> dict[str, float]:
    """Sums over the run by measure."""
    names = {
        row["id"]: row["measure"]
        for row in source.tables["metric"].to_pylist()
        if row["statistic"] == "sum" and row["scope"] == "execution"
    }
    rows = source.tables["summary"].to_pylist()
    return {
        names[r["metric"]]: r["value"] for r in rows if r["context"] == 0 and r["metric"] in names
    }


@pytest.mark.parametrize("form", FORMS)
def test_a_kernel_is_the_same_in_every_form(form: str, tmp_path: Path) -> None:
    source = registry.read(FORMS[form](tmp_path))
    found = one(source, "kernel")
    # 8 x 8 work-items beyond the last whole group begin one more: 1000/64 x 8/2.
    assert found == {
        "name": "void axpy<float>(float*, int)",
        "device": 4,
        "stream": 1 if form == "v1 csv" else 2,
        "caller": None if form == "v1 csv" else "hipLaunchKernel",
        "operation": "kernel",
        "start": BOOT + 2_000,
        "duration": 1_000,
        "bytes": None,
        "blocks": 63 if form == "v1 csv" else 64,
    }
    assert source.tool == ("rocprof" if form.startswith("v1") else "rocprofv3")
    known = sums(source)
    assert known["kernel_block_threads"] == 128
    if form != "v1 json":
        assert (known["kernel_thread_registers"], known["kernel_shared"]) == (24, 512)


@pytest.mark.parametrize("form", WHOLE)
def test_a_copy_lies_on_the_gpu_and_not_on_the_cpu_beside_it(form: str, tmp_path: Path) -> None:
    found = one(registry.read(FORMS[form](tmp_path)), "copy H2D")
    assert (found["device"], found["start"], found["duration"]) == (4, BOOT + 4_000, 700)
    assert found["bytes"] == (None if form in ("csv", "v1 json") else 4096)
    assert found["caller"] == (None if form == "v1 json" else "hipMemcpyAsync")


@pytest.mark.parametrize("form", WHOLE)
def test_calls_lie_in_what_the_program_marked(form: str, tmp_path: Path) -> None:
    source = registry.read(FORMS[form](tmp_path))
    calls = [(row["name"], row["start"] - BOOT) for row in source.tables["host_call"].to_pylist()]
    assert sorted(calls) == [("hipLaunchKernel", 1_000), ("hipMemcpyAsync", 1_600)]
    (marker,) = source.tables["host_range"].to_pylist()
    assert (marker["name"], marker["kind"], marker["duration"]) == ("solve", "annotation", 2_000)
    paths = {row["path"] for row in source.tables["module"].to_pylist()}
    assert "libamdhip64.so" in paths
    threads = [row for row in source.tables["profile"].to_pylist() if row["kind"] == "CPU thread"]
    assert len(threads) == 1


@pytest.mark.parametrize("form", FORMS)
def test_no_other_reader_takes_it(form: str, tmp_path: Path) -> None:
    path = FORMS[form](tmp_path)
    assert reader.matches(path)
    assert not kineto.matches(path)
    assert registry.find(tmp_path) == [tmp_path]


def test_rocprof_is_known_by_its_first_event_however_late_the_others_come(tmp_path: Path) -> None:
    padding = [{"ph": "M", "pid": 2, "name": "process_name", "args": {"name": "x" * 70_000}}]
    events = [{}, *padding, *chrome_events()[1:]]
    path = text(tmp_path / "results.json", json.dumps({"traceEvents": events}))
    assert registry.read(path).tool == "rocprof"


def test_one_form_of_a_process_is_read_where_several_are_there(tmp_path: Path) -> None:
    write_csv(tmp_path)
    write_rocpd(tmp_path / "70_results.db")
    sdk(tmp_path)
    source = registry.read(tmp_path)
    assert [file.path.name for file in source.files] == ["70_results.db"]
    assert source.format_version == "rocpd 3"


def test_the_folder_of_a_host_is_found_below_that_of_the_run(tmp_path: Path) -> None:
    write_csv(tmp_path / "run" / "node17")
    (found,) = registry.find(tmp_path / "run")
    assert found == tmp_path / "run"
    assert len(operations(registry.read(found))) == 2


@pytest.mark.parametrize("form", ["csv", "rocpd", "json"])
def test_processes_of_a_run_are_its_ranks(form: str, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    for rank in range(2):
        if form == "csv":
            write_csv(folder, f"rank{rank}")
        elif form == "rocpd":
            write_rocpd(
                folder / f"{70 + rank}_results.db", 70 + rank, OMPI_COMM_WORLD_RANK=str(rank)
            )
        else:
            document = sdk_document()
            document["rocprofiler-sdk-tool"][0]["metadata"]["config"]["mpi_rank"] = rank
            text(folder / f"{70 + rank}_results.json", json.dumps(document))
    source = registry.read(folder)
    ranks = [row["rank"] for row in source.tables["profile"].to_pylist()]
    assert sorted(set(ranks)) == [0, 1]
    assert [row["caller"] for row in operations(source) if row["operation"] == "kernel"] == [
        "hipLaunchKernel"
    ] * 2


@pytest.mark.parametrize("form", ["rocpd", "json"])
def test_each_rank_is_on_the_machine_of_its_process(form: str, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    for rank, host in enumerate(("node18", "node17")):
        place = folder / f"{70 + rank}_results"
        if form == "rocpd":
            path = place.with_suffix(".db")
            write_rocpd(path, 70 + rank, host=host, OMPI_COMM_WORLD_RANK=str(rank))
        else:
            document = sdk_document()
            told = document["rocprofiler-sdk-tool"][0]["metadata"]
            told |= {"node": {"hostname": host}, "config": {"mpi_size": 2, "mpi_rank": rank}}
            text(place.with_suffix(".json"), json.dumps(document))
    source = registry.read(folder)
    assert source.hosts == {0: "node18", 1: "node17"}
    numbers = {(row["rank"], row["node"]) for row in source.tables["profile"].to_pylist()}
    assert numbers == {(0, 0), (1, 1)}


def test_processes_without_ranks_are_on_the_first_of_their_machines(tmp_path: Path) -> None:
    for pid, host in ((70, "node18"), (71, "node17")):
        write_rocpd(tmp_path / f"{pid}_results.db", pid, host=host)
    assert registry.read(tmp_path).hosts == {0: "node17"}


def test_a_launcher_is_on_no_machine_of_a_rank(tmp_path: Path) -> None:
    write_rocpd(tmp_path / "70_results.db", 70, host="login1")
    write_rocpd(tmp_path / "71_results.db", 71, host="node17", OMPI_COMM_WORLD_RANK="0")
    assert registry.read(tmp_path).hosts == {0: "node17"}


def test_a_recording_that_names_no_machine_has_none(tmp_path: Path) -> None:
    assert registry.read(write_rocpd(tmp_path / "70_results.db", host="")).hosts == {}
    assert registry.read(write_csv(tmp_path / "csv")).hosts == {}


def test_folders_of_ranks_are_one_run(tmp_path: Path) -> None:
    for rank in range(2):
        write_csv(tmp_path / "run" / f"rank{rank}", "70")
    (found,) = registry.find(tmp_path / "run")
    source = registry.read(found)
    assert {row["rank"] for row in source.tables["profile"].to_pylist()} == {0, 1}
    (tmp_path / "run" / "rank0").rename(tmp_path / "run" / "before")
    assert len(registry.find(tmp_path / "run")) == 2


def test_an_empty_file_is_named_as_such(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"70_kernel_trace\.csv: the file is empty"):
        registry.read(text(tmp_path / "70_kernel_trace.csv", ""))


def test_files_that_tell_no_rank_give_none(tmp_path: Path) -> None:
    write_csv(tmp_path / "run", "70")
    write_csv(tmp_path / "run", "71")
    source = registry.read(tmp_path / "run")
    assert {row["rank"] for row in source.tables["profile"].to_pylist()} == {None}


def test_runs_in_one_folder_are_told_by_their_times(tmp_path: Path) -> None:
    write_csv(tmp_path, "70")
    later = [
        value + 10**10 if isinstance(value, int) and value > BOOT else value for value in KERNEL
    ]
    text(tmp_path / "99_kernel_trace.csv", csv_text(KERNEL_COLUMNS, tuple(later)))
    assert any("did not run at the same time" in each for each in registry.read(tmp_path).warnings)


def test_queues_are_lines_where_no_stream_is_told(tmp_path: Path) -> None:
    columns = tuple(name for name in KERNEL_COLUMNS if name != "Stream_Id")
    row = (*KERNEL[:3], *KERNEL[4:])
    path = text(tmp_path / "a_kernel_trace.csv", csv_text(columns, row, (*row[:2], 3, *row[3:])))
    assert [found["stream"] for found in operations(registry.read(path))] == [1, 3]


def test_what_the_program_named_calls_links_them_where_nothing_else_does(tmp_path: Path) -> None:
    path = write_rocpd(tmp_path / "a.db", by_stack=False)
    assert one(registry.read(path), "kernel")["caller"] == "hipLaunchKernel"


@pytest.mark.parametrize(
    ("name", "content", "word"),
    [
        ("results.stats.csv", '"Name","Calls","TotalDurationNs"\n"a",1,2\n', "totals"),
        ("a_counter_collection.csv", "Kernel_Name,Counter_Name,Counter_Value\na,b,1\n", "counters"),
        ("counters.csv", "Kernel_Name,SQ_WAVES,TCC_HIT[0]\na,1,2\n", "counters"),
        ("70_agent_info.csv", "Node_Id,Agent_Type\n1,GPU\n", "devices"),
        ("pc_sampling_stochastic.csv", "Sample_Timestamp,Dispatch_Id\n1,2\n", "PC samples"),
        ("memory_allocation_trace.csv", "Operation,Allocation_Size\nA,2\n", "allocations"),
    ],
)
def test_files_without_a_time_line_say_what_records_one(
    name: str, content: str, word: str, tmp_path: Path
) -> None:
    path = text(tmp_path / name, content)
    for each in (path, tmp_path):
        with pytest.raises(InputError, match=word) as refusal:
            registry.read(each)
        assert name in str(refusal.value)
        assert "rocprofv3 --kernel-trace" in str(refusal.value)


def test_recordings_of_several_runs_are_not_one(tmp_path: Path) -> None:
    write_csv(tmp_path, "70")
    chrome(tmp_path)
    with pytest.raises(InputError, match="several forms"):
        registry.read(tmp_path)


def kernels_of(folder: Path, content: str | bytes) -> Source:
    return registry.read(text(folder / "x_kernel_trace.csv", content))


PLAIN = csv_text(KERNEL_COLUMNS, KERNEL)


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + PLAIN.encode(),
        PLAIN.replace("\n", "\r\n"),
        PLAIN.encode("utf-16"),
        PLAIN.upper().replace("VOID AXPY<FLOAT>(FLOAT*, INT)", "x"),
        csv_text(KERNEL_COLUMNS, KERNEL).replace(",", ";").replace("; int", ", int"),
        PLAIN + "\n\n",
        gzip.compress(PLAIN.encode()),
        PLAIN.rstrip("\n"),
        "\n" + PLAIN,
    ],
)
def test_a_table_is_read_as_other_systems_write_it(content: str | bytes, tmp_path: Path) -> None:
    (found,) = operations(kernels_of(tmp_path, content))
    assert (found["start"], found["duration"], found["blocks"]) == (BOOT + 2_000, 1_000, 64)


@pytest.mark.parametrize(
    ("row", "duration"),
    [
        ({"End_Timestamp": BOOT + 1_000}, 0),
        ({"Workgroup_Size_X": "", "Agent_Id": "", "Queue_Id": "x", "VGPR_Count": -1}, 1_000),
        ({"Grid_Size_X": 1 << 62, "Grid_Size_Y": 1 << 61, "LDS_Block_Size": 1 << 63}, 1_000),
        ({"Correlation_Id": "18446744073709551615", "Kernel_Name": "\0" + "x" * 9_000}, 1_000),
        ({"Start_Timestamp": f"{BOOT + 2_000}.0", "Kernel_Name": ""}, 1_000),
    ],
)
def test_odd_cells_are_tolerated(row: dict[str, Any], duration: int, tmp_path: Path) -> None:
    values = tuple(row.get(name, value) for name, value in zip(KERNEL_COLUMNS, KERNEL, strict=True))
    source = kernels_of(tmp_path, csv_text(KERNEL_COLUMNS, values))
    assert [found["duration"] for found in operations(source)] == [duration]


@pytest.mark.parametrize("cell", ["", "soon", -5, 1 << 62, "nan", "1e400"])
def test_a_row_without_its_times_is_left_out_and_counted(cell: Any, tmp_path: Path) -> None:
    place = KERNEL_COLUMNS.index("Start_Timestamp")
    bad = (*KERNEL[:place], cell, *KERNEL[place + 1 :])
    source = kernels_of(tmp_path, csv_text(KERNEL_COLUMNS, bad, KERNEL))
    assert len(operations(source)) == 1
    assert any(each.startswith("1 entries without usable times") for each in source.warnings)


def test_a_kernel_at_0_has_no_time_and_is_left_out(tmp_path: Path) -> None:
    place = KERNEL_COLUMNS.index("Start_Timestamp")
    bad = (*KERNEL[:place], 0, *KERNEL[place + 1 :])
    source = kernels_of(tmp_path, csv_text(KERNEL_COLUMNS, bad, KERNEL))
    assert len(operations(source)) == 1
    assert [row["what"] for row in source.tables["plausibility"].to_pylist()] == ["untimed"]


def test_times_that_no_run_has_are_refused(tmp_path: Path) -> None:
    def at(begin: int, end: int) -> tuple[Any, ...]:
        return (*KERNEL[:9], begin, end, *KERNEL[11:])

    last = (1 << 62) - 1
    source = kernels_of(tmp_path, csv_text(KERNEL_COLUMNS, KERNEL, at(1, last)))
    assert len(operations(source)) == 1
    assert any("100 days" in each for each in source.warnings)
    with pytest.raises(InputError, match="days apart"):
        kernels_of(tmp_path, csv_text(KERNEL_COLUMNS, KERNEL, at(last - 9, last)))


def test_a_line_that_was_cut_is_left_out(tmp_path: Path) -> None:
    last = csv_text(KERNEL_COLUMNS, KERNEL, KERNEL).rstrip("\n")
    source = kernels_of(tmp_path, last[: last.rindex(str(BOOT + 2_000)[:8])])
    assert len(operations(source)) == 1
    assert source.warnings


@pytest.mark.parametrize(
    "content",
    [
        csv_text(KERNEL_COLUMNS),
        csv_text(KERNEL_COLUMNS, (*KERNEL[:9], 0, 0, *KERNEL[11:])),
        PLAIN + '"' + "x" * (10 << 20) + '"\n',
        PLAIN + "x" * (MOST_OF_A_LINE + 1) + "\n",
        PLAIN + '"' + "x,\n" * 60_000,
    ],
)
def test_a_table_that_cannot_be_read_ends_in_one_line(content: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as refusal:
        kernels_of(tmp_path, content)
    assert "x_kernel_trace.csv" in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_the_line_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"line 3:"):
        kernels_of(tmp_path, PLAIN + "x" * (MOST_OF_A_LINE + 1) + "\n")


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("MEMORY_COPY_DEVICE_TO_HOST", "copy D2H"),
        ("D2H", "copy D2H"),
        ("CopyDeviceToDevice", "copy P2P"),  # from agent 0 to agent 4
        ("HostToDevice", "copy H2D"),
        ("CopyHostToDevice2D", "copy H2D"),
        ("Memcpy DtoH (Device -> Pinned)", "copy D2H"),
        ("NONE", "copy"),
    ],
)
def test_directions_are_known_in_all_spellings(said: str, kind: str, tmp_path: Path) -> None:
    row = (COPY[0], said, *COPY[2:])
    path = text(tmp_path / "x_memory_copy_trace.csv", csv_text(COPY_COLUMNS, row))
    assert [found["operation"] for found in operations(registry.read(path))] == [kind]


def test_a_copy_from_one_gpu_to_another_counts_where_its_data_comes_from(tmp_path: Path) -> None:
    row = dict(zip(COPY_COLUMNS, COPY, strict=True))
    row |= {"Direction": "MEMORY_COPY_DEVICE_TO_DEVICE"}
    between = row | {"Source_Agent_Id": "Agent 4", "Destination_Agent_Id": "Agent 5"}
    within = row | {"Source_Agent_Id": "Agent 5", "Destination_Agent_Id": "Agent 5"}
    lines = [tuple(each.values()) for each in (between, within)]
    path = text(tmp_path / "x_memory_copy_trace.csv", csv_text(COPY_COLUMNS, *lines))
    source = registry.read(path)
    assert [found["operation"] for found in operations(source)] == ["copy P2P", "copy D2D"]
    streams = [row for row in source.tables["profile"].to_pylist() if row["kind"] == "GPU stream"]
    assert [stream["gpu_context"] for stream in streams] == [4, 5]


def test_copies_within_the_host_are_no_work_of_a_gpu(tmp_path: Path) -> None:
    row = (COPY[0], "MEMORY_COPY_HOST_TO_HOST", *COPY[2:])
    path = text(tmp_path / "x_memory_copy_trace.csv", csv_text(COPY_COLUMNS, row, COPY))
    source = registry.read(path)
    assert len(operations(source)) == 1
    assert any("within the host's memory" in each for each in source.warnings)


def test_calls_of_other_libraries_are_ranges_and_controls_are_none(tmp_path: Path) -> None:
    rows = [
        ("RCCL_API", "ncclAllReduce", 70, 77, 7, BOOT + 1, BOOT + 9),
        ("MARKER_CONTROL_API", "roctxProfilerPause", 70, 77, 8, BOOT + 20, BOOT + 21),
        ("HSA_CORE_API", "hsa_queue_create", 70, 77, 9, BOOT + 30, BOOT + 31),
        ("MARKER_CORE_API", "begun and ended by two", 70, 0, 10, BOOT + 40, BOOT + 44),
    ]
    path = text(tmp_path / "x_api_trace.csv", csv_text(CALL_COLUMNS, *CALLS, *rows))
    source = registry.read(path)
    ranges = [(row["kind"], row["name"]) for row in source.tables["host_range"].to_pylist()]
    assert sorted(ranges) == [
        ("annotation", "begun and ended by two"),
        ("operator", "ncclAllReduce"),
    ]
    calls = {row["name"] for row in source.tables["host_call"].to_pylist()}
    assert calls == {"hipLaunchKernel", "hipMemcpyAsync", "hsa_queue_create"}


def test_numbered_ranges_are_the_steps_of_a_loop(tmp_path: Path) -> None:
    rows = [
        ("MARKER_CORE_API", name, 70, 77, 9, BOOT + begin, BOOT + end)
        for name, begin, end in (
            ("step 7", 10, 90),
            ("step 8", 100, 190),
            ("iteration 1", 110, 120),
            ("epoch 3", 130, 140),
            ("epoch 4", 150, 160),
        )
    ]
    path = text(tmp_path / "x_marker_api_trace.csv", csv_text(CALL_COLUMNS, *rows))
    ranges = registry.read(path).tables["host_range"].to_pylist()
    assert [(row["kind"], row["name"]) for row in sorted(ranges, key=lambda row: row["start"])] == [
        ("step", "step 7"),
        ("step", "step 8"),
        ("annotation", "iteration …"),
        ("annotation", "epoch …"),
        ("annotation", "epoch …"),
    ]


@pytest.mark.parametrize("tool", ["rocprofv3", "rocprof"])
def test_what_is_missing_has_a_reason_and_a_command(tool: str) -> None:
    vocabulary = load_vocabulary(find_tool_folder(tool) / CAPABILITIES)
    needs = {need for metric in load_catalog().values() for need in metric.needs}
    for need in needs:
        entry = vocabulary.entry(need)
        assert entry is not None, need
        assert entry.collect
        gap = find_unmet_need(need, FixedInventory(frozenset(), "AMD"), vocabulary)
        assert gap
        assert "{" not in gap.reason


@pytest.mark.slow
def test_a_run_without_calls_is_one_of_amds_gpus(tmp_path: Path) -> None:
    path, store = text(tmp_path / "x_kernel_trace.csv", PLAIN), tmp_path / "s.duckdb"
    ingest([(registry.read(path), RunDescription())], store)
    with open_store(store) as connection:
        assert rows_of(connection, "SELECT vendor FROM gpu_vendor") == [("AMD",)]


@pytest.mark.slow
def test_kernels_of_rccl_are_collectives(tmp_path: Path) -> None:
    names = {
        "ncclDevKernel_Generic_4(ncclDevKernelArgsStorage<4096ul>)": True,
        "void ncclKernel_AllReduce_RING(int)": True,
        "_Z24ncclDevKernel_Generic_1": True,
        "rcclKernel": True,
        "mscclKernel_Sum_half_Simple_false": True,
        "Cijk_Ailk_Bljk_HHS_BH_MT128x128x32": False,
        "my_ncclDevKernel": False,
    }
    store = tmp_path / "s.duckdb"
    ingest([(registry.read(v1_table(tmp_path)), RunDescription())], store)
    with open_store(store) as connection:
        sql = """
            SELECT coalesce((
                SELECT class = 'collective' FROM kernel_pattern WHERE rank = kernel_rule($name)
            ), false)"""
        found = {name: rows_of(connection, sql, name=name)[0][0] for name in names}
    assert found == names


def altered(path: Path, *statements: str) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()
    return path


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE kernels_6c61_0000 SET name = NULL, grid_x = 'many', lds_size = -1, queue_id = NULL",
        "UPDATE kernels_6c61_0000 SET name = CAST(x'ff00fe' AS TEXT), agent_abs_index = 1e300",
        "UPDATE regions_6c61_0000 SET extdata = '[[[', tid = NULL, name = NULL, category = 5",
        "UPDATE processes_6c61_0000 SET pid = 'x', hostname = 5",
        "UPDATE rocpd_info_process_6c61_0000 SET environment = '{\"RANK\": 0.5}'",
        "UPDATE rocpd_info_process_6c61_0000 SET environment = '[', nid = NULL",
        "DROP VIEW processes",
        "DROP VIEW kernel_symbols",
        "DROP TABLE kernel_symbols_6c61_0000",
        "DROP VIEW memory_copies",
        "DROP VIEW regions",
        "UPDATE regions_6c61_0000 SET end = start - 5",
    ],
)
def test_odd_databases_are_tolerated(statement: str, tmp_path: Path) -> None:
    source = registry.read(altered(rocpd(tmp_path), statement))
    assert [
        found["duration"] for found in operations(source) if found["operation"] == "kernel"
    ] == [1_000]


ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"


@pytest.mark.parametrize(
    ("view", "said"),
    [
        (f"{ENDLESS} SELECT x AS start, x + 1 AS end, 'k' AS name FROM n", "more than"),
        (f"{ENDLESS} SELECT x AS start, x AS end FROM n WHERE x < 0", "takes longer"),
        ("SELECT zeroblob(1000000000) AS name, 1 AS start, 2 AS end", "too big"),
        ("SELECT abs(-9223372036854775808) AS start, 1 AS end", "overflow"),
        ("SELECT x FROM nowhere", "no such table"),
    ],
)
def test_views_that_were_made_to_do_harm_end_in_one_line(
    view: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_file, "SMALLEST", 40_000)
    path = altered(rocpd(tmp_path), "DROP VIEW kernels", f"CREATE VIEW kernels AS {view}")
    with pytest.raises(InputError, match=said) as refusal:
        registry.read(path)
    assert path.name in str(refusal.value)


def test_a_database_is_not_written_to(tmp_path: Path) -> None:
    path = rocpd(tmp_path)
    before = path.read_bytes()
    registry.read(path)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_a_path_may_hold_what_addresses_mean_otherwise(tmp_path: Path) -> None:
    path = write_rocpd(tmp_path / "a?mode=rwc#%20b.db")
    assert len(operations(registry.read(path))) == 2


def test_a_log_that_was_not_written_back_is_named(tmp_path: Path) -> None:
    path = rocpd(tmp_path)
    text(tmp_path / f"{path.name}-wal", "pages")
    assert any(f"{path.name}-wal" in each for each in registry.read(path).warnings)


@pytest.mark.parametrize(
    ("tables", "said"),
    [
        (("KERN",), "rocprof's scripts"),
        (("rocpd_api", "rocpd_op"), "rocmProfileData"),
        (("StringIds", "kernels", "regions"), "no profile found"),
    ],
)
def test_other_databases_are_named(tables: tuple[str, ...], said: str, tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    altered(path, *(f"CREATE TABLE {name} (id INTEGER)" for name in tables))
    with pytest.raises(InputError, match=said):
        registry.read(path)


@pytest.mark.parametrize(
    "change",
    [
        {"strings": None},
        {"strings": {"buffer_records": [1], "marker_api": [2]}},
        {"agents": []},
        {"kernel_symbols": []},
        {"kernel_symbols": [{"kernel_id": 16, "formatted_kernel_name": {"a": []}}]},
        {"metadata": [1]},
    ],
)
def test_json_without_its_lists_of_names_keeps_the_times(
    change: dict[str, Any], tmp_path: Path
) -> None:
    document = sdk_document()
    document["rocprofiler-sdk-tool"][0] |= change
    path = text(tmp_path / "x_results.json", json.dumps(document))
    assert sorted(found["duration"] for found in operations(registry.read(path))) == [700, 1_000]


@pytest.mark.parametrize(
    "content",
    [
        '{"rocprofiler-sdk-tool": ' + "[" * 100_000,
        '{"rocprofiler-sdk-tool": [{"buffer_records": {"kernel_dispatch": {"a": 1}}}]}',
        '{"rocprofiler-sdk-tool": [{"buffer_records": {"kernel_dispatch": [5]}}]}',
        '{"rocprofiler-sdk-tool": [{"buffer_records": 5}]}',
        '{"rocprofiler-sdk-tool": []}',
        '{"rocprofiler-sdk-tool": [{"agents": [',
        '{"traceEvents": [{}',
        '{"traceEvents": [{}, 5, "x"]}',
        '{"traceEvents": [{}, {"ph": "X", "args": {"BeginNs": "1", "EndNs": "x"}}]}',
    ],
)
def test_broken_json_ends_in_one_line(content: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as refusal:
        registry.read(text(tmp_path / "x_results.json", content))
    assert "x_results.json" in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_json_may_name_what_other_releases_number(tmp_path: Path) -> None:
    document = sdk_document()
    records = document["rocprofiler-sdk-tool"][0]["buffer_records"]
    records["hip_api"][0] |= {"kind": "HIP_RUNTIME_API", "operation": "hipModuleLaunchKernel"}
    path = text(tmp_path / "x_results.json", json.dumps(document))
    assert one(registry.read(path), "kernel")["caller"] == "hipModuleLaunchKernel"


def test_a_copy_in_the_row_of_a_gpu_is_no_kernel(tmp_path: Path) -> None:
    events = [
        event | {"pid": "10"} if event.get("pid") == "1" else event for event in chrome_events()
    ]
    path = text(tmp_path / "results.json", json.dumps({"traceEvents": events}))
    assert one(registry.read(path), "copy H2D")["duration"] == 700


def test_a_trace_that_ends_early_is_read_up_to_its_last_event(tmp_path: Path) -> None:
    path = chrome(tmp_path)
    whole_text = path.read_text()
    text(path, whole_text[: whole_text.index('"CopyHostToDevice"')])
    source = registry.read(path)
    assert [found["operation"] for found in operations(source)] == ["kernel"]
    assert any("ends within" in each for each in source.warnings)


@pytest.mark.parametrize("value", ["7", " 7 ", "7.0", "7e0", "0x7", 7, 7.0], ids=repr)
def test_a_number_is_read_as_it_is_written(value: Any) -> None:
    assert parse_whole(value) == 7


@pytest.mark.parametrize(
    "value", ["-7", "7.5", "", None, True, "1,5", [], "7" * 30, 1 << 62], ids=repr
)
def test_what_is_no_number_is_none(value: Any) -> None:
    assert parse_whole(value) == -1


@pytest.mark.parametrize(
    ("value", "number"),
    [("Agent 7", 7), ("GPU 1", 1), ("7", 7), (7, 7), ("Agent", -1), ("7 Agent", -1)],
    ids=repr,
)
def test_agents_have_numbers(value: Any, number: int) -> None:
    assert parse_agent(value) == number


def test_sizes_that_are_not_known_give_no_blocks() -> None:
    assert count_blocks([1000, 8, 1], [64, 2, 1]) == 64
    assert (
        count_blocks([0, 8, 1], [64, 2, 1])
        == count_blocks([], [])
        == count_blocks([1], [1, 1])
        == -1
    )


def test_ranks_come_from_the_launcher() -> None:
    assert find_rank({"RANK": "3", "PMI_RANK": "2"}) == 2
    assert find_rank({"RANK": "-3"}) is find_rank(None) is None
    assert find_rank_counts({"RANK": "3", "WORLD_SIZE": "8", "PMI_RANK": "2", "PMI_SIZE": "4"}) == {
        4
    }
    assert (
        find_rank_counts({"WORLD_SIZE": "8"})
        == find_rank_counts({"RANK": "1"})
        == find_rank_counts(None)
        == set()
    )


@cache
def originals() -> tuple[tuple[str, bytes], ...]:
    """Files of all forms by name."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = [write(folder) for key, write in FORMS.items() if key != "csv"]
        files = [*made, *sorted(a_folder(folder).glob("*_trace.csv"))]
        return tuple((path.name, path.read_bytes()) for path in files)


@st.composite
def damaged(draw: st.DrawFn) -> tuple[str, bytes]:
    """A file with one to four places changed, cut, moved or exchanged."""
    name, data = draw(st.sampled_from(originals()))
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, max(len(data) - 1, 0)))
        kind = draw(st.sampled_from(["bytes", "cut", "copy", "line"]))
        if kind == "bytes":
            new = draw(st.binary(min_size=1, max_size=8))
            data = data[:place] + new + data[place + len(new) :]
        elif kind == "cut":
            data = data[:place]
        elif kind == "copy":
            data = data[:place] + data[place // 2 : place // 2 + 64] + data[place:]
        else:
            lines = data.split(b"\n")
            lines.insert(draw(st.integers(0, len(lines))), draw(st.sampled_from(lines)))
            data = b"\n".join(lines)
    return name, data


def refusal_of(path: Path) -> str | None:
    """The one line with which a file is refused, or None."""
    try:
        source = registry.read(path)
    except PerfolioError as problem:
        return str(problem)
    return None if source.tables["profile"].num_rows else "nothing was read"


@pytest.mark.slow
@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(file=damaged())
@example(file=("results.csv", b""))
def test_damage_gives_a_source_or_one_line(file: tuple[str, bytes]) -> None:
    name, data = file
    with tempfile.TemporaryDirectory() as folder:
        said = refusal_of(text(Path(folder) / name, data))
        assert said is None or (name in said and "\n" not in said)


@pytest.mark.parametrize(
    ("told", "command"),
    [(["./axpy", "1 2"], "./axpy '1 2'"), ("./axpy 1", ""), (["./axpy", 1], ""), (None, "")],
)
def test_the_command_is_known_where_its_words_are_listed(
    told: object, command: str, tmp_path: Path
) -> None:
    document = sdk_document()
    document["rocprofiler-sdk-tool"][0]["metadata"]["command"] = told
    text(tmp_path / "70_results.json", json.dumps(document))
    assert registry.read(tmp_path / "70_results.json").command == command
