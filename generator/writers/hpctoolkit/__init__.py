"""HPCToolkit databases of format 4.0: meta.db, profile.db, cct.db, trace.db.

In:  `model.Database`, point values per profile, trace lines. Out: a database's folder.

    model       what is to be written: frozen dataclasses, columns as numpy arrays
    database    `write`: all files, made aside and renamed together
    checks      contents that the format cannot hold
    tree        an order of the contexts in which parents stand before children
    metrics     numbers of metrics, scopes and statistics
    propagate   measured values to the scopes function, lex_aware and execution
    output      alignment, header, footer, string tables
    meta        meta.db
    contexts    the tree of meta.db
    values      profile.db
    transpose   cct.db, from profile.db
    statistics  the summary profile, on the way
    trace       trace.db

Structures are those of `generator.sources.hpctoolkit.layouts`: one table of the format
for reading and writing.
"""

from __future__ import annotations

from generator.writers.hpctoolkit.database import write
from generator.writers.hpctoolkit.model import (
    ALL_STATISTICS,
    COUNT,
    MAX,
    MIN,
    SCOPES,
    SQUARES,
    SUM,
    Database,
    EntryPoint,
    File,
    Function,
    Identifier,
    Metric,
    Profile,
    Statistic,
    TracePoints,
    Tree,
    Values,
)

__all__ = [
    "ALL_STATISTICS",
    "COUNT",
    "MAX",
    "MIN",
    "SCOPES",
    "SQUARES",
    "SUM",
    "Database",
    "EntryPoint",
    "File",
    "Function",
    "Identifier",
    "Metric",
    "Profile",
    "Statistic",
    "TracePoints",
    "Tree",
    "Values",
    "write",
]
