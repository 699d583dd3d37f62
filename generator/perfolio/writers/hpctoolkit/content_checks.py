"""What a database may not contain: contents that the format cannot hold, or contradictions."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import numpy.typing as npt

from perfolio.readers.hpctoolkit import format_layouts as lay
from perfolio.writers.hpctoolkit.model import Database, Function, Tree

FILES = ("meta.db", "profile.db", "cct.db", "trace.db")
"""What a database consists of."""


def check_database(database: Database) -> None:
    """Raise ValueError for the first contradiction found."""
    for function in database.functions:
        _check_function(database, function)
    for entry in database.entry_points:
        if entry.kind not in lay.ENTRY_POINTS:
            raise ValueError(f"{entry.kind} is not a kind of entry points")
    _check_tree(database, database.tree)
    for name in database.beside:
        if name in FILES or "/" in name or name in {"", ".", ".."}:
            raise ValueError(f"{name!r} is no name for a file beside those of the database")


def _check_function(database: Database, function: Function) -> None:
    if not function.name and function.module < 0 and function.file < 0:
        raise ValueError("a function has neither name, module nor file")
    modules, files = len(database.modules), len(database.files)
    if not (-1 <= function.module < modules and -1 <= function.file < files):
        raise ValueError(f"function {function.name!r}: its module or file does not exist")


def _check_tree(database: Database, tree: Tree) -> None:
    columns = {f.name: getattr(tree, f.name) for f in fields(tree)}
    lengths = {len(column) for column in columns.values() if column is not None}
    if len(lengths) != 1:
        raise ValueError("the columns of the tree differ in length")
    _check_within(columns["function"], -1, len(database.functions), "function")
    _check_within(columns["file"], -1, len(database.files), "file")
    _check_within(columns["module"], -1, len(database.modules), "module")
    _check_within(columns["relation"], 0, len(lay.RELATIONS), "relation")
    _check_within(columns["lexical_type"], 0, len(lay.LEXICAL_TYPES), "lexical type")
    _check_within(columns["parent"], 1, 1 << 32, "parent")


def _check_within(column: npt.NDArray[Any], first: int, end: int, what: str) -> None:
    if len(column) and (int(np.min(column)) < first or int(np.max(column)) >= end):
        raise ValueError(f"a context has a {what} that does not exist")
