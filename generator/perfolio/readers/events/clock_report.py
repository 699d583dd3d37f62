"""What was found of one clock, in a table and in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa

from perfolio.common.units import quantity


@dataclass(frozen=True)
class ClockOffset:
    """The clock of a GPU against that of its host, or of a rank's host against that of the others.

    Only of clocks that are off, by more than times of recordings usually are.
    """

    process: int
    node: int | None
    rank: int | None
    gpu: int | None
    """The GPU by its number in the process; None for the clock of the host."""
    offset: int
    """What is taken off its times [ns]."""
    low: int | None
    high: int | None
    """Least and greatest offset with which all that must hold does, where something bounds it."""
    facts: int
    """How many things must hold."""
    is_constant: bool
    """Whether one offset agrees with all of them; else nothing is taken off."""


SCHEMA = pa.schema(
    [("process", pa.int32()), ("node", pa.uint64()), ("rank", pa.uint64()), ("gpu", pa.int64())]
    + [(name, pa.int64()) for name in ("offset", "low", "high", "facts")]
    + [("is_constant", pa.bool_())]
)


def make_clock_table(clocks: Sequence[ClockOffset]) -> pa.Table:
    """Rows of table clock."""
    return pa.Table.from_pylist([vars(clock) for clock in clocks], schema=SCHEMA)


def describe_clocks(clocks: Sequence[ClockOffset]) -> Iterator[str]:
    """What was taken off, and which clocks drift, in words."""
    of_gpus = [clock for clock in clocks if clock.gpu is not None]
    of_hosts = [clock for clock in clocks if clock.gpu is None]
    if moved := [clock for clock in of_gpus if clock.is_constant]:
        yield (
            f"clocks: times of {_describe_gpus(moved)} were {_format_offset(moved)} off those of "
            "the host, by "
            "launches and waits: that is taken off"
        )
    if moved := [clock for clock in of_hosts if clock.is_constant]:
        yield (
            f"clocks: times of {_describe_ranks(moved)} were {_format_offset(moved)} off those of "
            "the others, by "
            "collectives that end together: that is taken off"
        )
    if drifting := [clock for clock in of_gpus if not clock.is_constant]:
        yield (
            f"clocks: times of {_describe_gpus(drifting)} and of the host drift apart, by launches "
            "and "
            "waits: figures that compare them are not given"
        )
    if drifting := [clock for clock in of_hosts if not clock.is_constant]:
        yield (
            f"clocks: times of {_describe_ranks(drifting)} and of the others drift apart, by "
            "collectives "
            "that end together: figures that compare them are not given"
        )


def _describe_gpus(clocks: Sequence[ClockOffset]) -> str:
    return "the GPU" if len(clocks) == 1 else f"{len(clocks)} GPUs"


def _describe_ranks(clocks: Sequence[ClockOffset]) -> str:
    return f"rank {clocks[0].rank}" if len(clocks) == 1 else f"{len(clocks)} ranks"


def _format_offset(clocks: Sequence[ClockOffset]) -> str:
    farthest = max(clocks, key=lambda clock: abs(clock.offset))
    words = quantity(abs(farthest.offset) / 1e9, "s")
    return words if len({clock.offset for clock in clocks}) == 1 else f"up to {words}"
