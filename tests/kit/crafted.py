"""Databases that are legal or nearly so, and as costly to read as their size allows.

Each function takes a size in bytes that files are to have, roughly. All share nothing
with the writer: what they make is what no writer would.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

KINDS = {"meta": (b"meta", 8, b"_meta.db"), "profile": (b"prof", 2, b"_prof.db")}
KINDS["trace"] = (b"trce", 1, b"trace.db")
SCOPES = (("point", 1), ("function", 3), ("lex_aware", 3), ("execution", 2))
BEGIN = 1_700_000_000_000_000_000


class Image:
    """A file that grows."""

    def __init__(self, kind: str) -> None:
        name, self.sections, self.footer = KINDS[kind]
        self.data = bytearray(b"HPCTOOLKIT" + name + b"\x04\x00" + bytes(16 * self.sections))

    def put(self, data: bytes) -> int:
        """Append at the next multiple of 8; where that is."""
        self.data.extend(bytes(-len(self.data) % 8))
        self.data.extend(data)
        return len(self.data) - len(data)

    @property
    def end(self) -> int:
        """Where the next data will be put."""
        return len(self.data) + -len(self.data) % 8

    def section(self, index: int, start: int) -> None:
        """Section `index` goes from `start` to here."""
        self.data[16 + 16 * index : 32 + 16 * index] = struct.pack(
            "<QQ", len(self.data) - start, start
        )

    def write(self, path: Path) -> None:
        """Write it with its footer."""
        path.write_bytes(bytes(self.data) + self.footer)


class Put(Protocol):
    """Puts a section into an image, given the place of a name."""

    def __call__(self, image: Image, name: int, /) -> None: ...


def meta(
    path: Path,
    *,
    metrics: Put | None = None,
    tree: Callable[[int, int], tuple[bytes, int]] | None = None,
    functions: Callable[[int, int, int], Sequence[bytes]] | None = None,
    text: bytes = b"",
    module: bytes = b"/opt/" + b"m" * 60,
) -> None:
    """A meta.db with one module, file and entry point, and whatever is given.

    `metrics` gets the place of the name of a metric, `tree` where it begins and a function
    and gives the records and the size of the first block; `functions` gets the places of
    the module, of the file and of `text`.
    """
    image = Image("meta")
    strings = image.put(b"main\0CPUTIME (sec)\0" + module + b"\0" + text + b"\0")
    image.section(4, strings)
    name, module_name = strings + 5, strings + 19
    long = module_name + len(module) + 1
    image.section(0, image.put(struct.pack("<QQ", strings, 0)))
    start = image.end
    image.put(struct.pack("<QB7xQ", start + 16, 1, strings))
    image.section(1, start)
    start = image.end
    put = plain_metrics(1) if metrics is None else metrics
    put(image, name)
    image.section(2, start)
    places = []
    for index, record in ((5, module_name), (6, module_name)):
        start = image.end
        places.append(start + 16)
        image.put(struct.pack("<QIH2xI4xQ", start + 16, 1, 16, 0, record))
        image.section(index, start)
    records = (
        functions(places[0], places[1], long)
        if functions
        else [struct.pack("<QQQQII", strings, places[0], 0, 0, 0, 0)]
    )
    start = image.end
    image.put(struct.pack("<QIH2x", start + 16, len(records), 40) + b"".join(records))
    image.section(7, start)
    function = start + 16
    start = image.end
    body, first = tree(start + 48, function) if tree else (b"", 0)
    image.put(struct.pack("<QHB5x", start + 16, 1, 32))
    image.put(struct.pack("<QQIH2xQ", first, start + 48 if first else 0, 1, 1, strings) + body)
    image.section(3, start)
    image.write(path)


def plain_metrics(count: int, *, shared: bool = False, many: int = 4) -> Put:
    """Metrics of `many` scope instances each, which all share the first one's where `shared`."""

    def put(image: Image, name: int) -> None:
        start = image.end
        scopes_at = start + 32
        metrics_at = scopes_at + 16 * len(SCOPES)
        names_at = metrics_at + 32 * count
        names = b"".join(scope.encode() + b"\0" for scope, _ in SCOPES) + b"$$\0"
        insts_at = names_at + len(names) + -len(names) % 8
        arrays = 1 if shared else count
        stats_at = insts_at + 16 * many * arrays
        image.put(struct.pack("<QIBBBxQHB5x", metrics_at, count, 32, 16, 24, scopes_at, 4, 16))
        at = names_at
        for scope, kind in SCOPES:
            image.put(struct.pack("<QBB6x", at, kind, 255))
            at += len(scope) + 1
        for i in range(count):
            own = 0 if shared else i
            image.put(
                struct.pack(
                    "<QQQHH4x",
                    name,
                    insts_at + 16 * many * own,
                    stats_at + 24 * many * own,
                    many,
                    many,
                )
            )
        image.put(names)
        for i in range(many * arrays):
            image.put(struct.pack("<QH6x", scopes_at + 16 * (i % 4), i % 65536))
        for i in range(many * arrays):
            image.put(struct.pack("<QQBxH4x", scopes_at + 16 * (i % 4), at, 0, i % 65536))

    return put


def context(identifier: int, function: int, children: int = 0, size: int = 0) -> bytes:
    """A record {Ctx} of a called function."""
    return struct.pack("<QQIBBBB8xQ", size, children, identifier, 1, 1, 0, 1, function)


def profiles(path: Path, count: int, *, identifiers: int = 0, values: bool = False) -> None:
    """Profiles that share one identifier tuple; each has a value if asked, and so the summary."""
    image = Image("profile")
    start = image.put(
        struct.pack("<H6x", identifiers) + struct.pack("<BxHIQ", 0, 0, 7, 7) * identifiers
    )
    image.section(1, start)
    rows = [(0, 0, 0, 0, 0, 1)]
    if values:
        cost = struct.pack("<Hd", 3, 1.0)
        rows = []
        for i in range(count + 1):
            # Point, function, lex_aware of context 1, and execution of 1 and of the whole.
            summary = struct.pack("<d", float(count)) if i == 0 else cost[2:]
            block = b"".join(struct.pack("<H", m) + summary for m in (3, 0, 1, 2, 3))
            at = image.put(block)
            index = image.put(struct.pack("<IQIQ", 0, 0, 1, 1))
            rows.append((5, at, 2, index, 0 if i == 0 else start, int(i == 0)))
    else:
        rows += [(0, 0, 0, 0, start, 0)] * count
    begin = image.end
    image.put(struct.pack("<QIB3x", begin + 16, len(rows), 48))
    for row in rows:
        image.put(struct.pack("<QQI4xQQI4x", *row))
    image.section(0, begin)
    image.write(path)


def traces(path: Path, lines: int, points: int) -> None:
    """Trace lines of profiles 1 to `lines`, in context 1 and idle in turn."""
    image = Image("trace")
    start = image.end
    at = start + 32 + 24 * lines
    line = b"".join(struct.pack("<QI", BEGIN + i, 1 - i % 2) for i in range(points))
    image.put(struct.pack("<QIB3xQQ", start + 32, lines, 24, BEGIN, BEGIN + points))
    for i in range(lines):
        image.put(struct.pack("<I4xQQ", i + 1, at + i * len(line), at + (i + 1) * len(line)))
    image.data.extend(line * lines)
    image.section(0, start)
    image.write(path)


def _chain(count: int) -> Callable[[int, int], tuple[bytes, int]]:
    def tree(at: int, function: int) -> tuple[bytes, int]:
        below = (at + 40 * (i + 1) for i in range(count - 1))
        records = [context(2 + i, function, start, 40) for i, start in enumerate(below)]
        return b"".join([*records, context(count + 1, function)]), 40

    return tree


def _row(count: int) -> Callable[[int, int], tuple[bytes, int]]:
    def tree(_at: int, function: int) -> tuple[bytes, int]:
        return b"".join(context(2 + i, function) for i in range(count)), 40 * count

    return tree


def anonymous(count: int) -> Callable[[int, int, int], Sequence[bytes]]:
    return lambda module, _file, _text: [
        struct.pack("<QQQQII", 0, module, i, 0, 0, 0) for i in range(count)
    ]


def _suffixes(count: int) -> Callable[[int, int, int], Sequence[bytes]]:
    """Functions whose names are all ends of one text."""
    return lambda module, _file, text: [
        struct.pack("<QQQQII", text + 4 * i, module, 0, 0, 0, 0) for i in range(count)
    ]


def chain(folder: Path, size: int) -> None:
    """Contexts one below the other."""
    meta(folder / "meta.db", tree=_chain(size // 40))


def row(folder: Path, size: int) -> None:
    """Contexts beside each other."""
    meta(folder / "meta.db", tree=_row(size // 40))


def many_metrics(folder: Path, size: int) -> None:
    """Metrics of few scopes."""
    meta(folder / "meta.db", metrics=plain_metrics(size // 72, many=1))


def many_functions(folder: Path, size: int) -> None:
    """Functions without names, which get one from their module's."""
    meta(folder / "meta.db", functions=anonymous(size // 40))


def many_profiles(folder: Path, size: int) -> None:
    """Profiles of five values each."""
    meta(folder / "meta.db")
    profiles(folder / "profile.db", size // 128, values=True)


def empty_profiles(folder: Path, size: int) -> None:
    """Profiles without values."""
    meta(folder / "meta.db")
    profiles(folder / "profile.db", size // 48)


def many_lines(folder: Path, size: int) -> None:
    """Trace lines of one point each."""
    meta(folder / "meta.db")
    traces(folder / "trace.db", size // 36, 1)


def lines_with_costs(folder: Path, size: int) -> None:
    """Trace lines long enough to be compared with their profile."""
    meta(folder / "meta.db")
    count = size // (128 + 24 + 12 * 24)
    profiles(folder / "profile.db", count, values=True)
    traces(folder / "trace.db", count, 24)


def texts(folder: Path, size: int) -> None:
    """Names that overlap, as many as the budget of text allows, of characters of 4 bytes."""
    meta(folder / "meta.db", functions=_suffixes(8), text=("\U0001f600" * (size // 4)).encode())


def shared_scopes(folder: Path, size: int) -> None:
    """Metrics that all name the same scope instances: refused."""
    meta(folder / "meta.db", metrics=plain_metrics(size // 64, shared=True, many=size // 64))


def shared_tuple(folder: Path, size: int) -> None:
    """Profiles that all name one long identifier tuple: refused."""
    meta(folder / "meta.db")
    profiles(folder / "profile.db", size // 96, identifiers=min(65535, size // 32))


def overlapping_texts(folder: Path, size: int) -> None:
    """Names that overlap, more than the budget of text allows: refused."""
    count = size // 80
    text = ("\U0001f600" * (size // 8)).encode()
    meta(folder / "meta.db", functions=_suffixes(count), text=text)


READ = (
    chain, row, many_metrics, many_functions, many_profiles, empty_profiles, many_lines,
    lines_with_costs, texts,
)  # fmt: skip
REFUSED = (shared_scopes, shared_tuple, overlapping_texts)


def crafted(make: Callable[[Path, int], None], folder: Path, size: int) -> Path:
    """The database of one of these functions in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    make(folder, size)
    return folder
