"""What other programs are asked for: a process of its own, in the environment of that program.

    PYTHON peer_programs.py NAME PATH FOLDER

In:  a program's name, the recording, and a folder for what the program writes.
Out: as the last line, what it gave. `peers` measures the process.

Nothing of the project is imported: the environments do not have it.
"""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from importlib import import_module
from pathlib import Path
from typing import Any

_MOST_BYTES = 4_000_000_000
_EVENT = "STRUCT(ph VARCHAR, cat VARCHAR, name VARCHAR, pid VARCHAR, tid VARCHAR, dur DOUBLE)"
_SUMS = (
    "SELECT count(*) AS events, count(DISTINCT event.cat), sum(event.dur) FROM "
    "(SELECT unnest(traceEvents) AS event FROM read_json(?, maximum_object_size = ?, "
    f"columns = {{'traceEvents': '{_EVENT}[]'}}))"
)


def read_bytes(path: Path) -> bytes:
    """The text of a recording, unpacked."""
    content = path.read_bytes()
    return gzip.decompress(content) if path.suffix == ".gz" else content


def count_events(path: Path, _folder: Path) -> str:
    """Events of a recording and bytes of its text: no peer, but what tables say of an input."""
    content = read_bytes(path)
    return json.dumps([len(json.loads(content)["traceEvents"]), len(content)])


def ask_hta(path: Path, _folder: Path) -> str:
    """Holistic Trace Analysis: four of its tables."""
    analysis = import_module("hta.trace_analysis").TraceAnalysis(trace_files={0: str(path)})
    asked: dict[str, Callable[[], Any]] = {
        "GPU time": lambda: analysis.get_temporal_breakdown(visualize=False),
        "kernels": lambda: analysis.get_gpu_kernel_breakdown(visualize=False),
        "idle time": lambda: analysis.get_idle_time_breakdown(ranks=[0], visualize=False),
        "launches": lambda: analysis.get_cuda_kernel_launch_stats(ranks=[0], visualize=False),
    }
    failed = [name for name, ask in asked.items() if not _gives(ask)]
    given = [name for name in asked if name not in failed]
    words = f"{len(given)} tables: {', '.join(given)}"
    return words + (f"; an error instead of {', '.join(failed)}" if failed else "")


def _gives(ask: Callable[[], Any]) -> bool:
    try:
        ask()
    except (AssertionError, IndexError, KeyError, TypeError, ValueError):
        return False
    return True


def ask_tracelens(path: Path, folder: Path) -> str:
    """TraceLens: its report of a PyTorch trace with the settings that it has."""
    report = import_module("TraceLens.Reporting.generate_perf_report_pytorch")
    sheets = report.generate_perf_report_pytorch(
        str(path), output_xlsx_path=str(folder / "report.xlsx")
    )
    return f"a workbook of {len(sheets)} sheets: GPU time, operators by arguments, their rates"


def ask_perfetto(path: Path, _folder: Path) -> str:
    """Perfetto's trace processor, on the path or as its package gets it: load, and one sum."""
    perfetto = import_module("perfetto.trace_processor")
    program = shutil.which("trace_processor_shell") or _load_trace_processor()
    settings = perfetto.TraceProcessorConfig(bin_path=program, load_timeout=600)
    with perfetto.TraceProcessor(trace=str(path), config=settings) as processor:
        rows = list(processor.query("SELECT count(*) AS slices, sum(dur) AS total FROM slice"))
    return f"tables in memory for SQL, of {rows[0].slices:,} slices, and one sum"


def _load_trace_processor() -> str:
    """The program that Perfetto's package loads when it is first used."""
    platform = import_module("perfetto.trace_processor.platform").PlatformDelegate()
    try:
        return str(platform.get_shell_path(bin_path=None))
    except (OSError, subprocess.CalledProcessError):
        sys.exit("ERROR: the package loads its program when it is first used, which failed here")


def ask_hatchet(path: Path, _folder: Path) -> str:
    """Hatchet's reader of HPCToolkit databases."""
    frame = import_module("hatchet").GraphFrame.from_hpctoolkit_latest(str(path)).dataframe
    numbers = frame.select_dtypes("number").shape[1]
    return f"a data frame of {len(frame):,} contexts and {numbers} numbers each, summed over ranks"


def ask_simdjson(path: Path, _folder: Path) -> str:
    """pysimdjson: the text parsed, no value made a Python object."""
    parsed = import_module("simdjson").Parser().parse(read_bytes(path))
    return f"{len(parsed['traceEvents']):,} events parsed, no value of them taken"


def ask_orjson(path: Path, _folder: Path) -> str:
    """orjson: all values as Python objects."""
    parsed = import_module("orjson").loads(read_bytes(path))
    return f"{len(parsed['traceEvents']):,} events as Python objects"


def ask_duckdb(path: Path, _folder: Path) -> str:
    """DuckDB's reader of JSON: six fields of each event, and sums over them."""
    with import_module("duckdb").connect() as connection:
        found = connection.execute(_SUMS, [str(path), _MOST_BYTES]).fetchone()
    return f"three sums over six fields of {found[0]:,} events"


PROGRAMS: dict[str, Callable[[Path, Path], str]] = {
    "count": count_events,
    "hta": ask_hta,
    "tracelens": ask_tracelens,
    "perfetto": ask_perfetto,
    "hatchet": ask_hatchet,
    "simdjson": ask_simdjson,
    "orjson": ask_orjson,
    "duckdb": ask_duckdb,
}


def main(name: str, path: str, folder: str) -> None:
    """Ask one program, and print what it gave; what it prints itself goes to standard error."""
    with redirect_stdout(sys.stderr):
        given = PROGRAMS[name](Path(path), Path(folder))
    print(given)


if __name__ == "__main__":
    main(*sys.argv[1:])
