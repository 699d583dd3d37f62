"""Other tools are measured as they should be, and the page says what was found."""

from __future__ import annotations

import gzip
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from reference.performance import FIGURES, performance_page
from tests.bench import peer_programs, peers
from tests.bench.__main__ import APART
from tests.bench.longer_trace import repeat_events, write_longer
from tests.bench.peer_environments import (
    KINETO,
    OURS,
    PEERS,
    make_command,
    make_variables,
    prepare_peer,
    read_requirements,
)
from tests.bench.process_costs import (
    ProcessCost,
    ProcessFailure,
    measure_process,
    name_failure,
)
from tests.bench.stages import peak_memory

EVENTS: list[dict[str, Any]] = [
    {"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "python"}},
    {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#4", "ts": 10.0, "dur": 50.0},
    {"ph": "s", "cat": "ac2g", "name": "ac2g", "ts": 12.0, "id": 7},
    {"ph": "X", "cat": "kernel", "name": "k", "ts": 20.5, "dur": 5.0, "args": {"correlation": 7}},
    {"ph": "X", "cat": "kernel", "name": "k", "ts": 30.5, "dur": 5.0, "args": {"correlation": 0}},
    {"ph": "X", "cat": "Trace", "name": "PyTorch Profiler (0)", "ts": 0.0, "dur": 90.0},
]
ORJSON = next(peer for peer in PEERS if peer.name == "orjson")


def row(name: str, kind: str, **found: Any) -> dict[str, Any]:
    return {"peer": name, "title": name.upper(), "kind": kind, "gives": "", "runs": []} | found


def figures(load: float) -> dict[str, Any]:
    runs = [{"cpu": cpu, "wall": cpu + 1, "peak": 3e8} for cpu in (12.0, 10.0, 11.0)]
    rows = [
        row("build", "ours", gives="the whole report", runs=runs),
        row("hta", "peer", failed="cannot be installed: no <index>"),
        row("orjson", "limit", gives="9 events", runs=[{"cpu": 0.25, "wall": 0.3, "peak": 4.2e6}]),
    ]
    machine = {"processor": "A | B", "cores": 2, "memory": 25e9, "system": "Linux"}
    recording = {"title": "small", "format": "kineto", "made": "a sample", "bytes": 2e6}
    return {
        "date": "2026-01-31", "repeats": 3, "timeout": 900.0, "versions": {"orjson": "3"},
        "machine": machine | {"python": "3.12.1", "load": load},
        "inputs": [recording | {"unpacked": 27e6, "events": 1234, "rows": rows}],
    }  # fmt: skip


def test_page_has_medians_and_reasons() -> None:
    page = performance_page(figures(0.2))
    assert "| small | 27 | 1,234 | 11.0 | 300 | 12.0 |" in page
    assert "| `BUILD` | 11.0 | 300 | the whole report |" in page
    assert "| HTA | – | – | Not measured: cannot be installed: no &lt;index&gt; |" in page
    assert "| ORJSON (a limit) | 0.25 | 4.2 | 9 events |" in page
    assert "A sample: 2.0 MB, unpacked 27 MB, 1,234 events." in page
    assert "differed by up to 18% between runs" in page
    assert "shared" not in page


def test_page_says_that_others_ran() -> None:
    page = performance_page(figures(2.4))
    assert "Its load was 2.4 before the first run" in page
    assert "| small | 27 | 1,234 | 11.0 | 300 |\n" in page


def test_kept_figures_have_each_tool_and_no_address() -> None:
    kept = json.loads(FIGURES.read_text("utf-8"))
    for recording in kept["inputs"]:
        expected = [peer.name for peer in PEERS if recording["format"] in peer.formats]
        assert [one["peer"] for one in recording["rows"]] == expected
        assert all(
            "failed" in one or len(one["runs"]) == kept["repeats"] for one in recording["rows"]
        )
    assert not re.search(r"://|(?<![\w.])/\w+/", FIGURES.read_text("utf-8"))


def test_each_tool_has_a_program_and_each_package_a_pinned_version() -> None:
    asked = {peer.name for peer in PEERS if peer.kind != OURS} | {"count"}
    assert set(peer_programs.PROGRAMS) == asked
    pinned = read_requirements()
    assert set(pinned) == {peer.package for peer in PEERS if not peer.is_installed}
    assert all(re.search(r"==\d[\w.]*$|@[0-9a-f]{40}$", one) for one in pinned.values())


def test_ours_have_no_cache_and_peers_nothing_of_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setenv("PYTHONPATH", "generator")
    ours = make_variables(PEERS[0], tmp_path)
    assert ours["XDG_CACHE_HOME"] == str(tmp_path / "cache")
    assert ours["PYTHONPATH"] == "generator"
    assert "PYTHONDONTWRITEBYTECODE" not in ours
    assert not {"PYTHONPATH", "PYTHONDONTWRITEBYTECODE"} & set(make_variables(ORJSON, tmp_path))
    command = make_command(PEERS[0], Path("python"), Path("t.json"), tmp_path)
    assert command[1:5] == ["-m", "perfolio", "build", "t.json"]


def test_cost_has_the_processes_that_one_starts(tmp_path: Path) -> None:
    inner = "held = bytearray(80_000_000); import time; t = time.process_time()\n"
    inner += "while time.process_time() - t < 0.3: pass"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {inner!r}]); print('ok')"
    cost = measure_process([sys.executable, "-c", code], tmp_path, os.environ, 60)
    assert isinstance(cost, ProcessCost)
    assert cost.said == "ok"
    assert cost.cpu > 0.3
    # What Linux says of a process begins with the peak of the one that started it.
    assert 80e6 < cost.peak < peak_memory() + 400e6


def test_cost_ends_what_takes_too_long(tmp_path: Path) -> None:
    code = "import subprocess; subprocess.run(['sleep', '60'])"
    cost = measure_process([sys.executable, "-c", code], tmp_path, os.environ, 0.5)
    assert cost == ProcessFailure("not done after 0 s")


def test_failure_is_named_without_addresses_and_folders(tmp_path: Path) -> None:
    cost = measure_process(
        [sys.executable, "-c", "raise ValueError('no')"], tmp_path, os.environ, 60
    )
    assert cost == ProcessFailure("ValueError: no")
    told = (
        "WARNING: x\nERROR: Could not open /root/a/b.txt at https://me:secret@example.org/simple/"
    )
    assert name_failure(told) == "Could not open b.txt at …"
    assert name_failure("fatal: host: index.example.org\nerror: hint") == "host: …"
    assert name_failure("") == ""


def test_longer_trace_has_steps_and_numbers_of_its_own() -> None:
    longer = list(repeat_events(EVENTS, 3))
    assert len(longer) == len(EVENTS) + 2 * 4
    steps = [one for one in longer if one["name"].startswith("ProfilerStep")]
    assert [one["name"] for one in steps] == [f"ProfilerStep#{step}" for step in (4, 5, 6)]
    assert [one["ts"] for one in steps] == [10.0, 1060.0, 2110.0]
    kernels = [one["args"]["correlation"] for one in longer if one.get("cat") == "kernel"]
    assert [number for number in kernels if number] == [7, 15, 23]
    assert [one["id"] for one in longer if one["ph"] == "s"] == [7, 15, 23]


def test_limits_are_measured_on_a_file_of_ones_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    packed, trace = tmp_path / "small.json.gz", tmp_path / "small.json"
    packed.write_bytes(gzip.compress(json.dumps({"traceEvents": EVENTS}).encode()))
    write_longer(packed, trace, 2)
    assert peers.main([str(trace), "--only", "duckdb", "--repeats", "1"]) == 0
    page = capsys.readouterr().out
    assert "10 events" in page
    assert re.search(r"^\| DuckDB's JSON reader \(a limit\) \| \d\.\d\d \| \d+", page, re.MULTILINE)
    assert "three sums over six fields of 10 events" in page


@pytest.mark.parametrize("name", ["orjson", "simdjson"])
def test_installed_limit_reads_a_trace(name: str, tmp_path: Path) -> None:
    place = peers.ENVIRONMENTS / name
    if not (place / "installed.txt").is_file():
        pytest.skip(f"`make bench ARGS='peers --only {name}'` installs {name}; no test does")
    (peer,) = [one for one in PEERS if one.name == name]
    trace = tmp_path / "small.json"
    trace.write_text(json.dumps({"traceEvents": EVENTS}))
    command = make_command(peer, place / "bin" / "python", trace, tmp_path)
    cost = measure_process(command, tmp_path, make_variables(peer, tmp_path), 60)
    assert isinstance(cost, ProcessCost)
    assert cost.said.startswith("6 events")


@pytest.mark.slow
def test_without_an_index_the_reason_stands_in_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "none"))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    failure = prepare_peer(ORJSON, tmp_path, {})
    assert isinstance(failure, ProcessFailure)
    assert failure.reason.startswith("cannot be installed: ")
    assert str(tmp_path) not in failure.reason
    recording = peers.Recording(tmp_path, KINETO, "none", "nothing")
    rows = peers.list_rows(recording, {ORJSON.name: failure})
    peers.measure_rows(rows, recording, {ORJSON.name: failure}, 1.0)
    (found,) = rows
    assert found["failed"] == failure.reason
    assert found["runs"] == []


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["trace.json", "--write"], "on the project's own recordings alone"),
        (["--only", "orjson", "--write"], "figures of all peers"),
        (["--only", "orjson,jq"], "no tool is called jq"),
        (["--from", "lens=x"], "no tool is called lens"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        peers.read_arguments(arguments)
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("name", APART)
def test_what_runs_apart_is_a_command(name: str) -> None:
    """A module without its last lines would end at once, and print nothing."""
    path = Path(__file__).with_name(f"{name.replace('-', '_')}.py")
    assert 'if __name__ == "__main__":' in path.read_text(encoding="utf-8")
