"""Rows of two groups of runs that are the same work.

In:  rows with their time and calls on each side. Out: pairs of them, and how each was found.

The first stage that finds a partner decides: all that tells a row; path and sizes; path; whole
name; short name; class. Each matches what the one before left. Names alone match 1 to 14 % between
vendors, and paths alone 21 % between a program as written and compiled; together 97 to 100 %. Short
names tell nothing of kernels that are generated or that any operator launches.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from perfolio.comparison.run_record import OTHERS, Part, TimeRow

Stage = Literal[
    "all", "path and sizes", "path", "name", "short name", "class", "moves values", "only one side"
]
OF_MANY: frozenset[Stage] = frozenset({"class", "moves values"})
"""Stages that match kinds of work, not single pieces of it."""
ZERO = Fraction(0)
_GENERIC_CLASSES = frozenset({"element-wise", "reduction", "fused", "cast or copy", "other"})
_GENERIC_NAMES = re.compile(r"(?i)elementwise|reduce_kernel|CatArray|multi_tensor|triton_")
_FUSED_ROLES = (
    (re.compile(r"triton_tem_|(?:^|_)(?:addmm|bmm|mm|convolution)(?:_|$)"), "product"),
    (re.compile(r"norm|softmax"), "normalisation"),
    (re.compile(r"adam|sgd|foreach"), "optimizer"),
    (re.compile(r"(?:^|_)(?:cat|clone|transpose|permute)(?:_|$)"), "cast or copy"),
    (re.compile(r"(?:^|_)(?:sum|mean|amax|argmax)(?:_|$)"), "reduction"),
)
"""What a kernel that a compiler fused does, by what its name has: the first one counts."""
_MOVES = frozenset(
    {"element-wise", "cast or copy", "normalisation", "reduction", "indexing", "pooling", "fused"}
)
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True)
class RowKey:
    """All that tells a row from others of a run."""

    part: Part
    kind: str
    path: tuple[str, ...]
    place: str
    shapes: str
    name: str
    short: str


@dataclass
class SideTime:
    """Time and calls of work on one side, per iteration and lane; exact."""

    ns: Fraction = ZERO
    calls: Fraction = ZERO

    def add(self, other: SideTime) -> None:
        """Add what another one has."""
        self.ns += other.ns
        self.calls += other.calls


@dataclass(frozen=True)
class MatchedWork:
    """The same work on both sides; without calls and time on a side where it is not there."""

    key: RowKey
    """Of the largest row: before, where there is one."""
    stage: Stage
    before: SideTime
    after: SideTime


Side = Mapping[RowKey, SideTime]
_KeyMaker = Callable[[RowKey], Hashable | None]


def make_key(row: TimeRow) -> RowKey:
    """What tells a row."""
    return RowKey(row.part, row.kind, row.path, row.place, row.shapes, row.name, row.short)


def match_rows(before: Side, after: Side) -> list[MatchedWork]:
    """Each row of both sides in one match, in no order that means something."""
    found: list[MatchedWork] = []
    before, after = _drop_moved_places(before, after)
    for parts, stages in _STAGES:
        left = {key: time for key, time in before.items() if key.part in parts}
        right = {key: time for key, time in after.items() if key.part in parts}
        for stage, make in stages:
            found += _match_stage(left, right, stage, make)
        rest = [("before", key, time) for key, time in left.items()]
        rest += [("after", key, time) for key, time in right.items()]
        for side, key, time in rest:
            sides = (time, SideTime()) if side == "before" else (SideTime(), time)
            found.append(MatchedWork(key, "only one side", *sides))
    return found


def _drop_moved_places(before: Side, after: Side) -> tuple[Side, Side]:
    """Without lines on paths where those of neither side are all among those of the other.

    An edit above a call moves its line onto that of another one: then only the path is told.
    """
    places: list[defaultdict[Hashable, set[str]]] = [defaultdict(set), defaultdict(set)]
    for held, side in zip(places, (before, after), strict=True):
        for key in side:
            held[key.part, key.path].add(key.place)
    moved = {
        path
        for path in places[0].keys() & places[1].keys()
        if not (places[0][path] <= places[1][path] or places[1][path] <= places[0][path])
    }
    return tuple(_merge_places(side, moved) for side in (before, after))  # type: ignore[return-value]


def _merge_places(side: Side, moved: set[Hashable]) -> dict[RowKey, SideTime]:
    merged: dict[RowKey, SideTime] = {}
    for key, time in side.items():
        told = replace(key, place="") if (key.part, key.path) in moved else key
        merged.setdefault(told, SideTime()).add(time)
    return merged


def _match_stage(
    left: dict[RowKey, SideTime], right: dict[RowKey, SideTime], stage: Stage, make: _KeyMaker
) -> Iterable[MatchedWork]:
    """Take out of both sides what this stage matches."""
    groups = [_group_keys(side, make) for side in (left, right)]
    for told in [one for one in groups[0] if one in groups[1]]:
        first, second = groups[0][told], groups[1][told]
        key = max(first, key=lambda one: (left[one].ns, one.name, one.short))
        before, after = SideTime(), SideTime()
        for one in first:
            before.add(left.pop(one))
        for one in second:
            after.add(right.pop(one))
        if stage in OF_MANY and len(first) + len(second) > 2:
            kind = "kernels that move values" if stage == "moves values" else _name_role(key)
            key = RowKey(key.part, kind, (), "", "", "", kind)
        yield MatchedWork(key, stage, before, after)


def _group_keys(side: Side, make: _KeyMaker) -> dict[Hashable, list[RowKey]]:
    groups: dict[Hashable, list[RowKey]] = {}
    for key in side:
        told = make(key)
        if told is not None:
            groups.setdefault(told, []).append(key)
    return groups


def _tell_path_and_sizes(key: RowKey) -> Hashable | None:
    if not key.path or not key.shapes:
        return None
    return key.part, key.path, key.place, key.shapes


def _tell_path(key: RowKey) -> Hashable | None:
    return (key.part, key.path) if key.path else None


def _tell_name(key: RowKey) -> Hashable | None:
    return key.name if key.name and key.name != OTHERS else None


def _tell_short_name(key: RowKey) -> Hashable | None:
    if key.kind in _GENERIC_CLASSES or key.short == OTHERS or _GENERIC_NAMES.search(key.name):
        return None
    return (key.part, _NUMBER.sub("#", key.short)) if key.short else None


def _tell_kind(key: RowKey) -> Hashable | None:
    return key.part, key.kind


def _name_role(key: RowKey) -> str:
    """Class of a kernel; of one that a compiler fused that of its work."""
    if key.kind != "fused":
        return key.kind
    found = (role for sign, role in _FUSED_ROLES if sign.search(key.name))
    return next(found, "element-wise")


def _tell_role(key: RowKey) -> Hashable | None:
    return key.part, _name_role(key)


def _tell_moves(key: RowKey) -> Hashable | None:
    return key.part if key.kind in _MOVES else None


def _tell_kind_and_path(key: RowKey) -> Hashable | None:
    return (key.part, key.kind, key.path) if key.path else None


def _tell_all(key: RowKey) -> Hashable | None:
    return key


_KERNELS: Sequence[tuple[Stage, _KeyMaker]] = (
    ("all", _tell_all),
    ("path and sizes", _tell_path_and_sizes),
    ("path", _tell_path),
    ("name", _tell_name),
    ("short name", _tell_short_name),
    ("class", _tell_role),
    ("moves values", _tell_moves),
)
_PLACES: Sequence[tuple[Stage, _KeyMaker]] = (
    ("all", _tell_all),
    ("path", _tell_kind_and_path),
    ("class", _tell_kind),
)
_STAGES: Sequence[tuple[frozenset[Part], Sequence[tuple[Stage, _KeyMaker]]]] = (
    (frozenset({"kernel", "collective"}), _KERNELS),
    (frozenset({"collective wait"}), (("class", _tell_kind),)),
    (frozenset({"copy", "idle", "main thread"}), _PLACES),
)


def measure_matches(works: Iterable[MatchedWork]) -> dict[Stage, tuple[Fraction, Fraction]]:
    """Time of kernels and collectives that each stage matched, before and after [ns]."""
    found: dict[Stage, tuple[Fraction, Fraction]] = {}
    for work in works:
        if work.key.part in ("kernel", "collective"):
            before, after = found.get(work.stage, (ZERO, ZERO))
            found[work.stage] = (before + work.before.ns, after + work.after.ns)
    return found


def compute_matched_share(
    matches: Mapping[Stage, tuple[Fraction, Fraction]],
) -> tuple[float | None, float | None]:
    """Part of kernel time that has a partner, before and after; None without kernels [ratio]."""
    shares: list[float | None] = []
    for side in range(2):
        whole = sum((times[side] for times in matches.values()), ZERO)
        alone = matches.get("only one side", (ZERO, ZERO))[side]
        shares.append(float((whole - alone) / whole) if whole else None)
    return shares[0], shares[1]
