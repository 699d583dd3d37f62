"""Which files are one run, and the process of each, by their names.

rocprofv3 writes `HOST/PID_kernel_trace.csv` and its like, or what `-o` and `%rank%` say in the
place of PID; rocprof writes `results.csv` and its like. Files of the same beginning are of one
process, which may be there in several forms: then one of them is read.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from perfolio.readers.rocm.recording_kinds import READ, RocmFormat, detect_format

SUFFIXES = (".csv", ".csv.gz", ".json", ".json.gz", ".db", ".rocpd", ".sqlite")
MOST_FILES = 20_000
_TABLES = (RocmFormat.CALLS, RocmFormat.KERNELS, RocmFormat.COPIES)
"""In this order they are read: calls tell the number of the process."""
_KIND = re.compile(
    r"_?(?:results|(?:kernel|memory_copy|memory_allocation|scratch_memory|marker_api|hip_api|hsa_api|"
    r"hip_runtime|hip_compiler|rccl_api|rocdecode_api|rocjpeg_api|hip|hsa|marker|rccl|api|copy)_trace"
    r"|agent_info)?(?:\.csv|\.json|\.db|\.rocpd|\.sqlite)(?:\.gz)?$",
    re.IGNORECASE,
)
_RANK = re.compile(r"rank[-_ ]?(\d{1,6})(?!\d)", re.IGNORECASE)


@dataclass(frozen=True)
class RunFile:
    """A file of a run, with the process that it is of."""

    path: Path
    form: RocmFormat
    group: str
    """What its name has in common with others of the same process."""

    @property
    def rank(self) -> int | None:
        """The rank of its process, where its name tells."""
        found = _RANK.search(self.group)
        return int(found[1]) if found else None


def list_run_files(path: Path) -> list[RunFile]:
    """The files of a run that are read, in that order.

    Those of a folder; else of the only one below it, as of a host, or of one for each rank.
    """
    if path.is_file():
        form = detect_format(path)
        return [RunFile(path, form, find_group(path))] if form is not None and form in READ else []
    found = _choose_files(_list_files(path))
    if found or not path.is_dir():
        return found
    below = [each for each in _list_entries(path) if each.is_dir()]
    named = [told[1] for each in below if (told := _RANK.search(each.name))]
    if len(below) == 1 or (named and len(set(named)) == len(below)):
        return [
            file for each in below for file in _choose_files(_list_files(each, f"{each.name}/"))
        ]
    return []


def is_empty(path: Path) -> bool:
    """Whether a file is named like one of ROCm's tools, and holds nothing."""
    return path.is_file() and _KIND.search(path.name) is not None and not path.stat().st_size


def list_other_files(path: Path) -> Iterator[tuple[Path, RocmFormat]]:
    """Files that ROCm's tools wrote and that hold no time line."""
    for each in _list_candidates(path) if path.is_dir() else [path]:
        form = detect_format(each)
        if form is not None and form not in READ:
            yield each, form


def find_group(path: Path) -> str:
    """What the name of a file has in common with those of others of the same process."""
    return _KIND.sub("", path.name)


def _list_entries(folder: Path) -> list[Path]:
    """What lies in a folder, by name; nothing where it may not be read."""
    try:
        return sorted(islice(folder.iterdir(), MOST_FILES))
    except OSError:
        return []


def _list_candidates(folder: Path) -> list[Path]:
    return [each for each in _list_entries(folder) if each.name.lower().endswith(SUFFIXES)]


def _list_files(folder: Path, prefix: str = "") -> Iterator[RunFile]:
    if folder.is_dir():
        for path in _list_candidates(folder):
            form = detect_format(path)
            if form is not None and form in READ:
                yield RunFile(path, form, prefix + find_group(path))


def _choose_files(files: Iterator[RunFile]) -> list[RunFile]:
    """Of each process the files of the form that says most."""
    groups: dict[str, list[RunFile]] = defaultdict(list)
    for file in files:
        groups[file.group].append(file)
    chosen: list[RunFile] = []
    for own in groups.values():
        whole = [file for form in READ[:3] for file in own if file.form is form]
        if whole:
            chosen.append(whole[0])
        else:
            chosen += sorted(
                (file for file in own if file.form in _TABLES),
                key=lambda file: _TABLES.index(file.form),
            )
    return chosen
