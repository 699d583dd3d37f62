"""Files that a page offers to send: their names and sizes within bounds, and their bytes on disk.

In:  the list of an offer, as JSON: `[{"path": "run/rank0.json", "size": 1234}]`; then all bytes of
     these files, one after the other.
Out: files below a folder of ours, whole and of these sizes, or none.

A name comes from whoever made the file. It becomes the name of a file below the folder, and nothing
else: parts that lead upwards are left out, and signs that no terminal shows.
"""

from __future__ import annotations

import os
import shutil
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path, PurePosixPath

import msgspec

from perfolio.common.errors import InputError, OutputError, PerfolioError
from perfolio.common.units import quantity

MOST_BYTES = 1 << 36
"""Of an upload: as much as an exported report of Nsight Systems may have."""
MOST_FILES = 10_000
DEEPEST = 8
"""Folders in one another."""
NAME_BYTES = 120
"""Of a file's or folder's name: outputs of longer ones would fit no file system."""
OFFER_BYTES = 4 << 20
"""Of the list itself."""
PIECE = 1 << 18
"""Bytes that are received at once."""
Read = Callable[[int], bytes]


class UploadRefusedError(PerfolioError):
    """A page asks for what it may not, or for more than there is room for."""

    def __init__(self, status: HTTPStatus, message: str, *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.status = status


class _Entry(msgspec.Struct, forbid_unknown_fields=True):
    path: str
    size: int


@dataclass(frozen=True)
class OfferedFile:
    """A file that is to come: where below the folder of its upload, and how many bytes."""

    path: PurePosixPath
    size: int


def read_offer(data: bytes) -> list[OfferedFile]:
    """The files of an offer. Raises UploadRefusedError where it is too large or unclear."""
    try:
        entries = msgspec.json.decode(data, type=list[_Entry])
    except (msgspec.DecodeError, UnicodeDecodeError) as problem:
        raise UploadRefusedError(HTTPStatus.BAD_REQUEST, "this is no list of files") from problem
    if not 0 < len(entries) <= MOST_FILES:
        raise UploadRefusedError(
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            f"{len(entries):,} files were dropped, and 1 to {MOST_FILES:,} are taken",
            hint="name the folder on the command line",
        )
    if any(one.size < 0 for one in entries):
        raise UploadRefusedError(HTTPStatus.BAD_REQUEST, "a file has a negative size")
    files = [OfferedFile(_clean_path(one.path), one.size) for one in entries]
    _check_size(sum(one.size for one in files))
    _check_names([one.path for one in files])
    return files


def _clean_path(given: str) -> PurePosixPath:
    """A path that stays below its folder: without dots, control signs and parts too long."""
    parts = [_clean_name(part) for part in given[: 1 << 12].replace("\\", "/").split("/")]
    named = [part for part in parts if part]
    if not named or len(named) > DEEPEST:
        raise UploadRefusedError(
            HTTPStatus.BAD_REQUEST,
            "a file has no name, or lies too deep in folders",
            hint=f"drop a folder with at most {DEEPEST} in one another",
        )
    return PurePosixPath(*named)


def _clean_name(part: str) -> str:
    """A name of at most `NAME_BYTES` with its last suffixes; nothing of what is dots alone."""
    shown = "".join(
        sign if sign.isprintable() else "_" for sign in unicodedata.normalize("NFC", part)
    )
    name = shown.strip()
    if not name.strip("."):
        return ""
    while len(name.encode("utf-8", "replace")) > NAME_BYTES:
        middle = max(len(name) - 30, 0) or len(name) // 2
        name = name[: middle - 1] + name[middle:]
    return name


def _check_size(size: int) -> None:
    if size == 0:
        raise UploadRefusedError(
            HTTPStatus.BAD_REQUEST,
            "what was dropped is empty",
            hint="record it again, or copy the whole file again",
        )
    if size > MOST_BYTES:
        raise UploadRefusedError(
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            f"{quantity(size, 'B')} were dropped: at most {quantity(MOST_BYTES, 'B')} are taken",
            hint="name the file on the command line",
        )


def _check_names(paths: Sequence[PurePosixPath]) -> None:
    """Refuse two files of one name, and a file that would be a folder as well."""
    folders = {folder for path in paths for folder in path.parents}
    if len(set(paths)) < len(paths) or folders.intersection(paths):
        raise UploadRefusedError(
            HTTPStatus.BAD_REQUEST, "two files have one name", hint="rename one of them"
        )


def check_room(folder: Path, size: int) -> None:
    """Refuse what takes more than half of the free space: a report of it needs some, too."""
    free = shutil.disk_usage(folder).free
    if size > free // 2:
        raise UploadRefusedError(
            HTTPStatus.INSUFFICIENT_STORAGE,
            f"{quantity(size, 'B')} need twice as much space, and {quantity(free, 'B')} are free",
            hint="set TMPDIR to a folder with more free space, and serve again",
        )


def receive_files(files: Sequence[OfferedFile], folder: Path, read: Read) -> None:
    """Write the files below `folder`, or none. Raises InputError where fewer bytes come.

    `read` gives at most as many bytes as it is asked for, and none at the end. Files are for the
    user alone, and nothing runs them.
    """
    done = False
    try:
        for one in files:
            _receive_file(folder / one.path, one.size, read)
        done = True
    except OSError as problem:
        why = problem.strerror or problem
        raise OutputError(f"what was dropped cannot be kept: {why}") from problem
    finally:
        if not done:
            shutil.rmtree(folder, ignore_errors=True)


def _receive_file(place: Path, size: int, read: Read) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        missing = size
        while missing:
            piece = read(min(missing, PIECE))
            if not piece:
                raise InputError("the upload ended before all bytes had come", hint="drop it again")
            file.write(piece)
            missing -= len(piece)
