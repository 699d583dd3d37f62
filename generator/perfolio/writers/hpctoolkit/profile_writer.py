"""profile.db: profiles, their identifiers, and their values, block after block.

The summary profile stands first in the list and last in the file: its values are known
only after all others (see `transpose`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from perfolio.readers.hpctoolkit import format_layouts as lay
from perfolio.writers.hpctoolkit.context_order import Ints
from perfolio.writers.hpctoolkit.cost_propagation import CostBlock
from perfolio.writers.hpctoolkit.format_output import (
    BLOCK_ALIGNMENT,
    GrowingFile,
    OutputSection,
    Records,
    align_offset,
    as_bytes,
    compute_header_size,
    make_records,
    pack_record,
)
from perfolio.writers.hpctoolkit.model import Database, Profile

KIND = b"prof"
SUMMARY = 0
"""Index of the summary profile."""


@dataclass
class ProfileFile:
    """profile.db while it is written."""

    out: GrowingFile
    infos: Records
    sections: list[OutputSection]
    per_context: Ints
    """Values that the profiles written so far have at each context."""
    _seen: set[int] = field(default_factory=set)

    def add(self, block: CostBlock) -> None:
        """Write the values of a profile. Raises ValueError for an unknown profile or twice."""
        profile = block.profile
        if not 1 <= profile < len(self.infos):
            raise ValueError(f"profile {profile} is not one of 1 to {len(self.infos) - 1}")
        if profile in self._seen:
            raise ValueError(f"the values of profile {profile} are not in a row")
        self._seen.add(profile)
        counts = np.diff(block.start, append=len(block.value))
        self.per_context[block.context] += counts
        index = make_records(lay.CTX_INDEX, len(block.context))
        index["ctxId"], index["startIndex"] = block.context, block.start
        self.append_values(profile, make_value_rows(block.metric, block.value))
        self.append_index(profile, index)

    def append_values(self, profile: int, rows: Records) -> None:
        """Write values of a profile; what follows for the same profile continues them."""
        info = self.infos[profile]
        if info["nValues"] == 0:
            info["pValues"] = self.out.align(BLOCK_ALIGNMENT)
        self.out.append(as_bytes(rows))
        info["nValues"] += len(rows)

    def append_index(self, profile: int, index: Records) -> None:
        """Write where the values of each context begin; the profile is complete then."""
        info = self.infos[profile]
        info["pCtxIndices"] = self.out.align(BLOCK_ALIGNMENT)
        if len(index) == 0:
            info["pValues"] = info["pCtxIndices"]
        self.out.append(as_bytes(index))
        info["nCtxs"] = len(index)

    def finish(self) -> None:
        """Write the list of profiles, header and footer."""
        for profile in np.flatnonzero(self.infos["pCtxIndices"] == 0):
            self.append_index(int(profile), make_records(lay.CTX_INDEX, 0))
        self.out.align(BLOCK_ALIGNMENT)
        self.out.fill(_locate_array(), self.infos.tobytes())
        self.out.finish(self.sections)


def make_value_rows(metric: npt.NDArray[np.uint16], value: npt.NDArray[np.float64]) -> Records:
    """Structures {Val} of profile.db."""
    rows = make_records(lay.VALUE, len(value))
    rows["metricId"], rows["value"] = metric, value
    return rows


def start_profile_file(out: GrowingFile, database: Database, contexts: int) -> ProfileFile:
    """Lay out profile.db and write the identifiers; `contexts` is the largest id plus one."""
    count = len(database.profiles) + 1
    start = compute_header_size(KIND)
    listed = OutputSection(start, _locate_array() - start + count * lay.PROFILE_INFO.size)
    tuples = OutputSection(align_offset(listed.offset + listed.size), 0)
    kinds = {kind: number for number, kind in enumerate(database.identifier_kinds)}
    infos = make_records(lay.PROFILE_INFO, count)
    infos["flags"][SUMMARY] = lay.IS_SUMMARY
    out.skip(tuples.offset)
    for index, profile in enumerate(database.profiles, 1):
        infos["pIdTuple"][index] = out.append(_pack_identifiers(profile, kinds))
    tuples = OutputSection(tuples.offset, out.end - tuples.offset)
    fields = {"pProfiles": _locate_array(), "nProfiles": count, "szProfile": lay.PROFILE_INFO.size}
    out.fill(start, pack_record(lay.PROFILE_INFOS, fields))
    return ProfileFile(out, infos, [listed, tuples], np.zeros(contexts, np.int64))


def _locate_array() -> int:
    return align_offset(compute_header_size(KIND) + lay.PROFILE_INFOS.size)


def _pack_identifiers(profile: Profile, kinds: dict[str, int]) -> bytes:
    rows = make_records(lay.ID, len(profile.identifiers))
    for row, one in zip(rows, profile.identifiers, strict=True):
        if one.kind not in kinds:
            raise ValueError(f"{one.kind} is not one of the kinds of identifiers")
        row["kind"], row["logicalId"] = kinds[one.kind], one.logical
        row["flags"] = lay.IS_PHYSICAL if one.physical is not None else 0
        row["physicalId"] = one.logical if one.physical is None else one.physical
    return pack_record(lay.ID_TUPLE, {"nIds": len(rows)}) + rows.tobytes()
