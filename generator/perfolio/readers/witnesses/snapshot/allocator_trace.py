"""Events of the allocator, device by device: each allocation joined with its release."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from perfolio.readers.witnesses.model import TABLES

NOWHERE = -1
_MOST = 1 << 62
_COLUMNS = (("device", "i"), ("begin_event", "q"), ("end_event", "q"), ("begin_time", "q"),
            ("end_time", "q"), ("bytes", "q"), ("site", "i"), ("origin", "i"),
            ("end_origin", "i"))  # fmt: skip
_TAKEN = {"segment_alloc": 1, "segment_map": 1, "segment_free": -1, "segment_unmap": -1}
_KNOWN = {"snapshot", "user_defined"}


class AllocatorTrace:
    """What the events of all devices tell, so far."""

    def __init__(self) -> None:
        self._columns = {name: array(kind) for name, kind in _COLUMNS}
        self.reserved: list[tuple[int, int, int | None, int]] = []
        self.failed: list[tuple[int, int, int | None, int, int | None, int | None]] = []
        self.unknown: dict[str, int] = {}
        self.held: dict[int, dict[int, int]] = {}
        """By device: the rows of what is held, by address."""
        self._events: dict[int, int] = {}
        self._origins: dict[str, int] = {}
        """Numbers of what code asks and releases."""
        self.lost = 0
        """Allocations whose release no event tells."""

    @property
    def events(self) -> int:
        """Of all devices."""
        return sum(self._events.values())

    def take(
        self, event: Mapping[Any, Any], device: int, site: int, origin: str | None = None
    ) -> None:
        """One more event, and what code it is of."""
        number = self._events.get(device, 0)
        self._events[device] = number + 1
        action, size = event.get("action"), to_whole(event.get("size")) or 0
        address = to_whole(event.get("addr"))
        moment = to_whole(event.get("time_us"))
        time = NOWHERE if moment is None or moment >= _MOST // 1000 else moment * 1000
        held = self.held.setdefault(device, {})
        code = NOWHERE if origin is None else self._origins.setdefault(origin, len(self._origins))
        if action == "alloc" and address is not None:
            if address in held:
                self.lost += 1
                self._release(held.pop(address), number, time, NOWHERE)
            held[address] = self._add(device, number, time, size, site)
            self._columns["origin"][held[address]] = code
        elif action in ("free_requested", "free_completed") and address is not None:
            row = held.pop(address, None)
            if row is None and action == "free_requested":
                row = self._add(device, NOWHERE, NOWHERE, size, NOWHERE)
            if row is not None:
                self._release(row, number, time, code)
        else:
            self._other(str(action)[:60], (device, number, time, size, site), event)

    def before(self, device: int, size: int, site: int) -> None:
        """A block that is held and that no event allocated."""
        self._add(device, NOWHERE, NOWHERE, size, site)

    def table(self) -> pa.Table:
        """All allocations."""
        schema = pa.schema(list(TABLES["allocation"])[1:])
        types = {"i": np.int32, "q": np.int64}
        words = pa.array(list(self._origins), pa.string())
        columns = []
        for name, kind in _COLUMNS:
            values = (
                np.frombuffer(self._columns[name], types[kind])
                if len(self._columns[name])
                else np.empty(0, types[kind])
            )
            gone = None if name in ("device", "bytes") else values == NOWHERE
            told = pa.array(values, mask=gone)
            columns.append(words.take(told) if name.endswith("origin") else told)
        return pa.table(columns, schema=schema)

    def _add(self, device: int, number: int, time: int, size: int, site: int) -> int:
        row = (device, number, NOWHERE, time, NOWHERE, size, site, NOWHERE, NOWHERE)
        for column, value in zip(self._columns.values(), row, strict=True):
            column.append(value)
        return len(self._columns["device"]) - 1

    def _release(self, row: int, number: int, time: int, code: int) -> None:
        self._columns["end_event"][row] = number
        self._columns["end_time"][row] = time
        self._columns["end_origin"][row] = code

    def _other(
        self, action: str, what: tuple[int, int, int, int, int], event: Mapping[Any, Any]
    ) -> None:
        device, number, moment, size, site = what
        time = None if moment == NOWHERE else moment
        if action in _TAKEN:
            self.reserved.append((device, number, time, _TAKEN[action] * size))
        elif action == "oom":
            free = to_whole(event.get("device_free", event.get("addr")))
            self.failed.append((device, number, time, size, free, None if site < 0 else site))
        elif action not in _KNOWN:
            self.unknown[action] = self.unknown.get(action, 0) + 1


def to_whole(value: object) -> int | None:
    """An integer that is not negative and that a column can hold; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < _MOST:
        return None
    return value
