"""A small file of each kind that is read beside a profile, and a trace."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from perfolio.readers.text_stream import open_text
from perfolio.readers.witnesses.discovery import detect_kind
from perfolio.readers.witnesses.model import Witness

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
loss:                                                         9 ms
------------------------------------------------------------------------------
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


def witness(folder: Path, content: str | bytes, name: str) -> Witness:
    """What a file with this content says. Raises InputError."""
    file = folder / name
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    kind = detect_kind(file)
    assert kind is not None, f"{name} is not known"
    return kind.read(open_text(file))


def figures(found: Witness) -> dict[str, float]:
    """Its figures by name."""
    return {row[0]: row[1] for row in found.rows.get("told_figure", [])}


def doubts(found: Witness) -> dict[str, tuple[Any, ...]]:
    """What is said and held instead, by figure."""
    return {str(row[0]): row[1:] for row in found.rows.get("told_doubt", [])}
