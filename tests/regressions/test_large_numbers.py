"""A number beyond 64 bits in a log of nccl-tests ended in a traceback, and so did a rank of a
trace: each witness made its numbers by itself. One check holds for all rows of all witnesses now,
and names file and line.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generator.errors import InputError
from generator.sources import registry

NCCL = """\
# nThread 1 nGpus 1 minBytes 8 maxBytes 8 step: 2(factor) warmup iters: 5 iters: 20
#  Rank  0 Pid  9 on node1 device  0 [0x07] NVIDIA A100
           8             2     float     sum      -1    33.1    0.11    0.22      0
# Avg bus bandwidth    : 1.5
"""
NCU = """\
==PROF== Connected
"ID","Kernel Name","Block Size","Grid Size","Device","CC","sm__inst.sum"
"","","","","","","inst"
"0","gemm","(64, 2, 1)","(7, 1, 1)","0","8.0","1,024"
"""
DMON = "#Entity   POWER\n              W\nGPU 0     100\n"
SMI = "timestamp, index, power.draw [W]\n2026/01/02 03:04:05.678, 0, 70.5 W\n"
COMPUTE = "Dispatch_ID,GPU_ID,Kernel_Name,Grid_Size,Workgroup_Size,SQ_INSTS_VALU_ADD_F32,\
TCC_REQ,Start_Timestamp,End_Timestamp\n0,2,k,256,64,7,9,1000,2000\n"
DEEPSPEED = """\
-------------------------- DeepSpeed Flops Profiler --------------------------
Profile Summary at step 2:
world size:                                                   4
params per GPU:                                               1.5 B
fwd latency:                                                  97.11 ms
------------------------------ Aggregated Profile per GPU ------------------------------
"""
INSPECTOR = '{"header":{"rank":0,"n_ranks":8,"nnodes":1},"coll_perf":{"coll":"AllReduce",\
"coll_sn":7,"coll_msg_size_bytes":1024,"coll_exec_time_us":12.5,"coll_busbw_gbs":2.5}}\n'
RUNS = "gpus,tokens/s\n1,1000\n8,7800.5\n"
COURSE = '{"model_info":{"total_params":100},"performance_metrics":{"avg_time_per_step":0.5},\
"flops_analysis":{"avg_flops_per_step":900},"step_by_step_results":[{"flops":1000},{"flops":2000}]}'
TRACE = '{"traceEvents":[{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":120,"dur":10,\
"args":{"rank":3,"device":0,"stream":7,"correlation":9,"grid":[4,2,1],"block":[64,2,1]}},\
{"ph":"i","name":"[memory]","pid":1,"tid":1,"ts":5,"args":{"Bytes":8,"Device Type":1}}]}'
FILES = {
    "nccl.log": NCCL, "ncu.csv": NCU, "dmon.txt": DMON, "smi.csv": SMI, "pmc_perf.csv": COMPUTE,
    "deepspeed.txt": DEEPSPEED, "inspector.jsonl": INSPECTOR, "runs.csv": RUNS,
    "course.json": COURSE, "trace.json": TRACE,
}  # fmt: skip
NUMBERS = (
    "9223372036854775808", "-9223372036854775809", "2147483648", "-1", "1e30", "1e308", "1e400",
    "-1e308", "NaN", "inf", "-Infinity", "0x1F", "1,234,567", "١٢٣", "²", "9" * 5_000, "true", "",
)  # fmt: skip
NUMBER = re.compile(r"\d+(?:\.\d+)?")


def with_each_number(text: str, number: str) -> list[str]:
    """The text with one of its numbers replaced, for each of them."""
    return [text[: at.start()] + number + text[at.end() :] for at in NUMBER.finditer(text)]


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_a_number_is_read_or_refused_in_a_line(name: str, tmp_path: Path) -> None:
    path, refused = tmp_path / name, list[str]()
    for number in NUMBERS:
        for text in with_each_number(FILES[name], number):
            path.write_text(text, encoding="utf-8")
            try:
                registry.read(path)
            except InputError as problem:
                refused.append(str(problem))
    assert refused
    assert all(str(path) in each and "\n" not in each for each in refused)


@pytest.mark.parametrize(
    ("name", "old", "new", "line", "said"),
    [
        ("nccl.log", " 0\n#", " " + "9" * 30 + "\n#", 3, "wrong: 1000000000000000"),
        ("nccl.log", "   8  ", f"   {1 << 63}  ", 3, "bytes: 9223372036854775808 is no number"),
        ("nccl.log", "0.22", "1e305", 3, "bus_bandwidth: inf is no number"),
        ("ncu.csv", "(7, 1, 1)", f"({'9' * 30}, 1, 1)", 4, "blocks: 9999999999999999999999"),
        ("pmc_perf.csv", ",256,", ",1e300,", 2, "blocks: one of 991 bits is no number"),
        ("deepspeed.txt", "1.5 B", "1e308 B", 4, "1e308 B: is no figure"),
    ],
)
def test_file_and_line_of_a_number_are_named(
    name: str, old: str, new: str, line: int, said: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    assert old in FILES[name]
    path.write_text(FILES[name].replace(old, new, 1))
    with pytest.raises(InputError) as told:
        registry.read(path)
    assert str(told.value).startswith(f"{path}: line {line}: {said}")


def test_a_rank_beyond_what_can_be_is_no_rank(tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    path.write_text(TRACE.replace('"rank":3', f'"rank":{1 << 70}'))
    assert registry.read(path).tables["profile"].num_rows
