"""Many profiles to a lake, by workers on any machines.

In:  paths of profiles, a lake, and an engine. Out: what came in, what was there, what was refused.

An input is known by what is in its files, not by their names: equal ones come in once. Each is
read, measured and judged by a worker, which writes it into the lake as well; this process counts.
"""

from __future__ import annotations

import io
import time
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, suppress
from dataclasses import dataclass, field, replace
from hashlib import file_digest, sha256
from pathlib import Path

from perfolio.common.atomic_output import make_temporary_folder
from perfolio.common.errors import BusyError, InputError, PerfolioError, one_line
from perfolio.common.progress import Progress
from perfolio.comparison.record_extraction import extract_record
from perfolio.fleet.lake import UNKNOWN_MONTH, Lake, RefusedInput
from perfolio.fleet.lake_compaction import compact_lake, finish_compaction
from perfolio.fleet.run_summary import FleetRun, summarise_run
from perfolio.pipeline.build_context import Context
from perfolio.pipeline.run_documents import ingest_sources, open_measured_run, open_profile
from perfolio.pipeline.run_redaction import ShareRequest
from perfolio.pipeline.worker_engine import PieceParts, WorkerEngine
from perfolio.readers import registry
from perfolio.readers.kineto.rank_reading import RankOutcome, try_rank
from perfolio.readers.run_description import CLAIMS, NAME, locate_file
from perfolio.store.connections import report_damage
from perfolio.store.database import open_store
from perfolio.store.run_lookup import list_run_numbers, read_hosts

MOST_REASON = 300
MANY_RANKS = 16
"""Files of one run from which on workers share them: to move what they hold is no work of one."""
_COMPACT_FROM = 1_000
"""Files of one table from which on an ingest ends with a compaction."""
_IDENTITY = 24
"""Characters of the hash that names an input."""
_UNTOLD = {"name": "hidden", "reason": "was refused; its name and why are not for others to read"}
"""What a lake for others says of an input that was refused: reasons hold paths and words of it."""


@dataclass(frozen=True)
class FleetInput:
    """A profile that is to come in."""

    path: Path
    identity: str = ""


@dataclass(frozen=True)
class IngestTask:
    """What a worker does."""

    lake: Path
    profile: Path
    identity: str
    share: ShareRequest | None = None


@dataclass
class FleetReport:
    """What became of the inputs."""

    added: list[str] = field(default_factory=list)
    """Names of inputs that came in."""
    known: int = 0
    """Inputs that were in the lake already."""
    twins: int = 0
    """Inputs whose content is that of another one."""
    refused: list[RefusedInput] = field(default_factory=list)
    seconds: float = 0.0


def ingest_fleet(
    paths: Sequence[Path],
    lake: Lake,
    engine: WorkerEngine,
    progress: Progress,
    share: ShareRequest | None = None,
) -> FleetReport:
    """Read all profiles at or below `paths` into the lake, and compact it where it has many files.

    What cannot be read is in the report, and stops nothing. Raises OutputError where the lake
    cannot be written, and WorkerError where the scheduler is gone.
    """
    begin = time.monotonic()
    finish_compaction(lake)
    lake.sweep()
    report = FleetReport()
    found = list(_find_inputs(paths, report))
    chosen = _choose_inputs(found, lake, engine, progress, report)
    _ingest_inputs(chosen, lake, engine, progress, report, share)
    if len(list(lake.root.glob("table=run/*/*.parquet"))) >= _COMPACT_FROM:
        with suppress(BusyError):  # another ingest does so
            compact_lake(lake, progress)
    report.seconds = time.monotonic() - begin
    return report


def _find_inputs(paths: Sequence[Path], report: FleetReport) -> Iterator[Path]:
    """Profiles at or below these paths, each once; what is none is refused."""
    seen: set[Path] = set()
    for given in paths:
        try:
            found = registry.find(given)
        except InputError as problem:
            report.refused.append(_refuse(given, "", problem))
            continue
        for path in found:
            if path.resolve() not in seen:
                seen.add(path.resolve())
                yield path


def _refuse(path: Path, identity: str, problem: PerfolioError | str) -> RefusedInput:
    return RefusedInput(identity, _name_input(path), one_line(_to_text(problem), MOST_REASON))


def _name_input(path: Path) -> str:
    return _to_text(path.name)


def _to_text(words: object) -> str:
    """As a file can have it: names on a disk may be bytes of no text."""
    return str(words).encode(errors="replace").decode()


def _choose_inputs(
    found: Sequence[Path],
    lake: Lake,
    engine: WorkerEngine,
    progress: Progress,
    report: FleetReport,
) -> list[FleetInput]:
    """Those that are not in the lake, each content once: under the name that comes first."""
    progress.start(f"looking at {len(found):,} inputs", float(len(found)))
    identities: dict[int, str] = {}
    for done in engine.map_unordered(identify_input, found):
        progress.advance(1.0)
        if isinstance(done.result, str):
            identities[done.piece] = done.result
        else:
            reason = done.lost or done.result.reason
            report.refused.append(RefusedInput("", _name_input(found[done.piece]), reason))
    known = {one.input for one in lake.list_manifests()}
    chosen: dict[str, FleetInput] = {}
    for place in sorted(identities):
        identity = identities[place]
        if identity in known:
            report.known += 1
        elif identity in chosen:
            report.twins += 1
        else:
            chosen[identity] = FleetInput(found[place], identity)
    return list(chosen.values())


def identify_input(path: Path) -> str | RefusedInput:
    """The hash of all that is in a profile: its files, and what a person wrote beside it.

    The name of the profile itself is not in it: equal recordings have one identity.
    """
    whole = sha256()
    try:
        files = sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path]
        for file in files:
            with file.open("rb") as opened:
                digest = file_digest(opened, "sha256").hexdigest()
            name = file.relative_to(path).as_posix() if file != path else ""
            whole.update(f"{len(name)} {name} {digest}\n".encode(errors="surrogateescape"))
        for kind in (NAME, CLAIMS):
            beside = locate_file(path, kind)
            if beside is not None:
                whole.update(f"{kind} {sha256(beside.read_bytes()).hexdigest()}\n".encode())
    except OSError as problem:
        return _refuse(path, "", f"{path}: cannot be read: {problem.strerror or problem}")
    return whole.hexdigest()[:_IDENTITY]


def _ingest_inputs(
    chosen: Sequence[FleetInput],
    lake: Lake,
    engine: WorkerEngine,
    progress: Progress,
    report: FleetReport,
    share: ShareRequest | None,
) -> None:
    progress.start(_describe_state(0, 0, len(chosen), 0.0), float(len(chosen)))
    begin, failed = time.monotonic(), 0
    tasks = [
        IngestTask(lake.root.resolve(), one.path.resolve(), one.identity, share) for one in chosen
    ]
    parts = PieceParts(try_rank, _list_parts(tasks))
    for done in engine.map_unordered(ingest_input, tasks, parts):
        one = chosen[done.piece]
        refused = done.result or (_refuse(one.path, one.identity, done.lost) if done.lost else None)
        if refused is None:
            report.added.append(_name_input(one.path))
        else:
            failed += 1
            report.refused.append(refused)
            lake.refuse_input(refused if share is None else replace(refused, **_UNTOLD))
        progress.advance(1.0)
        ready = len(report.added) + failed
        progress.rename(_describe_state(ready, failed, len(chosen), time.monotonic() - begin))


def _list_parts(tasks: Sequence[IngestTask]) -> list[list[Path]]:
    """The ranks of inputs that have many, which are read on all machines; nothing of others."""
    found = []
    for task in tasks:
        try:
            ranks = registry.list_ranks(task.profile)
        except (InputError, OSError):
            ranks = []  # the worker that reads it says why
        found.append(ranks if len(ranks) >= MANY_RANKS else [])
    return found


def _describe_state(done: int, failed: int, all_of_them: int, seconds: float) -> str:
    """`12 of 300 runs, 1 refused, 31 a minute, 9 min left`."""
    words = [f"{done:,} of {all_of_them:,} inputs"]
    words += [f"{failed:,} refused"] if failed else []
    if done and seconds > 0.0:
        left = (all_of_them - done) * seconds / done
        words += [f"{60.0 * done / seconds:.0f} a minute"]
        words += [f"{left / 60.0:.0f} min left" if left >= 90.0 else f"{left:.0f} s left"]
    return ", ".join(words)


def ingest_input(task: IngestTask, ranks: Sequence[RankOutcome] = ()) -> RefusedInput | None:
    """Read, measure and judge an input, and put it into the lake; why not, where it is refused.

    `ranks` is what other workers read of it. Raises OutputError where the lake cannot be written:
    that is no fault of the input.
    """
    lake = Lake(task.lake)
    if lake.has_input(task.identity):
        return None
    try:
        with redirect_stderr(io.StringIO()):
            runs = list(read_fleet_runs(task.profile, Context(share=task.share), ranks))
    except PerfolioError as problem:
        return _refuse(task.profile, task.identity, problem)
    names = [
        task.identity if number == 0 else f"{task.identity}-{number + 1}"
        for number in range(len(runs))
    ]
    rows = {name: summarise_run(name, one) for name, one in zip(names, runs, strict=True)}
    name = runs[0].record.slug if task.share else _name_input(task.profile)
    lake.add_runs(task.identity, name, _find_month(runs), rows)
    return None


def read_fleet_runs(
    profile: Path, context: Context, ranks: Sequence[RankOutcome] = ()
) -> Iterator[FleetRun]:
    """The runs of a profile: their records, documents and machines."""
    with make_temporary_folder() as folder:
        store = folder / "store.duckdb"
        ingest_sources([open_profile(profile, context, ranks)], store, context)
        with report_damage(store), open_store(store, reproducible=True) as connection:
            for run in list_run_numbers(connection):
                with open_measured_run(connection, store, run, context) as (place, documents):
                    record = extract_record(place, run, documents.findings)
                    hosts = {} if context.share else read_hosts(place, run)
                yield FleetRun(record, documents.findings, hosts)


def _find_month(runs: Sequence[FleetRun]) -> str:
    """Of the first run with a date: an input is in one month."""
    dates = (one.record.recorded for one in runs)
    return next((date[:7] for date in dates if date), UNKNOWN_MONTH)


def list_given_paths(arguments: Sequence[str]) -> list[Path]:
    """Paths of arguments; `@FILE` names a file with one path in each line, relative to itself.

    Raises InputError where such a file cannot be read.
    """
    found: list[Path] = []
    for argument in arguments:
        if not argument.startswith("@"):
            found.append(Path(argument))
            continue
        path = Path(argument[1:])
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as problem:
            raise InputError(f"{path}: cannot be read as a list of paths: {problem}") from problem
        found += [path.parent / line.strip() for line in lines if line.strip() and line[0] != "#"]
    return found
