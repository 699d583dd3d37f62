"""Which files are the reports of one run, and what to do with files that cannot be read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from perfolio.common.errors import InputError
from perfolio.readers.nsys.checked_tables import Tables, are_of_nsys
from perfolio.readers.nsys.parquet_report import ParquetTables, files_in, listed
from perfolio.readers.nsys.report_metadata import MOST_RANK, Told, told_by
from perfolio.readers.nsys.sqlite_report import begins_like_sqlite, open_sqlite
from perfolio.readers.nsys.string_ids import Names

SUFFIX = ".sqlite"
BINARY = (".nsys-rep", ".qdrep", ".qdstrm")
_FOLDERS = ("_pqtdir", ".parquetdir", ".pqtdir")
_RANK = re.compile(r"rank[-_. ]?(\d{1,8})(?!\d)", re.IGNORECASE)
_LAST = re.compile(r"[-_.](\d{1,8})$")


def open_tables(path: Path) -> Tables:
    """The tables of one report. Raises InputError and FormatError."""
    found: Tables = ParquetTables(path) if path.is_dir() else open_sqlite(path)
    if not are_of_nsys(found.columns):
        raise InputError(
            f"{path}: holds no table of Nsight Systems",
            hint="give the report.sqlite that nsys export --type sqlite wrote",
        )
    return found


def is_report(path: Path) -> bool:
    """Whether a path is one report. What is named like one is: the reader says what is wrong."""
    if path.is_dir():
        return are_of_nsys({file.stem: frozenset() for file in files_in(path)})
    if not path.is_file():
        return False
    if path.name.lower().endswith(SUFFIX):
        return True
    if not begins_like_sqlite(path):
        return False
    try:
        return are_of_nsys(open_sqlite(path).columns)
    except InputError:
        return False


def reports_in(folder: Path) -> list[Path]:
    """Reports in a folder, each once where it was exported in two forms."""
    found = {
        title_of(path): path
        for path in sorted(listed(folder), key=lambda each: (each.is_file(), each.name))
        if is_report(path)
    }
    return sorted(found.values())


def is_one_run(path: Path) -> bool:
    """Whether a path is one report, or a folder with those of the ranks of one run.

    So is a folder with one report in two forms, which are not two runs.
    """
    if is_report(path):
        return True
    if not path.is_dir():
        return False
    found = reports_in(path)
    if len(found) < 2:
        return sum(map(is_report, listed(path))) > 1
    try:
        return are_ranks([_told(each) for each in found])
    except InputError:
        # One of them cannot be read: if they are ranks by their names, the reader says why.
        ranks = [rank_in(each, among_others=True) for each in found]
        return None not in ranks and len(set(ranks)) == len(ranks)


def _told(path: Path) -> Told:
    """What a report says of itself, with the rank that its name says."""
    tables = open_tables(path)
    return told_by(tables, Names(tables), rank_in(path, among_others=True))


def rank_in(path: Path, *, among_others: bool) -> int | None:
    """The rank by a report's name; beside others its last number, too."""
    stem = title_of(path)
    found = _RANK.search(stem) or (_LAST.search(stem) if among_others else None)
    return int(found[1]) if found and int(found[1]) < MOST_RANK else None


def are_ranks(found: Sequence[Told]) -> bool:
    """Whether reports are of different ranks, and of sessions at the same time."""
    ranks: list[set[int | None]] = [set(each.ranks.values()) or {each.rank} for each in found]
    every = [rank for own in ranks for rank in own]
    if None in every or len(set(every)) < len(every):
        return False
    sessions = [(each.begin, each.begin + each.duration) for each in found if each.duration]
    known = [(begin, end) for begin, end in sessions if begin]
    return not known or max(begin for begin, _ in known) < min(end for _, end in known)


def other_form(path: Path) -> InputError | None:
    """What a path is that belongs to Nsight Systems and cannot be read; None for anything else."""
    if path.is_file():
        return _binary(path) if path.name.lower().endswith(BINARY) else None
    if not path.is_dir():
        return None
    binary = sorted(p for p in listed(path) if p.name.lower().endswith(BINARY))
    return _binary(binary[0]) if binary else None


def _binary(path: Path) -> InputError:
    stem = path.name.rsplit(".", 1)[0]
    return InputError(
        f"{path}: is a report of Nsight Systems in its own binary form",
        hint=f"nsys export --type sqlite -o {stem}.sqlite {path.name}",
    )


def title_of(path: Path) -> str:
    """What a report is called by default: its name, whatever form it has."""
    for end in (*_FOLDERS, SUFFIX, ".nsys-rep"):
        if path.name.lower().endswith(end):
            return path.name[: -len(end)].removesuffix(".nsys-rep")
    return path.stem if path.is_file() else path.name
