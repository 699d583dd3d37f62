"""The files of a form: opened, read once within bounds, and copied to where Hatchet reads them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from perfolio.common.errors import InputError
from perfolio.readers.hatchet.profile_kinds import DATABASE, MOST_FILES, Form, tau_files
from perfolio.readers.stable_file import OpenedFile, open_input

LARGEST = 1 << 28
"""Bytes of a text that is read as a whole."""
MOST_BYTES = 1 << 31
"""Bytes of all files of a run."""
NAMES = {
    Form.CALI: "run.cali",
    Form.TIMEMORY: "run.tree.json",
    Form.CALIPER_JSON: "run.json",
    Form.CPROFILE: "run.pstats",
    Form.PYINSTRUMENT: "run.json",
    Form.DOT: "run.dot",
}
"""What Hatchet wants a file to be called: it goes by the name, we by the content."""


@dataclass(frozen=True)
class Held:
    """The files of a run."""

    path: Path
    form: Form
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
        return folder if self.form in (Form.TAU, Form.DATABASE) else folder / NAMES[self.form]


def hold(path: Path, form: Form) -> Held:
    """Open the files. Raises InputError where one cannot be read, or they are too large."""
    files = tuple(open_input(each) for each in _paths(path, form))
    if form is not Form.DATABASE or files[0].size > LARGEST:
        for each in files:
            if each.size > LARGEST:
                raise InputError(
                    f"{each.path}: has {each.size:,} bytes, and is read up to {LARGEST:,}",
                    hint="record fewer regions, functions or seconds",
                )
    if sum(each.size for each in files) > MOST_BYTES:
        raise InputError(f"{path}: holds more than {MOST_BYTES:,} bytes", hint="give fewer ranks")
    return Held(path, form, files)


def _paths(path: Path, form: Form) -> Iterator[Path]:
    if form is Form.TAU and path.is_dir():
        yield from tau_files(path)
    elif form is Form.DATABASE:
        yield path / DATABASE
        found = sorted(path.glob("*.metric-db"))
        if len(found) > MOST_FILES:
            raise InputError(
                f"{path}: holds more than {MOST_FILES:,} files", hint="give fewer ranks"
            )
        yield from found
    else:
        yield path
