"""Whether trace.db goes with the other files of a database: what is told as a warning.

A sample is taken where the thread also has a cost, so that what called the functions of a
line's points has a cost in its profile. In real databases that holds for 99 % of the
points of each line and more; contexts of the points themselves are often dropped from
profile.db. GPU streams have no costs of their own, and are left out.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from perfolio.readers.hpctoolkit import format_layouts as lay
from perfolio.readers.hpctoolkit.cost_weights import ROOT, UNLISTED, Ints, make_positions
from perfolio.readers.hpctoolkit.profile_db import DatabaseProfiles

FEWEST = 10
"""Points below which a line says too little."""
SHARE = 0.5
"""Of a line's points, the least that are called from where its profile has costs."""


class TraceDoubts:
    """What speaks against the lines of a trace, collected while their points are read."""

    def __init__(self, contexts: pa.Table, profiles: DatabaseProfiles | None) -> None:
        self.profiles = profiles
        self.positions = make_positions(contexts)
        self.callers = self._callers(contexts)
        self.costs = np.zeros(len(self.callers), np.bool_)
        """By position: whether the profile of a line has costs there, while that line is read."""
        self.points = self.unlisted = self.lines = self.foreign = 0

    def _callers(self, contexts: pa.Table) -> Ints:
        """For the position of each context: that of what called the function it lies in."""
        here = self.positions.of(contexts["id"].to_numpy())
        parent = np.zeros(len(self.positions.ids) + 1, np.int64)
        parent[here] = self.positions.of(contexts["parent"].to_numpy())
        frame = np.arange(len(parent))
        lexical = here[pc.equal(contexts["relation"], "lexical").to_numpy()]
        frame[lexical] = parent[lexical]
        # Twice as far with each step, so that deep trees take few of them.
        while not np.array_equal(further := frame[frame], frame):
            frame = further
        return parent[frame]

    def watch(self, profile: int, contexts: npt.NDArray[np.uint32]) -> None:
        """Look at the contexts of a line's points, all or some, idle times left out."""
        places = self.positions.of(contexts)
        self.points += len(places)
        self.unlisted += int((places == UNLISTED).sum())
        listed = self._contexts_with_costs(profile) if len(places) >= FEWEST else None
        if listed is None or not len(listed):
            return
        here = self.positions.of(listed)
        self.costs[here] = True
        self.costs[UNLISTED] = self.costs[ROOT]
        self.lines += 1
        self.foreign += bool(self.costs[self.callers[places]].mean() < SHARE)
        self.costs[here] = False

    def _contexts_with_costs(self, profile: int) -> npt.NDArray[np.uint32] | None:
        if self.profiles is None:
            return None
        info = self.profiles.infos[profile]
        rows = self.profiles.file.records(
            lay.CTX_INDEX, int(info["pCtxIndices"]), int(info["nCtxs"])
        )
        return np.ascontiguousarray(rows["ctxId"])

    @property
    def warnings(self) -> tuple[str, ...]:
        """The doubts in words."""
        notes = []
        if self.unlisted:
            notes.append(
                f"{self.unlisted:,} of {self.points:,} trace points are in contexts that meta.db "
                "does not list: trace.db may be of another database"
            )
        if self.foreign:
            notes.append(
                f"{self.foreign:,} of {self.lines:,} trace lines were recorded mostly where their "
                "profile has no costs: trace.db may be of another database, or its lines be swapped"
            )
        return tuple(notes)
