"""profile.db without its values: the profiles and what each one is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from perfolio.readers.hpctoolkit import format_layouts as lay
from perfolio.readers.hpctoolkit.binary_file import DataFile, Records, check_arrays, check_disjoint
from perfolio.readers.hpctoolkit.file_header import DatabaseFile

NAMED_KINDS = {
    "NODE": "node",
    "RANK": "rank",
    "THREAD": "thread",
    "GPUCONTEXT": "gpu_context",
    "GPUSTREAM": "gpu_stream",
}
"""Identifier kinds that have a column of their own in table profile."""
KINDS = (
    ("GPUSTREAM", "GPU stream"),
    ("THREAD", "CPU thread"),
    ("CORE", "CPU thread"),
    ("RANK", "rank"),
    ("NODE", "node"),
)
"""What a profile is, by the first of these identifiers that its tuple has."""


@dataclass(frozen=True)
class DatabaseProfiles:
    """The profiles of a database: structures {PI} and their positions."""

    file: DataFile
    infos: Records
    summary: npt.NDArray[np.bool_]


def read_profiles(prof: DatabaseFile) -> DatabaseProfiles:
    """The array of {PI}, every value block checked to lie in the file and overlap no other."""
    head = prof.head("ProfileInfos", lay.PROFILE_INFOS)
    infos = prof.array(
        "ProfileInfos", lay.PROFILE_INFO, head["pProfiles"], head["nProfiles"], head["szProfile"]
    )
    check_arrays(prof.file, infos["pValues"], infos["nValues"], lay.VALUE)
    check_arrays(prof.file, infos["pCtxIndices"], infos["nCtxs"], lay.CTX_INDEX)
    lost = np.flatnonzero((infos["nValues"] > 0) & (infos["nCtxs"] == 0))
    if len(lost):
        raise prof.file.error(int(infos["pValues"][lost[0]]), "values without a context")
    found = DatabaseProfiles(prof.file, infos, (infos["flags"] & lay.IS_SUMMARY) != 0)
    _check_summary(found, head["pProfiles"])
    return found


def _check_summary(profiles: DatabaseProfiles, place: int) -> None:
    """The first profile is the summary of all others, and no other one is."""
    summaries = np.flatnonzero(profiles.summary).tolist()
    if profiles.infos["nValues"].any() and summaries != [0]:
        named = ", ".join(str(i) for i in summaries[:3]) or "none"
        raise profiles.file.error(
            place, f"the first profile, and no other, must be the summary: marked as such: {named}"
        )


def read_profile_table(
    prof: DatabaseFile, profiles: DatabaseProfiles, kinds: tuple[str, ...]
) -> pa.Table:
    """Rows (index, identifier_tuple, kind, node, rank, thread, gpu_context, gpu_stream)."""
    chosen = np.flatnonzero(~profiles.summary)
    tuples = _read_identities(prof.file, profiles.infos["pIdTuple"][chosen].tolist(), kinds)
    return make_profile_rows(
        [{"index": i, **one} for i, one in zip(chosen.tolist(), tuples, strict=True)]
    )


def make_profile_rows(rows: list[dict[str, Any]]) -> pa.Table:
    """Rows of table profile; missing identifiers are null."""
    schema = pa.schema(
        [("index", pa.int32()), ("identifier_tuple", pa.string()), ("kind", pa.string())]
        + [(name, pa.uint64()) for name in NAMED_KINDS.values()]
    )
    return pa.Table.from_pylist(rows, schema=schema)


def _read_identities(
    file: DataFile, pointers: list[int], kinds: tuple[str, ...]
) -> Iterator[dict[str, Any]]:
    """Text, kind and named identifiers for each pointer to an identifier tuple."""
    counts = {p: file.record(lay.ID_TUPLE, p)["nIds"] for p in set(pointers) - {0}}
    starts = np.array(list(counts), np.int64)
    lengths = lay.ID_TUPLE.size + lay.ID.size * np.array(list(counts.values()), np.int64)
    check_disjoint(file, starts, lengths, "identifier tuples")
    known = {p: _read_identity(file, p, count, kinds) for p, count in counts.items()}
    known[0] = {"identifier_tuple": "", "kind": "other"}
    for pointer in pointers:
        file.spend(known[pointer]["identifier_tuple"], pointer)
        yield known[pointer]


def _read_identity(
    file: DataFile, pointer: int, count: int, kinds: tuple[str, ...]
) -> dict[str, Any]:
    """Text, kind and named identifiers of one identifier tuple."""
    ids = file.records(lay.ID, pointer + lay.ID_TUPLE.size, count)
    parts = []
    for kind, flags, logical, physical_id in ids.tolist():
        name = kinds[kind] if kind < len(kinds) else f"unknown({kind})"
        file.spend(name, pointer)
        physical = bool(flags & lay.IS_PHYSICAL)
        parts.append((name, physical_id if physical else logical, physical))
    names = {name for name, _, _ in parts}
    return {
        "identifier_tuple": " ".join(
            f"{name} {number:x}" if physical and name == "NODE" else f"{name} {number}"
            for name, number, physical in parts
        ),
        "kind": next((kind for name, kind in KINDS if name in names), "other"),
        **{NAMED_KINDS[name]: number for name, number, _ in parts if name in NAMED_KINDS},
    }
