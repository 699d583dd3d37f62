"""Weights under which consistent costs add up to nothing, for each context and scope.

The scopes of a profile are tied to each other. With children(c) the contexts below c:

    execution(c) - execution of children(c) = function(c) - function of lexical children(c)
    lex_aware(c) = function(c)          where c is no loop
    sum of point = execution(0)

The first line holds whether or not children are listed: unlisted ones are instructions
within a line, and count on both sides. Each equation is multiplied by a number of its own,
drawn once from a fixed seed, and all are added. So one pass with one weight per value tells
whether all hold, up to rounding: a cost that is changed or moved leaves a remainder.

A second set of weights compares profiles with their summary, context by context. There
lex_aware of loops is left out: in the summary it is not the sum of the threads.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
SCOPES = ("point", "function", "lex_aware", "execution")
POINT, FUNCTION, LEX_AWARE, EXECUTION = range(1, 5)
KINDS = 5
"""The scopes from 1 on, and 0 for whatever is not compared."""
UNLISTED, ROOT = 0, 1
"""Positions of contexts that are not in the tree, and of context 0."""
SEED = 0x9E3779B97F4A7C15


@dataclass(frozen=True)
class ContextPositions:
    """Where contexts stand among those that meta.db lists."""

    ids: npt.NDArray[np.uint32]
    """0 and all listed ones, ascending."""
    table: Ints | None
    """Position by id, where ids are dense enough; the last entry is for all larger ones."""

    def of(self, contexts: npt.NDArray[np.uint32]) -> Ints:
        """The position of each context, 0 for those that are not listed."""
        if self.table is not None:
            return self.table.take(np.minimum(contexts, len(self.table) - 1))
        place = np.searchsorted(self.ids, contexts)
        place[place == len(self.ids)] = 0
        return np.where(self.ids[place] == contexts, place + 1, UNLISTED)


def make_positions(contexts: pa.Table) -> ContextPositions:
    """Positions of the rows of table context."""
    listed = np.sort(contexts["id"].to_numpy())
    ids = np.concatenate([np.zeros(1, np.uint32), listed])
    if int(ids[-1]) > 8 * len(ids) + 1024:
        return ContextPositions(ids, None)
    table = np.zeros(int(ids[-1]) + 2, np.int64)
    table[ids] = np.arange(1, len(ids) + 1)
    return ContextPositions(ids, table)


@dataclass(frozen=True)
class CostWeights:
    """For each kind of value and position of context, one after another."""

    positions: ContextPositions
    own: Floats
    """Add up to 0 over the values of a profile, for each name of a metric."""
    shared: Floats
    """Add up to the same over all profiles as over their summary, for each metric."""
    stride: int
    """Positions of a kind."""


def make_weights(contexts: pa.Table) -> CostWeights:
    """The weights for the tree of table context."""
    positions = make_positions(contexts)
    rng = np.random.default_rng(SEED)
    count = len(positions.ids) + 1
    tree, same = rng.uniform(1, 2, count), rng.uniform(1, 2, count)
    shared = rng.uniform(1, 2, (KINDS, count))
    tree[UNLISTED] = same[UNLISTED] = 0
    here = positions.of(contexts["id"].to_numpy())
    above = positions.of(contexts["parent"].to_numpy())
    lexical = _compare_column(contexts, "relation", "lexical")
    loop = here[_compare_column(contexts, "lexical_type", "loop")]
    same[loop] = 0
    shared[0] = shared[LEX_AWARE, loop] = 0
    if _is_of_later_version(contexts):
        tree[:] = same[:] = 0
    own = np.zeros((KINDS, count))
    own[EXECUTION] = tree
    own[EXECUTION, here] -= tree[above]
    own[FUNCTION] = -tree - same
    own[FUNCTION, here[lexical]] += tree[above[lexical]]
    own[LEX_AWARE] = same
    own[POINT] = 1
    own[EXECUTION, ROOT] -= 1
    return CostWeights(positions, own.ravel(), shared.ravel(), count)


def _compare_column(contexts: pa.Table, column: str, name: str) -> npt.NDArray[np.bool_]:
    found: npt.NDArray[np.bool_] = pc.equal(contexts[column], name).to_numpy()
    return found


def _is_of_later_version(contexts: pa.Table) -> bool:
    """Whether a context is related in a way that these equations may not know."""
    return any(
        pc.any(pc.starts_with(contexts[column], "unknown(")).as_py()
        for column in ("relation", "lexical_type")
    )
