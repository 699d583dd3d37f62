"""profile.db without its values: the profiles and what each one is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from generator.sources.hpctoolkit import layouts as lay
from generator.sources.hpctoolkit.header import DatabaseFile
from generator.sources.hpctoolkit.mapped import MappedFile, Records, check_disjoint

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
class Profiles:
    """The profiles of a database: structures {PI} and their positions."""

    file: MappedFile
    infos: Records
    summary: npt.NDArray[np.bool_]


def read_profiles(prof: DatabaseFile) -> Profiles:
    """The array of {PI}, every value block checked to lie in the file and overlap no other."""
    head = prof.head("ProfileInfos", lay.PROFILE_INFOS)
    infos = prof.array(
        "ProfileInfos", lay.PROFILE_INFO, head["pProfiles"], head["nProfiles"], head["szProfile"]
    )
    for pointer, count, layout in (
        ("pValues", "nValues", lay.VALUE),
        ("pCtxIndices", "nCtxs", lay.CTX_INDEX),
    ):
        _check_blocks(prof.file, infos, pointer, count, layout)
    lost = np.flatnonzero((infos["nValues"] > 0) & (infos["nCtxs"] == 0))
    if len(lost):
        raise prof.file.error(int(infos["pValues"][lost[0]]), "values without a context")
    return Profiles(prof.file, infos, (infos["flags"] & lay.IS_SUMMARY) != 0)


def _check_blocks(
    file: MappedFile, infos: Records, pointer: str, count: str, layout: lay.Layout
) -> None:
    counts = infos[count].astype(np.uint64)
    huge = np.flatnonzero(counts > file.size // layout.size)
    if len(huge):
        where = int(infos[pointer][huge[0]])
        raise file.error(
            where, f"{int(counts[huge[0]]):,} {layout.name} are more than the file holds"
        )
    lengths = counts.astype(np.int64) * layout.size
    starts = infos[pointer].astype(np.uint64)
    beyond = (lengths > 0) & (starts > np.uint64(file.size) - lengths.astype(np.uint64))
    if beyond.any():
        raise file.error(int(starts[beyond][0]), f"{layout.name} reach beyond the file")
    check_disjoint(file, starts.astype(np.int64), lengths, f"blocks of {layout.name}")


def profile_table(prof: DatabaseFile, profiles: Profiles, kinds: tuple[str, ...]) -> pa.Table:
    """Rows (index, identifier_tuple, kind, node, rank, thread, gpu_context, gpu_stream)."""
    rows = [
        {"index": int(i), **_identity(prof, int(profiles.infos["pIdTuple"][i]), kinds)}
        for i in np.flatnonzero(~profiles.summary)
    ]
    return profile_rows(rows)


def profile_rows(rows: list[dict[str, Any]]) -> pa.Table:
    """Rows of table profile; missing identifiers are null."""
    schema = pa.schema(
        [("index", pa.int32()), ("identifier_tuple", pa.string()), ("kind", pa.string())]
        + [(name, pa.uint64()) for name in NAMED_KINDS.values()]
    )
    return pa.Table.from_pylist(rows, schema=schema)


def _identity(prof: DatabaseFile, pointer: int, kinds: tuple[str, ...]) -> dict[str, Any]:
    """Text, kind and named identifiers of one identifier tuple."""
    if pointer == 0:
        return {"identifier_tuple": "", "kind": "other"}
    count = prof.file.record(lay.ID_TUPLE, pointer)["nIds"]
    ids = prof.file.records(lay.ID, pointer + lay.ID_TUPLE.size, count)
    parts = []
    for one in ids:
        name = kinds[one["kind"]] if one["kind"] < len(kinds) else f"unknown({one['kind']})"
        physical = bool(one["flags"] & lay.IS_PHYSICAL)
        parts.append((name, int(one["physicalId"] if physical else one["logicalId"]), physical))
    names = {name for name, _, _ in parts}
    return {
        "identifier_tuple": " ".join(
            f"{name} {number:x}" if physical and name == "NODE" else f"{name} {number}"
            for name, number, physical in parts
        ),
        "kind": next((kind for name, kind in KINDS if name in names), "other"),
        **{NAMED_KINDS[name]: number for name, number, _ in parts if name in NAMED_KINDS},
    }
