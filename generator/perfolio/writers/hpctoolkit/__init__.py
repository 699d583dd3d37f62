"""HPCToolkit databases of format 4.0: meta.db, profile.db, cct.db, trace.db.

In:  `model.Database`, point values per profile, trace lines. Out: a database's folder.

    model               what is to be written: frozen dataclasses, columns as numpy arrays
    database_files      `write`: contents checked, all files made aside and renamed together
    context_order       an order of the contexts in which parents stand before children
    metric_numbers      numbers of metrics, scopes and statistics
    cost_propagation    measured values to the scopes function, lex_aware and execution
    format_output       alignment, header, footer, string tables
    meta_writer         meta.db
    context_records     the tree of meta.db
    profile_writer      profile.db
    cct_writer          cct.db, from profile.db
    summary_statistics  the summary profile, on the way
    trace_writer        trace.db

Structures are those of `perfolio.readers.hpctoolkit.format_layouts`: one table of the format
for reading and writing.
"""

from __future__ import annotations

from perfolio.writers.hpctoolkit.database_files import write
from perfolio.writers.hpctoolkit.model import (
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
