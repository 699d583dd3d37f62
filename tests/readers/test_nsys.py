"""Reports of Nsight Systems: what is read of them, and what damaged ones end in."""

from __future__ import annotations

import contextlib
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from perfolio.common.errors import FormatError, InputError, PerfolioError, UsageError
from perfolio.readers import registry, tool_exports
from perfolio.readers.model import Source
from perfolio.readers.nsys.report_files import describe_export
from perfolio.readers.run_description import read_description
from tests.functional.conftest import called
from tests.readers.nsys_files import (
    BEGIN,
    PID,
    PROCESS,
    THREAD,
    Report,
    Row,
    call,
    clock,
    copy,
    kernel,
    mark,
    of_2022,
    of_2025,
    report,
    strings,
    write_parquet,
    write_sqlite,
)


def read(folder: Path, tables: Report, name: str = "report.sqlite") -> Source:
    return registry.read(write_sqlite(folder / name, tables))


def rows(source: Source, table: str) -> list[Row]:
    found: list[Row] = source.tables[table].to_pylist()
    return found


def names_of(source: Source) -> list[str]:
    return [row["name"] for row in rows(source, "function")]


def path_to(source: Source, context: int) -> list[str]:
    """Names from an entry point to a context."""
    names, contexts = names_of(source), {row["id"]: row for row in rows(source, "context")}
    found = []
    while context:
        row = contexts[context]
        entry = row["function"] is None
        found.append(row["entry_point"] if entry else names[row["function"]])
        context = row["parent"]
    return found[::-1]


GENERATIONS: dict[str, Callable[[Report], Report]] = {
    "2022": of_2022,
    "2023": lambda found: found,
    "2025": of_2025,
}
FORMS: dict[str, Callable[[Path, Report], Path]] = {
    "sqlite": lambda folder, tables: write_sqlite(folder / "report.sqlite", tables),
    "parquet": lambda folder, tables: write_parquet(folder / "report_pqtdir", tables),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("generation", GENERATIONS)
def test_every_generation_tells_the_same(tmp_path: Path, generation: str, form: str) -> None:
    source = registry.read(FORMS[form](tmp_path, GENERATIONS[generation](report())))
    ran_copy, ran_kernel = rows(source, "gpu_operation")
    assert path_to(source, ran_kernel["context"]) == [
        "main thread", "phase", "cudaLaunchKernel", "<gpu kernel>", "void scale<float>(float *)",
    ]  # fmt: skip
    assert path_to(source, ran_copy["context"])[2:] == [
        "cudaMemcpy", "<gpu copyin>", "[CUDA memcpy Host-to-Device]",
    ]  # fmt: skip
    assert (ran_kernel["start"], ran_kernel["duration"]) == (BEGIN + 650, 1000)
    assert ran_kernel["blocks"] == 8
    assert (ran_copy["bytes"], ran_copy["pinned"]) == (6_000_000_000, False)
    calls = [(row["name"], row["start"] - BEGIN) for row in rows(source, "host_call")]
    assert calls == [("cudaMemcpy", 100), ("cudaLaunchKernel", 500)]
    assert (source.tool, source.title, source.warnings) == ("Nsight Systems", "report", ())


def test_sizes_of_launches_are_costs(tmp_path: Path) -> None:
    source = read(tmp_path, report())
    measures = {row["id"]: row["measure"] for row in rows(source, "metric")}
    sums = {measures[row["metric"]]: row["value"] for row in rows(source, "summary")}
    assert sums["kernel_block_threads"] == 128
    assert (sums["kernel_thread_registers"], sums["kernel_static_shared"]) == (32, 16)
    assert sums["copy_bytes:H2D"] == 6e9


COPIES: dict[str, tuple[Row, str, bool | None]] = {
    "pinned": ({"copyKind": 2, "srcKind": 2, "dstKind": 1}, "copy D2H", True),
    "managed": ({"copyKind": 11, "srcKind": 4}, "migration", None),
    "within": ({"copyKind": 8, "srcKind": 2}, "copy D2D", None),
    "between GPUs": ({"copyKind": 10}, "copy P2P", None),
    "from GPU to GPU": ({"copyKind": 8, "srcDeviceId": 0, "dstDeviceId": 1}, "copy P2P", None),
    "within GPU 1": ({"copyKind": 8, "srcDeviceId": 1, "dstDeviceId": 1}, "copy D2D", None),
    "a kind of tomorrow": ({"copyKind": 99}, "copy", None),
    "no kind": ({"copyKind": None, "srcKind": None}, "copy", None),
}


@pytest.mark.parametrize("case", COPIES)
def test_kinds_of_copies(tmp_path: Path, case: str) -> None:
    beside, operation, pinned = COPIES[case]
    source = read(tmp_path, report(CUPTI_ACTIVITY_KIND_MEMCPY=[copy(150, 390, 1, **beside)]))
    found = rows(source, "gpu_operation")[0]
    assert (found["operation"], found["pinned"]) == (operation, pinned)


def test_waits_are_no_work_of_a_gpu(tmp_path: Path) -> None:
    waits = [{"start": 0, "end": 9000, "deviceId": 0, "streamId": 7, "globalPid": PROCESS}]
    source = read(tmp_path, report(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION=waits))
    assert len(rows(source, "gpu_operation")) == 2


def test_graphs_memsets_and_memory(tmp_path: Path) -> None:
    place = {"deviceId": 0, "streamId": 9, "globalPid": PROCESS, "correlationId": 2}
    moved = {"globalPid": PROCESS, "deviceId": 0, "bytes": 512, "memKind": 2}
    source = read(
        tmp_path,
        report(
            CUPTI_ACTIVITY_KIND_GRAPH_TRACE=[{"start": 700, "end": 900, **place, "graphId": 5}],
            CUPTI_ACTIVITY_KIND_MEMSET=[{"start": 20, "end": 30, **place, "bytes": 4}],
            CUDA_GPU_MEMORY_USAGE_EVENTS=[
                {"start": 10, **moved, "memoryOperationType": 0},
                {"start": 90, **moved, "memoryOperationType": 1},
            ],
        ),
    )
    kinds = [row["operation"] for row in rows(source, "gpu_operation")]
    assert kinds == ["copy H2D", "kernel", "memset", "kernel"]
    assert "[CUDA graph 5]" in names_of(source)
    assert any("1 of 2 kernels are replays of graphs" in note for note in source.warnings)
    memory = [(row["device"], row["bytes"]) for row in rows(source, "memory_event")]
    assert memory == [(0, 512), (0, -512)]


RANGES: dict[str, tuple[Row, tuple[str, str, str | None]]] = {
    "by identifier": ({"text": None, "textId": 6}, ("annotation", "worker", None)),
    "a step": ({"text": "step 12"}, ("step", "step 12", None)),
    "PyTorch's step": ({"text": "ProfilerStep#3"}, ("step", "ProfilerStep#3", None)),
    "a counted phase": ({"text": "epoch_7"}, ("annotation", "epoch_…", None)),
    "a layer": ({"text": "layer_7"}, ("annotation", "layer_7", None)),
    "an operator": (
        {"text": "aten::mm, op_id = 5, sizes = [[2, 3], [3, 4]], input_op_ids = [(1,0)]"},
        ("operator", "aten::mm", "[[2,3],[3,4]]"),
    ),
    "its backward": ({"text": "MmBackward0, seq = 4"}, ("operator", "MmBackward0", None)),
    "no text": ({"text": None}, ("annotation", "<unnamed>", None)),
    "started and ended": ({"eventType": 60, "endGlobalTid": THREAD}, ("annotation", "x", None)),
}


@pytest.mark.parametrize("case", RANGES)
def test_ranges_of_nvtx(tmp_path: Path, case: str) -> None:
    beside, expected = RANGES[case]
    source = read(tmp_path, report(NVTX_EVENTS=[mark(50, 700, "x") | beside]))
    (found,) = rows(source, "host_range")
    assert (found["kind"], found["name"], found["shapes"]) == expected


def test_steps_within_steps_are_ranges_like_others(tmp_path: Path) -> None:
    marks = [mark(0, 900, "step 1"), mark(10, 20, "iteration 1"), mark(30, 40, "iteration 2")]
    source = read(tmp_path, report(NVTX_EVENTS=marks))
    found = [(row["kind"], row["name"]) for row in rows(source, "host_range")]
    assert found == [("step", "step 1"), *[("annotation", "iteration …")] * 2]


def test_a_range_that_ends_in_another_thread_is_left_out(tmp_path: Path) -> None:
    crossing = mark(0, 9000, "async", eventType=60, endGlobalTid=THREAD + 1)
    source = read(tmp_path, report(NVTX_EVENTS=[crossing, mark(50, 700, "phase")]))
    assert [row["name"] for row in rows(source, "host_range")] == ["phase"]
    assert any("1 events end in another thread" in note for note in source.warnings)


def test_a_range_without_an_end_is_left_out_and_counted(tmp_path: Path) -> None:
    source = read(tmp_path, report(NVTX_EVENTS=[mark(5, None, "open"), mark(7, 6, "back")]))
    assert [row["duration"] for row in rows(source, "host_range")] == [0]
    assert {*source.warnings} == {
        "1 events have no begin or no end, and are left out",
        "1 events end before they begin, and count as 0",
    }


def test_calls_of_mpi_by_tables_and_by_a_domain_of_nvtx(tmp_path: Path) -> None:
    waits = {"start": 2000, "end": 2500, "globalTid": THREAD, "textId": 9}
    source = read(
        tmp_path,
        report(
            MPI_COLLECTIVES_EVENTS=[{"start": 900, "end": 950, "globalTid": THREAD, "textId": 9}],
            MPI_START_WAIT_EVENTS=[waits | {"requestHandle": n} for n in (1, 2)],
            MPI_RANKS=[{"globalTid": THREAD, "rank": 5}],
            NVTX_EVENTS=[
                mark(0, None, "MPI", eventType=75, domainId=1),
                mark(3000, 3100, None, textId=9, domainId=1),
            ],
        ),
    )
    stays = rows(source, "host_stay")
    mpi = [s["start"] - BEGIN for s in stays if "MPI" in path_to(source, s["context"])[-1]]
    assert mpi == [900, 2000, 3000]
    assert len(rows(source, "host_call")) == 2
    assert {row["rank"] for row in rows(source, "profile")} == {5}
    assert [row["path"] for row in rows(source, "module")][1:] == ["libmpi.so"]


def test_calls_of_the_system_are_places_and_no_cost(tmp_path: Path) -> None:
    other = THREAD + 9

    def wait(start: int, end: int, thread: int, kind: int = 27) -> Row:
        row = {"start": start, "end": end, "globalTid": thread, "nameId": 8}
        return {**row, "eventClass": kind, "nestingLevel": 0}

    waits = [
        wait(150, 160, THREAD), wait(800, 900, THREAD), wait(0, 5000, other),
        wait(1, 1, PROCESS, 31),
    ]  # fmt: skip
    source = read(tmp_path, report(OSRT_API=waits))
    stays = [
        (row["start"] - BEGIN, path_to(source, row["context"])[-1])
        for row in rows(source, "host_stay")
    ]
    assert [start for start, name in stays if name == "ioctl"] == [800]
    assert len([row for row in rows(source, "profile") if row["kind"] == "CPU thread"]) == 1
    assert len(rows(source, "host_call")) == 2
    measures = {row["id"]: row["measure"] for row in rows(source, "metric")}
    contexts = {
        row["context"] for row in rows(source, "summary")
        if measures[row["metric"]] == "elapsed_time"
    }  # fmt: skip
    assert "ioctl" not in [path_to(source, context)[-1] for context in contexts if context]


def test_a_report_of_system_calls_alone_says_so(tmp_path: Path) -> None:
    wait = {"start": 0, "end": 9, "globalTid": THREAD, "nameId": 8, "eventClass": 27}
    tables = {"StringIds": strings(), **clock(), "OSRT_API": [wait]}
    assert any("no call of CUDA or MPI" in note for note in read(tmp_path, tables).warnings)


def test_samples_and_diagnostics_are_told(tmp_path: Path) -> None:
    said = [
        {"severity": 2, "text": "No NVTX events collected. Does the process use NVTX?"},
        {"severity": 2, "text": "No CUDA events collected. Does the process use CUDA?"},
        {"severity": 1, "text": "Profiling has started."},
    ]
    samples = [{"id": n, "start": n, "globalTid": THREAD} for n in range(3)]
    source = read(tmp_path, report(DIAGNOSTIC_EVENT=said, COMPOSITE_EVENTS=samples))
    assert source.warnings == (
        "3 samples of CPU threads are left out: this report is made of events",
        "Nsight Systems says: No CUDA events collected. Does the process use CUDA?",
    )


def second(row: Row) -> Row:
    """The same in another process."""
    moved = {"globalPid": PROCESS + (1 << 24), "globalTid": THREAD + (1 << 24) + 1}
    return row | {name: value for name, value in moved.items() if name in row}


def test_migrations_of_managed_memory_are_the_drivers_own_copies(tmp_path: Path) -> None:
    tables = report()
    first, *others = tables["CUPTI_ACTIVITY_KIND_MEMCPY"]
    tables["CUPTI_ACTIVITY_KIND_MEMCPY"] = [{**first, "copyKind": 12, "srcKind": 4}, *others]
    source = read(tmp_path, tables)
    measured = {row["measure"] for row in rows(source, "metric")}
    assert "implicit_copy_time" in measured
    assert "implicit_copy_time" not in {
        row["measure"] for row in rows(read(tmp_path, report(), "plain.sqlite"), "metric")
    }


def test_processes_and_their_gpus_are_told_apart(tmp_path: Path) -> None:
    tables = report()
    for name in ("CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_KERNEL"):
        tables[name] += [second(row) for row in tables[name]]
    devices = [{"gpuId": 2 + n, "cudaId": 0, "pid": PID + n} for n in (0, 1)]
    source = read(tmp_path, {**tables, "TARGET_INFO_CUDA_DEVICE": devices})
    lines = [(row["process"], row["thread"], row["gpu_context"]) for row in rows(source, "profile")]
    assert sorted(lines, key=str) == [(0, 0, None), (0, None, 2), (1, 0, None), (1, None, 3)]
    assert all(row["call"] is not None for row in rows(source, "gpu_operation"))
    assert [row["rank"] for row in rows(source, "profile")] == [0, 1, 0, 1]
    assert any(
        "they count as ranks, in the order of their GPUs" in note for note in source.warnings
    )


def test_processes_that_share_a_gpu_are_no_ranks(tmp_path: Path) -> None:
    tables = report()
    for name in ("CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_KERNEL"):
        tables[name] += [second(row) for row in tables[name]]
    source = read(tmp_path, tables)
    assert {row["rank"] for row in rows(source, "profile")} == {None}
    assert any("2 processes were recorded, and no ranks" in note for note in source.warnings)


def test_processes_live_as_long_as_their_threads_are_scheduled(tmp_path: Path) -> None:
    other = PROCESS + (1 << 24)
    found = {
        "SCHED_EVENTS": [
            {"start": -30, "cpu": 0, "isSchedIn": 1, "globalTid": THREAD + 1},
            {"start": 8_000, "cpu": 0, "isSchedIn": 0, "globalTid": THREAD},
            {"start": 90_000, "cpu": 0, "isSchedIn": 0, "globalTid": other | 5},
        ],
        "COMPOSITE_EVENTS": [{"id": 1, "start": 8_500, "cpu": 0, "globalTid": THREAD}],
        "OSRT_API": [{"start": 8_600, "end": 9_000, "nameId": 8, "globalTid": THREAD + 2}],
    }
    lines = rows(read(tmp_path, report(**found)), "trace_line")
    spans = [(row["start"] - BEGIN, row["stop"] - BEGIN) for row in lines]
    assert spans == [(-30, 9_000), (150, 1650)]


def test_a_thread_is_named_after_its_rank(tmp_path: Path) -> None:
    named = [{"nameId": 10, "priority": 0, "globalTid": THREAD}]
    source = read(tmp_path, report(ThreadNames=named))
    assert {row["rank"] for row in rows(source, "profile")} == {3}


def test_times_since_the_epoch_stay_as_they_are(tmp_path: Path) -> None:
    late = kernel(BEGIN + 5, BEGIN + 9, 2)
    tables = {**clock(), "StringIds": strings(), "CUPTI_ACTIVITY_KIND_KERNEL": [late]}
    assert rows(read(tmp_path, tables), "gpu_operation")[0]["start"] == BEGIN + 5


def test_times_before_an_unknown_begin_are_not_negative(tmp_path: Path) -> None:
    tables = {"StringIds": strings(), "CUPTI_ACTIVITY_KIND_KERNEL": [kernel(-5, 9, 2)]}
    assert rows(read(tmp_path, tables), "gpu_operation")[0]["start"] == 0


def test_streams_are_in_the_order_of_ranks_whichever_began_first(tmp_path: Path) -> None:
    others = {rank: ((1 << 48) | ((PID + rank) << 24)) for rank in (0, 1)}
    tables = report(
        MPI_RANKS=[{"globalTid": others[rank] | PID, "rank": rank} for rank in (0, 1)],
        CUPTI_ACTIVITY_KIND_KERNEL=[
            kernel(650 - rank, 1650, 2, globalPid=others[rank], deviceId=rank) for rank in (1, 0)
        ],
    )
    streams = [
        row for row in rows(read(tmp_path, tables), "profile") if row["kind"] != "CPU thread"
    ]
    assert [row["rank"] for row in streams] == [0, 1]


def ranks(folder: Path, names: tuple[str, ...], begins: tuple[int, ...]) -> Path:
    for name, begin in zip(names, begins, strict=True):
        write_sqlite(folder / name, report(**clock(begin)))
    return folder


@pytest.mark.parametrize(
    "names",
    [("report.0.sqlite", "report.1.sqlite"), ("rank0_a.sqlite", "rank1_a.sqlite")],
)
def test_a_folder_of_ranks_is_one_run(tmp_path: Path, names: tuple[str, ...]) -> None:
    path = ranks(tmp_path, names, (BEGIN, BEGIN + 1000))
    assert registry.find(path) == [path]
    source = registry.read(path)
    assert {row["rank"] for row in rows(source, "profile")} == {0, 1}
    starts = [row["start"] for row in rows(source, "gpu_operation")]
    assert starts == [BEGIN + 150, BEGIN + 650, BEGIN + 1150, BEGIN + 1650]
    assert [file.path.name for file in source.files] == sorted(names)


@pytest.mark.parametrize(
    ("names", "later"),
    [(("report1.sqlite", "report2.sqlite"), 0), (("run.0.sqlite", "run.1.sqlite"), 10**12)],
)
def test_reports_of_several_runs_are_several(
    tmp_path: Path, names: tuple[str, ...], later: int
) -> None:
    path = ranks(tmp_path, names, (BEGIN, BEGIN + later))
    assert registry.find(path) == [path / name for name in names]


def test_a_report_in_two_forms_counts_once(tmp_path: Path) -> None:
    for rank in (0, 1):
        write_sqlite(tmp_path / f"r.{rank}.sqlite", report())
        write_parquet(tmp_path / f"r.{rank}_pqtdir", report())
    source = registry.read(tmp_path)
    assert len(rows(source, "gpu_operation")) == 4


def test_one_report_in_two_forms_is_one_run(tmp_path: Path) -> None:
    write_sqlite(tmp_path / "report.sqlite", report())
    write_parquet(tmp_path / "report_pqtdir", report())
    assert registry.find(tmp_path) == [tmp_path]
    assert len(rows(registry.read(tmp_path), "gpu_operation")) == 2


ENVIRONMENTS: dict[str, tuple[list[str], int | None]] = {
    "Open MPI": (['OMPI_COMM_WORLD_RANK="2"', 'OMPI_COMM_WORLD_SIZE="4"'], 2),
    "torchrun": (['RANK="1"', 'WORLD_SIZE="8"', 'PATH="/bin"'], 1),
    "a step of Slurm": (['SLURM_PROCID="3"', 'SLURM_STEP_NUM_TASKS="4"'], 3),
    "a script of Slurm": (['SLURM_PROCID="0"', 'SLURM_NTASKS="4"'], None),
    "one process": (['PMI_RANK="0"', 'PMI_SIZE="1"'], None),
    "no number": (['RANK="first"', 'WORLD_SIZE="8"'], None),
}


@pytest.mark.parametrize("case", ENVIRONMENTS)
def test_a_rank_is_known_by_how_it_was_started(tmp_path: Path, case: str) -> None:
    variables, rank = ENVIRONMENTS[case]
    meta = [{"name": "PROCESS_0:ENVIRONMENT_VARIABLE", "value": each} for each in variables]
    source = read(tmp_path, report(META_DATA_CAPTURE=meta))
    assert {row["rank"] for row in rows(source, "profile")} == {rank}
    assert source.ranks == {"Open MPI": 4, "torchrun": 8, "a step of Slurm": 4}.get(case, 0)


def on_host(name: str) -> list[Row]:
    """What a report says of its machine."""
    return [{"name": "Hostname", "value": name}, {"name": "HwName", "value": "x86"}]


def test_each_rank_is_on_the_machine_of_its_report(tmp_path: Path) -> None:
    for rank, host in enumerate(("node18", "node17", "node18")):
        tables = report(TARGET_INFO_SYSTEM_ENV=on_host(host))
        write_sqlite(tmp_path / f"r.{rank}.sqlite", tables)
    source = registry.read(tmp_path)
    assert source.hosts == {0: "node18", 1: "node17", 2: "node18"}
    numbers = {(row["rank"], row["node"]) for row in rows(source, "profile")}
    assert numbers == {(0, 0), (1, 1), (2, 0)}


@pytest.mark.parametrize(
    ("said", "host"),
    [
        ("node17.cluster.example", "node17.cluster.example"),
        (" node\n17\u200b\x1b", "node 17"),
        ("n" * 5_000, "n" * 200),
        ("localhost.localdomain", None),
        ("(none)", None),
        ("----", None),
        ("", None),
    ],
)
def test_a_machine_is_named_where_its_name_says_which(
    tmp_path: Path, said: str, host: str | None
) -> None:
    source = read(tmp_path, report(TARGET_INFO_SYSTEM_ENV=on_host(said)))
    assert source.hosts == ({} if host is None else {0: host})
    assert {row["node"] for row in rows(source, "profile")} == {None}


def test_processes_that_are_ranks_by_their_gpus_have_their_machine(tmp_path: Path) -> None:
    tables = report(TARGET_INFO_SYSTEM_ENV=on_host("node17"))
    for name in ("CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_KERNEL"):
        tables[name] += [second(row) for row in tables[name]]
    devices = [{"gpuId": 2 + n, "cudaId": 0, "pid": PID + n} for n in (0, 1)]
    source = read(tmp_path, {**tables, "TARGET_INFO_CUDA_DEVICE": devices})
    assert source.hosts == {0: "node17", 1: "node17"}


GPUS = [
    {"id": 1, "name": "NVIDIA A100-PCIE-40GB", "cuDevice": 0},
    {"id": 0, "name": "NVIDIA A40", "cuDevice": 1},
]


@pytest.mark.parametrize(
    ("devices", "name"),
    [([], "NVIDIA A100-PCIE-40GB"), ([{"gpuId": 0, "cudaId": 0, "pid": PID}], "NVIDIA A40")],
)
def test_the_gpu_that_was_used_is_named(tmp_path: Path, devices: list[Row], name: str) -> None:
    tables = report(TARGET_INFO_GPU=GPUS, TARGET_INFO_CUDA_DEVICE=devices)
    assert read(tmp_path, tables).device == name


def test_gpus_of_several_models_have_no_name_together(tmp_path: Path) -> None:
    kernels = [kernel(650, 1650, 2), kernel(650, 1650, 2, deviceId=1)]
    source = read(tmp_path, report(TARGET_INFO_GPU=GPUS, **{KERNELS: kernels}))
    assert source.device == ""


def test_ranks_of_which_one_says_no_begin_are_not_aligned(tmp_path: Path) -> None:
    ranks(tmp_path, ("r.0.sqlite",), (BEGIN,))
    tables = report()
    del tables["TARGET_INFO_SESSION_START_TIME"]
    write_sqlite(tmp_path / "r.1.sqlite", tables)
    source = registry.read(tmp_path)
    assert {row["start"] for row in rows(source, "gpu_operation")} == {150, 650}
    assert any("clocks of the ranks are not aligned" in note for note in source.warnings)


def test_a_description_lies_beside_a_report(tmp_path: Path) -> None:
    path = write_sqlite(tmp_path / "report.sqlite", report())
    (tmp_path / "profile.toml").write_text('title = "Scaling"\n')
    assert read_description(path).title == "Scaling"


def test_the_binary_form_is_refused_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NSYS", "")
    (tmp_path / "report.nsys-rep").write_bytes(b"\x01\x02")
    for ask, path in ((registry.find, tmp_path), (registry.read, tmp_path / "report.nsys-rep")):
        with pytest.raises(InputError, match=r"nsys export --type sqlite -o report\.sqlite"):
            ask(path)
    (hostile := tmp_path / "-x; touch owned.nsys-rep").write_bytes(b"\x01\x02")
    words = "-o './-x; touch owned.sqlite' './-x; touch owned.nsys-rep'"
    with pytest.raises(InputError, match=re.escape(words)):
        registry.read(hostile)


@pytest.fixture
def nsys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Makes the program nsys of some lines of shell, with nothing in the cache.

    $5 is where the export goes, $6 the report; `exported` has an export.
    """
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "bin"
    folder.mkdir()
    write_sqlite(folder / "exported", report())

    def make(lines: str) -> Path:
        program = folder / "nsys"
        program.write_text(f"#!/bin/sh\ncd {folder}\necho run >> calls\n{lines}\n")
        program.chmod(0o755)
        monkeypatch.setenv("NSYS", str(program))
        return folder

    return make


def binary(tmp_path: Path, name: str = "run.nsys-rep") -> Path:
    path = tmp_path / "reports" / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"binary " + name.encode())
    return path


def test_nsys_exports_a_binary_report_once(
    tmp_path: Path, nsys: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = nsys('[ "$1 $2 $3 $4" = "export --type sqlite -o" ] && cp exported "$5"')
    path = binary(tmp_path, "-- $(touch owned) `x`.nsys-rep")
    for _ in range(2):
        source = registry.read(path)
        assert [one.path for one in source.files] == [path]
        assert source.title == "-- $(touch owned) `x`"
        assert len(rows(source, "gpu_operation")) == 2
    assert (folder / "calls").read_text() == "run\n"
    (cached,) = (tmp_path / "cache" / "perfolio" / "nsys").iterdir()
    cached.write_bytes(b"short")
    registry.read(path)
    assert (folder / "calls").read_text() == "run\nrun\n", "a damaged export is none"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bin", "cache", "reports"]
    monkeypatch.delenv("NSYS")
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    assert registry.find(path.parent) == [path]
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PATH", ".::/usr/bin:/bin")
    with pytest.raises(InputError, match="binary form"):
        registry.read(path)


def test_a_command_says_that_nsys_exports(tmp_path: Path, nsys: Callable[[str], Path]) -> None:
    nsys('echo exporting; cp exported "$5"')
    binary(tmp_path)
    done = called("ingest", "reports", "--store", "s.duckdb", cwd=tmp_path)
    assert (done.returncode, "run.nsys-rep: nsys exports it" in done.stderr) == (0, True)
    assert done.stdout.startswith("run 1 run: ")
    nsys("echo 'no license' >&2; exit 1")
    for command in ("ingest {} --store t.duckdb", "info {}", "check {}", "brief {}", "build {}"):
        done = called(*command.format("reports").split(), cwd=tmp_path)
        assert done.returncode == 3, command
        assert done.stderr.count("perfolio: ") == 1
        assert "run.nsys-rep: nsys cannot export it: no license; try by hand: nsys" in done.stderr


def test_an_export_beside_a_binary_report_is_read(
    tmp_path: Path, nsys: Callable[[str], Path]
) -> None:
    nsys('cp exported "$5"')
    path = binary(tmp_path)
    beside = write_sqlite(path.with_suffix(".sqlite"), report())
    (path.parent / "profile.toml").write_text('title = "Scaling"\n')
    assert registry.find(path.parent) == [beside]
    assert read_description(beside).title == "Scaling"
    binary(tmp_path, "other.nsys-rep")
    assert [one.name for one in registry.find(path.parent)] == ["other.nsys-rep", "run.sqlite"]


def test_binary_reports_of_ranks_are_one_run(tmp_path: Path, nsys: Callable[[str], Path]) -> None:
    folder = nsys('cp exported "$5"')
    for rank in range(2):
        folder = binary(tmp_path, f"run.{rank}.nsys-rep").parent
    assert describe_export(folder) == "nsys exports 2 reports"
    assert registry.find(folder) == [folder]
    assert {row["rank"] for row in rows(registry.read(folder), "profile")} == {0, 1}


EXPORTS = {
    "fails": ("echo first >&2; echo 'no\033[2J license' >&2; exit 3", "nsys cannot export it: no"),
    "fails silently": ("exit 3", "nsys cannot export it: exit code 3"),
    "is killed": ("kill -9 $$", "nsys cannot export it: signal 9"),
    "hangs": ("sleep 60 & sleep 60", "nsys did not export it within 0.3 s"),
    "grows": ('head -c 200000 /dev/zero > "$5"; sleep 60', "nsys exports more than 100,000 bytes"),
    "writes nothing": ("exit 0", "nsys ended without an error, and exported nothing"),
    "links": ('ln -s /etc/passwd "$5"', "nsys ended without an error, and exported nothing"),
    "writes text": ('echo text > "$5"', "nsys exported something that is no SQLite file"),
    "writes a stub": ('head -c 16 exported > "$5"', "SQLite says"),
    "changes the report": ('cp exported "$5"; echo more >> "$6"', "changed or was replaced"),
}


@pytest.mark.parametrize("case", EXPORTS)
def test_a_failed_export_is_one_line(
    case: str, tmp_path: Path, nsys: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines, expected = EXPORTS[case]
    nsys(lines)
    monkeypatch.setattr(tool_exports, "SECONDS", 0.3 if case == "hangs" else 30.0)
    monkeypatch.setattr(tool_exports, "SMALLEST", 100_000)
    path = binary(tmp_path)
    with pytest.raises(InputError) as caught:
        registry.read(path)
    assert expected in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not list((tmp_path / "cache").rglob("*.part"))
    calls = (tmp_path / "bin" / "calls").read_text()
    if case not in ("changes the report", "writes a stub"):
        with pytest.raises(InputError, match=r"run\.nsys-rep"):
            registry.read(path)
    assert (tmp_path / "bin" / "calls").read_text() == calls, "it is not tried again"


def test_a_variable_that_names_no_program_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NSYS", str(tmp_path / "none"))
    with pytest.raises(UsageError, match="is no program; name nsys, or unset the variable"):
        registry.read(binary(tmp_path))


def test_exports_beyond_the_size_of_the_cache_are_not_kept(
    tmp_path: Path, nsys: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = nsys('cp exported "$5"')
    size = (folder / "exported").stat().st_size
    for most, kept in ((size - 1, 0), (2 * size, 2)):
        monkeypatch.setattr(tool_exports, "CACHED", most)
        for number in range(3):
            assert registry.read(binary(tmp_path, f"{number}.nsys-rep")).tables
        assert len(list((tmp_path / "cache").rglob("*.*"))) == kept


KERNELS = "CUPTI_ACTIVITY_KIND_KERNEL"
HOSTILE: dict[str, tuple[Row, str]] = {
    "text for a time": ({"start": "now"}, "column start: 'now' is no whole number"),
    "a fraction": ({"start": 1.5}, "is no whole number of 64 bits"),
    "beyond any age": ({"end": 1 << 62}, "is no time in nanoseconds"),
    "before any age": ({"start": -(1 << 62)}, "is no time in nanoseconds"),
    "bytes for a number": ({"streamId": b"\x00\xff"}, "column streamId"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_what_cannot_be_read_is_one_line(tmp_path: Path, case: str) -> None:
    beside, expected = HOSTILE[case]
    with pytest.raises(FormatError) as raised:
        read(tmp_path, report(**{KERNELS: [kernel(1, 2, 2) | beside]}))
    assert expected in str(raised.value)
    assert f"{tmp_path / 'report.sqlite'}: table {KERNELS}: " in str(raised.value)
    assert "\n" not in str(raised.value)


ODD: dict[str, Row] = {
    "nothing but times": dict.fromkeys(list(kernel(0, 0, 0))[2:]),
    "huge sizes": {"gridX": 1 << 61, "gridY": 1 << 61, "registersPerThread": 1 << 62},
    "negative sizes": {"gridX": -1, "deviceId": -5, "streamId": -7, "correlationId": -2},
    "other processes": {"globalPid": -1},
    "no name": {"demangledName": 10**9, "shortName": None, "mangledName": -4},
}


@pytest.mark.parametrize("case", ODD)
def test_odd_values_are_not_known(tmp_path: Path, case: str) -> None:
    source = read(tmp_path, report(**{KERNELS: [kernel(1, 2, 2) | ODD[case]]}))
    assert len(rows(source, "gpu_operation")) == 2


def test_calls_with_one_correlation_are_kept_apart(tmp_path: Path) -> None:
    calls = [call(100, 200, 1, 1), call(300, 400, 1, 1), call(500, 600, 1, 0), call(550, 560, 1, 0)]
    source = read(tmp_path, report(CUPTI_ACTIVITY_KIND_RUNTIME=calls))
    assert len(rows(source, "host_call")) == 3
    assert not any(row["id"] is None for row in rows(source, "host_call"))


def test_a_view_is_no_table(tmp_path: Path) -> None:
    tables = report()
    del tables[KERNELS]
    path = write_sqlite(tmp_path / "report.sqlite", tables)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute(
            f"CREATE VIEW {KERNELS} AS WITH RECURSIVE n(start, end) AS (SELECT 1, 2 UNION ALL "
            "SELECT start + 1, end + 1 FROM n) SELECT * FROM n"
        )
    assert [row["operation"] for row in rows(registry.read(path), "gpu_operation")] == ["copy H2D"]


def test_huge_texts_are_cut(tmp_path: Path) -> None:
    tables = report(StringIds=strings(s4="k" * 3_000_000), NVTX_EVENTS=[mark(1, 9, "é" * 10**6)])
    assert max(map(len, names_of(read(tmp_path, tables)))) == 4000


def test_more_rows_than_a_file_has_room_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("perfolio.readers.sqlite_file.LEAST_OF_A_ROW", 1 << 20)
    with pytest.raises(FormatError, match="which the file has no room for"):
        read(tmp_path, report())


@pytest.mark.slow
def test_pages_that_are_listed_again_and_again_are_refused(tmp_path: Path) -> None:
    """Each of four inner pages names the next one for all its cells: no row is wrong."""
    found = report(**{KERNELS: [kernel(n, n + 1, 2) for n in range(9_000)]})
    path = write_sqlite(tmp_path / "report.sqlite", found)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        asked = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        ((root,),) = connection.execute(asked, (KERNELS,)).fetchall()
    text = bytearray(path.read_bytes())
    inner = page_of(text, root)
    assert inner[0] == INNER
    chain = children_of(inner)[:4]
    for page, child in zip((root, *chain), chain, strict=False):
        copied = bytearray(inner)
        for place in places_of(inner):
            copied[place : place + 4] = child.to_bytes(4, "big")
        text[(page - 1) * PAGE : page * PAGE] = copied
    path.write_bytes(bytes(text))
    with pytest.raises(FormatError) as raised:
        registry.read(path)
    assert f"table {KERNELS}: it has more than" in str(raised.value)


PAGE, INNER = 4096, 5


def page_of(text: bytearray, number: int) -> bytes:
    return bytes(text[(number - 1) * PAGE : number * PAGE])


def places_of(page: bytes) -> list[int]:
    """Where an inner page names its children."""
    cells = int.from_bytes(page[3:5], "big")
    return [8, *(int.from_bytes(page[12 + 2 * n : 14 + 2 * n], "big") for n in range(cells))]


def children_of(page: bytes) -> list[int]:
    return [int.from_bytes(page[place : place + 4], "big") for place in places_of(page)[1:]]


def test_more_rows_than_parquet_has_room_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("perfolio.readers.nsys.parquet_report.MOST_ROWS", 0)
    monkeypatch.setattr("perfolio.readers.nsys.parquet_report.LEAST_OF_A_ROW", 1 << 30)
    with pytest.raises(FormatError, match="which the file has no room for"):
        registry.read(write_parquet(tmp_path / "report_pqtdir", report()))


def test_parquet_that_unpacks_to_more_than_any_is_refused(tmp_path: Path) -> None:
    folder = write_parquet(tmp_path / "report_pqtdir", report())
    texts = pa.table({"id": [1, 2], "value": ["x" * 10_000_000, "y" * 10_000_000]})
    pq.write_table(texts, folder / "StringIds.parquet", compression="zstd")
    with pytest.raises(FormatError, match="table StringIds: it unpacks to"):
        registry.read(folder)


def test_names_without_end_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("perfolio.readers.nsys.string_ids.MOST_TEXT", 20)
    with pytest.raises(FormatError, match="add up to more than 20 characters"):
        read(tmp_path, report())


FILES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "the file is empty"),
    "text": (b"not a database", "an SQLite file begins otherwise"),
    "only a header": (b"SQLite format 3\0" + bytes(84), "table sqlite_schema: SQLite says"),
    "magic alone": (b"SQLite format 3\0", "table sqlite_schema"),
}


@pytest.mark.parametrize("case", FILES)
def test_what_is_no_database_is_one_line(tmp_path: Path, case: str) -> None:
    content, expected = FILES[case]
    path = tmp_path / "report.sqlite"
    path.write_bytes(content)
    with pytest.raises(InputError) as raised:
        registry.read(path)
    assert expected in str(raised.value)
    assert str(path) in str(raised.value)


def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no table of Nsight Systems"):
        read(tmp_path, {"other": [{"a": 1}]})
    with pytest.raises(InputError, match="no profile found there"):
        read(tmp_path, {"other": [{"a": 1}]}, "other.db")


def test_a_report_without_events_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no call, range or GPU operation"):
        read(tmp_path, {"StringIds": strings(), **clock()})


def test_an_export_that_goes_on_is_refused(tmp_path: Path) -> None:
    path = write_sqlite(tmp_path / "report.sqlite", report())
    (tmp_path / "report.sqlite-journal").write_bytes(b"x")
    with pytest.raises(InputError, match="still being written"):
        registry.read(path)


def test_paths_are_quoted(tmp_path: Path) -> None:
    assert read(tmp_path, report(), "a ?mode=rwc&b=1#%41.sqlite").tables["profile"].num_rows


PARQUET: dict[str, tuple[dict[str, Any], str]] = {
    "texts": ({"start": ["a"], "end": ["b"]}, "is no whole number"),
    "fractions": ({"start": [0.5], "end": [1.0]}, "is no whole number"),
    "lists": ({"start": [[1]], "end": [[2]]}, "is no whole number"),
}


@pytest.mark.parametrize("case", PARQUET)
def test_parquet_of_another_schema_is_one_line(tmp_path: Path, case: str) -> None:
    columns, expected = PARQUET[case]
    folder = write_parquet(tmp_path / "report_pqtdir", report())
    pq.write_table(pa.table(columns), folder / f"{KERNELS}.parquet")
    with pytest.raises(FormatError) as raised:
        registry.read(folder)
    assert f"{folder}: table {KERNELS}: " in str(raised.value)
    assert expected in str(raised.value)


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1" + bytes(400), b"x" * 100])
def test_damaged_parquet_is_one_line(tmp_path: Path, content: bytes) -> None:
    folder = write_parquet(tmp_path / "report_pqtdir", report())
    (folder / f"{KERNELS}.parquet").write_bytes(content)
    with pytest.raises(InputError) as raised:
        registry.read(folder)
    assert KERNELS in str(raised.value)


@settings(
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    st.sampled_from([KERNELS, "StringIds", "NVTX_EVENTS"]),
    st.lists(st.tuples(st.integers(0, 1 << 16), st.integers(0, 255)), max_size=4),
)
def test_damaged_parquet_is_read_or_refused(
    tmp_path: Path, table: str, damage: list[tuple[int, int]]
) -> None:
    folder = tmp_path / "report_pqtdir"
    if not folder.exists():
        write_parquet(folder, report())
    file = folder / f"{table}.parquet"
    whole = file.read_bytes()
    text = bytearray(whole)
    for place, new in damage:
        text[place % len(text)] = new
    file.write_bytes(bytes(text))
    try:
        with contextlib.suppress(PerfolioError):
            assert registry.read(folder).tables["profile"].num_rows
    finally:
        file.write_bytes(whole)


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    wait = {"start": 800, "end": 900, "globalTid": THREAD, "nameId": 8, "eventClass": 27}
    tables = of_2022(report(OSRT_API=[wait], MPI_RANKS=[{"globalTid": THREAD, "rank": 1}]))
    return write_sqlite(tmp_path_factory.mktemp("original") / "r.sqlite", tables)


@settings(
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    st.lists(st.tuples(st.integers(0, 1 << 20), st.integers(0, 255)), max_size=12),
    st.sampled_from([1, 2, 3]),
)
def test_a_damaged_report_is_read_or_refused(
    tmp_path: Path, original: Path, damage: list[tuple[int, int]], part: int
) -> None:
    text = bytearray(original.read_bytes())
    filled = [place for place, byte in enumerate(text) if byte]
    for place, new in damage:
        text[filled[place % len(filled)]] = new
    path = tmp_path / "report.sqlite"
    path.write_bytes(bytes(text[: len(text) // part]))
    with contextlib.suppress(PerfolioError):
        assert registry.read(path).tables["profile"].num_rows


VALUES = st.one_of(
    st.none(),
    st.integers(-(1 << 63), (1 << 63) - 1),
    st.integers(-10, 2000),
    st.text(max_size=4),
    st.floats(),
    st.binary(max_size=3),
    st.just(THREAD),
)
TABLES = st.sampled_from(
    ["CUPTI_ACTIVITY_KIND_RUNTIME", KERNELS, "NVTX_EVENTS", "StringIds", "ThreadNames", "MPI_RANKS"]
)


@settings(
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(st.tuples(TABLES, st.integers(0, 30), VALUES), min_size=1, max_size=6))
def test_odd_rows_are_read_or_refused(tmp_path: Path, changes: list[tuple[str, int, Any]]) -> None:
    tables = report(
        ThreadNames=[{"nameId": 6, "priority": 0, "globalTid": THREAD}],
        MPI_RANKS=[{"globalTid": THREAD, "rank": 1}],
    )
    for table, place, value in changes:
        row = tables[table][-1]
        row[list(row)[place % len(row)]] = value
    path = tmp_path / "report.sqlite"
    path.unlink(missing_ok=True)
    write_sqlite(path, tables)
    with contextlib.suppress(PerfolioError):
        assert registry.read(path).tables["profile"].num_rows


@pytest.mark.parametrize(
    ("pairs", "command"),
    [
        (
            [("COMMAND", "./heat"), ("ARGUMENT_0", "8000"), ("ARGUMENT_1", "a b")],
            "./heat 8000 'a b'",
        ),
        ([("ARGUMENT_1", "2"), ("COMMAND", "./heat"), ("ARGUMENT_0", "1")], "./heat 1 2"),
        ([("COMMAND", "./heat"), ("ARGUMENT_1", "2")], ""),
        ([("ARGUMENT_0", "1")], ""),
        ([("COMMAND", "./heat"), ("ARGUMENT_0", "$HOME")], ""),
    ],
)
def test_the_command_that_was_recorded_is_known(
    tmp_path: Path, pairs: list[tuple[str, str]], command: str
) -> None:
    meta = [{"name": f"PROCESS_0:{name}", "value": value} for name, value in pairs]
    assert read(tmp_path, report(META_DATA_CAPTURE=meta)).command == command


def test_of_two_commands_none_is_that_of_the_run(tmp_path: Path) -> None:
    names = ("PROCESS_0:COMMAND", "PROCESS_1:COMMAND")
    meta = [{"name": name, "value": "./heat"} for name in names]
    assert read(tmp_path, report(META_DATA_CAPTURE=meta)).command == ""


NOBODY = 4294967295


def wait(correlation: int, stream: int, event: int, **beside: Any) -> Row:
    """A row of CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, whose `syncType` is not read."""
    row = {
        "start": 0, "end": 1, "deviceId": 0, "contextId": 1, "streamId": stream,
        "correlationId": correlation, "globalPid": PROCESS, "syncType": 2, "eventId": event,
    }  # fmt: skip
    return row | beside


def record(correlation: int, stream: int, event: int, **beside: Any) -> Row:
    """A row of CUPTI_ACTIVITY_KIND_CUDA_EVENT."""
    row = {"deviceId": 0, "contextId": 1, "streamId": stream, "correlationId": correlation}
    return {**row, "globalPid": PROCESS, "eventId": event, **beside}


def told_waits(folder: Path, waits: list[Row], records: list[Row]) -> list[tuple[Any, ...]]:
    """Kind, stream, event, correlation of the record and its stream, of calls 1 to 9."""
    calls = [call(100 * n, 100 * n + 50, 1, n) for n in range(1, 10)]
    tables = report(
        CUPTI_ACTIVITY_KIND_RUNTIME=calls,
        CUPTI_ACTIVITY_KIND_SYNCHRONIZATION=waits,
        CUPTI_ACTIVITY_KIND_CUDA_EVENT=records,
    )
    source = read(folder, tables)
    first = min(row["start"] for row in rows(source, "host_call"))
    number = {row["id"]: 1 + (row["start"] - first) // 100 for row in rows(source, "host_call")} | {
        None: None
    }
    return [
        (
            number[row["call"]], row["kind"], row["stream"], row["event"],
            number[row["record"]], row["source_stream"],
        )
        for row in rows(source, "stream_wait")
    ]  # fmt: skip


def test_a_wait_is_for_the_last_record_of_its_event_before_it(tmp_path: Path) -> None:
    records = [record(5, 7, 3), record(1, 7, 3), record(4, 8, 4)]
    waits = [wait(6, 9, 3), wait(2, 9, 3), wait(3, NOBODY, 4), wait(7, 9, NOBODY)]
    assert told_waits(tmp_path, [*waits, wait(8, NOBODY, NOBODY)], records) == [
        (1, "record", 7, 3, None, None),
        (2, "stream", 9, 3, 1, 7),
        (3, "host", None, 4, None, None),
        (4, "record", 8, 4, None, None),
        (5, "record", 7, 3, None, None),
        (6, "stream", 9, 3, 5, 7),
        (7, "host", 9, None, None, None),
        (8, "host", None, None, None, None),
    ]


def test_a_wait_is_for_the_record_that_its_report_names(tmp_path: Path) -> None:
    records = [record(1, 7, 3, eventSyncId=11), record(2, 8, 3, eventSyncId=12)]
    told = told_waits(tmp_path, [wait(3, 9, 3, eventSyncId=11)], records)
    assert told[-1] == (3, "stream", 9, 3, 1, 7)


def test_waits_of_no_process_that_did_something_are_left_out(tmp_path: Path) -> None:
    foreign = wait(1, 9, 3, globalPid=PROCESS + (1 << 24))
    assert told_waits(tmp_path, [foreign, wait(2, -1, 1 << 62)], []) == [
        (2, "host", None, None, None, None)
    ]
