"""A folder in which profiles appear, to a lake that follows it.

In:  a folder, a lake, an engine. Out: a report of each look that found something new.

A profile is read once nothing in it has changed for a while: recorders write for minutes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from perfolio.common.errors import InputError
from perfolio.common.progress import Progress
from perfolio.common.signals import check_requests
from perfolio.fleet.lake import Lake
from perfolio.pipeline.fleet_ingest import FleetReport, ingest_fleet
from perfolio.pipeline.run_redaction import ShareRequest
from perfolio.pipeline.worker_engine import WorkerEngine
from perfolio.readers import registry

Fingerprint = tuple[int, int, float]
"""Files, bytes, and when one of them was changed last [s]."""
Wait = Callable[[float], None]


def watch_fleet(
    folder: Path,
    lake: Lake,
    engine: WorkerEngine,
    progress: Progress,
    settled: float,
    share: ShareRequest | None = None,
) -> Iterator[FleetReport | None]:
    """Look at the folder each time that the next report is asked for; None where nothing is new.

    `settled` is for how long a profile must not have changed [s].
    """
    seen: dict[Path, Fingerprint] = {}
    while True:
        check_requests()
        new = {
            path: found
            for path, found in _fingerprint_profiles(folder).items()
            if seen.get(path) != found and found[2] <= time.time() - settled
        }
        yield ingest_fleet(list(new), lake, engine, progress, share) if new else None
        seen |= new


def _fingerprint_profiles(folder: Path) -> dict[Path, Fingerprint]:
    """What is there; nothing as long as there is no profile."""
    try:
        found = registry.find(folder)
    except InputError:
        return {}
    return {path: _fingerprint(path) for path in found}


def _fingerprint(path: Path) -> Fingerprint:
    count, size, last = 0, 0, 0.0
    for file in (path, *(path.rglob("*") if path.is_dir() else ())):
        with suppress(OSError):  # gone meanwhile
            status = file.stat()
            count, size, last = count + 1, size + status.st_size, max(last, status.st_mtime)
    return count, size, last
