"""What takes long to make and many tests read: made once, kept below .cache/tests.

An entry's name has the digest of all that it is made from: its inputs, the files of the
package that make it, and the packages that are installed. So each process of a run takes the
same entry, so does the next run, and an edit of any of these files gives another one.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.metadata import distributions
from pathlib import Path

import perfolio
from tests.kit.shared import ROOT

KEPT = ROOT / ".cache" / "tests" / "kept"
UNUSED = 3 * 86_400.0
"""An entry goes when no test has taken it for so long [s]."""
PACKAGE = Path(perfolio.__file__).parent
ALWAYS = ("common", "pipeline")
"""What takes part in all of it."""
SIMULATED = ("simulation", "writers", "readers")
"""Folders of the generator that make a simulated database."""
RECORDED = ("cli", "workloads")
"""Those that record a program."""
STORED = ("readers", "store")
"""Those that make a store from a database."""
KNOWN = (*STORED, "metrics", "findings", "audit")
"""Those that make the documents of a run."""
SHOWN = (*SIMULATED, *KNOWN, "charts", "pages", "site", "exercises")
"""Those that make a site."""


def kept(name: str, digest: str, make: Callable[[Path], None], folder: Path = KEPT) -> Path:
    """The folder that `make` fills, which exists and is empty when it is called.

    Readers leave it as it is. Of two processes that want the same entry one makes it, and the
    other waits; what is not made to its end never has its name.
    """
    folder.mkdir(parents=True, exist_ok=True)
    entry = folder / f"{name}-{digest[:16]}"
    with _only_maker(entry):
        if not entry.is_dir():
            _forget_unused(folder)
            _make(entry, make)
    os.utime(entry)
    return entry


def digest_of(*parts: str | Path, by: tuple[str, ...]) -> str:
    """Digest of texts, of files with all that lies in folders, and of code in these folders."""
    whole = hashlib.sha256(_code(by).encode())
    for part in parts:
        whole.update(b"\0")
        for content in _contents(part) if isinstance(part, Path) else [part.encode()]:
            whole.update(content)
    return whole.hexdigest()


@contextmanager
def _only_maker(entry: Path) -> Iterator[None]:
    """The lock goes with the process that holds it, however that ends."""
    with entry.with_name(f"{entry.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _make(entry: Path, make: Callable[[Path], None]) -> None:
    aside = Path(tempfile.mkdtemp(dir=entry.parent, prefix=".new-"))
    try:
        make(aside)
        aside.rename(entry)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _forget_unused(folder: Path) -> None:
    now = time.time()
    for each in folder.iterdir():
        with suppress(FileNotFoundError):  # another process has made or removed it
            if now - each.stat().st_mtime > UNUSED:
                shutil.rmtree(each) if each.is_dir() else each.unlink()


@cache
def _code(folders: tuple[str, ...]) -> str:
    installed = sorted(f"{each.name} {each.version}" for each in distributions())
    whole = hashlib.sha256("\n".join([sys.version, *installed]).encode())
    for path in (*sorted(PACKAGE.glob("*.py")), *(PACKAGE / name for name in (*ALWAYS, *folders))):
        for content in _contents(path):
            whole.update(content)
    return whole.hexdigest()


def _contents(path: Path) -> Iterator[bytes]:
    files = sorted(each for each in path.rglob("*") if each.is_file()) if path.is_dir() else [path]
    for each in files:
        if "__pycache__" not in each.parts:
            yield each.relative_to(path.parent).as_posix().encode() + b"\0" + each.read_bytes()
