"""Tiles to script files: columns as varints, packed, in a call that hands them over.

In:  a `RunTimeline`. Out: the text of each file by its name, the first of which is `FIRST`.

Columns stand one after the other, of all rows: how many intervals each row has, starts as distances
from the one before (the first of a row from the tile's begin), durations, names. Then, of an exact
tile, of each interval the row of its partner and 1, or 0, and of those with one how far before it
the partner begins; of another one how many each is, and its busy share. Varints are of seven bits,
the lowest first; what may be negative is 2n or -2n-1.
"""

from __future__ import annotations

import base64
import json
import zlib

import numpy as np

from perfolio.charts.tiles.run_intervals import Integers, RunTimeline
from perfolio.charts.tiles.tile_pyramid import (
    FAN,
    ROOT,
    TimelineTile,
    build_tiles,
    choose_bins,
)

FIRST = f"{ROOT}.js"
VERSION = 1
MOST_PACKED = 105_000
"""Characters of an exact tile."""
_LEVEL = 6


def write_tile_scripts(timeline: RunTimeline) -> dict[str, str]:
    """Every file of a run's timeline by its name. The same timeline gives the same text."""
    packed: dict[str, str] = {}
    exact: list[str] = []

    def is_small(tile: TimelineTile) -> bool:
        packed[tile.path] = pack_tile(tile, timeline)
        return len(packed[tile.path]) <= MOST_PACKED

    for tile in build_tiles(timeline, is_small):
        if not tile.exact or tile.path not in packed:
            packed[tile.path] = pack_tile(tile, timeline)
        if tile.exact:
            exact.append(tile.path)
    scripts = {
        path: f'perfolio.timeline.take("{path}","{text}");\n' for path, text in packed.items()
    }
    scripts[ROOT] = f"perfolio.timeline.head({_write_head(timeline, exact)});\n{scripts[ROOT]}"
    return {f"{path}.js": text for path, text in scripts.items()}


def _write_head(timeline: RunTimeline, exact: list[str]) -> str:
    groups = sorted({each.group for each in timeline.names})
    head = {
        "version": VERSION,
        "base": str(timeline.base),
        "origin": timeline.origin,
        "stop": timeline.stop,
        "fan": FAN,
        "bins": choose_bins(len(timeline.bounds) - 1),
        "tracks": [[track.name, track.kind, track.rows] for track in timeline.tracks],
        "marks": [list(mark) for mark in timeline.marks],
        "groups": groups,
        "names": [each.name for each in timeline.names],
        "group": [groups.index(each.group) for each in timeline.names],
        "number": [each.number for each in timeline.names],
        "spent": [each.spent for each in timeline.names],
        "exact": exact,
    }
    text = json.dumps(head, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c")  # in one file it stands between tags


def pack_tile(tile: TimelineTile, timeline: RunTimeline) -> str:
    """The columns of a tile, packed, in base64."""
    columns = [
        tile.counts,
        fold_signs(_find_distances(tile)),
        tile.duration,
        tile.code,
        *(_list_partners(tile, timeline) if tile.exact else (tile.merged, tile.busy)),
    ]
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(b"".join(map(encode_varints, columns))) + packer.flush()
    return base64.b64encode(packed).decode("ascii")


def _find_distances(tile: TimelineTile) -> Integers:
    before = np.concatenate(([tile.begin], tile.start[:-1]))[: len(tile.start)]
    first = np.cumsum(tile.counts) - tile.counts
    before[first[tile.counts > 0]] = tile.begin
    return tile.start - before


def _list_partners(tile: TimelineTile, timeline: RunTimeline) -> tuple[Integers, Integers]:
    known = tile.partner >= 0
    row = np.searchsorted(timeline.bounds, tile.partner, side="right")
    back = tile.start[known] - timeline.start[tile.partner[known]]
    return np.where(known, row, 0), fold_signs(back)


def fold_signs(values: Integers) -> Integers:
    """Numbers as 2n, negative ones as -2n-1."""
    return (values << 1) ^ (values >> 63)


def encode_varints(values: Integers) -> bytes:
    """Numbers from 0 on, seven bits to a byte, the lowest first."""
    numbers = values.astype(np.uint64)
    sizes = np.ones(len(numbers), dtype=np.int64)
    for shift in range(7, 64, 7):
        more = numbers >> np.uint64(shift) > 0
        if not more.any():
            break
        sizes += more
    ends = np.cumsum(sizes)
    out = np.zeros(int(ends[-1]) if len(ends) else 0, dtype=np.uint8)
    for place in range(int(sizes.max()) if len(sizes) else 0):
        has = sizes > place
        low = (numbers[has] >> np.uint64(7 * place)) & np.uint64(127)
        follows = np.where(sizes[has] > place + 1, 128, 0).astype(np.uint64)
        out[ends[has] - sizes[has] + place] = low | follows
    return out.tobytes()
