"""Files of other tools beside a profile: what each says, and how damaged ones end."""
# ruff: noqa: E501 - lines of other tools' files are long

from __future__ import annotations

import gzip
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfolio.common.errors import InputError, UsageError
from perfolio.pipeline.run_documents import ingest_paths
from perfolio.readers.model import Source
from perfolio.readers.registry import find, is_known, is_readable
from perfolio.readers.run_description import read_description
from perfolio.readers.run_files import find_nearby_witnesses, read_run
from perfolio.readers.text_stream import open_text
from perfolio.readers.witnesses.discovery import ALONE, KINDS, detect_kind
from perfolio.readers.witnesses.model import TABLES, Witness
from perfolio.readers.witnesses.unit_parser import find_factor, parse_number
from perfolio.store.database import open_store
from perfolio.store.derived_tables import derive
from tests.readers.test_kineto import EVENTS, document
from tests.readers.test_kineto import written as write_trace
from tests.readers.witnesses.snapshots import dumped, two_devices

NCU_WIDE = """==PROF== Connected to process 1 (/usr/bin/python3)
"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC",\
"device__attribute_display_name","dram__bytes_read.sum","gpu__time_duration.sum","launch__func_cache_config"
"","","","","","","","","","","","","Mbyte","us",""
"0","9","python3","127.0.0.1","void ns::f<int>(int, char *)","1","7","(128, 2, 1)","(64, 3, 1)","0","9.0","NVIDIA H100","1.5","2,000.5","CachePreferNone"
==PROF== f - 1: 0%....100%
"1","9","python3","127.0.0.1","g","1","7","(32, 1, 1)","(1, 1, 1)","0","9.0","NVIDIA H100","0.25","3","CachePreferNone"
"""
NCU_LONG = """﻿"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC",\
"Section Name","Metric Name","Metric Unit","Metric Value","Rule Name","Rule Type","Rule Description","Estimated Speedup Type","Estimated Speedup"\r
"0","9","p","h","f(int)","1","7","(128, 1, 1)","(64, 1, 1)","0","9.0","GPU Speed Of Light Throughput","Duration","ns","206,304","","","","",""\r
"0","9","p","h","f(int)","1","7","(128, 1, 1)","(64, 1, 1)","0","9.0","GPU Speed Of Light Throughput","Memory Throughput","%","69.97","","","","",""\r
"0","9","p","h","f(int)","1","7","(128, 1, 1)","(64, 1, 1)","0","9.0","Memory Workload Analysis","Memory Throughput","Gbyte/s","865.5","","","","",""\r
"0","9","p","h","f(int)","1","7","(128, 1, 1)","(64, 1, 1)","0","9.0","SpeedOfLight","","","","Bottleneck","OPT","Use it, ""better"".","global","12.5"\r
"0","8","p","h","f(int)","1","7","(128, 1, 1)","(64, 1, 1)","0","9.0","GPU Speed Of Light Throughput","Duration","us","4","","","","",""\r
"""
NCCL = """[1,0]<stdout>:# nccl-tests version 2.17.8 nccl-headers=22902
# Collective test starting: all_reduce_perf
# nThread 1 nGpus 1 minBytes 8 maxBytes 16 step: 2(factor)
#  Rank  0 Group  0 Pid 1 on a device  0 [0000:1b:00] NVIDIA H100
#  Rank  1 Group  0 Pid 2 on b device  0 [0x07] NVIDIA H100
           8             2     float     sum      -1    10.0    1.50    2.50       0    12.0    1.25    2.00     N/A
          16             4     float     sum      -1   1.6e+07    0.00    0.00       0    12.0    1.25    2.00       3
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 1.625
# Collective test starting: alltoall_perf
# nThread 1 nGpus 1 minBytes 8 maxBytes 16 step: 2(factor)
#  Rank  0 Group  0 Pid 1 on a device  0 [0000:1b:00] NVIDIA H100
a: Test NCCL failure common.cu:401 'unhandled system error'
"""
DMON = """#Entity   GRACT        POWER       FBUSD    XYZ
ID                                   W
GPU 0     N/A          N/A         N/A      1
GPU 1     0.500        100.5       1024     1
GPU 0     0.250        99.5        2048     1
"""
SMI = """timestamp, index, name, utilization.gpu [%], memory.used [MiB], power.draw [W], clocks.sm [MHz], clocks_throttle_reasons.active
2026/11/24 11:42:53.045, 0, NVIDIA H100, 98 %, 1 MiB, 118.49 W, 1980 MHz, 0x0000000000000004
timestamp, index, name, utilization.gpu [%], memory.used [MiB], power.draw [W], clocks.sm [MHz], clocks_throttle_reasons.active
2026/11/24 11:42:53.145, 0, NVIDIA H100, [N/A], 2 MiB, [Not Supported], 990 MHz, 0x0000000000000001
"""


KNOWN = Path(__file__).with_name("known_kernels.csv")


def witness(path: Path, text: str, name: str) -> Witness:
    file = path / name
    file.write_bytes(text.encode())
    kind = detect_kind(file)
    assert kind is not None
    return kind.read(open_text(file))


def counters(found: Witness) -> dict[tuple[Any, ...], Any]:
    return {row[:2]: row[2] for row in found.rows["kernel_counter"]}


def test_counters_of_a_row_for_each_launch(tmp_path: Path) -> None:
    found = witness(tmp_path, NCU_WIDE, "a.csv")
    assert found.device == "NVIDIA H100"
    assert found.rows["counted_kernel"] == [
        (0, "void ns::f<int>(int, char *)", 192, 256, "0", 9.0),
        (1, "g", 1, 32, "0", 9.0),
    ]
    assert counters(found) == {
        (0, "dram__bytes_read.sum"): 1.5e6,
        (0, "gpu__time_duration.sum"): pytest.approx(2000.5e-6),
        (1, "dram__bytes_read.sum"): 0.25e6,
        (1, "gpu__time_duration.sum"): pytest.approx(3e-6),
    }


def test_counters_of_a_row_for_each_metric(tmp_path: Path) -> None:
    found = witness(tmp_path, NCU_LONG, "a.csv")
    assert [row[0] for row in found.rows["counted_kernel"]] == [0, 1], "by process and ID"
    assert counters(found) == {
        (0, "gpu__time_duration.sum"): pytest.approx(206304e-9),
        (0, "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"): 0.6997,
        (0, "dram__bytes.sum.per_second"): 865.5e9,
        (1, "gpu__time_duration.sum"): pytest.approx(4e-6),
    }
    assert found.rows["counter_rule"] == [(0, "Bottleneck", "OPT", 'Use it, "better".', 0.125)]


def test_a_comma_may_be_the_decimal_point(tmp_path: Path) -> None:
    text = NCU_WIDE.replace('"1.5"', '"1,5"').replace('"2,000.5"', '"2.000,5"')
    assert counters(witness(tmp_path, text, "a.csv"))[0, "dram__bytes_read.sum"] == 1.5e6
    assert counters(witness(tmp_path, text, "a.csv"))[0, "gpu__time_duration.sum"] == (
        pytest.approx(2000.5e-6)
    )


def test_no_kernel_is_said(tmp_path: Path) -> None:
    found = witness(
        tmp_path, "==PROF== Connected\n==ERROR== The application failed (1).\n", "a.csv"
    )
    assert not found.rows
    assert found.notes == [
        "Nsight Compute recorded no kernel: ==ERROR== The application failed (1)."
    ]


def test_tests_of_collectives(tmp_path: Path) -> None:
    found = witness(tmp_path, NCCL, "x.log")
    assert (found.tool, found.version, found.device) == ("nccl-tests", "2.17.8", "NVIDIA H100")
    assert found.rows["collective_block"] == [
        (1, "all_reduce", 2, 2, "NVIDIA H100", 1.625e9, None),
        (2, "alltoall", 1, 1, "NVIDIA H100", None,
         "Test NCCL failure common.cu:401 'unhandled system error'"),
    ]  # fmt: skip
    assert found.rows["collective_row"] == [
        (1, 8, "float", "sum", False, pytest.approx(1e-5), 1.5e9, 2.5e9, 0),
        (1, 8, "float", "sum", True, pytest.approx(1.2e-5), 1.25e9, 2e9, None),
        (1, 16, "float", "sum", False, pytest.approx(16.0), 0.0, 0.0, 0),
        (1, 16, "float", "sum", True, pytest.approx(1.2e-5), 1.25e9, 2e9, 3),
    ]
    assert found.notes == [
        "block 2, alltoall, has no rows: Test NCCL failure common.cu:401 'unhandled system error'"
    ]


def test_older_logs_name_the_operation_by_their_file(tmp_path: Path) -> None:
    lines = [line for line in NCCL.splitlines()[2:8] if "starting" not in line]
    found = witness(tmp_path, "\n".join(lines), "h100_reduce_scatter_8.dat")
    assert [row[1] for row in found.rows["collective_block"]] == ["reduce_scatter"]


def test_rows_of_dcgm(tmp_path: Path) -> None:
    found = witness(tmp_path, DMON, "dmon.txt")
    assert found.rows["device_sample"] == [
        (0, None, "GPU 1", "graphics_active", 0.5),
        (0, None, "GPU 1", "power", 100.5),
        (0, None, "GPU 1", "memory_used", 1024 * 2**20),
        (1, None, "GPU 0", "graphics_active", 0.25),
        (1, None, "GPU 0", "power", 99.5),
        (1, None, "GPU 0", "memory_used", 2048 * 2**20),
    ]
    assert found.notes == ["not read: XYZ"]


def test_rows_of_nvidia_smi(tmp_path: Path) -> None:
    found = witness(tmp_path, SMI, "smi.csv")
    first, second = 1795520573045000000, 1795520573145000000
    assert found.device == "NVIDIA H100"
    assert found.rows["device_sample"] == [
        (0, first, "GPU 0", "gpu_active", pytest.approx(0.98)),
        (0, first, "GPU 0", "memory_used", 2.0**20),
        (0, first, "GPU 0", "power", 118.49),
        (0, first, "GPU 0", "sm_clock", 1.98e9),
        (0, first, "GPU 0", "throttle_reasons", 4.0),
        (1, second, "GPU 0", "memory_used", 2.0**21),
        (1, second, "GPU 0", "sm_clock", 9.9e8),
        (1, second, "GPU 0", "throttle_reasons", 1.0),
    ]


def test_without_a_header_only_what_the_unit_tells(tmp_path: Path) -> None:
    text = "2026/04/25 16:06:06.780, 0 %, 2 MiB, 27, 11.64 W\n"
    found = witness(tmp_path, text, "smi.csv")
    assert [row[3:] for row in found.rows["device_sample"]] == [("power", 11.64)]
    assert "no header names its columns" in found.notes[0]


def test_a_cut_last_line_is_left_out_and_said(tmp_path: Path) -> None:
    found = witness(tmp_path, SMI + "2026/11/24 11:42:53.245, 0, NVI", "smi.csv")
    assert found.notes == ["the last line, 5, is cut, and was left out"]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.csv", NCU_WIDE + '"2","9","x"' + ',"y"' * 20 + "\n", "line 7: has 23 cells"),
        ("a.log", NCCL.replace("10.0    1.50", "oops    1.50"), "line 6: oops 1.50 2.50 0: is no time"),
        ("a.log", NCCL.replace("10.0    1.50    2.50       0    12.0    1.25    2.00     N/A", ""),
         "line 6: the row ends before its times"),
        ("a.txt", DMON + "GPU 0   1.0\n", "line 6: has 1 figures, and the header 4"),
        ("a.csv", SMI.replace("2026/11/24 11:42:53.145", "yesterday"), "line 4: begins with no time"),
        ("a.csv", SMI.replace(", 990 MHz", ""), "line 4: has 7 cells, and those before 8"),
        ("a.csv", NCU_WIDE.replace('"g"', '"g' + "x" * (1 << 20)), "line 6: is longer"),
    ],
)  # fmt: skip
def test_a_damaged_row_ends_in_a_line_with_file_and_line(
    tmp_path: Path, name: str, text: str, said: str
) -> None:
    with pytest.raises(InputError) as caught:
        witness(tmp_path, text, name)
    assert f"{name}: {said}" in str(caught.value)


@given(
    st.sampled_from([("a.csv", NCU_WIDE), ("a.csv", NCU_LONG), ("a.log", NCCL), ("a.txt", DMON),
                     ("a.csv", SMI)]),
    st.integers(0, 3000), st.integers(0, 40), st.text(max_size=8),
)  # fmt: skip
def test_any_damage_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory,
    base: tuple[str, str], place: int, length: int, put: str,
) -> None:  # fmt: skip
    name, text = base
    file = tmp_path_factory.getbasetemp() / name
    at = place % len(text)
    file.write_bytes((text[:at] + put + text[at + length :]).encode("utf-8", "replace"))
    kind = detect_kind(file)
    if kind is None:
        return
    try:
        found = kind.read(open_text(file))
    except InputError:
        return
    for table, rows in found.rows.items():
        assert all(len(row) == len(TABLES[table]) - 1 for row in rows)


@pytest.mark.parametrize(
    ("text", "value"),
    [("53,261,312", 53261312), ("9.00", 9), ("-1.5e3", -1500), ("100.39", 100.39), ("", None),
     ("nan", None), ("inf", None), ("1_000", None), ("N/A", None), ("1" * 61, None)],
)  # fmt: skip
def test_numbers(text: str, value: float | None) -> None:
    assert parse_number(text) == value


@pytest.mark.parametrize(
    ("unit", "value"),
    [("%", 0.01), ("Gbyte/s", 1e9), ("Tbyte/second", 1e12), ("byte", 1), ("usecond", 1e-6),
     ("cycle/nsecond", 1e9), ("Ghz", 1e9), ("MiB", 2**20), ("register/thread", 1), ("", 1)],
)  # fmt: skip
def test_units(unit: str, value: float) -> None:
    assert find_factor(unit) == pytest.approx(value)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a trace and a file of each kind."""
    write_trace(tmp_path, document(EVENTS), "trace.json.gz")
    (tmp_path / "a.csv").write_text(NCU_WIDE)
    (tmp_path / "b.log").write_text(NCCL)
    (tmp_path / "c.txt").write_text(DMON)
    (tmp_path / "d.csv.gz").write_bytes(gzip.compress(SMI.encode()))
    (tmp_path / "notes.txt").write_text("nothing that is read")
    return tmp_path


def rows(source: Source) -> dict[str, int]:
    return {name: source.tables[name].num_rows for name in ("witness", *TABLES)}


def test_all_files_of_a_folder_are_of_one_run(folder: Path) -> None:
    (found,) = find(folder)
    assert found.name == "trace.json.gz"
    source, _ = read_run(found)
    assert source.tool == "PyTorch profiler"
    assert source.tables["witness"]["file"].to_pylist() == ["a.csv", "b.log", "c.txt", "d.csv.gz"]
    assert {file.path.name for file in source.files} == {
        "trace.json.gz", "a.csv", "b.log", "c.txt", "d.csv.gz",
    }  # fmt: skip
    assert {name: number for name, number in rows(source).items() if number} == {
        "witness": 4, "counted_kernel": 2, "kernel_counter": 4,
        "collective_block": 2, "collective_row": 4, "device_sample": 14,
    }  # fmt: skip
    assert set(source.tables["device_sample"]["witness"].to_pylist()) == {3, 4}


def test_files_beside_two_profiles_are_of_neither(folder: Path) -> None:
    (folder / "other.json.gz").write_bytes((folder / "trace.json.gz").read_bytes())
    assert find_nearby_witnesses(folder / "trace.json.gz") == []


def test_profile_toml_names_others(folder: Path) -> None:
    (folder / "x").mkdir()
    for name in ("trace.json.gz", "a.csv"):
        (folder / name).rename(folder / "x" / name)
    (folder / "x" / "profile.toml").write_text('witnesses = ["../c.txt", "../b.log"]')
    source, _ = read_run(folder / "x" / "trace.json.gz")
    assert source.tables["witness"]["file"].to_pylist() == ["a.csv", "c.txt", "b.log"]


@pytest.mark.parametrize(
    ("entry", "said"),
    [('["/etc/passwd"]', "is not below"), ('["a/../../../b"]', "is not below"),
     ("[1]", "must be str"), (str(["a"] * 101), "more than 100 files"), ('"a"', "must be list")],
)  # fmt: skip
def test_profile_toml_names_no_file_elsewhere(tmp_path: Path, entry: str, said: str) -> None:
    (tmp_path / "profile.toml").write_text(f"witnesses = {entry}")
    with pytest.raises(UsageError, match=said):
        read_description(tmp_path)


DAMAGED: dict[str, bytes] = {
    "x.log": NCCL.replace("10.0    1.50", "oops    1.50").encode(),
    "x.csv": SMI.replace(", 990 MHz", "").encode(),
    "wide.csv": NCU_WIDE.replace('"g"', '"g' + "x" * (1 << 20)).encode(),
    "x.txt": (DMON + "GPU 0   1.0\n").encode(),
    "memory.pickle": dumped(two_devices())[:-40],
}


@pytest.mark.parametrize("name", DAMAGED)
@pytest.mark.parametrize("named", [False, True], ids=["beside", "named"])
def test_one_that_cannot_be_read_is_a_note_beside_a_profile_and_alone_an_error(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, name: str, named: bool
) -> None:
    content, place = DAMAGED[name], folder
    if named:
        place = tmp_path_factory.mktemp("elsewhere")
        (folder / "profile.toml").write_text(f'witnesses = ["../{place.name}/{name}"]')
    (place / name).write_bytes(content)
    with pytest.raises(InputError) as alone:
        read_run(place / name)

    source, _ = read_run(folder / "trace.json.gz")
    assert source.tables["witness"].num_rows == 4
    (note,) = source.left_out
    assert note in source.warnings
    head, _, reason = note.partition(": was left out, as it cannot be read: ")
    assert head == name
    assert reason
    assert f"{place / name}: {reason}" == str(alone.value)
    assert str(folder.parent) not in note


def test_the_reason_stands_in_the_report_and_on_the_screen(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "x.log").write_bytes(DAMAGED["x.log"])
    store = folder / "s.duckdb"
    with patch("perfolio.store.ingest.derive", partial(derive, only=())):
        ingest_paths([folder], store)
    with open_store(store) as connection:
        ((warnings,),) = connection.execute("SELECT warnings FROM run").fetchall()
    (said,) = [one for one in warnings if one.startswith("x.log: was left out")]
    assert capsys.readouterr().err == f"perfolio: note: {said}\n"


def test_the_readable_ones_of_several_are_read_without_a_profile(folder: Path) -> None:
    (folder / "trace.json.gz").unlink()
    (folder / "x.log").write_bytes(DAMAGED["x.log"])
    source, _ = read_run(folder)
    assert [note.partition(":")[0] for note in source.left_out] == ["x.log"]
    for path in folder.iterdir():
        if path.name != "x.log":
            path.unlink()
    with pytest.raises(InputError, match=r"x\.log: line 6"):
        read_run(folder)


@pytest.mark.parametrize("content", [b"", b"\x1f\x8b\x08junk", b"{", b"hello"], ids=repr)
@pytest.mark.parametrize("name", ["x.json", "x.json.gz", "x.csv", "x.log", "x.pickle"])
def test_a_file_of_nothing_ends_no_run(folder: Path, name: str, content: bytes) -> None:
    (folder / name).write_bytes(content)
    assert find(folder) == [folder / "trace.json.gz"]
    source, _ = read_run(folder / "trace.json.gz")
    assert source.tables["witness"].num_rows == 4
    with pytest.raises(InputError, match=name):
        read_run(folder / name)


def test_an_empty_trace_of_a_rank_is_not_missed(folder: Path) -> None:
    (folder / "trace.json.gz").rename(folder / "rank0.json.gz")
    (folder / "rank1.json.gz").write_bytes(b"")
    with pytest.raises(InputError, match=r"rank1\.json\.gz: the file is empty"):
        find(folder)


def test_a_missing_witness_is_named(folder: Path) -> None:
    (folder / "profile.toml").write_text('witnesses = ["gone.csv"]')
    with pytest.raises(InputError, match=r"gone\.csv: there is no such file"):
        read_run(folder / "trace.json.gz")


@pytest.mark.slow
def test_a_named_file_of_no_known_kind_is_refused(folder: Path) -> None:
    (folder / "profile.toml").write_text('witnesses = ["notes.txt"]')
    with pytest.raises(InputError, match=r"notes\.txt: is none of the files that are read"):
        read_run(folder / "trace.json.gz")


def test_witnesses_alone_are_a_run(folder: Path) -> None:
    (folder / "trace.json.gz").unlink()
    assert find(folder) == [folder]
    assert not is_known(folder)
    assert is_readable(folder)
    source, _ = read_run(folder)
    assert source.tool == ALONE
    assert rows(source)["witness"] == 4


def test_a_report_of_nsight_compute_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NCU", "")
    (tmp_path / "run.ncu-rep").write_bytes(b"NVR\0" + bytes(100))
    for path in (tmp_path, tmp_path / "run.ncu-rep"):
        with pytest.raises(InputError, match=r"ncu --import run\.ncu-rep --csv --page raw"):
            read_run(path)


def test_another_device_is_said(folder: Path) -> None:
    (folder / "b.log").write_text(NCCL.replace("NVIDIA H100", "NVIDIA A100"))
    (folder / "trace.json.gz").unlink()
    source, _ = read_run(folder)
    assert source.device == ""


def test_kinds_have_names() -> None:
    assert {kind.name for kind in KINDS} == {
        "counters", "collectives", "sampled collectives", "monitor", "figures", "throughput", "memory",
    }  # fmt: skip


def test_counts_of_known_kernels_are_what_they_do() -> None:
    """Recorded on an H100 by Nsight Compute, of kernels whose work is known: see the file's end."""
    kind = detect_kind(KNOWN)
    assert kind is not None
    found = kind.read(open_text(KNOWN))
    names = [str(row[1]) for row in found.rows["counted_kernel"]]
    values = counters(found)
    assert len(names) == 9
    elements, side = 1 << 27, 4096

    def bytes_of(launch: int) -> float:
        return float(
            values[launch, "dram__bytes_read.sum"] + values[launch, "dram__bytes_write.sum"]
        )

    assert bytes_of(0) == pytest.approx(12 * elements, rel=0.02), "z = x + y"
    tensor = "sm__ops_path_tensor_src_"
    done = {
        metric.removeprefix(tensor): value
        for (_, metric), value in values.items()
        if metric.startswith(tensor) and value
    }
    assert done == {
        "bf16_dst_fp32.sum": 2.0 * side**3,
        "fp16.sum": 2.0 * side**3,
        "fp64.sum": 2.0 * (side // 2) ** 3,
        "tf32_dst_fp32.sum": 2.0 * side**3,
    }
    (vector,) = [n for n, name in enumerate(names) if "ffma" in name]
    ffma = values[vector, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"]
    assert 2.0 * ffma == pytest.approx(2.0 * side**3, rel=0.01)


ZEUS = """start_time,window_name,elapsed_time,gpu0_energy,gpu2_energy
1700000000.5,step,0.25,100.5,90.0
1700000000.5,epoch, 1,0.75,300.0,280.0
1700000001.0,step,0.5,120.0,95.0
"""


def test_windows_of_zeus_of_the_usual_name(tmp_path: Path) -> None:
    found = witness(tmp_path, ZEUS, "zeus.csv")
    begin = 1_700_000_000_500_000_000
    assert found.rows["device_sample"][:4] == [
        (0, begin, "GPU 0", "window_time", 0.25),
        (0, begin, "GPU 0", "window_energy", 100.5),
        (0, begin, "GPU 2", "window_time", 0.25),
        (0, begin, "GPU 2", "window_energy", 90.0),
    ]
    assert [row[4] for row in found.rows["device_sample"][4:]] == [0.5, 120.0, 0.5, 95.0]
    assert found.notes == ["windows of other names, which may hold these, not read: 1"]


@pytest.mark.parametrize(
    "row",
    ["1,step,2,3", "x,step,1,2,3", "1,step,-1,2,3", "9e99,step,1,2,3", "1,step,1e300,2,3",
     "1,step,1,2,1e308"],
)  # fmt: skip
def test_what_is_no_window_of_zeus_ends_in_a_line(tmp_path: Path, row: str) -> None:
    with pytest.raises(InputError, match="line 5: is no window of Zeus"):
        witness(tmp_path, ZEUS + row + "\n", "zeus.csv")
    found = witness(tmp_path, ZEUS + row, "zeus.csv")
    assert "cut" in " ".join(found.notes) or len(found.notes) == 2, "the last one may be cut"


def test_a_log_of_zeus_without_windows(tmp_path: Path) -> None:
    found = witness(tmp_path, ZEUS.splitlines()[0] + "\n", "zeus.csv")
    assert found.notes == ["Zeus wrote no window"]
