"""CSV of Zeus' monitor (`ZeusMonitor(log_file=...)`): energy of windows that a program marks.

start_time,window_name,elapsed_time,gpu0_energy     seconds since the epoch, seconds, joules
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence

from perfolio.common.errors import InputError
from perfolio.readers.text_lines import AGAIN, describe_cut_line, describe_unended_line, read_lines
from perfolio.readers.text_stream import TextStream
from perfolio.readers.witnesses.model import Witness, WitnessKind
from perfolio.readers.witnesses.unit_parser import parse_number

TOOL = "Zeus"
MOST_ROWS = 1_000_000
_HEADER = re.compile(r"start_time,window_name,elapsed_time(?P<devices>(?:,gpu\d{1,4}_energy)+)")
_LATEST = 1 << 33
"""Seconds since the epoch."""
_MOST = 1e15
"""Seconds of a window, or joules."""


def recognises(head: Sequence[str]) -> bool:
    """Whether the first line is the header that Zeus writes."""
    return bool(head) and _HEADER.fullmatch(head[0].strip()) is not None


def read(text: TextStream) -> Witness:
    """Windows of the name that most have: the others may hold these. Raises InputError."""
    found, devices = Witness(TOOL), list[str]()
    windows: list[tuple[str, int, list[float]]] = []
    for count, line in enumerate(read_lines(text), 1):
        if told := _HEADER.fullmatch(line.strip()):
            devices = re.findall(r"gpu(\d+)_energy", told["devices"])
        elif line.strip():
            window = _parse_window(line, len(devices))
            if window is None and not line.endswith("\n"):
                found.notes.append(describe_cut_line(text))
                break
            if window is None or count > MOST_ROWS:
                raise InputError(
                    f"{text.opened.path}: line {count:,}: is no window of Zeus", hint=AGAIN
                )
            windows.append(window)
    found.notes += [] if found.notes else describe_unended_line(text)
    _add_windows(found, windows, devices)
    return found


def _parse_window(line: str, devices: int) -> tuple[str, int, list[float]] | None:
    """Name, begin [ns], then length [s] and energy of each device [J]; None where damaged."""
    cells = next(csv.reader([line.strip()]))
    numbers = [parse_number(cell) for cell in (cells[0], *cells[-1 - devices :])]
    if len(cells) < 3 + devices or any(each is None or each < 0 for each in numbers):
        return None
    begin, *figures = (float(each or 0.0) for each in numbers)
    name = ",".join(cells[1 : -1 - devices])
    return None if begin > _LATEST or max(figures) > _MOST else (name, int(begin * 1e9), figures)


def _add_windows(
    found: Witness, windows: Sequence[tuple[str, int, list[float]]], devices: Sequence[str]
) -> None:
    counted = Counter(name for name, _, _ in windows)
    if not counted:
        found.notes.append("Zeus wrote no window")
        return
    ((usual, number),) = counted.most_common(1)
    if len(windows) > number:
        others = len(windows) - number
        found.notes.append(f"windows of other names, which may hold these, not read: {others:,}")
    own = [window for window in windows if window[0] == usual]
    for tick, (_, begin, (length, *energies)) in enumerate(own):
        for device, energy in zip(devices, energies, strict=True):
            place = (tick, begin, f"GPU {device}")
            found.add("device_sample", (*place, "window_time", length))
            found.add("device_sample", (*place, "window_energy", energy))


KIND = WitnessKind("monitor", recognises, read)
