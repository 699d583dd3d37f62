"""Other tools that read the same recordings, and an environment for each that is not installed.

In:  `PEERS`, and their pinned versions in `peers.txt`.
Out: an interpreter for each, made with pip below .cache/peers, or why there is none.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.bench.process_costs import ProcessFailure, name_failure

REQUIREMENTS = Path(__file__).with_name("peers.txt")
PROGRAMS = Path(__file__).with_name("peer_programs.py")
KINETO, HPCTOOLKIT = "kineto", "hpctoolkit"
OURS, PEER, LIMIT = "ours", "peer", "limit"
_INSTALL_SECONDS = 900


@dataclass(frozen=True)
class Peer:
    """A tool and what it reads."""

    name: str
    """As a command of Perfolio, or in `peer_programs`."""
    title: str
    kind: str
    formats: tuple[str, ...]
    package: str
    """What has its version: a distribution's name."""
    is_installed: bool = False
    """Whether the project's own environment has it."""


PEERS = (
    Peer("build", "perfolio build", OURS, (KINETO, HPCTOOLKIT), "perfolio", is_installed=True),
    Peer("ingest", "perfolio ingest", OURS, (KINETO, HPCTOOLKIT), "perfolio", is_installed=True),
    Peer("hta", "Holistic Trace Analysis", PEER, (KINETO,), "HolisticTraceAnalysis"),
    Peer("tracelens", "TraceLens", PEER, (KINETO,), "TraceLens"),
    Peer("perfetto", "Perfetto's trace processor", PEER, (KINETO,), "perfetto"),
    Peer("hatchet", "Hatchet's reader", PEER, (HPCTOOLKIT,), "llnl-hatchet", is_installed=True),
    Peer("duckdb", "DuckDB's JSON reader", LIMIT, (KINETO,), "duckdb", is_installed=True),
    Peer("orjson", "orjson", LIMIT, (KINETO,), "orjson"),
    Peer("simdjson", "pysimdjson", LIMIT, (KINETO,), "pysimdjson"),
)


@dataclass(frozen=True)
class PeerEnvironment:
    """An interpreter that can run a peer, and the peer's version."""

    python: Path
    version: str


def read_requirements(path: Path = REQUIREMENTS) -> dict[str, str]:
    """What pip is given for each package, by the package's name."""
    lines = (line.partition("#")[0].strip() for line in path.read_text("utf-8").splitlines())
    return {line.partition("==")[0].partition(" @ ")[0]: line for line in lines if line}


def prepare_peer(
    peer: Peer, folder: Path, sources: Mapping[str, str]
) -> PeerEnvironment | ProcessFailure:
    """The environment of a peer below `folder`, from a source of its own or the pinned version."""
    if peer.is_installed:
        return _find_version(peer, Path(sys.executable))
    requirement = sources.get(peer.name, read_requirements()[peer.package])
    place = folder / peer.name
    python, stamp = place / "bin" / "python", place / "installed.txt"
    if not (stamp.is_file() and stamp.read_text("utf-8") == requirement):
        failure = _install(requirement, place, python)
        if failure is not None:
            return failure
        stamp.write_text(requirement, "utf-8")
    found = _find_version(peer, python)
    if peer.name in sources and isinstance(found, PeerEnvironment):
        return PeerEnvironment(found.python, f"{found.version}, from a checkout")
    return found


def make_variables(peer: Peer, folder: Path) -> dict[str, str]:
    """What a peer's process finds in its environment: byte code is kept, ours has no cache yet."""
    dropped = {"PYTHONDONTWRITEBYTECODE"} | (set() if peer.is_installed else {"PYTHONPATH"})
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    return kept | ({"XDG_CACHE_HOME": str(folder / "cache")} if peer.kind == OURS else {})


def make_command(peer: Peer, python: Path, path: Path, folder: Path) -> list[str]:
    """What is measured: one command that reads `path` and writes into `folder`."""
    if peer.name == "build":
        return [*_PERFOLIO, "build", str(path), "--output", str(folder / "site")]
    if peer.name == "ingest":
        return [*_PERFOLIO, "ingest", str(path), "--store", str(folder / "run.duckdb")]
    return [str(python), "-W", "ignore", str(PROGRAMS), peer.name, str(path), str(folder)]


_PERFOLIO = (sys.executable, "-m", "perfolio")


def _install(requirement: str, place: Path, python: Path) -> ProcessFailure | None:
    """Make an environment and install one requirement in it; what went wrong, if anything did."""
    shutil.rmtree(place, ignore_errors=True)
    steps = (
        [sys.executable, "-m", "venv", str(place)],
        [
            *(str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"),
            *("--no-input", requirement),
        ],
    )
    for step in steps:
        try:
            done = subprocess.run(
                step, capture_output=True, text=True, errors="replace",
                timeout=_INSTALL_SECONDS, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return ProcessFailure(f"not installed after {_INSTALL_SECONDS} s")
        if done.returncode != 0:
            return ProcessFailure(f"cannot be installed: {name_failure(done.stderr)}")
    return None


def _find_version(peer: Peer, python: Path) -> PeerEnvironment | ProcessFailure:
    ask = f"from importlib.metadata import version; print(version({peer.package!r}))"
    done = subprocess.run([str(python), "-c", ask], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return ProcessFailure("is not installed in the project's environment")
    return PeerEnvironment(python, done.stdout.strip())
