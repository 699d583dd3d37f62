"""Recordings of parts of a run, such as those of its ranks, as one.

In:  a recording, and one of other processes. Out: the first with all of the second behind its own.

Numbers are those of one recording that was filled with one part after the other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from perfolio.readers.events.recording import (
    NONE,
    IntegerColumns,
    Ints,
    LineKey,
    NumberedItems,
    Recording,
    Thing,
)


def append_recording(whole: Recording, part: Recording) -> None:
    """Put all that a part holds behind what the whole holds; its processes are further ones."""
    first = len(whole.processes)
    whole.processes += part.processes
    line = _number_anew(whole.lines, (_shift_process(one, first) for one in part.lines.all()))
    code = _number_anew(whole.codes, part.codes.all())
    arguments = _number_anew(whole.arguments, part.arguments.all())
    collective = _number_anew(whole.collectives, part.collectives.all())
    _append_rows(whole.ranges, part.ranges, line=line, code=code, arguments=arguments)
    _append_rows(whole.operations, part.operations, line=line, code=code, collective=collective)
    _append_rows(whole.memory, part.memory, line=line)
    _append_rows(whole.waits, part.waits, process=_number_processes(first, part))
    for key, name in part.line_names.items():
        whole.line_names[_shift_process(key, first)] = name
    for process, life in part.lives.items():
        whole.lives[first + process] = life
    for (number, begin), duration in part.recorded.items():
        whole.recorded[int(line[number]), begin] = duration
    whole.clocks += [replace(one, process=first + one.process) for one in part.clocks]
    whole.sizes |= part.sizes
    whole.zeros |= part.zeros
    whole.doubts += part.doubts


def _number_processes(first: int, part: Recording) -> Ints:
    return np.array([*range(first, first + len(part.processes)), NONE], np.int64)


def _shift_process(key: LineKey, first: int) -> LineKey:
    return key._replace(process=first + key.process)


def _number_anew(whole: NumberedItems[Thing], things: Iterable[Thing]) -> Ints:
    """The number in the whole of each thing of a part; behind them that of no thing."""
    return np.array([*map(whole.of, things), NONE], np.int64)


def _append_rows(whole: IntegerColumns, part: IntegerColumns, **numbers: Ints) -> None:
    """Rows of a part; columns that refer to things by their number in it are renumbered."""
    columns = {name: part[name] for name in part.NAMES}
    columns |= {name: numbers[name][columns[name]] for name in numbers}
    whole.extend(len(part), **columns)
