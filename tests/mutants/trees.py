"""Copies of a tree, and tests that run in them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from tests.kit.shared import SHARED
from tests.kit.shelf import FOLDER
from tests.mutants.changes import Change

SECONDS = 3600
"""After which tests that still run are stopped: a change can make a loop endless."""
_AGES = count(1_000_000_000, 10)


def copied(tree: Path, folder: Path) -> Path:
    """A copy of what git knows of a tree, or would: no caches, no sites."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=tree, check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    for name in filter(None, listed.split("\0")):
        if (tree / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(tree / name, folder / name)
    return folder


@contextmanager
def changed(path: Path, change: Change) -> Iterator[None]:
    """The file with the change, and afterwards as it was.

    Each state has a time of its own: compiled modules are told by time and size.
    """
    original = path.read_text("utf-8")
    try:
        _write(path, change.applied(original))
        yield
    finally:
        _write(path, original)


def _write(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")
    age = next(_AGES)
    os.utime(path, (age, age))


def failing(tree: Path, arguments: list[str]) -> str:
    """The first test that fails in a tree, or what else went wrong; empty where all pass."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "--tb=no",
        "--no-header",
        "--durations=0",
    ]
    ours = {
        "PYTHONPATH": f"{tree / 'generator'}{os.pathsep}{tree}",
        "PERFOLIO_TEST_CACHE": str(FOLDER),
    }
    try:
        done = subprocess.run(
            [*command, "-p", "no:cacheprovider", *arguments], cwd=tree, check=False,
            timeout=SECONDS, capture_output=True, text=True,
            env=os.environ | ours | {"PERFOLIO_SHARED": str(SHARED)},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"nothing, but did not end within {SECONDS} s"
    if done.returncode == 0:
        return ""
    lines = (done.stdout + done.stderr).splitlines()
    told = [line for line in lines if line.startswith(("FAILED ", "ERROR "))]
    return (told or lines or ["nothing said"])[-1]
