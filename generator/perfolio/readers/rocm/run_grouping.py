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

from perfolio.readers.rocm.recording_kinds import READ, Form, form_of

SUFFIXES = (".csv", ".csv.gz", ".json", ".json.gz", ".db", ".rocpd", ".sqlite")
MOST_FILES = 20_000
_TABLES = (Form.CALLS, Form.KERNELS, Form.COPIES)
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
    form: Form
    group: str
    """What its name has in common with others of the same process."""

    @property
    def rank(self) -> int | None:
        """The rank of its process, where its name tells."""
        found = _RANK.search(self.group)
        return int(found[1]) if found else None


def files_of(path: Path) -> list[RunFile]:
    """The files of a run that are read, in that order.

    Those of a folder; else of the only one below it, as of a host, or of one for each rank.
    """
    if path.is_file():
        form = form_of(path)
        return [RunFile(path, form, group_of(path))] if form is not None and form in READ else []
    found = _chosen(_files_in(path))
    if found or not path.is_dir():
        return found
    below = [each for each in _entries(path) if each.is_dir()]
    named = [told[1] for each in below if (told := _RANK.search(each.name))]
    if len(below) == 1 or (named and len(set(named)) == len(below)):
        return [file for each in below for file in _chosen(_files_in(each, f"{each.name}/"))]
    return []


def is_empty(path: Path) -> bool:
    """Whether a file is named like one of ROCm's tools, and holds nothing."""
    return path.is_file() and _KIND.search(path.name) is not None and not path.stat().st_size


def others_in(path: Path) -> Iterator[tuple[Path, Form]]:
    """Files that ROCm's tools wrote and that hold no time line."""
    for each in _candidates(path) if path.is_dir() else [path]:
        form = form_of(each)
        if form is not None and form not in READ:
            yield each, form


def group_of(path: Path) -> str:
    """What the name of a file has in common with those of others of the same process."""
    return _KIND.sub("", path.name)


def _entries(folder: Path) -> list[Path]:
    """What lies in a folder, by name; nothing where it may not be read."""
    try:
        return sorted(islice(folder.iterdir(), MOST_FILES))
    except OSError:
        return []


def _candidates(folder: Path) -> list[Path]:
    return [each for each in _entries(folder) if each.name.lower().endswith(SUFFIXES)]


def _files_in(folder: Path, prefix: str = "") -> Iterator[RunFile]:
    if folder.is_dir():
        for path in _candidates(folder):
            form = form_of(path)
            if form is not None and form in READ:
                yield RunFile(path, form, prefix + group_of(path))


def _chosen(files: Iterator[RunFile]) -> list[RunFile]:
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
