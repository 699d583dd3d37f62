"""An input of each format, in which every text that the format has holds something private."""

from __future__ import annotations

import json
import marshal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.canaries.plant import Canaries, in_json, in_sqlite, in_text
from tests.kit.databases import Shape, write_database
from tests.readers import test_witnesses as logs
from tests.readers.hatchet import files as hatchet
from tests.readers.nsys_files import THREAD, report, strings, write_sqlite
from tests.readers.rocm_files import chrome_events, sdk_document, write_csv, write_rocpd
from tests.readers.witnesses.snapshots import dumped, two_devices
from tests.readers.witnesses.test_deepspeed_profile import SUMMARY

Write = Callable[[Path, Canaries], Path]
_EVENTS = frozenset({"ph", "cat", "displayTimeUnit", "bp", "backend"})


def kineto(folder: Path, canaries: Canaries) -> Path:
    """A trace of PyTorch's profiler."""
    path = folder / "trace.json"
    path.write_text(json.dumps(in_json(kineto_document(), canaries, "kineto", _EVENTS)))
    return path


def kineto_document() -> dict[str, Any]:
    """Events of each kind, with all that they may say."""
    events: list[dict[str, Any]] = [
        {"ph": "M", "name": name, "pid": 1, "tid": 1, "ts": 1, "args": {key: "python"}}
        for name, key in (("process_name", "name"), ("process_labels", "labels"),
                          ("thread_name", "name"))
    ]  # fmt: skip
    for number in range(12):
        at, call = 10 + 100 * number, number + 1
        host, gpu = {"ph": "X", "pid": 1, "tid": 1}, {"ph": "X", "pid": 0, "tid": 7}
        said = {
            "External id": call, "Call stack": "step;forward", "Module Hierarchy": "Net.conv",
            "Input type": ["float"], "Concrete Inputs": ["[1]"], "Input Dims": [[8, 8], [8, 8]],
            "kernel_file": "k.py", "kernel_backend": "triton", "kernel_hash": "abc",
            "Process Group Name": "world", "Process Group Description": "default_pg",
            "Collective name": "allreduce", "dtype": "Float", "hostname": "gpu",
        }  # fmt: skip
        code = {"Python id": call, "Python parent id": None}
        ran = {"device": 0, "stream": 7, "correlation": call, "grid": [1] * 3, "block": [32, 1, 1],
               "kernel": "k", "External id": call}  # fmt: skip
        events += [
            {**host, "cat": "python_function", "name": f"train.py({call}): step", "ts": at,
             "dur": 95, "args": code},
            {**host, "cat": "user_annotation", "name": "load", "ts": at + 1, "dur": 90},
            {**host, "cat": "cpu_op", "name": f"aten::mm{number}", "ts": at + 2, "dur": 80,
             "args": said},
            {**host, "cat": "cuda_runtime", "name": "cudaLaunchKernel", "ts": at + 3, "dur": 5,
             "args": {"correlation": call, "External id": call, "kernel": "k"}},
            {**gpu, "cat": "kernel", "name": f"k{number}", "ts": at + 20, "dur": 30, "args": ran},
        ]  # fmt: skip
    return {
        "schemaVersion": 1,
        "deviceProperties": [{"id": 0, "name": "NVIDIA H100", "totalGlobalMem": 85e9}],
        "distributedInfo": {"backend": "nccl", "rank": 0, "world_size": 1,
                            "pg_config": [{"pg_name": "0", "pg_desc": "default_pg"}]},
        "traceName": "trace.json",
        "host_name": "gpu",
        "with_stack": 1,
        "traceEvents": events,
    }  # fmt: skip


def nsys(folder: Path, canaries: Canaries) -> Path:
    """A report of Nsight Systems."""
    environment = [
        {"name": "Hostname", "value": canaries.word("nsys hostname")},
        {"name": "PROCESS_0:ENVIRONMENT_VARIABLE", "value": f"USER={canaries.word('nsys USER')}"},
        {"name": "PROCESS_0:ENVIRONMENT_VARIABLE",
         "value": f"SLURM_JOB_USER={canaries.word('nsys SLURM_JOB_USER')}"},
        {"name": "PROCESS_0:COMMAND_LINE", "value": "python train.py"},
        {"name": "NetworkAddress", "value": canaries.address("nsys address")},
    ]  # fmt: skip
    tables = report(
        TARGET_INFO_SYSTEM_ENV=environment,
        TARGET_INFO_GPU=[{"id": 0, "name": "NVIDIA H100", "cuDevice": 0}],
        PROCESSES=[{"globalPid": THREAD & ~0xFFFFFF, "pid": 7, "name": "python"}],
        ThreadNames=[{"globalTid": THREAD, "nameId": 6}],
        DIAGNOSTIC_EVENT=[{"severity": 2, "text": "Events were lost"}] * 2,
        StringIds=strings(s11="load batch", s12="python"),
    )
    path = write_sqlite(folder / "report.sqlite", tables)
    in_sqlite(path, canaries, frozenset({"TARGET_INFO_SYSTEM_ENV.name"}))
    return path


def rocprof_json(folder: Path, canaries: Canaries) -> Path:
    """What rocprofv3 writes as JSON."""
    path = folder / "1_results.json"
    document = in_json(sdk_document(), canaries, "rocprofv3", frozenset({"type"}))
    path.write_text(json.dumps(document))
    return path


def rocprof_csv(folder: Path, canaries: Canaries) -> Path:
    """What rocprofv3 writes as CSV."""
    place = write_csv(folder / "csv")
    for path in sorted(place.glob("*_trace.csv")):
        head, _, rows = path.read_text().partition("\n")
        told = in_text(rows, canaries, path.name, r'(?<=")[A-Za-z_][^"]*(?=")')
        path.write_text(f"{head}\n{told}")
    return place


def rocpd(folder: Path, canaries: Canaries) -> Path:
    """A database of rocprofv3."""
    path = write_rocpd(folder / "1_results.db", USER=canaries.word("rocpd USER"))
    kept = {"processes.guid", "threads.guid", "regions.guid", "kernels.guid", "rocpd_metadata.tag",
            "rocpd_metadata.value", "rocpd_info_process.environment", "rocpd_info_process.guid",
            "memory_copies.guid", "kernel_symbols.guid", "kernels.agent_type", "regions.category",
            "memory_copies.dst_agent_type", "memory_copies.src_agent_type",
            "regions.extdata"}  # fmt: skip
    in_sqlite(path, canaries, frozenset(kept))
    return path


def rocprof_chrome(folder: Path, canaries: Canaries) -> Path:
    """A trace of the first rocprof."""
    path = folder / "results.json"
    kept = frozenset({"ph", "cat", "bp"})
    path.write_text(json.dumps({"traceEvents": in_json(chrome_events(), canaries, "v1", kept)}))
    return path


def hpctoolkit(folder: Path, canaries: Canaries) -> Path:
    """A database of HPCToolkit with several functions, in a folder of its own."""
    names = ("main", *(canaries.beside(f"f{n}", f"hpctoolkit name {n}") for n in range(20)))
    shape = Shape(
        fan_out=7, names=names,
        title=canaries.private("hpctoolkit title"),
        description=canaries.private("hpctoolkit description"),
        metric="CPUTIME (sec)",
    )  # fmt: skip
    return write_database(folder / canaries.word("folder") / "run.d", shape)


def caliper(folder: Path, canaries: Canaries) -> Path:
    """JSON of Caliper."""
    document = hatchet.caliper_rows()
    path = folder / "caliper.json"
    kept = frozenset({"columns", "column"})
    path.write_text(json.dumps(in_json(document, canaries, "caliper", kept)))
    return path


def profiled(folder: Path, canaries: Canaries) -> Path:
    """Statistics of cProfile."""
    path = folder / "run.pstats"

    def place(name: str) -> tuple[str, int, str]:
        where = f"cprofile {name}"
        return f"/home/{canaries.word(where)}/{canaries.word(where)}/k.py", 3, name

    main, step = place("main"), place("step")
    rows = {main: (1, 1, 0.2, 1.0, {}), step: (4, 4, 0.8, 0.8, {main: (4, 4, 0.8, 0.8)})}
    path.write_bytes(marshal.dumps(rows))
    return path


def hpctoolkit_3(folder: Path, canaries: Canaries) -> Path:
    """A database of HPCToolkit before 2022."""
    place = hatchet.write_database(folder / "old")
    path = place / "experiment.xml"
    told = in_text(
        path.read_text(), canaries, "experiment.xml", r'(?<= n=")(?:solver|main|step)(?=")'
    )
    told = told.replace("/home/me/", f"/home/{canaries.word('module')}/")
    path.write_text(told)
    return place


def witnesses(folder: Path, canaries: Canaries) -> Path:
    """A trace, and beside it files of all other tools."""
    path = kineto(folder, canaries)
    ncu = in_text(logs.NCU_LONG, canaries, "ncu", r'(?<=",")(?:p|h|f|Bottleneck|Use it)(?=[",(])')
    (folder / "ncu.csv").write_text(ncu)
    (folder / "nccl.log").write_text(
        in_text(logs.NCCL, canaries, "nccl", r"(?<= on )\S+|(?<=: ).+")
    )
    (folder / "dmon.txt").write_text(logs.DMON)
    (folder / "smi.csv").write_text(in_text(logs.SMI, canaries, "smi", r"NVIDIA [\w ]+"))
    (folder / "deepspeed.txt").write_text(
        in_text(SUMMARY, canaries, "deepspeed", r"(?<=output: ).*")
    )
    shot = in_json(two_devices(), canaries, "snapshot", frozenset({"action", "state"}))
    (folder / "snapshot.pickle").write_bytes(dumped(shot))
    return path


INPUTS: dict[str, Write] = {
    "kineto": kineto,
    "nsys": nsys,
    "rocprof-json": rocprof_json,
    "rocprof-csv": rocprof_csv,
    "rocpd": rocpd,
    "rocprof-v1": rocprof_chrome,
    "hpctoolkit": hpctoolkit,
    "hpctoolkit-3": hpctoolkit_3,
    "caliper": caliper,
    "cprofile": profiled,
    "witnesses": witnesses,
}


def described(folder: Path, canaries: Canaries) -> None:
    """What people write beside a profile: private things in each text, words of ours around."""
    lines = [f"{key} = {json.dumps(canaries.private(f'profile.toml {key}'))}"
             for key in ("title", "description", "notes")]  # fmt: skip
    lines += ["[workload]"]
    lines += [f"{key} = {json.dumps(canaries.private(f'workload {key}'))}"
              for key in ("model", "dataset", "command")]  # fmt: skip
    lines += [f"{key} = {json.dumps(canaries.word(f'workload {key}'))}" for key in ("user", "host")]
    (folder / "profile.toml").write_text("\n".join(lines) + "\n")
    claims = [f"{key} = {json.dumps(canaries.private(f'claims {key}'))}"
              for key in ("title", "source")]  # fmt: skip
    claims += ["[[claim]]", f"says = {json.dumps(canaries.private('claims says'))}",
               'metric = "gpu.kernel_time"', "value = 1", 'unit = "s"']  # fmt: skip
    (folder / "claims.toml").write_text("\n".join(claims) + "\n")
