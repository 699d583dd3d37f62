"""Peaks and memory of devices, by the names of the store's table hardware."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from pathlib import Path

from perfolio.common.errors import UsageError

_HERE = Path(__file__).parent
PRECISIONS = {"fp64": "fp64_tensor_flops", "fp32": "fp32_flops", "tf32": "tf32_flops",
              "fp16": "fp16_flops", "bf16": "fp16_flops", "fp8": "fp8_flops"}  # fmt: skip


@dataclass(frozen=True)
class DevicePeaks:
    """A device, with dense peaks; 0 is not known."""

    name: str
    peaks: Mapping[str, float]
    """By precision [FLOP/s]."""
    bandwidth: float
    """Of its memory [B/s]."""
    memory: float
    """Nominal [B]."""
    link: float = 0.0
    """Of the link between host and device [B/s]."""

    def peak(self, precision: str) -> float:
        """Of a precision. Raises UsageError where it is not known."""
        if not self.peaks[precision]:
            known = ", ".join(name for name, peak in self.peaks.items() if peak)
            raise UsageError(
                f"--precision {precision}: the peak of {self.name} is not known",
                hint=f"known are {known}",
            )
        return self.peaks[precision]


@cache
def load_devices() -> Mapping[str, DevicePeaks]:
    """All of them by name."""
    sizes = {row["name"]: float(row["bytes"]) for row in read_stored_rows("memory.csv")}
    return {
        row["name"]: DevicePeaks(
            row["name"],
            {name: float(row[column] or 0.0) for name, column in PRECISIONS.items()},
            float(row["memory_bandwidth"] or 0.0),
            sizes.get(row["name"], 0.0),
            float(row["link_bandwidth"] or 0.0),
        )
        for row in read_stored_rows("hardware.csv")
    }


def find_device(name: str, asked: str = "--hardware") -> DevicePeaks:
    """The one of this name, which `asked` gave. Raises UsageError where there is none."""
    if name in load_devices():
        return load_devices()[name]
    near = get_close_matches(name, load_devices(), n=1)
    hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(load_devices())}"
    raise UsageError(f"{asked} {name[:60]!r}: is not known", hint=hint)


def read_stored_rows(name: str) -> list[dict[str, str]]:
    """The rows of a table that each store has, too."""
    text = files("perfolio.store").joinpath(name).read_text("utf-8")
    return list(csv.DictReader(text.splitlines()))


def read_rows(name: str) -> list[dict[str, str]]:
    """The rows of a table of this folder."""
    with (_HERE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
