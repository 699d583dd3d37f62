"""Databases that are changed; cases that showed something new are seeds of the next run."""

from __future__ import annotations

import hashlib
import tempfile
import zipfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from perfolio.writers.hpctoolkit import write
from tests.bench.make import costs, database, traces
from tests.kit.databases import OPERATIONS, Shape, write_database
from tests.kit.shared import SHARED
from tests.oracle.decoder import Decoder

NAMES = ("meta.db", "profile.db", "trace.db", "cct.db")
Files = dict[str, bytes]
Place = tuple[str, int, int]
"""File, offset and width of a number."""
SMALL = (
    "small.d",
    "loops-hip-amd-t.d",
    "loops-cputime-t.d",
    "loops-perf.d",
    "cpi-v4.d",
    "loops-cuda-nvidiapc-t.d",
)


@dataclass(frozen=True)
class Seed:
    """A database in memory."""

    name: str
    files: Files
    by_width: Mapping[tuple[str, int], Sequence[Place]]
    """Numbers that the format names, by file and width; all of a file at width 0."""

    @property
    def weight(self) -> float:
        """How often it is chosen: small ones are read faster."""
        return float(sum(map(len, self.files.values())) ** -0.5)


def load(folder: Path) -> Files:
    """The files of a database."""
    return {name: (folder / name).read_bytes() for name in NAMES if (folder / name).is_file()}


def seed_of(name: str, files: Files) -> Seed:
    """A seed with the places of its numbers, as the second decoder comes upon them."""
    places: dict[Place, None] = {}
    decoder = Decoder(files, lambda *place: places.setdefault(place))
    for file in files:
        for offset in range(16, 16 * (9 if file == "meta.db" else 3), 8):
            places[file, offset, 8] = None
    for rows in (decoder.metrics, decoder.contexts, decoder.costs, decoder.points):
        if (rows != decoder.points or "trace.db" in files) and "profile.db" in files:
            list(rows())
    if "cct.db" in files:
        list(decoder.transposed())
    by_width = defaultdict[tuple[str, int], list[Place]](list)
    for place in places:
        by_width[place[0], 0].append(place)
        by_width[place[0], place[2]].append(place)
    return Seed(name, files, by_width)


def all_seeds() -> tuple[Seed, ...]:
    """Made databases, and small real ones where they are present."""
    found: dict[str, Files] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for label, shape in {
            "regular": Shape(depth=3, fan_out=3, profiles=3),
            "padded": Shape(depth=1, padding=8, minor=2),
            "streams": Shape(profiles=4, streams=2, points=30, names=OPERATIONS),
        }.items():
            found[label] = load(write_database(folder / label, shape))
        rng = np.random.default_rng(1)
        made = database(10, 25, rng)
        function = np.where(made.tree.function < 0, -1, made.tree.function % 3).astype(np.int32)
        tree = replace(made.tree, function=function)
        made = replace(made, functions=made.functions[:3], tree=tree)
        write(made, folder / "written", costs(made, rng), traces(made, 160, rng))
        found["written"] = load(folder / "written")
    real = (SHARED / "databases" / "public" / name for name in SMALL)
    found |= {folder.name: load(folder) for folder in real if folder.is_dir()}
    return tuple(seed_of(label, files) for label, files in found.items())


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
