"""Cases that showed something new, kept in a folder as seeds of the next run."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

from tests.fuzz.seeds import Files

LIMIT = 400
"""Cases that are kept; those of defects are kept beside them, without limit."""


class Corpus:
    """A folder of databases, each a zip file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.known = {path.stem for path in folder.glob("*.zip")}

    def all(self) -> dict[str, Files]:
        """The kept cases by name."""
        return {path.stem: _unpacked(path) for path in sorted(self.folder.glob("*.zip"))}

    def wants(self, kind: str, says: str) -> bool:
        """Whether a case of this kind is new, and there is room for it."""
        return len(self.known) < LIMIT and _label(kind, says) not in self.known

    def keep(self, name: str, kind: str, says: str, files: Files) -> None:
        """Keep a case of a new kind."""
        label = _label(kind, says)
        self.known.add(label)
        _pack(self.folder / f"{label}.zip", files, f"{name}: {says}")

    def report(self, name: str, kind: str, says: str, files: Files) -> Path:
        """Keep a case that shows a defect."""
        folder = self.folder / "defects"
        folder.mkdir(exist_ok=True)
        path = folder / f"{kind}-{name}.zip"
        _pack(path, files, f"{name}: {says}")
        return path


def _label(kind: str, says: str) -> str:
    return f"{kind}-{hashlib.sha256(says.encode()).hexdigest()[:12]}"


def _pack(path: Path, files: Files, comment: str) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        out.comment = comment.encode()[:60_000]
        for name, data in files.items():
            out.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)


def _unpacked(path: Path) -> Files:
    with zipfile.ZipFile(path) as kept:
        return {name: kept.read(name) for name in kept.namelist()}
