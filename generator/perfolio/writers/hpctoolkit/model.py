"""What a database is to contain. Nothing here is computed: the writer derives the rest.

Positions (of a module, file or function in its tuple) count from 0; -1 means none.
Profiles count from 1: index 0 is the summary profile, which the writer makes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

SCOPES = ("point", "function", "lex_aware", "execution")
"""The propagation scopes that HPCToolkit writes, in its order."""
IDENTIFIER_KINDS = (
    "SUMMARY",
    "NODE",
    "RANK",
    "THREAD",
    "GPUDEVICE",
    "GPUCONTEXT",
    "GPUSTREAM",
    "CORE",
)
"""Kinds of identifiers that HPCToolkit writes, in its order."""
LEXICAL, CALL, INLINED_CALL = 0, 1, 2
"""Relations of a context to its parent."""
FUNCTION, LOOP, LINE, INSTRUCTION = 0, 1, 2, 3
"""Lexical types of a context."""
UNKNOWN_ENTRY, MAIN_THREAD, APPLICATION_THREAD = 0, 1, 2
"""Kinds of entry points."""


@dataclass(frozen=True)
class Statistic:
    """A number over the profiles that have a value: `combine` of `formula` of each."""

    formula: str
    """`$$` is the value."""
    combine: str
    """sum, min or max."""


SUM = Statistic("$$", "sum")
COUNT = Statistic("1", "sum")
SQUARES = Statistic("($$^2)", "sum")
MIN = Statistic("$$", "min")
MAX = Statistic("$$", "max")
ALL_STATISTICS = (COUNT, SUM, SQUARES, MIN, MAX)
"""What `hpcprof -M stats` keeps; mean and standard deviation follow from them."""


@dataclass(frozen=True)
class Metric:
    """A measured metric, e.g. `CPUTIME (sec)`."""

    name: str
    scopes: tuple[str, ...] = SCOPES
    """Scopes at which values are kept; all of them for what HPCToolkit measures."""
    statistics: tuple[Statistic, ...] = (SUM,)
    """Statistics of the summary profile; HPCToolkit's default is the sum alone."""


@dataclass(frozen=True)
class File:
    """A source file; `copied` if the database holds a copy (then `path` is relative to it)."""

    path: str
    copied: bool = False


@dataclass(frozen=True)
class Function:
    """A named construct, e.g. a function or `<gpu kernel>`; module and file are positions."""

    name: str
    module: int = -1
    offset: int = 0
    """Bytes from the start of the module; without meaning without one."""
    file: int = -1
    line: int = 0


@dataclass(frozen=True)
class EntryPoint:
    """The top of a part of the tree: a context below context 0."""

    context: int
    """Its id, above 0."""
    kind: int = MAIN_THREAD
    name: str = ""
    """Empty: HPCToolkit's name for the kind."""


@dataclass(frozen=True)
class Tree:
    """Calling contexts below the entry points: columns of equal length, a row per context.

    Rows may stand in any order. Ids are above 0, each once, the entry points' included;
    context 0 is above all of them. cct.db has an entry for each id up to the largest,
    so they should be dense.
    """

    context: npt.NDArray[np.uint32]
    """Ids."""
    parent: npt.NDArray[np.uint32]
    """Id of the parent: a context or an entry point."""
    relation: npt.NDArray[np.uint8]
    """LEXICAL (within the parent), CALL or INLINED_CALL."""
    lexical_type: npt.NDArray[np.uint8]
    """FUNCTION, LOOP, LINE or INSTRUCTION."""
    function: npt.NDArray[np.int32]
    """Position of the function, -1 for none."""
    file: npt.NDArray[np.int32]
    """Position of the source file, -1 for none."""
    line: npt.NDArray[np.uint32]
    """Source line; without meaning without a file."""
    module: npt.NDArray[np.int32]
    """Position of the load module, -1 for none."""
    offset: npt.NDArray[np.uint64]
    """Bytes from the start of the module; without meaning without one."""
    unlisted: npt.NDArray[np.bool_] | None = None
    """Contexts that have values but no node in meta.db, as hpcprof does with instructions
    within a line; their children appear below the nearest context that is not unlisted."""


@dataclass(frozen=True)
class Identifier:
    """What a profile belongs to, e.g. rank 3."""

    kind: str
    """A name of `Database.identifier_kinds`."""
    logical: int
    """Dense from 0."""
    physical: int | None = None
    """Of hardware (a node's host id, the first hardware thread of a core), else None."""


@dataclass(frozen=True)
class Profile:
    """A thread or GPU stream: identifiers from the widest to the narrowest."""

    identifiers: tuple[Identifier, ...]


@dataclass(frozen=True)
class Database:
    """A database without its values and traces."""

    title: str
    metrics: tuple[Metric, ...]
    entry_points: tuple[EntryPoint, ...]
    tree: Tree
    profiles: tuple[Profile, ...]
    """The profile at position i has index i + 1."""
    modules: tuple[str, ...] = ()
    """Paths of load modules."""
    files: tuple[File, ...] = ()
    functions: tuple[Function, ...] = ()
    description: str = ""
    identifier_kinds: tuple[str, ...] = IDENTIFIER_KINDS
    beside: Mapping[str, bytes] = field(default_factory=dict)
    """Other files of the folder by name, e.g. profile.toml: they appear with the database."""


@dataclass(frozen=True)
class Values:
    """Costs of a profile as measured (scope point): three columns of equal length.

    A pair of context and metric may occur more than once: its values are added up.
    """

    profile: int
    """Index of the profile, from 1."""
    context: npt.NDArray[np.uint32]
    metric: npt.NDArray[np.uint16]
    """Position of the metric in `Database.metrics`."""
    value: npt.NDArray[np.float64]


@dataclass(frozen=True)
class TracePoints:
    """Points of the trace of a profile, in order of time: from `time` on it is in `context`."""

    profile: int
    """Index of the profile, from 1."""
    time: npt.NDArray[np.uint64]
    """ns since the epoch, never falling."""
    context: npt.NDArray[np.uint32]
    """Ids; 0 means not running, which must not occur twice in a row."""
