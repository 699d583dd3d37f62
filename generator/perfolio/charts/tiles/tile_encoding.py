"""Tiles to script files: columns as varints, packed, in a call that hands them over.

In:  a `RunTimeline`. Out: the text of each file by its name, the first of which is `FIRST`.

Columns stand one after the other, of all rows: how many intervals each row has, starts as distances
from the one before (the first of a row from the tile's begin), durations, names. Then, of an exact
tile, of each interval the row of its partner and 1, or 0, and of those with one how far before it
the partner begins. Of another one, which is told its number of bins: how many of them have
something in each row, which these are (distances, the first of a row from -1), the name of each,
how many intervals begin in it, and their time in 255ths of a bin. Varints are of seven bits, the
lowest first; what may be negative is 2n or -2n-1.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable

import numpy as np

from perfolio.charts.tiles.run_intervals import Integers, RunTimeline
from perfolio.charts.tiles.tile_pyramid import (
    FAN,
    ROOT,
    MergedBins,
    TimelineTile,
    build_tiles,
)
from perfolio.readers.kernel_rules import name_class

FIRST = f"{ROOT}.js"
VERSION = 1
MOST_PACKED, MOST_FIRST = 105_000, 190_000
"""Characters of a tile, and of the one that is the whole run: it comes with the head."""
_LEVEL = 6
_KERNELS = "kernel "
_GROUPS = {"call": "runtime call", "other": "other GPU work"}
"""What groups of names are called, where that is not the group itself."""


def write_tile_scripts(timeline: RunTimeline, told: Callable[[str], str] = str) -> dict[str, str]:
    """Every file of a run's timeline by its name. The same timeline gives the same text.

    `told` says a name in the words that readers are to see.
    """
    packed: dict[str, str] = {}
    exact: list[str] = []

    def is_small(tile: TimelineTile) -> bool:
        packed[tile.path] = _write_call(tile, timeline)
        most = MOST_FIRST if tile.path == ROOT and not tile.exact else MOST_PACKED
        return len(packed[tile.path]) <= most

    for tile in build_tiles(timeline, is_small):
        packed[tile.path] = _write_call(tile, timeline)
        if tile.exact:
            exact.append(tile.path)
    packed[ROOT] = f"perfolio.timeline.head({_write_head(timeline, exact, told)});\n{packed[ROOT]}"
    return {f"{path}.js": text for path, text in packed.items()}


def _write_call(tile: TimelineTile, timeline: RunTimeline) -> str:
    bins = tile.merged.total if tile.merged else 0
    return f'perfolio.timeline.take("{tile.path}","{pack_tile(tile, timeline)}",{bins});\n'


def _write_head(timeline: RunTimeline, exact: list[str], told: Callable[[str], str]) -> str:
    groups = sorted({each.group for each in timeline.names})
    head = {
        "version": VERSION,
        "base": str(timeline.base),
        "origin": timeline.origin,
        "stop": timeline.stop,
        "fan": FAN,
        "tracks": [[told(track.name), track.kind, track.rows] for track in timeline.tracks],
        "marks": [list(mark) for mark in timeline.marks],
        "groups": groups,
        "words": [_name_group(each) for each in groups],
        "names": [told(each.name) for each in timeline.names],
        "group": [groups.index(each.group) for each in timeline.names],
        "number": [each.number for each in timeline.names],
        "spent": [each.spent for each in timeline.names],
        "exact": exact,
    }
    text = json.dumps(head, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c")  # in one file it stands between tags


def _name_group(group: str) -> str:
    """What a group of names is called: kernels by their class of work, as on other charts."""
    if group.startswith(_KERNELS):
        return f"Kernels: {name_class(group.removeprefix(_KERNELS))}"
    return _GROUPS.get(group, group)


def pack_tile(tile: TimelineTile, timeline: RunTimeline) -> str:
    """The columns of a tile, packed, in base64."""
    columns = [
        tile.counts,
        fold_signs(_find_distances(tile.start, tile.counts, tile.begin)),
        tile.duration,
        tile.code,
        *(_list_bins(tile.merged) if tile.merged else _list_partners(tile, timeline)),
    ]
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(b"".join(map(encode_varints, columns))) + packer.flush()
    return base64.b64encode(packed).decode("ascii")


def _find_distances(values: Integers, counts: Integers, begin: int) -> Integers:
    """How far each is from the one before in its row, the first from `begin`."""
    before = np.concatenate(([begin], values[:-1]))[: len(values)]
    first = np.cumsum(counts) - counts
    before[first[counts > 0]] = begin
    return values - before


def _list_bins(bins: MergedBins) -> tuple[Integers, ...]:
    places = _find_distances(bins.place, bins.filled, -1)
    return bins.filled, places, bins.code, bins.number, bins.busy


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
    rest = values.astype(np.uint64)
    width = max((int(rest.max(initial=0)).bit_length() + 6) // 7, 1)
    table = np.empty((len(rest), width), dtype=np.uint8)
    needed = np.ones(table.shape, dtype=bool)
    for place in range(width):
        table[:, place] = rest & np.uint64(127)
        rest >>= np.uint64(7)
        more = rest > 0
        table[:, place] |= more.view(np.uint8) << 7
        needed[:, place + 1 : place + 2] = more[:, None]
    return table[needed].tobytes()
