"""Uploads of one server: one is received and one is built at a time, each by `perfolio build`.

In:  offers of files and their bytes, while the server runs. Out: a site each, in a folder of ours
     that goes when the server ends; the stage that a build is at, its notes, or the line it failed
     with.

A build is a process of its own: it reads, refuses and says what the command line does, and where
it runs out of memory the server goes on.
"""

from __future__ import annotations

import os
import queue
import re
import secrets
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from http import HTTPStatus
from pathlib import Path
from typing import Protocol

from perfolio.common.atomic_output import make_temporary_folder
from perfolio.common.errors import PerfolioError, SiteError, one_line
from perfolio.site.uploads.offered_files import (
    OfferedFile,
    Read,
    UploadRefusedError,
    check_room,
    receive_files,
)

MOST_UPLOADS = 100
"""Of a server, whose reports all stay until it ends."""
END_SECONDS = 10.0
"""For a build that is to end to clean up."""
_MOST_NOTES = 20
_STAGE = re.compile(r" *\d+\.\d s  (.+)")
_SPEAKER, _NOTE = "perfolio: ", "perfolio: note: "
_NAMES = 80
"""Characters of what an upload is called."""


class UploadState(StrEnum):
    """How far an upload is."""

    OFFERED = "offered"
    ARRIVING = "arriving"
    WAITING = "waiting"
    BUILDING = "building"
    READY = "ready"
    FAILED = "failed"


@dataclass
class Upload:
    """What was dropped at once, and what became of it."""

    key: str
    """Part of its address, which nobody can guess."""
    files: Sequence[OfferedFile]
    folder: Path
    state: UploadState = UploadState.OFFERED
    stage: str = ""
    error: str = ""
    notes: list[str] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """Files and folders that were dropped, without what is in these."""
        return list(dict.fromkeys(one.path.parts[0] for one in self.files))

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(one.size for one in self.files)

    @property
    def received(self) -> Path:
        """Where its files are until they were read."""
        return self.folder / "received"

    @property
    def site(self) -> Path:
        """Where its report is."""
        return self.folder / "site"

    def hear(self, line: str) -> None:
        """Take a line that a build says: a stage, a note, or at last its error."""
        if found := _STAGE.fullmatch(line):
            self.stage = one_line(found[1], 200)
        elif line.startswith(_NOTE):
            self.notes += [one_line(line.removeprefix(_NOTE))][: _MOST_NOTES - len(self.notes)]
        elif line.startswith(_SPEAKER):
            self.error = one_line(line.removeprefix(_SPEAKER))

    def describe(self) -> dict[str, object]:
        """What a page shows of it."""
        return {
            "key": self.key,
            "name": one_line(", ".join(self.names), _NAMES),
            "state": self.state.value,
            "stage": self.stage,
            "error": self.error,
            "notes": self.notes,
        }


class UploadBuilder(Protocol):
    """What makes a site of files, and can be ended from another thread."""

    def build(self, upload: Upload) -> None:
        """Make the site; the upload hears each line. Raises PerfolioError where none was made."""

    def end(self) -> None:
        """End the build that runs, and begin none any more."""


class UploadQueue:
    """All uploads of a server."""

    def __init__(self, folder: Path, builder: UploadBuilder) -> None:
        self._folder = folder
        self._builder = builder
        self._uploads: dict[str, Upload] = {}
        self._changing = threading.Lock()
        self._receiving = threading.Lock()
        self._waiting: queue.SimpleQueue[Upload | None] = queue.SimpleQueue()
        self._worker = threading.Thread(target=self._build_each, name="uploads", daemon=True)
        self._worker.start()

    def offer(self, files: Sequence[OfferedFile]) -> Upload:
        """Make room for files. Raises UploadRefusedError where there is none."""
        key = secrets.token_urlsafe(12)
        upload = Upload(key, files, self._folder / key)
        check_room(self._folder, upload.size)
        with self._changing:
            kept = {
                each.key: each
                for each in self._uploads.values()
                if each.state is not UploadState.OFFERED  # one whose page never sent it
            }
            if len(kept) >= MOST_UPLOADS:
                raise UploadRefusedError(
                    HTTPStatus.TOO_MANY_REQUESTS,
                    f"this server keeps {MOST_UPLOADS} uploads already",
                    hint="end it and serve again",
                )
            self._uploads = {**kept, key: upload}
        return upload

    def find_offered(self, key: str) -> Upload:
        """An upload whose files have not come. Raises UploadRefusedError where there is none."""
        upload = self._uploads.get(key)
        if upload is None:
            raise UploadRefusedError(HTTPStatus.NOT_FOUND, "no such upload", hint="drop it again")
        _check_offered(upload)
        return upload

    def receive(self, upload: Upload, read: Read) -> None:
        """Take the bytes of an offer, and build it when those before it are.

        Raises UploadRefusedError while another one arrives, and PerfolioError where not all came:
        of that, nothing is kept.
        """
        if not self._receiving.acquire(blocking=False):
            raise UploadRefusedError(
                HTTPStatus.CONFLICT, "another upload is arriving", hint="drop it again afterwards"
            )
        try:
            _check_offered(upload)
            upload.state = UploadState.ARRIVING
            receive_files(upload.files, upload.received, read)
            upload.state = UploadState.WAITING
            self._waiting.put(upload)
        except UploadRefusedError:
            raise
        except PerfolioError as problem:
            upload.state, upload.error = UploadState.FAILED, str(problem)
            raise
        finally:
            self._receiving.release()

    def describe(self) -> list[dict[str, object]]:
        """All that were sent, in their order."""
        each = list(self._uploads.values())
        return [one.describe() for one in each if one.state is not UploadState.OFFERED]

    def find_site(self, key: str) -> Path | None:
        """The site of an upload, if it was built."""
        upload = self._uploads.get(key)
        return upload.site if upload is not None and upload.state is UploadState.READY else None

    def close(self) -> None:
        """End the build that runs, and begin none any more."""
        self._waiting.put(None)
        self._builder.end()
        self._worker.join(END_SECONDS)

    def _build_each(self) -> None:
        for upload in iter(self._waiting.get, None):
            upload.state = UploadState.BUILDING
            try:
                self._builder.build(upload)
                upload.state = UploadState.READY
            except PerfolioError as problem:
                upload.error = str(problem)
                upload.state = UploadState.FAILED
            finally:
                shutil.rmtree(upload.received, ignore_errors=True)


def _check_offered(upload: Upload) -> None:
    if upload.state is not UploadState.OFFERED:
        raise UploadRefusedError(HTTPStatus.NOT_FOUND, "this upload has come", hint="drop it again")


class CommandBuilder:
    """`perfolio build` in a process of its own, where the files are the current folder's."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._ended = False
        self._starting = threading.Lock()

    def build(self, upload: Upload) -> None:
        """Run the command. Raises SiteError with the line that it ended with."""
        with self._starting:
            if self._ended:
                raise SiteError("the server ends")
            try:
                self._process = process = _start_build(upload)
            except OSError as problem:
                raise SiteError(f"no build can be started: {problem.strerror}") from problem
        with process:
            for line in _read_lines(process):
                upload.hear(line)
        if process.returncode:
            raise SiteError(upload.error or _describe_end(process.returncode))

    def end(self) -> None:
        """Ask the process to clean up and end; the second time it is not asked."""
        with self._starting:
            self._ended = True
            process = self._process
        if process is None or process.poll() is not None:
            return
        process.terminate()
        try:
            process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            with suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)


def _start_build(upload: Upload) -> subprocess.Popen[str]:
    """The command, in the folder of the files, whose names its messages and the report then have.

    Nothing in that folder is code of ours: `-P` and absolute paths keep Python from importing it.
    """
    work = upload.folder / "work"
    work.mkdir(exist_ok=True)
    command = [sys.executable, "-P", "-m", "perfolio", "build", "-o", os.fspath(upload.site)]
    paths = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(map(os.path.abspath, paths)),
        "PYTHONSAFEPATH": "1",
        "PYTHONUNBUFFERED": "1",
        "TMPDIR": os.fspath(work),
    }
    return subprocess.Popen(  # noqa: S603 - our own command; names are arguments, and no shell runs
        [*command, "--", *upload.names],
        cwd=upload.received,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    )


def _read_lines(process: subprocess.Popen[str]) -> Iterator[str]:
    """What a process says, in lines of bounded length."""
    if process.stderr is None:
        return
    read: Callable[[], str] = lambda: process.stderr.readline(1 << 12) if process.stderr else ""  # noqa: E731
    for line in iter(read, ""):
        yield line.rstrip("\n")


def _describe_end(code: int) -> str:
    if code < 0:
        return f"the build was ended by signal {-code}, as where no memory is left"
    return "the build failed: see the terminal that serves"


@contextmanager
def open_uploads() -> Iterator[UploadQueue]:
    """A queue in a temporary folder, for the time of the block."""
    with make_temporary_folder() as folder:
        uploads = UploadQueue(folder.resolve(), CommandBuilder())
        try:
            yield uploads
        finally:
            uploads.close()
