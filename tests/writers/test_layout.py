"""Where the writer places what it writes: sections, records and blocks as the format wants them.

Also: Memory of the writer follows the tree and the largest profile, not the number of profiles.
"""

from __future__ import annotations

import tempfile
import tracemalloc
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from perfolio.readers.hpctoolkit import format_layouts as lay
from perfolio.readers.hpctoolkit import meta_db as meta
from perfolio.readers.hpctoolkit.file_header import DatabaseFile, open_file
from perfolio.writers.hpctoolkit import cct_writer, write
from perfolio.writers.hpctoolkit.model import LEXICAL
from tests.bench.make import STREAMS, costs, database
from tests.writers.strategies import Contents, contents, unlisted_contexts


def _blocks_of_profiles_are_sorted_and_aligned(made: Contents, path: Path) -> None:
    prof = open_file(path / "profile.db", b"prof")
    head = prof.head("ProfileInfos", lay.PROFILE_INFOS)
    infos = prof.array(
        "ProfileInfos",
        lay.PROFILE_INFO,
        head["pProfiles"],
        head["nProfiles"],
        head["szProfile"],
    )
    assert len(infos) == len(made[0].profiles) + 1
    assert infos["flags"].tolist() == [1] + [0] * len(made[0].profiles)
    assert infos["pIdTuple"][0] == 0
    assert (infos["pIdTuple"][1:] > 0).all()
    assert not (infos["pIdTuple"] % 8).any()
    assert not (infos["pValues"] % 2).any()
    assert not (infos["pCtxIndices"] % 4).any()
    for info in infos:
        values = prof.file.records(lay.VALUE, int(info["pValues"]), int(info["nValues"]))
        index = prof.file.records(lay.CTX_INDEX, int(info["pCtxIndices"]), int(info["nCtxs"]))
        gap = int(info["pCtxIndices"]) - int(info["pValues"]) - values.nbytes
        assert 0 <= gap < 4
        assert (np.diff(index["ctxId"].astype(int)) > 0).all()
        edges = [*index["startIndex"].tolist(), len(values)]
        assert edges[0] == 0 or not len(index)
        for first, last in pairwise(edges):
            assert first < last
            assert (np.diff(values["metricId"][first:last].astype(int)) > 0).all()
        assert (values["value"] != 0).all()


def _sections_are_aligned_and_hold_their_strings(_: Contents, path: Path) -> None:
    for name, kind in (("meta", b"meta"), ("profile", b"prof"), ("cct", b"ctxt")):
        file = open_file(path / f"{name}.db", kind)
        assert all(section.offset % 8 == 0 for section in file.sections.values())
    meta_db = open_file(path / "meta.db", b"meta")
    general = meta_db.head("General", lay.GENERAL)
    for pointer in general.values():
        _holds(meta_db, "General", pointer)
    for section, layout, column in (
        ("Modules", lay.MODULE, "pPath"),
        ("Files", lay.FILE, "pPath"),
        ("Functions", lay.FUNCTION, "pName"),
    ):
        place = meta.find_array(meta_db, section, section)
        rows = meta_db.array(section, layout, place.offset, place.count, place.stride)
        for pointer in rows[column]:
            _holds(meta_db, "Strings", int(pointer))


def _records_of_contexts_say_what_passes_to_the_function(made: Contents, path: Path) -> None:
    """The reader has no use for `propagation`, so the records are walked here."""
    file = open_file(path / "meta.db", b"meta")
    head = file.head("Context", lay.CONTEXT)
    entries = file.array(
        "Context",
        lay.ENTRY_POINT,
        head["pEntryPoints"],
        head["nEntryPoints"],
        head["szEntryPoint"],
    )
    words = file.file.words().tolist()
    waiting = [(int(e["pChildren"]), int(e["szChildren"])) for e in entries]
    found = 0
    while waiting:
        start, size = waiting.pop()
        assert (start == 0) == (size == 0)
        at, end = start // 8, (start + size) // 8
        while at < end:
            relation = (words[at + 2] >> 40) & 0xFF
            assert words[at + 3] == int(relation == LEXICAL)
            waiting.append((words[at + 1], words[at]))
            at += lay.CTX_WORDS + (words[at + 2] >> 56)
            found += 1
        assert at == end
    assert found == unlisted_contexts(made[0].tree).count(False)


def _holds(file: DatabaseFile, section: str, pointer: int) -> None:
    place = file.sections[section]
    end = pointer + len(file.file.string(pointer).encode("utf-8", "surrogateescape")) + 1
    assert place.offset <= pointer < end <= place.offset + place.size


CHECKS = (
    _blocks_of_profiles_are_sorted_and_aligned,
    _sections_are_aligned_and_hold_their_strings,
    _records_of_contexts_say_what_passes_to_the_function,
)


@pytest.mark.slow
@given(contents())
def test_everything_has_its_place(made: Contents) -> None:
    """To draw and write a database takes most of the time: each is looked at in every way."""
    with tempfile.TemporaryDirectory() as folder:
        path = write(made[0], Path(folder) / "made.d", made[1], made[2])
        for check in CHECKS:
            check(made, path)


def peak(folder: Path, threads: int) -> int:
    """Bytes that Python and NumPy held at most while a database was written."""
    rng = np.random.default_rng(1)
    made = database(threads + STREAMS, 3000, rng)
    tracemalloc.start()
    write(made, folder, costs(made, rng))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


@pytest.mark.slow
def test_ten_times_the_values_need_no_more_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cct_writer, "RANGE_VALUES", 1 << 14)
    few = peak(tmp_path / "few", 8)
    many = peak(tmp_path / "many", 80)
    sizes = [(tmp_path / name / "cct.db").stat().st_size for name in ("few", "many")]
    assert sizes[1] > 8 * sizes[0]
    assert many < 1.2 * few
