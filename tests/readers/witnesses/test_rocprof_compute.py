"""rocprofiler-compute's tables: operations and bytes of each dispatch, by AMD's formulas."""
# ruff: noqa: E501 - lines of other tools' files are long

from __future__ import annotations

from pathlib import Path

import pytest

from perfolio.common.errors import InputError
from perfolio.readers.run_files import read_run
from tests.readers.witnesses.samples import witness

COUNTERS = {
    "SQ_INSTS_VALU_ADD_F32": 1, "SQ_INSTS_VALU_MUL_F32": 2, "SQ_INSTS_VALU_FMA_F32": 3,
    "SQ_INSTS_VALU_TRANS_F32": 4, "SQ_INSTS_VALU_ADD_F64": 5, "SQ_INSTS_VALU_MUL_F64": 0,
    "SQ_INSTS_VALU_FMA_F64": 0, "SQ_INSTS_VALU_ADD_F16": 6,
    "SQ_INSTS_VALU_MFMA_MOPS_F16": 7, "SQ_INSTS_VALU_MFMA_MOPS_BF16": 1,
    "SQ_INSTS_VALU_MFMA_MOPS_F64": 2, "TCC_EA0_RDREQ[0]": 10, "TCC_EA0_RDREQ[1]": 10,
    "TCC_EA0_RDREQ_32B_sum": 4, "TCC_BUBBLE_sum": 1, "TCC_EA0_WRREQ_sum": 5,
    "TCC_EA0_WRREQ_64B_sum": 3, "TCC_REQ_sum": 100, "TCP_TOTAL_CACHE_ACCESSES_sum": 200,
}  # fmt: skip
HEAD = "Dispatch_ID,Kernel_Name,GPU_ID,Grid_Size,Workgroup_Size"
TIMES = """Dispatch_ID,Kernel_Name,DispatchNs,Start_Timestamp,End_Timestamp,CompleteNs
0,f,1411551767610475,1411551767635712,1411551767656192,1411551767669456
"""
SYSTEM = "workload_name,version,gpu_model\nw,2,MI300A_A1\n"


def table(counters: dict[str, int], kernel: str = "f(double*, int) [clone .kd]") -> str:
    values = ",".join(map(str, counters.values()))
    return f'{HEAD},{",".join(counters)}\n0,"{kernel}",2,1024,256,{values}\n\n'


def counted(folder: Path, counters: dict[str, int]) -> dict[str, float]:
    found = witness(folder, table(counters), "pmc_perf.csv")
    return {row[1]: row[2] for row in found.rows["kernel_counter"]}


def test_operations_and_bytes_by_hand(tmp_path: Path) -> None:
    assert counted(tmp_path, COUNTERS) == {
        "flop_fp32": 64 * (1 + 2 + 4 + 2 * 3),
        "flop_fp64": 64 * 5,
        "flop_fp16_matrix": 512 * 8,
        "flop_fp64_matrix": 512 * 2,
        "bytes_read": 128 * 1 + 64 * (20 - 1 - 4) + 32 * 4,
        "bytes_written": 64 * 3 + 32 * 2,
        "bytes_l2": 12800,
        "bytes_l1": 12800,
    }, "operations in half precision are not known: only additions were counted"


def test_before_mi300_requests_have_another_name_and_no_bubble(tmp_path: Path) -> None:
    counters = {name.replace("EA0", "EA"): value for name, value in COUNTERS.items()}
    assert counted(tmp_path, counters)["bytes_read"] == 64 * (20 - 4) + 32 * 4


def test_names_blocks_and_device(tmp_path: Path) -> None:
    (tmp_path / "sysinfo.csv").write_text(SYSTEM)
    found = witness(tmp_path, table(COUNTERS), "pmc_perf.csv")
    assert found.rows["counted_kernel"] == [(0, "f(double*, int)", 4, 256, "2", None)]
    assert (found.device, found.version) == ("AMD Instinct MI300A", "2")
    assert found.notes == [
        "its dispatches have no times: put timestamps.csv of the same recording beside it"
    ]


def test_times_come_from_the_table_beside_it(tmp_path: Path) -> None:
    (tmp_path / "timestamps.csv").write_text(TIMES)
    (tmp_path / "pmc_perf.csv").write_text(table(COUNTERS))
    source, _ = read_run(tmp_path)
    (seconds,) = [
        row["value"]
        for row in source.tables["kernel_counter"].to_pylist()
        if row["metric"] == "seconds"
    ]
    assert seconds == pytest.approx(20480e-9)
    assert source.tables["gpu_operation"].num_rows == 0, "and no trace is made of it"
    assert not source.warnings


def test_times_alone_are_no_trace(tmp_path: Path) -> None:
    (tmp_path / "timestamps.csv").write_text(TIMES)
    with pytest.raises(InputError, match=r"timestamps\.csv: holds times of dispatches"):
        read_run(tmp_path / "timestamps.csv")


def test_without_operations_it_says_so(tmp_path: Path) -> None:
    found = witness(tmp_path, table({"GRBM_GUI_ACTIVE": 1}), "p.csv")
    assert "it counted no operations" in found.notes[1]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("pmc_perf.csv", table(COUNTERS).replace('0,"f', '"f'), "line 2: has 23 cells, and the header 24"),
        ("timestamps.csv", TIMES + "1,f\n", "line 3: has 2 cells, and the header 6"),
        ("pmc_perf.csv", table(COUNTERS, "x" * (1 << 20)), "line 2: is longer"),
    ],
)  # fmt: skip
def test_damage_ends_in_a_line(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / "pmc_perf.csv").write_text(table(COUNTERS))
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError) as caught:
        read_run(tmp_path)
    assert f"{name}: {said}" in str(caught.value)


def test_cells_that_are_no_number_count_as_not_counted(tmp_path: Path) -> None:
    text = table(COUNTERS).replace(",10,10,", ",10,N/A,")
    found = witness(tmp_path, text, "p.csv")
    assert "bytes_read" not in {row[1] for row in found.rows["kernel_counter"]}
