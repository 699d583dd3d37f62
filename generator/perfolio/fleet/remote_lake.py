"""A lake at an address, such as s3://bucket/lake, as a lake on this machine: only to be read.

In:  a folder, or an address. Out: the lake of that folder, or a copy in a temporary folder.

A copy has the files of the lake's own layout and no others: its mark, manifests, the journal of a
compaction with what that keeps aside, and the tables that are needed. It is taken again where a
compaction ends meanwhile. Documents, which are most of a lake, are copied of single months.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from perfolio.common.atomic_output import make_temporary_folder
from perfolio.common.errors import BusyError, InputError, OutputError, PerfolioError
from perfolio.common.progress import Progress, show_progress
from perfolio.common.remote_folders import RemoteAddress, RemoteEntry, RemoteFolder
from perfolio.fleet.lake import COMPACTED, JOURNAL, MARK, STAGED, Lake
from perfolio.fleet.lake_tables import DOCUMENTS, load_table_schemas

Place = Path | RemoteAddress
MOST_FILES = 100_000
MOST_BYTES = 4_000_000_000
MOST_DOCUMENT_BYTES = 100_000_000
"""Of a manifest or journal, which are read whole."""
_TRIES = 5
_MONTH = re.compile(r"month=[A-Za-z0-9_-]{1,40}")
_PARQUET = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,180}\.parquet")
_MANIFEST = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,180}\.json")
_ASKED = re.compile(rf"{DOCUMENTS}|query", re.IGNORECASE)
"""What stands in each query that may read the table of documents: query_table('…') is one."""


class LakeCopy(Lake):
    """A lake that was copied from an address."""

    def __init__(self, root: Path, source: RemoteFolder) -> None:
        super().__init__(root)
        self._source = source

    def fetch_documents(self, runs: Collection[str], progress: Progress) -> None:
        """Copy the documents of the months of these runs, unless they are here.

        Raises BusyError where a compaction begins or ends meanwhile.
        """
        chosen = [one for one in self.list_manifests() if not set(runs).isdisjoint(one.runs)]
        named = {f"month={one.month}" for one in chosen}
        months = {name for name in named if _MONTH.fullmatch(name)}
        stems = {one.input for one in chosen}
        self._check_journal()
        listed = _list_documents(self._source, months, has_journal=(self.root / JOURNAL).is_file())
        needed = {
            name: entry
            for name, entry in listed.items()
            if not (self.root / name).exists()
            and (Path(name).stem in stems or Path(name).name.startswith(COMPACTED))
        }
        _copy_files(self._source, self.root, needed, progress)
        self._check_journal()

    def _check_journal(self) -> None:
        self._source.refresh()
        path = self.root / JOURNAL
        journal = path.read_bytes() if path.is_file() else None
        if journal != _read_journal(self._source, self._source.list_entries("")):
            raise _make_busy_error(self._source)


@contextmanager
def open_lake_place(place: Place, tables: Collection[str] | None = None) -> Iterator[Lake]:
    """The lake of a folder, or of an address a copy with these tables (None: all).

    Raises UsageError of an address that cannot be one, InputError where it cannot be read or there
    is no lake, and BusyError where it changes all the time. Whatever is wrong with a copy is said
    of its address.
    """
    if isinstance(place, Path):
        yield Lake(place)
        return
    with make_temporary_folder() as work:
        root = work / "lake"
        with _name_address(place, root):
            with show_progress(lines=True) as progress:
                chosen = load_table_schemas() if tables is None else tables
                lake = copy_lake(place, root, chosen, progress)
            yield lake


def list_queried_tables(sql: str) -> list[str]:
    """Tables that a query may read: not that of documents, where it does not name it."""
    return [name for name in load_table_schemas() if name != DOCUMENTS or _ASKED.search(sql)]


@contextmanager
def _name_address(address: RemoteAddress, root: Path) -> Iterator[None]:
    try:
        yield
    except PerfolioError as problem:
        problem.message = problem.message.replace(str(root), str(address))
        raise


def copy_lake(
    address: RemoteAddress, root: Path, tables: Collection[str], progress: Progress
) -> LakeCopy:
    """Copy what counts of a lake, with these tables. Raises as `open_lake_place` says."""
    progress.start(f"listing {address}", None)
    source = RemoteFolder(address)
    for left in reversed(range(_TRIES)):
        shutil.rmtree(root, ignore_errors=True)
        try:
            _copy_once(source, root, tables, progress)
            break
        except BusyError:
            if not left:
                raise
    return LakeCopy(root, source)


def _copy_once(
    source: RemoteFolder, root: Path, tables: Collection[str], progress: Progress
) -> None:
    """As `Lake.list_files` does: manifests, then tables, then whether a compaction ended."""
    source.refresh()
    top = source.list_entries("")
    if MARK not in top:
        raise InputError(
            f"{source.address}: is no lake",
            hint="make one in a folder and copy it there: perfolio fleet ingest RUN... --lake DIR",
        )
    journal = _read_journal(source, top)
    manifests = _list_manifests(source)
    listed = {MARK: top[MARK], **manifests}
    for before in _list_places(has_journal=journal is not None):
        listed |= _list_tables(source, before, tables, MOST_FILES - len(listed))
    _copy_files(source, root, listed, progress)
    if journal is not None:
        (root / JOURNAL).write_bytes(journal)
    source.refresh()
    if manifests.keys() - _list_manifests(source) or journal != _read_journal(
        source, source.list_entries("")
    ):
        raise _make_busy_error(source)


def _make_busy_error(source: RemoteFolder) -> BusyError:
    return BusyError(
        f"{source.address}: is compacted while it is copied", hint="try again when that is done"
    )


def _list_places(*, has_journal: bool) -> Sequence[str]:
    """Where tables are, in the order in which a compaction moves their files."""
    return (f"{STAGED}/", "") if has_journal else ("",)


def _read_journal(source: RemoteFolder, top: Mapping[str, RemoteEntry]) -> bytes | None:
    if JOURNAL not in top:
        return None
    sizes = _measure_files(source, {JOURNAL: top[JOURNAL]})
    return source.read_file(JOURNAL, sizes[JOURNAL])


def _list_manifests(source: RemoteFolder) -> dict[str, RemoteEntry]:
    return _choose_files("inputs/", source.list_entries("inputs"), _MANIFEST)


def _list_tables(
    source: RemoteFolder, before: str, tables: Collection[str], most: int
) -> dict[str, RemoteEntry]:
    """Files of tables below a folder."""
    places = [f"{before}table={name}" for name in tables]
    months: list[str] = []
    for place, entries in zip(places, source.map_each(source.list_entries, places), strict=True):
        months += [f"{place}/{name}" for name in _choose_months(entries)]
        _check_count(source, len(months), most)
    return _list_months(source, months, most)


def _list_documents(
    source: RemoteFolder, months: Collection[str], *, has_journal: bool
) -> dict[str, RemoteEntry]:
    """Files of documents in these months."""
    places = _list_places(has_journal=has_journal)
    folders = [f"{one}table={DOCUMENTS}/{month}" for one in places for month in sorted(months)]
    return _list_months(source, folders, MOST_FILES)


def _list_months(source: RemoteFolder, months: Sequence[str], most: int) -> dict[str, RemoteEntry]:
    found: dict[str, RemoteEntry] = {}
    for month, entries in zip(months, source.map_each(source.list_entries, months), strict=True):
        found |= _choose_files(f"{month}/", entries, _PARQUET)
        _check_count(source, len(found), most)
    return found


def _choose_months(entries: Mapping[str, RemoteEntry]) -> list[str]:
    return [name for name, one in entries.items() if one.is_folder and _MONTH.fullmatch(name)]


def _choose_files(
    before: str, entries: Mapping[str, RemoteEntry], fitting: re.Pattern[str]
) -> dict[str, RemoteEntry]:
    """Files whose names are those of a lake, by their place in it."""
    return {
        f"{before}{name}": one
        for name, one in entries.items()
        if not one.is_folder and fitting.fullmatch(name)
    }


def _check_count(source: RemoteFolder, count: int, most: int) -> None:
    if count > most:
        raise InputError(
            f"{source.address}: has more files than the {MOST_FILES:,} that are copied at most",
            hint="compact the lake in its folder, then copy it there: perfolio fleet compact",
        )


def _measure_files(source: RemoteFolder, listed: Mapping[str, RemoteEntry]) -> dict[str, int]:
    """The size of each [bytes], asked for where a listing has none."""
    unknown = [name for name, one in listed.items() if one.size is None]
    asked = dict(zip(unknown, source.map_each(source.measure_file, unknown), strict=True))
    sizes = {name: asked[name] if one.size is None else one.size for name, one in listed.items()}
    for name, size in sizes.items():
        if not name.endswith(".parquet") and size > MOST_DOCUMENT_BYTES:
            raise InputError(
                f"{source.address}: {name} has {size:,} bytes, and at most "
                f"{MOST_DOCUMENT_BYTES:,} are copied"
            )
    return sizes


def _check_space(source: RemoteFolder, root: Path, sizes: Mapping[str, int]) -> None:
    total, free = sum(sizes.values()), shutil.disk_usage(root.parent).free
    if total > MOST_BYTES:
        raise InputError(
            f"{source.address}: has {_format_size(total)}, and at most {_format_size(MOST_BYTES)} "
            "are copied",
            hint="copy it to a folder, and give that with --lake",
        )
    if total > free:
        raise OutputError(
            f"{root.parent}: has {_format_size(free)} left, and the copy of {source.address} takes "
            f"{_format_size(total)}",
            hint="set TMPDIR to a folder with free space",
        )


def _copy_files(
    source: RemoteFolder, root: Path, listed: Mapping[str, RemoteEntry], progress: Progress
) -> None:
    sizes = _measure_files(source, listed)
    _check_space(source, root, sizes)
    total = sum(sizes.values())
    count = f"{len(sizes):,} file{'' if len(sizes) == 1 else 's'}"
    progress.start(f"copying {source.address}: {count}, {_format_size(total)}", float(total))

    def copy_file(name: str) -> None:
        try:
            source.copy_file(name, sizes[name], root / name)
        except OSError as problem:
            raise OutputError(
                f"{root.parent}: cannot be written: {problem.strerror or problem}",
                hint="set TMPDIR to a folder with free space",
            ) from problem

    for name, _ in zip(sizes, source.map_each(copy_file, list(sizes)), strict=True):
        progress.advance(float(sizes[name]))


def _format_size(size: float) -> str:
    return f"{size / 1e6:,.1f} MB"
