"""What the bytes of a database say, as lists of plain tuples.

Offsets are those of HPCToolkit's specification of format 4.0. Nothing is checked: it is
asked only about databases that the reader accepts.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping

Files = Mapping[str, bytes]
Touch = Callable[[str, int, int], None]
"""Called with the file, offset and width of each number that is read."""
Row = tuple[object, ...]
ENTRY = {0: "unknown entry", 1: "main thread", 2: "application thread"}
RELATION = {0: "lexical", 1: "call", 2: "inlined call"}
LEXICAL = {0: "function", 1: "loop", 2: "line", 3: "instruction"}
STATISTICS_FROM = 1 << 16


def _quiet(_name: str, _offset: int, _width: int) -> None:
    pass


def is_vdso(path: str) -> bool:
    """Whether it is the kernel's page of code, kept by its hash below a folder `vdso`."""
    *_, folder, name = ("", *path.split("/"))
    digest, dot, end = name.partition(".")
    is_hash = bool(digest) and not digest.strip("0123456789abcdef")
    return folder == "vdso" and is_hash and (dot, end) == (".", "vdso")


class Decoder:
    """A database in memory."""

    def __init__(self, files: Files, touch: Touch = _quiet) -> None:
        self.files, self.touch = files, touch

    def number(self, name: str, offset: int, width: int) -> int:
        """An unsigned integer."""
        self.touch(name, offset, width)
        return int.from_bytes(self.files[name][offset : offset + width], "little")

    def double(self, name: str, offset: int) -> float:
        """A floating-point number."""
        self.touch(name, offset, 8)
        (value,) = struct.unpack_from("<d", self.files[name], offset)
        return float(value)

    def text(self, offset: int) -> str:
        """A string of meta.db."""
        data = self.files["meta.db"]
        return data[offset : data.index(b"\0", offset)].decode("utf-8", "replace")

    def section(self, name: str, index: int) -> tuple[int, int]:
        """Offset and size of a section."""
        at = 16 + 16 * index
        return self.number(name, at + 8, 8), self.number(name, at, 8)

    # meta.db

    def _meta(self, offset: int, width: int) -> int:
        return self.number("meta.db", offset, width)

    def metrics(self) -> list[Row]:
        """(id, name as written, scope, statistic, formula)."""
        at, size = self.section("meta.db", 2)
        if not size:
            return []
        n = self._meta
        first, count = n(at, 8), n(at + 8, 4)
        per_metric, per_instance, per_summary = n(at + 12, 1), n(at + 13, 1), n(at + 14, 1)
        rows: list[Row] = []
        for i in range(count):
            one = first + i * per_metric
            name = self.text(n(one, 8))
            instances, summaries = n(one + 8, 8), n(one + 16, 8)
            for j in range(n(one + 24, 2)):
                inst = instances + j * per_instance
                rows.append((n(inst + 8, 2), name, self._scope(n(inst, 8)), None, None))
            for j in range(n(one + 26, 2)):
                stat = summaries + j * per_summary
                how, number = n(stat + 16, 1), n(stat + 18, 2) + STATISTICS_FROM
                combine = {0: "sum", 1: "min", 2: "max"}.get(how, f"unknown({how})")
                scope, formula = self._scope(n(stat, 8)), self.text(n(stat + 8, 8))
                rows.append((number, name, scope, combine, formula))
        return rows

    def _scope(self, at: int) -> str:
        return self.text(self.number("meta.db", at, 8)) if at else ""

    def paths(self, section: int) -> dict[int, str]:
        """Paths of modules (section 5) or files (6) by where their structure lies."""
        at, size = self.section("meta.db", section)
        if not size:
            return {}
        first, count = self.number("meta.db", at, 8), self.number("meta.db", at + 8, 4)
        step = self.number("meta.db", at + 12, 2)
        places = [first + i * step for i in range(count)]
        texts = {place: self.text(self.number("meta.db", place + 8, 8)) for place in places}
        return {place: "[vdso]" if is_vdso(text) else text for place, text in texts.items()}

    def functions(self) -> dict[int, Row]:
        """(name, module, offset, file, line) by where the structure lies."""
        at, size = self.section("meta.db", 7)
        if not size:
            return {}
        modules, files = {0: None, **self.paths(5)}, {0: None, **self.paths(6)}
        n = self._meta
        first, count, step = n(at, 8), n(at + 8, 4), n(at + 12, 2)
        found: dict[int, Row] = {}
        for one in (first + i * step for i in range(count)):
            module, file = modules[n(one + 8, 8)], files[n(one + 24, 8)]
            offset, line = n(one + 16, 8), n(one + 32, 4)
            name = self.text(n(one, 8)) if n(one, 8) else _nameless(module, offset)
            found[one] = (
                name,
                module,
                None if module is None else offset,
                file,
                None if file is None else line,
            )
        return found

    def contexts(self) -> list[Row]:
        """(id, parent, entry point, relation, lexical type, function, file, line, module, offset).

        Functions, files and modules are given by what they are, not by their number.
        """
        at, size = self.section("meta.db", 3)
        if not size:
            return []
        n = self._meta
        first, count, step = n(at, 8), n(at + 8, 2), n(at + 10, 1)
        tables = (
            {0: None, **self.functions()},
            {0: None, **self.paths(6)},
            {0: None, **self.paths(5)},
        )
        rows: list[Row] = []
        for one in (first + i * step for i in range(count)):
            pretty, kind, identifier = n(one + 24, 8), n(one + 20, 2), n(one + 16, 4)
            entry = self.text(pretty) if pretty else ""
            entry = entry or ENTRY.get(kind, f"unknown({kind})")
            rows.append((identifier, 0, entry, "entry", "entry", *[None] * 5))
            waiting = [(n(one + 8, 8), n(one, 8), identifier)]
            while waiting:
                begin, length, parent = waiting.pop()
                end = begin + length
                while length and begin < end:
                    row, begin, below = self._context(begin, parent, entry, tables)
                    rows.append(row)
                    waiting.append(below)
        return rows

    def _context(
        self, at: int, parent: int, entry: str, tables: tuple[Mapping[int, object], ...]
    ) -> tuple[Row, int, tuple[int, int, int]]:
        n = self._meta
        identifier, flags, relation = n(at + 16, 4), n(at + 20, 1), n(at + 21, 1)
        lexical, words = n(at + 22, 1), n(at + 23, 1)
        flex = at + 32
        function = file = line = module = offset = None
        if flags & 1:
            function, flex = tables[0][n(flex, 8)], flex + 8
        if flags & 2:
            file, line, flex = tables[1][n(flex, 8)], n(flex + 8, 8) & 0xFFFFFFFF, flex + 16
        if flags & 4:
            module, offset = tables[2][n(flex, 8)], n(flex + 8, 8)
        kinds = (
            RELATION.get(relation, f"unknown({relation})"),
            LEXICAL.get(lexical, f"unknown({lexical})"),
        )
        row = (identifier, parent, entry, *kinds, function, file, line, module, offset)
        return row, at + 32 + 8 * words, (n(at + 8, 8), n(at, 8), identifier)

    # profile.db, cct.db

    def costs(self) -> Iterator[tuple[int, int, int, float]]:
        """(profile, context, metric, value) as profile.db has them; profile 0 is the summary."""
        name = "profile.db"
        at, size = self.section(name, 0)
        if not size:
            return
        first, count, step = (self.number(name, at + o, w) for o, w in ((0, 8), (8, 4), (12, 1)))
        for profile in range(count):
            info = first + profile * step
            values, begin = self.number(name, info, 8), self.number(name, info + 8, 8)
            contexts, index = self.number(name, info + 16, 4), self.number(name, info + 24, 8)
            base = STATISTICS_FROM if self.number(name, info + 40, 4) & 1 else 0
            starts = [self.number(name, index + 12 * i + 4, 8) for i in range(contexts)]
            for i, (start, end) in enumerate(zip(starts, [*starts, values][1:], strict=True)):
                context = self.number(name, index + 12 * i, 4)
                for one in range(begin + 10 * start, begin + 10 * end, 10):
                    metric = self.number(name, one, 2) + base
                    yield profile, context, metric, self.double(name, one + 2)

    def transposed(self) -> Iterator[tuple[int, int, int, float]]:
        """(profile, context, metric, value) as cct.db has them."""
        name = "cct.db"
        at, size = self.section(name, 0)
        if not size:
            return
        first, count, step = (self.number(name, at + o, w) for o, w in ((0, 8), (8, 4), (12, 1)))
        for context in range(count):
            info = first + context * step
            values, begin = self.number(name, info, 8), self.number(name, info + 8, 8)
            metrics, index = self.number(name, info + 16, 2), self.number(name, info + 24, 8)
            starts = [self.number(name, index + 10 * i + 2, 8) for i in range(metrics)]
            for i, (start, end) in enumerate(zip(starts, [*starts, values][1:], strict=True)):
                metric = self.number(name, index + 10 * i, 2)
                for one in range(begin + 12 * start, begin + 12 * end, 12):
                    yield self.number(name, one, 4), context, metric, self.double(name, one + 4)

    # trace.db

    def points(self) -> Iterator[tuple[int, int, int]]:
        """(profile, time, context), each line in order of time."""
        name = "trace.db"
        at, size = self.section(name, 0)
        if not size:
            return
        first, count, step = (self.number(name, at + o, w) for o, w in ((0, 8), (8, 4), (12, 1)))
        for line in (first + i * step for i in range(count)):
            profile = self.number(name, line, 4)
            start, end = self.number(name, line + 8, 8), self.number(name, line + 16, 8)
            found = [
                (self.number(name, one, 8), self.number(name, one + 8, 4))
                for one in range(start, end, 12)
            ]
            for time, context in sorted(found, key=lambda point: point[0]):
                yield profile, time, context


def _nameless(module: str | None, offset: int) -> str:
    if module is None:
        return "<anonymous function>"
    return f"<{module.rsplit('/', 1)[-1]}+{offset:#x}>"
