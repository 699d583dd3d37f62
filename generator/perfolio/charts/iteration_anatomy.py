"""One iteration taken apart: its operations, its longest gap, and the part beside that.

In:  the rows of `time.typical_iteration`. Out: `IterationAnatomy`; nothing here draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from perfolio.charts.chart_data import Record, amount
from perfolio.charts.theme import ROLES

HOST = "CPU"
"""The line of the rows that say what the CPU did."""
TOTAL = "GPU"
"""The line of the row that holds all operations together, and the longest gap between them."""

_ROLE_OF = {
    "kernel": "kernels",
    "copy": "copies",
    "memset": "memsets",
    "synchronisation": "synchronisation",
    "allocation": "allocation",
}
"""Role by the first word of an operation's class: `copy H2D` is a copy."""

Interval = tuple[float, float]


@dataclass(frozen=True)
class DrawnOperation:
    """Something that ran, in seconds since the iteration began; or several close together."""

    line: str
    kind: str
    """Class of the operation: `kernel`, `copy H2D`."""
    name: str
    start: float
    stop: float
    length: float
    """Seconds in which it ran: less than from start to stop where it is several."""
    count: int = 1

    @property
    def role(self) -> str:
        """Which colour it has."""
        role = _ROLE_OF.get(self.kind.partition(" ")[0], "other")
        return role if role in ROLES else "other"


@dataclass(frozen=True)
class IterationAnatomy:
    """What ran on the GPU and beside it, and the gaps between."""

    host: tuple[DrawnOperation, ...]
    device: tuple[DrawnOperation, ...]
    length: float
    """Its duration [s]."""
    stop: float
    """The end of its last operation, which may run on into the next one, or its own [s]."""
    busy: float
    """Seconds with at least one operation on the GPU."""
    count: int
    """How many operations began in it."""
    longest_gap: Interval
    """The longest part without any operation, also before the first or after the last."""

    @property
    def beside_gap(self) -> Interval:
        """The part before or after the longest gap, the one with more work, without margins."""
        first, last = self.longest_gap
        parts = [
            [each for each in self.device if each.stop <= first],
            [each for each in self.device if each.start >= last],
        ]
        most = max(parts, key=lambda part: sum(each.length for each in part))
        if not most:
            return (0.0, self.stop)
        return (min(each.start for each in most), max(each.stop for each in most))

    def waits_for(self) -> DrawnOperation | None:
        """What the CPU did for most of the longest gap; None where no sample tells."""
        first, last = self.longest_gap

        def inside(each: DrawnOperation) -> float:
            return min(each.stop, last) - max(each.start, first)

        return max((each for each in self.host if inside(each) > 0.0), key=inside, default=None)


def read_iteration(rows: Sequence[Record], duration: float) -> IterationAnatomy:
    """The iteration that `rows` describe, of `duration` [s]; 0 if unknown: until they end."""
    operations = [_read_operation(row) for row in rows]
    stop = max([duration, *(each.stop for each in operations)])
    total = next((each for each in operations if each.line == TOTAL), None)
    return IterationAnatomy(
        host=tuple(each for each in operations if each.line == HOST),
        device=tuple(each for each in operations if each.line not in (HOST, TOTAL)),
        length=duration or stop,
        stop=stop,
        busy=total.length if total else 0.0,
        count=total.count if total else 0,
        longest_gap=(total.start, total.stop) if total else (0.0, 0.0),
    )


def _read_operation(row: Record) -> DrawnOperation:
    start, duration = amount(row, "start"), amount(row, "duration")
    return DrawnOperation(
        line=str(row["line"]),
        kind=str(row.get("operation") or "other"),
        name=str(row.get("name") or row.get("operation") or ""),
        start=start,
        stop=start + duration,
        length=duration if row.get("busy") is None else amount(row, "busy"),
        count=round(amount(row, "operations")) or 1,
    )
