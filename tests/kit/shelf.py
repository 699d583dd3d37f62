"""What tests compute at length and from few inputs, kept between runs of the tests.

In:  what a value follows from: texts, files. Out: the value, made only where none is kept.

Values lie in `.cache/tests`, which `make clean` removes, or in the folder that
PERFOLIO_TEST_CACHE names. Processes share them: each value is written aside and then moved.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import tempfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(os.environ.get("PERFOLIO_TEST_CACHE", ROOT / ".cache" / "tests" / "packed"))
CODES = 4
"""Versions of code whose values are kept."""

T = TypeVar("T")


def digest_of(texts: Iterable[str], files: Iterable[Path]) -> str:
    """Names what follows from some texts and the contents of some files."""
    whole = hashlib.sha256()
    for text in texts:
        whole.update(text.encode() + b"\0")
    for path in sorted(files):
        whole.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return whole.hexdigest()[:32]


class Shelf:
    """Values of one kind, all made by the same code.

    Those of older code stay for a while, since other processes or branches may use them.
    """

    def __init__(self, kind: str, code: str) -> None:
        """`code` is the digest of what makes the values."""
        self._folder = FOLDER / kind / code

    def kept(self, key: str, make: Callable[[], T]) -> T:
        """The value of `key`, a digest of all else that it follows from."""
        path = self._folder / key
        try:
            value: T = pickle.loads(zlib.decompress(path.read_bytes()))
        except FileNotFoundError:
            value = make()
            self._keep(path, value)
        return value

    def holds(self, key: str) -> bool:
        """Whether the value of `key` was made."""
        return (self._folder / key).exists()

    def _keep(self, path: Path, value: object) -> None:
        if not self._folder.exists():
            self._folder.mkdir(parents=True, exist_ok=True)
            self._remove_oldest()
        with tempfile.NamedTemporaryFile(dir=self._folder, delete=False) as aside:
            aside.write(zlib.compress(pickle.dumps(value), 1))
        Path(aside.name).replace(path)

    def _remove_oldest(self) -> None:
        folders = sorted(self._folder.parent.iterdir(), key=lambda folder: folder.stat().st_mtime)
        for folder in folders[:-CODES]:
            shutil.rmtree(folder, ignore_errors=True)
