"""Writes small and large databases of format 4.0 for tests and benchmarks.

The calling contexts form a regular tree: below one entry point, `fan_out` children per
context down to `depth` levels. Every leaf of every profile has a random whole number as
its cost, so that sums are exact whatever their order; inner contexts have inclusive costs.
Profile p has the identifiers node 7, rank p // 2, thread p % 2; the last `streams` ones are
GPU streams, whose trace lines alternate between an operation and idling.

It shares nothing with `perfolio.writers`, not even the layouts: the reader must also be
tested on bytes that other code made, with what the writer never writes (later versions,
longer structures).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

SCOPES = (("point", 1), ("function", 3), ("lex_aware", 3), ("execution", 2))
EXECUTION = 3
KINDS = ("SUMMARY", "NODE", "RANK", "THREAD", "GPUCONTEXT", "GPUSTREAM")
OPERATIONS = ("main", "<gpu kernel>", "<gpu copyin>")
"""Names of functions for a database with GPU streams."""


@dataclass(frozen=True)
class Shape:
    """What to write."""

    depth: int = 2
    fan_out: int = 3
    profiles: int = 2
    points: int = 10
    """Trace points per profile."""
    streams: int = 0
    """How many of the profiles are GPU streams; name functions OPERATIONS then."""
    metric: str = "CPUTIME (sec)"
    names: tuple[str, ...] = ("main", "work", "wait")
    """Names of functions, used in turn."""
    minor: int = 0
    padding: int = 0
    """Bytes added to every expandable structure in an array, as a later version may."""
    title: str = "made"
    description: str = "made by a test"
    seed: int = 1


def write_database(folder: Path, shape: Shape | None = None) -> Path:
    """Write meta.db, profile.db and trace.db into `folder`; returns the folder."""
    made = shape or Shape()
    folder.mkdir(parents=True, exist_ok=True)
    levels = [np.arange(made.fan_out**d) for d in range(made.depth + 1)]
    first = np.cumsum([1] + [len(level) for level in levels])
    _write_meta(folder / "meta.db", made, first)
    _write_profile(folder / "profile.db", made, first)
    _write_trace(folder / "trace.db", made, first)
    return folder


def context_count(shape: Shape) -> int:
    """Contexts of the tree, the entry point included."""
    return sum(shape.fan_out**d for d in range(shape.depth + 1))


def _header(kind: bytes, minor: int, sections: list[tuple[int, int]]) -> bytes:
    table = b"".join(struct.pack("<QQ", size, offset) for offset, size in sections)
    return b"HPCTOOLKIT" + kind + bytes([4, minor]) + table


def _align(data: bytearray, step: int = 8) -> int:
    data.extend(b"\0" * (-len(data) % step))
    return len(data)


def _strings(texts: list[str], base: int) -> tuple[bytes, list[int]]:
    out, places = bytearray(), []
    for text in texts:
        places.append(base + len(out))
        out.extend(text.encode("utf-8", "surrogateescape") + b"\0")
    _align(out)
    return bytes(out), places


def _write_meta(path: Path, shape: Shape, first: npt.NDArray[np.int64]) -> None:
    body = bytearray(b"\0" * 0x90)
    sections: dict[str, tuple[int, int]] = {}
    pad = shape.padding

    start = _align(body)
    text, (title, about) = _strings([shape.title, shape.description], start + 16)
    body += struct.pack("<QQ", title, about) + text
    sections["General"] = (start, len(body) - start)

    start = _align(body)
    text, places = _strings(list(KINDS), start + 16 + 8 * len(KINDS))
    body += struct.pack("<QB7x", start + 16, len(KINDS))
    body += struct.pack(f"<{len(KINDS)}Q", *places) + text
    sections["IdNames"] = (start, len(body) - start)

    start = _align(body)
    body += _metrics(shape, start)
    sections["Metrics"] = (start, len(body) - start)

    start = _align(body)
    text, places = _strings(["main thread", "/opt/app", "app.c", *shape.names], start)
    body += text
    sections["Strings"] = (start, len(body) - start)
    entry_name, module_path, file_path, *names = places

    module = _table(body, sections, "Modules", [struct.pack("<I4xQ", 0, module_path)], 16 + pad)
    file = _table(body, sections, "Files", [struct.pack("<I4xQ", 0, file_path)], 16 + pad)
    functions = [
        struct.pack("<QQQQII", name, module, 16 * i, file, i + 1, 0) for i, name in enumerate(names)
    ]
    function = _table(body, sections, "Functions", functions, 40 + pad)

    start = _align(body)
    entry_at = start + 16
    tree_at = entry_at + 32 + pad
    tree, (children, size) = _tree(shape, first, tree_at, function, 40 + pad)
    body += struct.pack("<QHB5x", entry_at, 1, 32 + pad)
    body += struct.pack("<QQIH2xQ", size, children, 1, 1, entry_name) + b"\0" * pad
    body += tree
    sections["Context"] = (start, len(body) - start)

    order = ("General", "IdNames", "Metrics", "Context", "Strings", "Modules", "Files", "Functions")
    body[:0x90] = _header(b"meta", shape.minor, [sections[name] for name in order])
    path.write_bytes(bytes(body) + b"_meta.db")


def _table(
    body: bytearray, sections: dict[str, tuple[int, int]], name: str, rows: list[bytes], stride: int
) -> int:
    """Append a section with an array of structures; returns where the array starts."""
    start = _align(body)
    body += struct.pack("<QIH2x", start + 16, len(rows), stride)
    body += b"".join(row.ljust(stride, b"\0") for row in rows)
    sections[name] = (start, len(body) - start)
    return start + 16


def _metrics(shape: Shape, start: int) -> bytes:
    pad = shape.padding
    sizes = {"metric": 32 + pad, "inst": 16 + pad, "summary": 24 + pad, "scope": 16 + pad}
    scopes_at = start + 32
    metric_at = scopes_at + len(SCOPES) * sizes["scope"]
    insts_at = metric_at + sizes["metric"]
    stats_at = insts_at + len(SCOPES) * sizes["inst"]
    text_at = stats_at + len(SCOPES) * sizes["summary"]
    text, (name, formula, *scope_names) = _strings(
        [shape.metric, "$$", *(scope for scope, _ in SCOPES)], text_at
    )
    scope_at = [scopes_at + i * sizes["scope"] for i in range(len(SCOPES))]
    out = struct.pack(
        "<QIBBBxQHB5x",
        metric_at,
        1,
        sizes["metric"],
        sizes["inst"],
        sizes["summary"],
        scopes_at,
        len(SCOPES),
        sizes["scope"],
    )
    for place, (_, kind) in zip(scope_names, SCOPES, strict=True):
        out += struct.pack("<QBB6x", place, kind, 0) + b"\0" * pad
    out += struct.pack("<QQQHH4x", name, insts_at, stats_at, len(SCOPES), len(SCOPES)) + b"\0" * pad
    for i, at in enumerate(scope_at):
        out += struct.pack("<QH6x", at, i) + b"\0" * pad
    for i, at in enumerate(scope_at):
        out += struct.pack("<QQBxH4x", at, formula, 0, i) + b"\0" * pad
    return out + text


def _tree(
    shape: Shape, first: npt.NDArray[np.int64], base: int, function: int, stride: int
) -> tuple[bytes, tuple[int, int]]:
    """Records {Ctx} of all levels below the entry point, level by level."""
    record = np.dtype(
        [
            ("szChildren", "<u8"),
            ("pChildren", "<u8"),
            ("ctxId", "<u4"),
            ("flags", "u1"),
            ("relation", "u1"),
            ("lexicalType", "u1"),
            ("nFlexWords", "u1"),
            ("propagation", "<u8"),
            ("pFunction", "<u8"),
        ]
    )
    size = record.itemsize
    out = bytearray()
    for level in range(1, shape.depth + 1):
        count = shape.fan_out**level
        rows = np.zeros(count, record)
        rows["ctxId"] = first[level] + np.arange(count)
        rows["flags"], rows["relation"], rows["nFlexWords"] = 1, 1, 1
        rows["pFunction"] = function + stride * (np.arange(count) % len(shape.names))
        if level < shape.depth:
            below = base + len(out) + count * size
            rows["szChildren"] = shape.fan_out * size
            rows["pChildren"] = below + np.arange(count) * shape.fan_out * size
        out += rows.tobytes()
    top = (base, shape.fan_out * size) if shape.depth else (0, 0)
    return bytes(out), top


def _write_profile(path: Path, shape: Shape, first: npt.NDArray[np.int64]) -> None:
    stride = 48 + shape.padding
    count = shape.profiles + 1
    infos_at = 0x30
    array_at = infos_at + 16
    tuples_at = array_at + count * stride
    tuple_size = 8 + 3 * 16
    values_at = tuples_at + shape.profiles * tuple_size
    rng = np.random.default_rng(shape.seed)
    infos, tuples = [], b""
    total = np.zeros(shape.fan_out**shape.depth)
    with path.open("wb") as out:
        out.seek(values_at)
        for p in range(shape.profiles):
            costs = rng.integers(1, 1000, len(total)).astype(np.float64)
            total += costs
            infos.append((*_block(out, shape, first, costs), tuples_at + p * tuple_size, 0))
            tuples += struct.pack("<H6x", 3)
            for kind, number in _identifiers(shape, p):
                tuples += struct.pack("<BxHIQ", kind, int(kind == 1), number, number)
        infos.insert(0, (*_block(out, shape, first, total), 0, 1))
        out.write(b"_prof.db")
        out.seek(0)
        sections = [(infos_at, 16 + count * stride), (tuples_at, len(tuples))]
        out.write(_header(b"prof", shape.minor, sections))
        out.seek(infos_at)
        out.write(struct.pack("<QIB3x", array_at, count, stride))
        for info in infos:
            out.write(struct.pack("<QQI4xQQI4x", *info) + b"\0" * shape.padding)
        out.write(tuples)


def _is_stream(shape: Shape, p: int) -> bool:
    return p >= shape.profiles - shape.streams


def _identifiers(shape: Shape, p: int) -> tuple[tuple[int, int], ...]:
    """Kind and number of the three identifiers of profile p."""
    if _is_stream(shape, p):
        return ((1, 7), (4, 0), (5, p))
    return ((1, 7), (2, p // 2), (3, p % 2))


def _block(
    out: BinaryIO, shape: Shape, first: npt.NDArray[np.int64], costs: npt.NDArray[np.float64]
) -> tuple[int, int, int, int]:
    """Write one sparse value block; returns (nValues, pValues, nCtxs, pCtxIndices)."""
    inclusive = [costs.reshape(shape.fan_out**d, -1).sum(axis=1) for d in range(shape.depth)]
    inner = np.concatenate([[costs.sum()], *inclusive]) if inclusive else np.array([costs.sum()])
    leaf_ids = first[shape.depth] + np.arange(len(costs))
    values = np.zeros(len(inner) + 4 * len(costs), np.dtype([("metric", "<u2"), ("value", "<f8")]))
    values["metric"][: len(inner)] = EXECUTION
    values["value"][: len(inner)] = inner
    values["metric"][len(inner) :] = np.tile(np.arange(4), len(costs))
    values["value"][len(inner) :] = np.repeat(costs, 4)
    index = np.zeros(len(inner) + len(costs), np.dtype([("ctx", "<u4"), ("start", "<u8")]))
    index["ctx"][: len(inner)] = np.arange(len(inner))
    index["start"][: len(inner)] = np.arange(len(inner))
    index["ctx"][len(inner) :] = leaf_ids
    index["start"][len(inner) :] = len(inner) + 4 * np.arange(len(costs))
    values_at = out.tell()
    out.write(values.tobytes())
    out.write(b"\0" * (-out.tell() % 8))
    index_at = out.tell()
    out.write(index.tobytes())
    out.write(b"\0" * (-out.tell() % 8))
    return len(values), values_at, len(index), index_at


def _write_trace(path: Path, shape: Shape, first: npt.NDArray[np.int64]) -> None:
    stride = 24 + shape.padding
    head_at, lines_at = 0x20, 0x40
    points_at = lines_at + shape.profiles * stride
    elem = np.dtype([("time", "<u8"), ("ctx", "<u4")])
    with path.open("wb") as out:
        size = points_at - head_at
        out.write(_header(b"trce", shape.minor, [(head_at, size)]))
        begin = 1_700_000_000_000_000_000
        end = begin + shape.points * 1000 + 137 * shape.profiles
        out.write(struct.pack("<QIB3xQQ", lines_at, shape.profiles, stride, begin, end))
        length = shape.points * elem.itemsize
        for p in range(shape.profiles):
            at = points_at + p * length
            out.write(struct.pack("<I4xQQ", p + 1, at, at + length) + b"\0" * shape.padding)
        leaves = shape.fan_out**shape.depth
        for p in range(shape.profiles):
            line = np.zeros(shape.points, elem)
            line["time"] = begin + 1000 * np.arange(shape.points)
            line["ctx"] = first[shape.depth] + (np.arange(shape.points) + p) % leaves
            if _is_stream(shape, p):
                line["time"] += np.uint64(137 * p)
                line["ctx"] = first[shape.depth] + (np.arange(shape.points) // 2) % leaves
                line["ctx"][1::2] = 0
            out.write(line.tobytes())
        out.write(b"trace.db")
