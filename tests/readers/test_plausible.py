"""Recordings that cannot be as they say: what is mended, left out, and said of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from perfolio.readers.events.plausibility.examination import mend_recording
from perfolio.readers.events.recording import (
    NONE,
    CodePlace,
    LineKey,
    OperationColumns,
    OperationKind,
    RangeKind,
    RecordedProcess,
    Recording,
)

BEGIN = 1_780_000_000_000_000_000
Build = Callable[[Recording], None]


def call(recording: Recording, name: str, start: int, duration: int, correlation: int) -> None:
    line = recording.lines.of(LineKey(0, False, 1))
    code = recording.codes.of(CodePlace(name))
    recording.ranges.append(line, BEGIN + start, duration, RangeKind.CALL, code, correlation, NONE)


def kernel(recording: Recording, start: int, duration: int, correlation: int) -> None:
    line = recording.lines.of(LineKey(0, True, 7, 0))
    code = recording.codes.of(CodePlace("gemm"))
    rest = [NONE] * (len(OperationColumns.NAMES) - 6)
    known = (line, start, duration, OperationKind.KERNEL, code, correlation)
    recording.operations.append(*known, *rest)


def launched(
    recording: Recording,
    count: int,
    lost: range = range(0),
    name: str = "cudaLaunchKernel",
    begin: int = 0,
) -> None:
    """A launch each 40 µs from `begin` on, and 30 µs of a kernel for each that is not lost."""
    for number in range(begin, begin + count):
        call(recording, name, number * 40_000, 5_000, number)
        if number not in lost:
            kernel(recording, BEGIN + number * 40_000 + 7_000, 30_000, number)


def captured(recording: Recording) -> None:
    call(recording, "hipStreamBeginCapture", -50_000, 10, NONE)
    launched(recording, 30, range(30), "hipLaunchKernel")
    call(recording, "hipStreamEndCapture", 1_300_000, 10, NONE)
    launched(recording, 2, name="hipLaunchKernel", begin=40)


def overlapping(recording: Recording, second: str) -> None:
    call(recording, "cuLaunchKernel", 0, 5_000, 1)
    call(recording, second, 20_000, 5_000, 2)
    kernel(recording, BEGIN + 7_000, 30_000, 1)
    kernel(recording, BEGIN + 27_000, 30_000, 2)


def untimed(recording: Recording) -> None:
    launched(recording, 20)
    for number in (20, 21):
        call(recording, "cudaLaunchKernel", number * 40_000, 5_000, number)
        kernel(recording, 0, 30_000, number)


def runtime_and_driver(recording: Recording) -> None:
    for number in range(10):
        call(recording, "cudaLaunchKernel", number * 40_000, 9_000, number + 100)
        call(recording, "cuLaunchKernel", number * 40_000 + 1_000, 5_000, number)
        kernel(recording, BEGIN + number * 40_000 + 7_000, 30_000, number)


CASES: dict[str, tuple[Build, list[tuple[str, int, int, bool]], int]] = {
    "each launch has its kernel": (lambda one: launched(one, 20), [], 600_000),
    "the first 6 of 20 have none": (
        lambda one: launched(one, 20, range(6)),
        [("launches", 6, 20, False), ("left_out", 6, 20, False)],
        420_000,
    ),
    "the last 6 of 20 have none": (
        lambda one: launched(one, 20, range(14, 20)),
        [("launches", 6, 20, False), ("left_out", 6, 20, False)],
        420_000,
    ),
    "7 in the middle of 20 have none": (
        lambda one: launched(one, 20, range(7, 14)),
        [("launches", 7, 20, True)],
        390_000,
    ),
    "the last 4 of 20 may have run after the end": (
        lambda one: launched(one, 20, range(16, 20)),
        [("launches", 4, 20, False)],
        480_000,
    ),
    "30 of 32 graph launches have no kernel": (
        lambda one: launched(one, 32, range(2, 32), "hipGraphLaunch"),
        [("graphs", 30, 32, True)],
        60_000,
    ),
    "a capture runs nothing": (captured, [("capture", 30, 32, True)], 60_000),
    "operations at 0": (untimed, [("untimed", 2, 22, False)], 600_000),
    "one lasts into the next": (
        lambda one: overlapping(one, "cuLaunchKernel"),
        [("overlaps", 1, 2, False)],
        50_000,
    ),
    "one may be launched early": (lambda one: overlapping(one, "cuLaunchKernelEx"), [], 60_000),
    "a call of the runtime holds that of the driver": (runtime_and_driver, [], 300_000),
}


@pytest.mark.parametrize("case", CASES)
def test_what_cannot_be_is_mended_and_said(case: str) -> None:
    build, expected, time = CASES[case]
    recording = Recording(processes=[RecordedProcess()])
    build(recording)
    mend_recording(recording)
    found = [(each.what, each.number, each.whole, each.voids) for each in recording.doubts]
    assert found == expected
    assert int(recording.operations["duration"].sum()) == time
    assert all(each.says and each.effect for each in recording.doubts)


def test_a_part_that_is_left_out_is_in_no_range() -> None:
    recording = Recording(processes=[RecordedProcess()])
    launched(recording, 20, range(6))
    call(recording, "cudaDeviceSynchronize", 0, 1_000_000, NONE)
    mend_recording(recording)
    assert int(recording.ranges["start"].min()) == BEGIN + 6 * 40_000
    assert (
        int((recording.ranges["start"] + recording.ranges["duration"]).max()) == BEGIN + 1_000_000
    )
    assert recording.doubts[-1].time == 6 * 40_000
