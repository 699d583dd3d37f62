"""The files of a form: opened, read once within bounds, and copied to where Hatchet reads them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from perfolio.common.errors import InputError
from perfolio.readers.hatchet.profile_kinds import (
    DATABASE,
    MOST_FILES,
    CallTreeFormat,
    list_tau_files,
)
from perfolio.readers.stable_file import OpenedFile, open_input

LARGEST = 1 << 28
"""Bytes of a text that is read as a whole."""
MOST_BYTES = 1 << 31
"""Bytes of all files of a run."""
NAMES = {
    CallTreeFormat.CALI: "run.cali",
    CallTreeFormat.TIMEMORY: "run.tree.json",
    CallTreeFormat.CALIPER_JSON: "run.json",
    CallTreeFormat.CPROFILE: "run.pstats",
    CallTreeFormat.PYINSTRUMENT: "run.json",
    CallTreeFormat.DOT: "run.dot",
}
"""What Hatchet wants a file to be called: it goes by the name, we by the content."""


@dataclass(frozen=True)
class StagedFiles:
    """The files of a run."""

    path: Path
    form: CallTreeFormat
    files: tuple[OpenedFile, ...]

    @property
    def first(self) -> bytes:
        """The content of the file that says what the run is."""
        return self.files[0].read(0, self.files[0].size)

    def copy_to(self, folder: Path) -> Path:
        """Copy the files, of this very state; gives what to tell Hatchet."""
        for number, file in enumerate(self.files):
            name = NAMES.get(self.form, file.path.name) if not number else file.path.name
            (folder / name).write_bytes(file.read(0, file.size))
        return (
            folder
            if self.form in (CallTreeFormat.TAU, CallTreeFormat.DATABASE)
            else folder / NAMES[self.form]
        )


def stage_files(path: Path, form: CallTreeFormat) -> StagedFiles:
    """Open the files. Raises InputError where one cannot be read, or they are too large."""
    files = tuple(open_input(each) for each in _list_paths(path, form))
    if form is not CallTreeFormat.DATABASE or files[0].size > LARGEST:
        for each in files:
            if each.size > LARGEST:
                raise InputError(
                    f"{each.path}: has {each.size:,} bytes, and is read up to {LARGEST:,}",
                    hint="record fewer regions, functions or seconds",
                )
    if sum(each.size for each in files) > MOST_BYTES:
        raise InputError(f"{path}: holds more than {MOST_BYTES:,} bytes", hint="give fewer ranks")
    return StagedFiles(path, form, files)


def _list_paths(path: Path, form: CallTreeFormat) -> Iterator[Path]:
    if form is CallTreeFormat.TAU and path.is_dir():
        yield from list_tau_files(path)
    elif form is CallTreeFormat.DATABASE:
        yield path / DATABASE
        found = sorted(path.glob("*.metric-db"))
        if len(found) > MOST_FILES:
            raise InputError(
                f"{path}: holds more than {MOST_FILES:,} files", hint="give fewer ranks"
            )
        yield from found
    else:
        yield path
