"""HPCToolkit databases of format 4.0: meta.db, profile.db, cct.db, trace.db.

In:  `model.Database`, point values per profile, trace lines. Out: a database's folder.

    model      what is to be written: frozen dataclasses, columns as numpy arrays
    database   `write`: all files, made aside and renamed together

Structures are those of `generator.sources.hpctoolkit.layouts`: one table of the format
for reading and writing.
"""

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
