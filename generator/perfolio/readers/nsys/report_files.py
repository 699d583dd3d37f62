"""Which files are the reports of one run, and what to do with files that cannot be read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from perfolio.common.errors import InputError
from perfolio.readers.nsys.checked_tables import ReportTables, has_nsys_tables
from perfolio.readers.nsys.parquet_report import ParquetTables, list_folder, list_parquet_files
from perfolio.readers.nsys.report_metadata import MOST_RANK, ReportMetadata, read_metadata
from perfolio.readers.nsys.sqlite_report import open_binary, open_sqlite
from perfolio.readers.nsys.string_ids import StringTable
from perfolio.readers.sqlite_file import begins_like_sqlite
from perfolio.readers.tool_exports import NSYS, describe_command

SUFFIX = ".sqlite"
EXPORTED = (".nsys-rep", ".qdrep")
"""Binary reports that nsys exports."""
BINARY = (*EXPORTED, ".qdstrm")
_FOLDERS = ("_pqtdir", ".parquetdir", ".pqtdir")
_RANK = re.compile(r"rank[-_. ]?(\d{1,8})(?!\d)", re.IGNORECASE)
_LAST = re.compile(r"[-_.](\d{1,8})$")


def open_tables(path: Path) -> ReportTables:
    """The tables of one report. Raises InputError and FormatError."""
    found: ReportTables
    if path.is_dir():
        found = ParquetTables(path)
    else:
        found = open_binary(path) if is_binary(path) else open_sqlite(path)
    if not has_nsys_tables(found.columns):
        raise InputError(
            f"{path}: holds no table of Nsight Systems",
            hint="give the report.sqlite that nsys export --type sqlite wrote",
        )
    return found


def is_report(path: Path) -> bool:
    """Whether a path is one report. What is named like one is: the reader says what is wrong."""
    if path.is_dir():
        return has_nsys_tables({file.stem: frozenset() for file in list_parquet_files(path)})
    if not path.is_file():
        return False
    if is_binary(path):
        return NSYS.find() is not None
    if path.name.lower().endswith(SUFFIX):
        return True
    if not begins_like_sqlite(path):
        return False
    try:
        return has_nsys_tables(open_sqlite(path).columns)
    except InputError:
        return False


def is_binary(path: Path) -> bool:
    """Whether a path is called like a report in the tool's own form, which nsys exports."""
    return path.name.lower().endswith(EXPORTED)


def is_superseded(path: Path) -> bool:
    """Whether a path is a binary report whose export lies beside it."""
    ends = (SUFFIX, *_FOLDERS)
    return is_binary(path) and any(
        path.with_name(f"{make_title(path)}{end}").exists() for end in ends
    )


def describe_export(path: Path) -> str:
    """What is done before a binary report, or a folder of some, is read; nothing of others."""
    reports = _list_single(path) if path.is_dir() else filter(is_report, [path])
    count = sum(map(is_binary, reports))
    return f"nsys exports {'it' if count == 1 else f'{count} reports'}" if count else ""


def _list_single(folder: Path) -> list[Path]:
    """All reports in a folder, in any form; no binary one whose export lies beside it."""
    return [each for each in list_folder(folder) if is_report(each) and not is_superseded(each)]


def list_reports(folder: Path) -> list[Path]:
    """Reports in a folder, each once where it was exported in two forms."""
    every = sorted(_list_single(folder), key=lambda each: (each.is_file(), each.name))
    return sorted({make_title(path): path for path in every}.values())


def is_one_run(path: Path) -> bool:
    """Whether a path is one report, or a folder with those of the ranks of one run.

    So is a folder with one report in two forms, which are not two runs.
    """
    if is_report(path):
        return True
    if not path.is_dir():
        return False
    found = list_reports(path)
    if len(found) < 2:
        return len(_list_single(path)) > 1
    try:
        return is_rank_set([_read_metadata(each) for each in found])
    except InputError:
        # One of them cannot be read: if they are ranks by their names, the reader says why.
        ranks = [parse_rank(each, among_others=True) for each in found]
        return None not in ranks and len(set(ranks)) == len(ranks)


def _read_metadata(path: Path) -> ReportMetadata:
    """What a report says of itself, with the rank that its name says."""
    tables = open_tables(path)
    return read_metadata(tables, StringTable(tables), parse_rank(path, among_others=True))


def parse_rank(path: Path, *, among_others: bool) -> int | None:
    """The rank by a report's name; beside others its last number, too."""
    stem = make_title(path)
    found = _RANK.search(stem) or (_LAST.search(stem) if among_others else None)
    return int(found[1]) if found and int(found[1]) < MOST_RANK else None


def is_rank_set(found: Sequence[ReportMetadata]) -> bool:
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
        return _make_binary_error(path) if path.name.lower().endswith(BINARY) else None
    if not path.is_dir():
        return None
    binary = sorted(p for p in list_folder(path) if p.name.lower().endswith(BINARY))
    return _make_binary_error(binary[0]) if binary else None


def _make_binary_error(path: Path) -> InputError:
    return InputError(
        f"{path}: is a report of Nsight Systems in its own binary form",
        hint=describe_command(NSYS, path),
    )


def make_title(path: Path) -> str:
    """What a report is called by default: its name, whatever form it has."""
    for end in (*_FOLDERS, SUFFIX, ".nsys-rep"):
        if path.name.lower().endswith(end):
            return path.name[: -len(end)].removesuffix(".nsys-rep")
    return path.stem if path.is_file() else path.name
