"""Random databases for the writer: small, but with every kind of content that it takes."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from hypothesis import strategies as st

from perfolio.writers.hpctoolkit import (
    ALL_STATISTICS,
    SCOPES,
    Database,
    EntryPoint,
    File,
    Function,
    Identifier,
    Metric,
    Profile,
    TracePoints,
    Tree,
    Values,
)
from perfolio.writers.hpctoolkit.model import IDENTIFIER_KINDS

TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12)
RENAMED = re.compile("GINST|GSAMP:|.* \\([sb]\\)$", re.DOTALL)
"""Names of metrics for which the reader has another, that of an older version of HPCToolkit."""
BIG = st.integers(0, 2**64 - 1)
NUMBER = st.integers(0, 2**32 - 1)
Contents = tuple[Database, list[Values], list[TracePoints]]
START = 1_700_000_000_000_000_000


def _subset(draw: st.DrawFn, values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Some of the values, in their order."""
    return tuple(value for value in values if draw(st.booleans()))


@st.composite
def databases(draw: st.DrawFn) -> Database:
    """Everything but values and traces."""
    modules = draw(st.lists(TEXT, max_size=3))
    files = draw(st.lists(st.builds(File, TEXT, st.booleans()), max_size=3))
    place = st.integers(-1, len(modules) - 1), st.integers(-1, len(files) - 1)
    functions = st.builds(Function, TEXT.filter(bool), place[0], BIG, place[1], NUMBER)
    named = draw(st.lists(functions, max_size=4))
    metrics = TEXT.filter(lambda name: not RENAMED.match(name))
    names = draw(st.lists(metrics, min_size=1, max_size=3, unique=True))
    entries = draw(st.integers(1, 3))
    count = draw(st.integers(0, 14))
    used = st.integers(1, 40)
    ids = draw(st.lists(used, min_size=entries + count, max_size=entries + count, unique=True))
    kinds = draw(st.lists(st.integers(0, 2), min_size=entries, max_size=entries))
    return Database(
        title=draw(TEXT),
        description=draw(TEXT),
        metrics=tuple(
            Metric(name, _subset(draw, SCOPES), _subset(draw, ALL_STATISTICS)) for name in names
        ),
        entry_points=tuple(
            EntryPoint(context, kind, draw(TEXT))
            for context, kind in zip(ids[:entries], kinds, strict=True)
        ),
        tree=_tree(draw, ids, entries, (len(named), len(files), len(modules))),
        profiles=tuple(draw(st.lists(_profiles(), max_size=4))),
        modules=tuple(modules),
        files=tuple(files),
        functions=tuple(named),
    )


def _profiles() -> st.SearchStrategy[Profile]:
    kinds = st.sampled_from(IDENTIFIER_KINDS)
    identifiers = st.builds(Identifier, kinds, NUMBER, st.none() | BIG)
    return st.builds(Profile, st.lists(identifiers, max_size=3).map(tuple))


def _tree(draw: st.DrawFn, ids: list[int], entries: int, sizes: tuple[int, int, int]) -> Tree:
    """Contexts that hang below those before them, listed in a random order."""
    count = len(ids) - entries
    below = [draw(st.integers(0, entries + i - 1)) for i in range(count)]
    order = draw(st.permutations(range(count)))

    def column(one: st.SearchStrategy[int], kind: str) -> Any:
        return np.array(draw(st.lists(one, min_size=count, max_size=count)), kind)

    relation = column(st.sampled_from([0, 0, 0, 1, 2]), "u1")
    unlisted = column(st.sampled_from([0, 0, 0, 1]), "?") if draw(st.booleans()) else None
    if unlisted is not None:
        relation[unlisted] = 0  # such contexts are instructions within a line
    return Tree(
        np.array(ids[entries:], np.uint32)[list(order)],
        np.array([ids[i] for i in below], np.uint32)[list(order)],
        relation,
        column(st.sampled_from([0, 1, 1, 2, 3]), "u1"),
        column(st.integers(-1, sizes[0] - 1), "i4"),
        column(st.integers(-1, sizes[1] - 1), "i4"),
        column(NUMBER, "u4"),
        column(st.integers(-1, sizes[2] - 1), "i4"),
        column(BIG, "u8"),
        unlisted,
    )


@st.composite
def values(draw: st.DrawFn, database: Database) -> list[Values]:
    """Values of some of the profiles, some in several pieces; whole numbers add up exactly."""
    contexts = _contexts(database)
    cells = st.tuples(
        st.sampled_from(contexts),
        st.integers(0, len(database.metrics) - 1),
        st.integers(0, 1000),
    )
    found = []
    for profile in draw(st.permutations(range(1, len(database.profiles) + 1))):
        for _ in range(draw(st.integers(0, 2))):
            rows = np.array(draw(st.lists(cells, max_size=8)), np.int64).reshape(-1, 3)
            context, metric = rows[:, 0].astype(np.uint32), rows[:, 1].astype(np.uint16)
            found.append(Values(profile, context, metric, rows[:, 2].astype(np.float64)))
    return found


@st.composite
def traces(draw: st.DrawFn, database: Database) -> list[TracePoints]:
    """Lines of some of the profiles, some in several pieces."""
    contexts = _contexts(database)
    found = []
    for profile in draw(st.permutations(range(1, len(database.profiles) + 1))):
        time = START
        idle = False
        for _ in range(draw(st.integers(0, 2))):
            points = []
            for _ in range(draw(st.integers(0, 4))):
                time += draw(st.integers(0, 10**9))
                idle = not idle and draw(st.booleans())
                points.append((time, 0 if idle else draw(st.sampled_from(contexts))))
            rows = np.array(points, np.uint64).reshape(-1, 2)
            found.append(TracePoints(profile, rows[:, 0], rows[:, 1].astype(np.uint32)))
    return found


def _contexts(database: Database) -> list[int]:
    """Ids of all contexts, unlisted ones and entry points included."""
    return [e.context for e in database.entry_points] + [int(c) for c in database.tree.context]


@st.composite
def contents(draw: st.DrawFn) -> Contents:
    """A database with values and traces."""
    database = draw(databases())
    return database, draw(values(database)), draw(traces(database))


def unlisted_contexts(tree: Tree) -> list[bool]:
    """Whether each row of a tree is unlisted."""
    return [False] * len(tree.context) if tree.unlisted is None else tree.unlisted.tolist()


def shown_parent(tree: Tree, context: int) -> int:
    """The nearest context above that has a node."""
    rows = {int(c): i for i, c in enumerate(tree.context)}
    unlisted = unlisted_contexts(tree)
    parent = int(tree.parent[rows[context]])
    while parent in rows and unlisted[rows[parent]]:
        parent = int(tree.parent[rows[parent]])
    return parent
