"""Perfolio and other tools on the same files, on this machine, in one run.

    python -m tests.bench.peers [PATH ...] [--only build,hta] [--repeats 3] [--write]
    python -m tests.bench.peers --from tracelens=CHECKOUT

Without paths: a recording of the project, one eight times as long made of it, and a database of
HPCToolkit that is generated. Each measurement is a process of its own. Tools take turns, so that
a slow phase of the machine meets all of them; before, each runs once uncounted, so that byte code
is there. Prints the page of docs; `--write` keeps the figures that it is made from.

The tools are in `peer_environments`, what they are asked for in `peer_programs`. One that cannot
be installed, or that fails, has its reason in the table.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reference.performance import FIGURES, performance_page
from tests.bench import peer_environments as environments
from tests.bench.peer_environments import HPCTOOLKIT, KINETO, OURS, PEERS, Peer, PeerEnvironment
from tests.bench.process_costs import ProcessCost, ProcessFailure, measure_process

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENTS = ROOT / ".cache" / "peers"
SAMPLE = ROOT / "profiles" / "transformer-h100" / "trace.json.gz"
COPIES = 8
DATABASE = ("--ranks", "16", "--contexts", "50000", "--points", "500000")

_BY_NAME = {peer.name: peer for peer in PEERS}

Prepared = Mapping[str, PeerEnvironment | ProcessFailure]


@dataclass(frozen=True)
class Recording:
    """A file or folder that is measured."""

    path: Path
    format: str
    title: str
    made: str
    """Where it comes from, in words."""


def find_recordings(paths: Sequence[Path], folder: Path) -> Iterator[Recording]:
    """The given ones, or else those of the project, made in `folder` where it holds none."""
    for path in paths:
        form = HPCTOOLKIT if path.is_dir() else KINETO
        yield Recording(path.resolve(), form, path.name, "given as an argument")
    if paths:
        return
    alone = folder / "transformer-h100.json.gz"  # what lies beside it is not read by all tools
    shutil.copy(SAMPLE, alone)
    yield Recording(alone, KINETO, "transformer-h100", "the trace of a sample, recorded")
    longer = folder / "longer.json"
    _run_module("tests.bench.longer_trace", SAMPLE, longer, "--copies", COPIES)
    made = f"made of the same trace, {COPIES} times on end"
    yield Recording(longer, KINETO, f"transformer-h100, {COPIES} times", made)
    database = folder / "ranks.d"
    _run_module("tests.bench.make", database, *DATABASE)
    yield Recording(database, HPCTOOLKIT, "16 ranks", "generated, of 50,000 contexts")


def _run_module(name: str, *arguments: object) -> None:
    """In a process of its own: memory of this one would count as that of those it starts."""
    command = [sys.executable, "-m", name, *map(str, arguments)]
    subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.DEVNULL)


def describe_recording(recording: Recording) -> dict[str, Any]:
    """What tables say of a recording."""
    path = recording.path
    files = [one for one in path.rglob("*") if one.is_file()] if path.is_dir() else [path]
    size = sum(one.stat().st_size for one in files)
    events, unpacked = None, size
    if recording.format == KINETO:
        command = [sys.executable, str(environments.PROGRAMS), "count", str(path), "."]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        events, unpacked = json.loads(done.stdout)
    return {
        "title": recording.title, "format": recording.format, "made": recording.made,
        "bytes": size, "unpacked": unpacked, "events": events,
    }  # fmt: skip


def describe_machine(load: float) -> dict[str, Any]:
    """Processor, cores and memory, and how much others ran before."""
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    information = Path("/proc/cpuinfo")
    text = information.read_text("utf-8") if information.is_file() else ""
    models = [line.partition(":")[2].strip() for line in text.splitlines() if "model name" in line]
    return {
        "processor": models[0] if models else platform.processor() or platform.machine(),
        "cores": os.cpu_count(), "memory": pages, "system": platform.system(),
        "python": platform.python_version(), "load": round(load, 2),
    }  # fmt: skip


def run_once(
    peer: Peer, environment: PeerEnvironment, path: Path, timeout: float
) -> tuple[ProcessCost | ProcessFailure, str]:
    """What one process of a peer took, and what it gave, in words."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = environments.make_command(peer, environment.python, path, folder)
        variables = environments.make_variables(peer, folder)
        cost = measure_process(command, folder, variables, timeout)
        if isinstance(cost, ProcessFailure):
            return cost, ""
        return cost, _describe_ours(peer, folder) if peer.kind == OURS else cost.said


def _describe_ours(peer: Peer, folder: Path) -> str:
    if peer.name == "ingest":
        return "all tables of the run in a DuckDB file, with what is derived from them"
    (path,) = (folder / "site").glob("*/findings.json")
    document = json.loads(path.read_text("utf-8"))
    measured = sum(one["status"] == "measured" for one in document["metrics"]["metrics"])
    judged = sum(one["status"] in {"fired", "passed"} for one in document["findings"])
    pages = len(list(path.parent.glob("*.html")))
    return f"the whole report: {measured} metrics, {judged} rules judged, {pages} pages"


def list_rows(recording: Recording, prepared: Prepared) -> list[dict[str, Any]]:
    """A row without runs for each peer that reads such a recording, some with a reason for that."""
    rows = []
    for peer in PEERS:
        environment = prepared.get(peer.name)
        if environment is None or recording.format not in peer.formats:
            continue
        row = {"peer": peer.name, "title": peer.title, "kind": peer.kind, "gives": "", "runs": []}
        if isinstance(environment, ProcessFailure):
            row["failed"] = environment.reason
        rows.append(row)
    return rows


def measure_rows(
    rows: Sequence[dict[str, Any]], recording: Recording, prepared: Prepared, timeout: float
) -> None:
    """One more run in each row; one that failed is not tried again."""
    for row in rows:
        environment = prepared[row["peer"]]
        if "failed" in row or isinstance(environment, ProcessFailure):
            continue
        _show(f"{recording.title}: {row['title']}")
        peer = _BY_NAME[row["peer"]]
        cost, row["gives"] = run_once(peer, environment, recording.path, timeout)
        if isinstance(cost, ProcessFailure):
            row["failed"] = cost.reason
        else:
            spent = {"cpu": round(cost.cpu, 3), "wall": round(cost.wall, 3)}
            row["runs"].append(spent | {"peak": round(cost.peak)})


def warm_up(recordings: Sequence[Recording], prepared: Prepared, timeout: float) -> None:
    """Run each peer once, uncounted, on the first recording that it reads."""
    for peer in PEERS:
        environment = prepared.get(peer.name)
        if isinstance(environment, PeerEnvironment):
            first = next((one for one in recordings if one.format in peer.formats), None)
            if first is not None:
                _show(f"byte code of {peer.title}")
                run_once(peer, environment, first.path, timeout)


def measure_all(given: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """The figures of one run of this benchmark, as the page is made from them."""
    machine = describe_machine(os.getloadavg()[0])
    names = given.only.split(",") if given.only else [peer.name for peer in PEERS]
    sources = dict(one.split("=", 1) for one in given.sources)
    prepared: dict[str, PeerEnvironment | ProcessFailure] = {}
    for peer in PEERS:
        if peer.name in names:
            _show(f"environment of {peer.title}")
            prepared[peer.name] = environments.prepare_peer(peer, ENVIRONMENTS, sources)
    recordings = list(find_recordings(given.paths, folder))
    warm_up(recordings, prepared, given.timeout)
    inputs = [describe_recording(one) | {"rows": list_rows(one, prepared)} for one in recordings]
    for _ in range(given.repeats):
        for recording, described in zip(recordings, inputs, strict=True):
            measure_rows(described["rows"], recording, prepared, given.timeout)
    return {
        "date": dt.datetime.now(tz=dt.UTC).date().isoformat(),
        "machine": machine,
        "repeats": given.repeats,
        "timeout": given.timeout,
        "versions": {
            _BY_NAME[name].package: one.version
            for name, one in prepared.items()
            if isinstance(one, PeerEnvironment)
        },
        "inputs": inputs,
    }


def _show(text: str) -> None:
    print(f"  {text}", file=sys.stderr, flush=True)


def read_arguments(arguments: Sequence[str]) -> argparse.Namespace:
    """What is asked for."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.peers", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("paths", nargs="*", type=Path, help="recordings, in place of the project's")
    parser.add_argument("--only", default="", help="names of peers, with commas between them")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--timeout", type=float, default=900.0, help="seconds of one process")
    parser.add_argument(
        "--from", dest="sources", action="append", default=[], metavar="NAME=PATH",
        help="install a peer from a checkout or a wheel",
    )  # fmt: skip
    parser.add_argument("--write", action="store_true", help="keep the figures for the page")
    given = parser.parse_args(arguments)
    named = [*filter(None, given.only.split(",")), *(one.split("=")[0] for one in given.sources)]
    if unknown := sorted(set(named) - set(_BY_NAME)):
        parser.error(f"no tool is called {', '.join(unknown)}: there are {', '.join(_BY_NAME)}")
    if given.write and (given.paths or given.only):
        parser.error("the page has figures of all peers on the project's own recordings alone")
    return given


def main(arguments: Sequence[str]) -> int:
    """Measure, print the page, and keep its figures where that is asked for."""
    given = read_arguments(arguments)
    with tempfile.TemporaryDirectory() as folder:
        figures = measure_all(given, Path(folder))
    print(performance_page(figures))
    if given.write:
        FIGURES.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
