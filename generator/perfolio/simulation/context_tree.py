"""Calling paths to a context tree, with its functions, files and modules."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from perfolio.readers.code_names import PYTHON_MODULE
from perfolio.simulation.calling_paths import Path, PathFrame
from perfolio.writers.hpctoolkit import EntryPoint, File, Function, Tree
from perfolio.writers.hpctoolkit.model import (
    APPLICATION_THREAD,
    CALL,
    FUNCTION,
    INLINED_CALL,
    LEXICAL,
    LINE,
    MAIN_THREAD,
)

NONE = -1
ENTRIES = {MAIN_THREAD: 1, APPLICATION_THREAD: 2}
"""Contexts of the entry points."""
K = TypeVar("K", bound=Hashable)
_Row = tuple[int, int, int, int, int, int]
"""Parent, relation, lexical type, function, file, line."""


@dataclass
class ContextTreeBuilder:
    """A growing tree: equal frames below the same context are one context."""

    _rows: dict[_Row, int] = field(default_factory=dict)
    _functions: dict[tuple[str, str, str], int] = field(default_factory=dict)
    _files: dict[str, int] = field(default_factory=dict)
    _modules: dict[str, int] = field(default_factory=dict)
    _found: dict[tuple[int, Path], int] = field(default_factory=dict)

    def of(self, entry: int, path: Path) -> int:
        """The context of a path below an entry point (one of `ENTRIES`)."""
        key = (entry, path)
        if key not in self._found:
            context = ENTRIES[entry]
            for frame in path:
                context = self._below(context, frame)
            self._found[key] = context
        return self._found[key]

    def _below(self, parent: int, frame: PathFrame) -> int:
        """A function is called; its line is within it. Top-level code has only a line."""
        if frame.name:
            relation = INLINED_CALL if frame.inlined else CALL
            parent = self._row((parent, relation, FUNCTION, self._function(frame), NONE, 0))
        if not frame.file:
            return parent
        relation = LEXICAL if frame.name else CALL
        return self._row(
            (parent, relation, LINE, NONE, _number_key(self._files, frame.file), frame.line)
        )

    def _row(self, row: _Row) -> int:
        return self._rows.setdefault(row, len(self._rows) + len(ENTRIES) + 1)

    def _function(self, frame: PathFrame) -> int:
        file = frame.file if frame.module == PYTHON_MODULE else ""
        return _number_key(self._functions, (frame.name, frame.module, file))

    def entry_points(self) -> tuple[EntryPoint, ...]:
        """Both entry points, whether used or not."""
        return tuple(EntryPoint(context, kind) for kind, context in ENTRIES.items())

    def tree(self) -> Tree:
        """All contexts."""
        rows = np.array(list(self._rows), np.int64).reshape(-1, 6)
        parent, relation, lexical_type, function, file, line = rows.T
        number = len(rows)
        return Tree(
            context=np.fromiter(self._rows.values(), np.uint32, number),
            parent=parent.astype(np.uint32),
            relation=relation.astype(np.uint8),
            lexical_type=lexical_type.astype(np.uint8),
            function=function.astype(np.int32),
            file=file.astype(np.int32),
            line=line.astype(np.uint32),
            module=np.full(number, NONE, np.int32),
            offset=np.zeros(number, np.uint64),
        )

    def functions(self) -> tuple[Function, ...]:
        """All functions; the offset tells those of one module apart."""
        return tuple(
            Function(
                name=name,
                module=_number_key(self._modules, module) if module else NONE,
                offset=64 * index if module and module != PYTHON_MODULE else 0,
                file=self._files[file] if file else NONE,
            )
            for (name, module, file), index in self._functions.items()
        )

    def files(self) -> tuple[File, ...]:
        """All source files."""
        return tuple(File(path) for path in self._files)

    def modules(self) -> tuple[str, ...]:
        """Modules of all functions: to be asked after them."""
        return tuple(self._modules)


def _number_key(numbers: dict[K, int], key: K) -> int:
    return numbers.setdefault(key, len(numbers))
