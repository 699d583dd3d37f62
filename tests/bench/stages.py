"""Time and processor time of each stage from a database to its site, with a cold and a warm cache.

    python -m tests.bench.stages [DATABASE ...] [--repeats 3]

Without databases: a small one, a GPU-traced and a CPU sample of the project, and real ones where
they lie beside the checkout. Each build is a process of its own, as `perfolio build` is. Cold is
the first build of a user, with no cache folder; warm is the same build once more.

- start    until the pipeline is imported
- other    what is in no stage: files written beside, and the end of the process
- beside   processor time of the process that renders
- peak     the largest resident set of the process that builds
- site     size of the site
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from perfolio.pipeline.build_context import Context, StageTimings

ROOT = Path(__file__).resolve().parents[2]
STAGES = ("start", "read", "store", "metrics", "findings", "charts", "pages", "site", "other")
KINDS = ("cpu", "wall")
SCENARIO = "dlrm-h100-gpu-data"
REAL = ("public/small.d", "public/loops-cuda-nvidiapc-t.d", "public/dlrm-h100-traces.d",
        "recorded/dlrm-cpu.d", "recorded/mpi4.d")  # fmt: skip

Measured = Mapping[str, Any]


@dataclass
class BothTimings(StageTimings):
    """Timings that know the processor's time, too."""

    cpu: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time that the block takes to stage `name`."""
        start = time.process_time()
        with super().stage(name):
            yield
        self.cpu[name] = self.cpu.get(name, 0.0) + time.process_time() - start


def peak_memory() -> float:
    """The largest resident set of this process so far, in bytes."""
    status = Path("/proc/self/status")
    if status.is_file():
        lines = dict(line.split(":", 1) for line in status.read_text("utf-8").splitlines())
        return float(lines["VmHWM"].split()[0]) * 1024
    # On Linux it would begin with that of the process which started this one.
    return float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def samples(folder: Path) -> Iterator[Path]:
    """Databases of the project, made in `folder` where it holds none, and real ones."""
    from perfolio.simulation.simulate import simulate_file
    from tests.kit.databases import write_database
    from tests.kit.shared import SHARED

    yield write_database(folder / "small.d")
    yield simulate_file(
        ROOT / "profiles" / SCENARIO / "scenario.toml", folder / f"{SCENARIO}.d"
    ).folder
    yield ROOT / "profiles" / "dlrm-cpu" / "dlrm-cpu-python.d"
    yield from (path for name in REAL if (path := SHARED / "databases" / name).is_dir())


def build(database: Path, site: Path, begin: float) -> dict[str, Any]:
    """Build the site of a database in this process, which began at `begin`."""
    from perfolio.pipeline import reports

    timings = BothTimings()
    timings.seconds["start"], timings.cpu["start"] = time.time() - begin, time.process_time()
    reports.build([database], site, context=Context(timings=timings))
    spent = os.times()
    return {
        "wall": timings.seconds,
        "cpu": timings.cpu | {"total": spent.user + spent.system},
        "beside": spent.children_user + spent.children_system,
        "peak": peak_memory(),
        "size": sum(path.stat().st_size for path in site.rglob("*") if path.is_file()),
    }


def apart(database: Path, cache: Path) -> Measured:
    """The same in a process of its own, with a cache folder."""
    with tempfile.TemporaryDirectory() as folder:
        begin = time.time()
        done = subprocess.run(
            [
                *(sys.executable, "-m", "tests.bench.stages", str(database.resolve())),
                *("--one", f"{folder}/site", str(begin)),
            ],
            check=True,
            capture_output=True,
            text=True,
            cwd=ROOT,
            env={**os.environ, "XDG_CACHE_HOME": str(cache)},
        )
        found: dict[str, Any] = json.loads(done.stdout)
        found["wall"]["total"] = time.time() - begin
    for kind in KINDS:
        stages = found[kind]
        stages["other"] = 2 * stages["total"] - sum(stages.values())
    return found


def report(database: Path, repeats: int) -> None:
    """Measure a database with cold and warm caches, and print two rows for each."""
    runs: dict[str, list[Measured]] = {"cold": [], "warm": []}
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as cache:
            for found in runs.values():
                found.append(apart(database, Path(cache)))
    for state, found in runs.items():
        for kind in KINDS:
            cells = [
                f"{statistics.median(run[kind].get(stage, 0.0) for run in found):8.2f}"
                for stage in (*STAGES, "total")
            ]
            name = f"{database.name[:22]:23}{state}" if kind == "cpu" else f"{'':27}"
            print(f"{name} {kind:5}{''.join(cells)}{_once(found) if kind == 'cpu' else ''}")


def _once(found: list[Measured]) -> str:
    beside = statistics.median(run["beside"] for run in found)
    peak, size = max(run["peak"] for run in found), max(run["size"] for run in found)
    return f"{beside:8.2f}{peak / 1e6:6.0f} MB{size / 1e6:7.2f} MB"


def report_all(databases: list[Path], repeats: int) -> None:
    """The table of stages of these databases, or else of the samples."""
    names = "".join(f"{name:>8}" for name in (*STAGES, "total", "beside"))
    print(f"Seconds per stage, medians of {repeats} builds\n")
    print(f"{'database':23}{'cache':10}{names}{'peak':>9}{'site':>10}")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for database in databases or samples(folder):
            report(database, repeats)


def main() -> None:
    """Parse arguments and measure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("databases", nargs="*", type=Path)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--one", nargs=2, metavar=("SITE", "BEGIN"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        site, begin = given.one
        print(json.dumps(build(given.databases[0], Path(site), float(begin))))
    else:
        report_all(given.databases, given.repeats)


if __name__ == "__main__":
    main()
