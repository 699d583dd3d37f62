"""Small files of the formats that Hatchet reads, whose sums one can do by hand."""

from __future__ import annotations

import cProfile
import json
import marshal
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

XML = """<?xml version="1.0"?>
<!DOCTYPE HPCToolkitExperiment [
<!ELEMENT HPCToolkitExperiment (Header)>
]>
<HPCToolkitExperiment version="2.0"><Header n="solver"></Header>
<SecCallPathProfile i="0" n="solver"><SecHeader>
<MetricTable><Metric i="0" n="CPUTIME (usec):Sum (I)"/></MetricTable>
<MetricDBTable>
<MetricDB i="0" n="CPUTIME (usec) (I)"/>
<MetricDB i="1" n="CPUTIME (usec) (E)"/>
</MetricDBTable>
<LoadModuleTable><LoadModule i="2" n="/home/me/solver"/></LoadModuleTable>
<FileTable><File i="2" n="/home/me/solver.c"/></FileTable>
<ProcedureTable><Procedure i="2" n="main"/><Procedure i="3" n="step"/></ProcedureTable>
</SecHeader>
<SecCallPathProfileData>
<PF i="1" s="1" l="0" lm="2" f="2" n="2"><C i="2" s="2" l="7">
<PF i="3" s="3" l="20" lm="2" f="2" n="3">
<L i="4" s="4" l="21" f="2"><S i="5" s="5" l="22"/></L>
</PF>
</C></PF>
</SecCallPathProfileData></SecCallPathProfile></HPCToolkitExperiment>
"""  # fmt: skip
"""main calls step from line 7; a loop in step has one statement."""
INCLUSIVE = (10.0, 8.0, 8.0, 8.0, 6.0)
"""Of rank 0, by number of the context, in µs: main 10, step 8, its loop 8, the statement 6."""
EXCLUSIVE = (2.0, 0.0, 8.0, 8.0, 6.0)
"""Statements, loops and functions all carry the cost."""


def write_database(folder: Path, ranks: int = 2) -> Path:
    """A database of HPCToolkit 3: rank r has r + 1 times what rank 0 has."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "experiment.xml").write_text(XML, "utf-8")
    for rank in range(ranks):
        values = (np.array([INCLUSIVE, EXCLUSIVE]).T * (rank + 1)).astype(">f8")
        head = b"HPCPROF-metricdb__00.10b" + np.array([5, 2], ">i4").tobytes()
        name = f"solver-{rank:06d}-000-a8c00270-{100 + rank}-0.metric-db"
        (folder / name).write_bytes(head + values.tobytes())
    return folder


def write_tau(folder: Path, metric: str = "TIME", ranks: int = 2) -> Path:
    """Profiles of TAU: main 10 µs on rank 0 and 20 on rank 1, of which 4 are below it."""
    folder.mkdir(parents=True, exist_ok=True)
    head = (
        "# Name Calls Subrs Excl Incl ProfileCalls # <metadata><attribute><name>Metric Name</name>"
    )
    for rank in range(ranks):
        whole = 10 * (rank + 1)
        lines = [
            "3 templated_functions_MULTI_TIME",
            f"{head}<value>{metric}</value></attribute></metadata>",
            f'".TAU application" 1 1 {whole - 4} {whole} 0 GROUP="TAU_DEFAULT" ',
            '"work()  " 1 0 4 4 0 GROUP="USER" ',
            '".TAU application => work()  " 1 0 4 4 0 GROUP="TAU_CALLPATH|USER" ',
            "0 aggregates",
        ]
        (folder / f"profile.{rank}.0.0").write_text("\n".join(lines) + "\n", "utf-8")
    return folder


def write_stats(path: Path, stats: dict[Any, Any]) -> Path:
    """What cProfile keeps: file, line, name → calls, calls, own, cumulative, callers."""
    path.write_bytes(marshal.dumps(stats))
    return path


def write_recursion(path: Path) -> Path:
    """What cProfile really records of a function that calls itself, and of two that share one."""

    def leaf(n: int) -> int:
        return sum(range(n))

    def down(n: int) -> int:
        return leaf(1_000) if n == 0 else down(n - 1)

    profiler = cProfile.Profile()
    profiler.enable()
    down(30)
    leaf(2_000)
    profiler.disable()
    profiler.dump_stats(path)
    return path


def caliper_rows(**changed: Any) -> dict[str, Any]:
    """Two ranks of main, which calls solve, and what is in no region, in µs."""
    return {
        "data": [
            [5.0, 0, 5.0, None],
            [30.0, 0, 10.0, 0],
            [20.0, 0, 20.0, 1],
            [6.0, 1, 6.0, None],
            [40.0, 1, 15.0, 0],
            [25.0, 1, 25.0, 1],
        ],
        "columns": ["inclusive#sum#time.duration", "mpi.rank", "sum#time.duration", "path"],
        "column_metadata": [{"is_value": True}] * 3 + [{"is_value": False}],
        "nodes": [
            {"label": "main", "column": "path"},
            {"label": "solve", "column": "path", "parent": 0},
        ],
    } | changed


def write_caliper(path: Path, **changed: Any) -> Path:
    path.write_text(json.dumps(caliper_rows(**changed)), "utf-8")
    return path


CALI = """__rec=node,id=12,attr=10,data=276,parent=3
__rec=node,id=13,attr=8,data=function,parent=12
__rec=node,id=20,attr=10,data=21,parent=5
__rec=node,id=21,attr=8,data=sum#time.duration,parent=20
__rec=node,id=30,attr=13,data=main
__rec=node,id=31,attr=13,data=solve,parent=30
__rec=ctx,attr=21,data=0.25
__rec=ctx,ref=30,attr=21,data=1.5
__rec=ctx,ref=31,attr=21,data=4
"""
"""0.25 s in no region, main 1.5 s itself, solve 4 s below it."""


CALI_GPU = """__rec=node,id=12,attr=10,data=276,parent=3
__rec=node,id=13,attr=8,data=function,parent=12
__rec=node,id=14,attr=10,data=20,parent=3
__rec=node,id=15,attr=8,data=cupti.activity.kind,parent=14
__rec=node,id=16,attr=8,data=cupti.kernel.name,parent=14
__rec=node,id=20,attr=10,data=21,parent=5
__rec=node,id=21,attr=8,data=sum#scale#cupti.activity.duration,parent=20
__rec=node,id=22,attr=8,data=inclusive#scale#sum#cupti.host.duration,parent=20
__rec=node,id=30,attr=13,data=main
__rec=node,id=31,attr=13,data=launch,parent=30
__rec=node,id=40,attr=15,data=kernel
__rec=node,id=41,attr=16,data=axpy,parent=40
__rec=node,id=42,attr=15,data=memcpy
__rec=ctx,ref=30,attr=22,data=8
__rec=ctx,ref=31,attr=22,data=5
__rec=ctx,ref=31=41,attr=21,data=3
__rec=ctx,ref=31=42,attr=21,data=0.5
"""
"""main 8 s of the host, of which launch has 5, below which a kernel ran 3 s and a copy 0.5 s."""


def pyinstrument(children: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    """A root of 2 s with a child of 1.5 s, or others."""
    child = frame("work", 1.5)
    return {
        "start_time": 1.0,
        "duration": 2.0,
        "sample_count": 20,
        "program": "run.py",
        "cpu_time": 1.9,
        "root_frame": {**frame("<module>", 2.0), "children": children or [child]},
    }


def frame(name: str, time: float) -> dict[str, Any]:
    return {
        "function": name,
        "file_path_short": "run.py",
        "file_path": "/home/me/run.py",
        "line_no": 3,
        "time": time,
        "is_application_code": True,
    }


def timemory() -> dict[str, Any]:
    """main 3 s with solve 2 s below it, on rank 0, and twice that on rank 1."""

    def node(name: str, number: int, own: float, whole: float) -> dict[str, Any]:
        def part(amount: float) -> dict[str, Any]:
            return {"entry": {"laps": 1}, "stats": {"sum": amount, "count": 1, "max": amount}}

        about = {"hash": number, "prefix": name, "tid": [0], "pid": [7], "depth": number}
        return {"node": {**about, "inclusive": part(whole), "exclusive": part(own)}, "children": []}

    def tree(times: float) -> dict[str, Any]:
        root = node("unknown-hash=0", 0, 0.0, 0.0)
        main = node("main", 1, 1.0 * times, 3.0 * times)
        main["children"] = [node("solve", 2, 2.0 * times, 2.0 * times)]
        return {**root, "children": [main]}

    found = {
        "properties": {"id": "wall_clock"},
        "type": "wall",
        "unit_repr": "sec",
        "unit_value": 1,
        "mpi_size": 2,
        "mpi": [[tree(1.0)], [tree(2.0)]],
    }
    return {"timemory": {"WALL_CLOCK": found}}


DOT = r"""digraph {
	graph [fontname=Arial];
	node [fontcolor=white];
	main [label="app\nmain\n100.00%\n(10.00%)\n1×"];
	main -> left [label="30.00%\n1×"];
	main -> right [label="60.00%\n1×"];
	left [label="app\nleft\n30.00%\n(0.00%)\n1×"];
	left -> shared [label="30.00%\n1×"];
	right [label="app\nright\n60.00%\n(0.00%)\n1×"];
	right -> shared [label="60.00%\n2×"];
	shared [label="app\nshared\n90.00%\n(90.00%)\n3×"];
}
"""
"""main calls left and right, which share a function: a third of it is left's."""


def caliper_over_ranks(columns: Mapping[str, Sequence[float]], ranks: int = 4) -> dict[str, Any]:
    """JSON of main, which calls solve and MPI_Allreduce: a value of each in each column, in s."""
    names = ["main", "solve", "MPI_Allreduce"]
    return {
        "data": [[*(values[row] for values in columns.values()), row] for row in range(3)],
        "columns": [*columns, "path"],
        "column_metadata": [{"is_value": True, "attribute.unit": "sec"}] * len(columns)
        + [{"is_value": False}],
        "nodes": [
            {"label": name, "column": "path"} | ({"parent": 0} if number else {})
            for number, name in enumerate(names)
        ],
        "mpi.world.size": ranks,
    }


CALI_RANKS = """__rec=node,id=12,attr=10,data=276,parent=3
__rec=node,id=13,attr=8,data=function,parent=12
__rec=node,id=14,attr=10,data=64,parent=3
__rec=node,id=15,attr=8,data=attribute.unit,parent=14
__rec=node,id=16,attr=15,data=sec,parent=5
__rec=node,id=17,attr=10,data=65,parent=16
__rec=node,id=21,attr=8,data=min#inclusive#sum#time.duration,parent=17
__rec=node,id=22,attr=8,data=max#inclusive#sum#time.duration,parent=17
__rec=node,id=23,attr=8,data=avg#inclusive#sum#time.duration,parent=17
__rec=node,id=24,attr=10,data=193,parent=5
__rec=node,id=25,attr=8,data=avg.sum#inclusive#sum#time.duration,parent=24
__rec=node,id=26,attr=10,data=193,parent=2
__rec=node,id=27,attr=8,data=avg.count#inclusive#sum#time.duration,parent=26
__rec=node,id=30,attr=13,data=main
__rec=node,id=31,attr=13,data=solve,parent=30
__rec=node,id=32,attr=13,data=write,parent=30
__rec=ctx,ref=30,attr=21=22=23=25=27,data=10=10=10=40=4
__rec=ctx,ref=31,attr=21=22=23=25=27,data=4=8=5=20=4
__rec=ctx,ref=32,attr=21=22=23=25=27,data=2=2=2=2=1
__rec=node,id=40,attr=10,data=1612,parent=1
__rec=node,id=41,attr=8,data=mpi.world.size,parent=40
__rec=node,id=42,attr=41,data=4
__rec=globals,ref=42
"""
"""Four ranks of main, 10 s each; solve takes 4 to 8 s of it, 5 on average; one rank writes, 2 s."""
