"""Energy and memory: recordings on an H200 beside what its counter and PyTorch's objects say.

Random histories of an allocator are held against a computation that walks over each event.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perfolio.metrics.catalog import load_catalog
from perfolio.readers.run_description import RunDescription
from perfolio.readers.run_files import read_run
from perfolio.readers.witnesses.snapshot.allocator_trace import AllocatorTrace
from perfolio.store.database import open_store
from perfolio.store.ingest import ingest
from tests.kit.queries import rows_of
from tests.metrics.support import store_of

HERE = Path(__file__).parent
COUNTED = (
    ("a transformer at its limit of power", 1795989187.1630964, 1795989191.417688, 2948.728),
    ("a decoder that serves", 1795989198.1406298, 1795989202.1645138, 665.511),
    ("DLRM, replayed by a graph", 1795989203.128688, 1795989207.1433434, 1416.65),
)
"""Begin and end of steady steps [s], and what NVML's counter of energy rose between [J]."""
TRUTH = {"parameters": 56117248 + 264192, "gradients": 56117248, "optimizer": 112234608}
"""Bytes of a decoder's objects after three steps; parameters with buffers."""
CATEGORIES = ("parameters", "gradients", "optimizer", "activations", "other")
ORIGINS = (None, "backward", "forward", "module", "optimizer", "program")


def rows(file: str, folder: Path, sql: str) -> list[tuple[Any, ...]]:
    """A query about what was recorded into a file."""
    store = folder / "store.duckdb"
    ingest([(read_run(HERE / file)[0], RunDescription())], store)
    with open_store(store) as connection:
        return rows_of(connection, sql)


def test_energy_is_what_the_counter_of_the_device_says(tmp_path: Path) -> None:
    """The monitor saw three programs, one after the other, and rests and other work between."""
    found = rows(
        "energy.csv.gz",
        tmp_path,
        "SELECT own.seconds, own.energy, read.time / 1e9 AS moment FROM power_interval AS own "
        "JOIN power_reading AS read ON read.tick = own.tick WHERE own.is_active",
    )
    for what, begin, end, joules in COUNTED:
        own = [row for row in found if begin <= row[2] <= end]
        watched = sum(row[0] for row in own)
        energy = sum(row[1] for row in own) / watched * (end - begin)
        assert watched > 3.5, what
        assert energy == pytest.approx(joules, rel=0.03), what


def test_categories_are_what_the_objects_say(tmp_path: Path) -> None:
    names = ", ".join(CATEGORIES)
    sql = f"SELECT {names} FROM category_memory ORDER BY event DESC LIMIT 1"
    (last,) = rows("decoder.pickle.gz", tmp_path, sql)
    found = dict(zip(CATEGORIES, last, strict=True))
    assert {name: found[name] for name in TRUTH} == pytest.approx(TRUTH, rel=0.02)
    assert found["activations"] == 0, "all are released when the steps are over"


@dataclass
class Held:
    """An allocation of a history, by numbers of events; None: before, after, or no stack."""

    begin: int | None
    end: int | None
    size: int
    origin: str | None
    end_origin: str | None = None

    def is_live(self, event: int) -> bool:
        """Whether it is held after an event; -1 is the begin of the recording."""
        begun = self.begin is None or self.begin <= event
        return begun and (self.end is None or self.end > event)


History = list[tuple[bool, int, str | None]]
"""Events: whether one asks or releases, how much or what, and whose code it is of."""
HISTORIES = st.tuples(
    st.lists(st.integers(1, 4), max_size=4),
    st.lists(
        st.tuples(st.booleans(), st.integers(1, 4), st.sampled_from(ORIGINS)),
        min_size=1,
        max_size=40,
    ),
)
"""What is held before, and then events of few sizes, so that these meet."""


def replay(before: list[int], events: History) -> tuple[list[Held], AllocatorTrace]:
    """The allocations by hand, and what the reader's trace makes of the same events."""
    trace, held = AllocatorTrace(), [Held(None, None, size, None) for size in before]
    live: list[tuple[int, Held]] = []
    number = 0
    for asks, figure, origin in events:
        if asks:
            one = Held(number, None, figure, origin)
            live.append((number, one))
            held.append(one)
            told = {"action": "alloc", "addr": number, "size": figure}
        elif live:
            address, one = live.pop(figure % len(live))
            one.end, one.end_origin = number, origin
            told = {"action": "free_requested", "addr": address, "size": one.size}
        else:
            continue
        trace.take(told, 0, -1, origin)
        number += 1
    for size in before:
        trace.before(0, size, -1)
    return held, trace


def categorise(held: list[Held]) -> list[tuple[Held, str]]:
    """Each allocation with its category, by walking over all others."""
    asked = sorted((one for one in held if one.begin is not None), key=lambda one: one.begin or 0)
    starts = [
        one.begin
        for before, one in zip([None, *asked], asked, strict=False)
        if _is_backward(one) and (before is None or not _is_backward(before))
    ]
    passes = {
        id(one): [
            start
            for start in starts
            if start is not None
            and (one.begin is None or start > one.begin)
            and (one.end is None or start <= one.end)
        ]
        for one in held
    }
    first = {
        id(one): sum(
            1 for s in starts if s is not None and one.begin is not None and s <= one.begin
        )
        for one in held
    }
    left = [
        one
        for one in asked
        if _is_backward(one)
        and (one.end is None or passes[id(one)] or one.end_origin not in (None, "backward"))
    ]
    latest = max((one.begin or 0 for one in left if one.end is not None), default=0)
    left = [one for one in left if one.end is not None or (one.begin or 0) >= latest]
    facts = _Sizes(held, left, passes, first)
    counted: Counter[int] = Counter()
    found = []
    for one in held:
        counted[one.size] += one.begin is None and one.end is None
        found.append((one, facts.tell(one, counted[one.size], len(starts))))
    return found


def _is_backward(one: Held) -> bool:
    return one.origin in (None, "backward")


class _Sizes:
    """What is known of each size of a history."""

    def __init__(
        self, held: list[Held], left: list[Held], passes: dict[int, Any], first: dict[int, int]
    ) -> None:
        self.left, self.passes, self.first = {id(one) for one in left}, passes, first
        self.gradients: dict[int, float] = defaultdict(float)
        for size in {one.size for one in left}:
            own = [one for one in left if one.size == size]
            self.gradients[size] = len(own) / len({first[id(one)] for one in own})
        self.modules = self._count(held, {"module"})
        self.states = self._count(held, {"optimizer"})
        self.others = Counter(
            one.size
            for one in held
            if one.end is None
            and passes[id(one)]
            and (one.begin is None or one.origin in {"program", "forward"})
        )
        self.is_known = bool(self.modules or self.others)

    def _count(self, held: list[Held], origins: set[str]) -> Counter[int]:
        return Counter(one.size for one in held if one.origin in origins and self._stays(one))

    def _stays(self, one: Held) -> bool:
        return one.end is None or bool(self.passes[id(one)])

    def tell(self, one: Held, place: int, starts: int) -> str:
        """The category of an allocation; `place`: of blocks from before of its size."""
        size = one.size
        if one.begin is None:
            missing = max(self.gradients[size] - self.modules[size], 0)
            if place <= missing:
                return "parameters"
            states = max(2 * self.gradients[size] - self.states[size], 0)
            return "optimizer" if place <= missing + states else "other"
        if id(one) in self.left and (not self.is_known or self.modules[size] or self.others[size]):
            return "gradients"
        if one.origin == "module" and self._stays(one):
            return "parameters"
        if one.origin == "optimizer" and self._stays(one):
            return "optimizer"
        return self._tell_activation(one, starts)

    def _tell_activation(self, one: Held, starts: int) -> str:
        held = len(self.passes[id(one)])
        if one.origin == "program" and one.end is None and held and self.gradients[one.size]:
            return "parameters"
        is_last = one.end is None and held == 1 and self.first[id(one)] == starts - 1
        is_passed = one.end is not None and held > 0
        is_asked = one.origin in {"forward", "program"}
        return "activations" if is_asked and (is_last or is_passed) else "other"


@cache
def _case() -> dict[str, Any]:
    return {"about": "", "base": "events", "expect": {}}


@settings(max_examples=3, deadline=None)
@given(histories=st.lists(HISTORIES, min_size=20, max_size=80))
def test_any_history_of_an_allocator(histories: list[tuple[list[int], History]]) -> None:
    """Each is a file of its own: its peak, and what it held by category after each event."""
    witnesses: dict[str, list[list[Any]]] = {"witness": [], "allocation": []}
    by_hand: dict[int, list[Held]] = {}
    for number, (before, events) in enumerate(histories, 1):
        by_hand[number], trace = replay(before, events)
        witnesses["witness"].append([number, "memory", f"{number}.pickle", "PyTorch", None, None])
        witnesses["allocation"] += [[number, *row.values()] for row in trace.table().to_pylist()]
    highest = "SELECT witness, event, allocated FROM snapshot_peak"
    by_event = f"SELECT witness, event, {', '.join(CATEGORIES)} FROM category_memory"
    with store_of(_case() | {"witnesses": witnesses}, [highest, by_event]) as connection:
        peaks, course = rows_of(connection, highest), rows_of(connection, by_event)
    for number, event, allocated in peaks:
        assert allocated == _total(by_hand[number], event)
        moments = {one.begin for one in by_hand[number]} - {None} | {-1}
        assert allocated == max(_total(by_hand[number], moment or 0) for moment in moments)
    told = {number for number, held in by_hand.items() if any(one.origin for one in held)}
    assert {row[0] for row in course} == told, "those with a stack"
    categories = {number: categorise(by_hand[number]) for number in told}
    for number, event, *figures in course:
        found = dict.fromkeys(CATEGORIES, 0.0)
        for one, category in categories[number]:
            found[category] += one.size if one.is_live(event) else 0
        assert dict(zip(CATEGORIES, figures, strict=True)) == found, (number, event)


def _total(held: list[Held], event: int) -> int:
    return sum(one.size for one in held if one.is_live(event))


BLOCKS = st.lists(st.tuples(st.booleans(), st.integers(1, 99)), min_size=1, max_size=30)
"""Blocks of a segment: whether they are free, and their size."""


@settings(max_examples=2, deadline=None)
@given(segments=st.lists(BLOCKS, min_size=5, max_size=40))
def test_any_segment_of_an_allocator(segments: list[list[tuple[bool, int]]]) -> None:
    """Each is of a device of its own."""
    states = {True: "inactive", False: "active_allocated"}
    told: dict[str, list[list[Any]]] = {
        "witness": [[1, "memory", "s.pickle", "PyTorch", None, None]],
        "memory_segment": [],
        "memory_block": [],
    }
    for device, blocks in enumerate(segments):
        reserved = sum(size for _, size in blocks)
        told["memory_segment"].append([1, device, device, "large", 0, reserved])
        told["memory_block"] += [
            [1, device, device, size, size, states[is_free], None] for is_free, size in blocks
        ]
    sql = load_catalog()["snapshot.fragmentation"].sql
    with store_of(_case() | {"witnesses": told}, [sql]) as connection:
        found = rows_of(connection, sql)
    for blocks, (_, reserved, allocated, _, free, largest, share, *_) in zip(
        segments, found, strict=True
    ):
        empty = [size for is_free, size in blocks if is_free]
        assert (reserved, free) == (allocated + sum(empty), sum(empty))
        assert (largest, share) == (
            (max(empty), pytest.approx(1 - max(empty) / sum(empty))) if empty else (None, None)
        )
