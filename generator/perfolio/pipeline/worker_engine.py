"""Work on many machines: Dask's scheduler and workers, on this machine, of a cluster, or of Slurm.

In:  where to work: local, local:N, tcp://SCHEDULER, slurm, slurm:OPTIONS.toml.
Out: an engine that applies a function to pieces, in any order, and outlives workers that end.

The jobs of Slurm are those of dask-jobqueue: OPTIONS.toml has its settings under their names there,
and `jobs`, how many of them to run.
"""

from __future__ import annotations

import logging
import signal
import sys
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from perfolio.common.atomic_output import make_temporary_folder
from perfolio.common.errors import UsageError, WorkerError
from perfolio.common.extra_packages import make_install_command
from perfolio.common.processes import count_processors
from perfolio.common.toml_files import TomlError, load_toml, read_text

if TYPE_CHECKING:
    from distributed import Client

T = TypeVar("T")
R = TypeVar("R")
_ENDED_AT_MOST = 3
"""Workers that end while they do one piece, until that is given up."""
_WAIT = 300
"""Until the first worker must be there [s]."""
_CONFIG = {
    "distributed.scheduler.allowed-failures": _ENDED_AT_MOST - 1,
    "distributed.worker.daemon": False,
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": False,
    "distributed.admin.tick.limit": "60s",
    "distributed.logging": {"distributed": "critical"},
    "distributed.nanny.pre-spawn-environ.DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "critical",
}
"""A worker's memory is that of the program it runs, which bounds it itself."""
JOBS = 2
"""Jobs of Slurm where the options name no number."""


@dataclass(frozen=True)
class PieceOutcome:
    """A piece that was done, or why it was not."""

    piece: int
    """Its place among the pieces."""
    result: Any
    lost: str = ""
    """Why there is no result, in one line; empty where there is one."""


@dataclass(frozen=True)
class PieceParts:
    """What is done of pieces first, each part by any worker."""

    function: Callable[[Any], Any]
    each: Sequence[Sequence[Any]]
    """The parts of each piece; of most none."""


class WorkerEngine(Protocol):
    """Workers that are there, or will be."""

    def map_unordered(
        self,
        function: Callable[..., R],
        pieces: Sequence[T],
        parts: PieceParts | None = None,
    ) -> Iterator[PieceOutcome]:
        """What the function gives of each piece, as each is done.

        Where a piece has parts, the function also gets what was done of these. A piece or part
        whose worker ended is done again by another one. Raises WorkerError where the workers are
        gone.
        """


class DaskEngine:
    """Workers of a scheduler of Dask."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def map_unordered(
        self,
        function: Callable[..., R],
        pieces: Sequence[T],
        parts: PieceParts | None = None,
    ) -> Iterator[PieceOutcome]:
        """As the protocol says."""
        from distributed import as_completed
        from distributed.client import CancelledError
        from distributed.comm.core import CommClosedError
        from distributed.scheduler import KilledWorker

        # A scheduler does what has one key once, whoever asks: of another lake, or an hour ago.
        call, futures = uuid.uuid4().hex, {}
        for place, piece in enumerate(pieces):
            key = f"{call}-{place}"
            ready = self._submit_parts(parts, place, key) if parts else []
            futures[self._submit(function, key, piece, *([ready] if ready else []))] = place
        try:
            for future in as_completed(list(futures)):
                try:
                    yield PieceOutcome(futures[future], future.result())
                except KilledWorker:
                    lost = f"its worker was ended {_ENDED_AT_MOST} times, maybe for memory"
                    yield PieceOutcome(futures[future], None, lost)
                future.release()
        except (CancelledError, CommClosedError, OSError) as problem:
            raise WorkerError(
                "the scheduler is gone", hint="give the same command again: what is done stays"
            ) from problem

    def _submit_parts(self, parts: PieceParts, place: int, key: str) -> list[Any]:
        each = enumerate(parts.each[place])
        return [self._submit(parts.function, f"{key}-{number}", part) for number, part in each]

    def _submit(self, function: Callable[..., Any], key: str, *given: Any) -> Any:
        """What a worker will give; what is among the arguments comes from the one that did it."""
        return self._client.submit(function, *given, key=f"{function.__name__}-{key}")


@contextmanager
def open_engine(on: str) -> Iterator[WorkerEngine]:
    """Workers where `on` says. Raises UsageError where that is nothing, or without Dask."""
    try:
        import dask
        import distributed
    except ImportError as problem:
        raise UsageError(
            "fleets need Dask, which is not installed", hint=make_install_command("fleet")
        ) from problem
    kind, _, rest = on.partition(":")
    for name in ("distributed", "distributed.client"):  # the second has a level of its own
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with (
        make_temporary_folder() as folder,
        dask.config.set(_CONFIG),
        _open_cluster(kind, rest, on, folder) as cluster,
    ):
        try:
            client = distributed.Client(cluster, timeout=_WAIT)
        except (OSError, ValueError) as problem:
            raise UsageError(f"{on}: no scheduler answers: {problem}") from problem
        with client:
            yield DaskEngine(client)


@contextmanager
def _open_cluster(kind: str, rest: str, on: str, folder: Path) -> Iterator[Any]:
    """A cluster of our own, or the address of one."""
    if kind == "local" and (not rest or rest.isdigit()):
        with _open_local(int(rest) if rest else count_processors(), folder) as cluster:
            yield cluster
    elif kind == "slurm":
        with _open_slurm(rest, folder) as cluster:
            yield cluster
    elif kind in ("tcp", "tls"):
        yield on
    else:
        raise UsageError(
            f"--on {on}: is nowhere to work", hint="local, local:4, tcp://HOST:8786 or slurm"
        )


@contextmanager
def _open_local(workers: int, folder: Path) -> Iterator[Any]:
    from distributed import LocalCluster

    if workers < 1:
        raise UsageError("--on local:0: is no worker")
    with _ignore_interrupts():
        cluster = LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",
            local_directory=str(folder),
            memory_limit=0,
        )
    with cluster:
        yield cluster


@contextmanager
def _ignore_interrupts() -> Iterator[None]:
    """Processes that start meanwhile leave Ctrl-C to this one, which ends them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _open_slurm(options: str, folder: Path) -> Iterator[Any]:
    try:
        from dask_jobqueue import SLURMCluster
    except ImportError as problem:
        hint = make_install_command("fleet")
        raise UsageError("Slurm needs dask-jobqueue", hint=hint) from problem
    settings: dict[str, Any] = {"cores": 1, "processes": 1, "memory": "4GB"}
    settings |= {"local_directory": str(folder), "python": sys.executable}
    settings |= _read_options(Path(options)) if options else {}
    jobs = settings.pop("jobs", JOBS)
    if not isinstance(jobs, int) or jobs < 1:
        raise UsageError(f"{options}: jobs is no number of jobs")
    try:
        cluster = SLURMCluster(**settings)
    except (TypeError, ValueError) as problem:
        hint = "the settings are those of dask_jobqueue.SLURMCluster, and jobs"
        raise UsageError(f"{options}: {problem}", hint=hint) from problem
    with cluster:
        cluster.adapt(minimum_jobs=jobs, maximum_jobs=jobs)  # what ends is started again
        yield cluster


def _read_options(path: Path) -> dict[str, Any]:
    try:
        return dict(load_toml(read_text(path)))
    except TomlError as problem:
        raise UsageError(f"{path}: cannot be read: {problem}") from problem
