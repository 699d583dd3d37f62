"""What DeepSpeed's flops profiler prints: the summary above its table of modules.

The table below it is not read: its latencies are rescaled with the prefixes of operations, so that
a forward pass of 130 ms is printed as "1.77 Gs".
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from perfolio.common.errors import InputError
from perfolio.common.units import quantity
from perfolio.readers.code_names import to_storable_text
from perfolio.readers.text_lines import AGAIN, describe_cut_line, read_lines
from perfolio.readers.text_stream import TextStream
from perfolio.readers.witnesses.figure_names import add_doubt, tell_figure
from perfolio.readers.witnesses.model import Witness, WitnessKind
from perfolio.readers.witnesses.unit_parser import parse_number

TOOL = "DeepSpeed flops profiler"
_TITLE = re.compile(r"-{5,} ?DeepSpeed Flops Profiler ?-{5,}", re.IGNORECASE)
_END = re.compile(r"-{5,} ?(?:Aggregated|Detailed) Profile", re.IGNORECASE)
_CLOSING = re.compile(r"-{40,}")
"""What is printed behind the last table."""
_STEP = re.compile(r"Profile Summary at step (?P<step>\d{1,9})", re.IGNORECASE)
_LINE = re.compile(r"(?P<name>[A-Za-z][^:]{0,200}):\s+(?P<value>\S+)(?:\s+(?P<unit>\S{1,20}))?\s*")
_FORMULA = re.compile(r"\s*=.*")
"""What some lines say behind their name: how the figure was made."""
_UNIT = re.compile(r"(?P<prefix>[KMGTP]|[munµ])?(?P<base>MACs|FLOPS|FLOPs|s|B)?")
_PREFIXES = {"": 1.0, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
_SMALL = {"": 1.0, "m": 1e-3, "u": 1e-6, "µ": 1e-6, "n": 1e-9}
_BILLION = {"B": 1e9}
_NAMES = {
    "world size": "ranks",
    "data parallel size": "data_parallel",
    "model parallel size": "model_parallel",
    "batch size per gpu": "rank_batch",
    "params per gpu": "rank_parameters",
    "params of model": "parameters",
    "fwd macs per gpu": "forward_macs",
    "fwd flops per gpu": "forward_flop",
    "fwd latency": "forward_time",
    "bwd latency": "backward_time",
    "step latency": "update_time",
    "iter latency": "iteration_time",
    "fwd flops per gpu per second": "forward_rate",
    "bwd flops per gpu per second": "backward_rate",
    "flops per gpu per second": "rank_rate",
    "samples/second": "samples_rate",
}
_TOLERANCE = 0.02
"""Of what is printed with three digits."""
_AGAIN = "a second profile in the file, of step {step}, is not read"


def recognises(head: Sequence[str]) -> bool:
    """Whether a line is the profiler's title."""
    return any(_TITLE.search(line) for line in head)


def read(text: TextStream) -> Witness:
    """The figures of the first profile. Raises InputError where one is no number."""
    found = Witness(TOOL)
    summary = _ProfileSummary(text, found.notes)
    summary.read()
    told = summary.figures
    for name, value in told.items():
        tell_figure(found, name, value)
    _check_figures(found, told)
    if told and not summary.is_closed:
        found.notes.append("has no line of dashes behind its last table: it may end early")
    if not told:
        found.notes.append("DeepSpeed's profiler printed no summary: the file ends early")
    return found


@dataclass
class _ProfileSummary:
    """The first profile of a file, line by line."""

    text: TextStream
    notes: list[str]
    figures: dict[str, float] = field(default_factory=dict)
    """By their names, in base units."""
    profiles: int = 0
    is_inside: bool = False
    is_closed: bool = False
    """Whether the last profile has an end."""

    def read(self) -> None:
        """All lines."""
        for line in read_lines(self.text):
            if _TITLE.search(line):
                self.profiles += 1
                self.is_inside, self.is_closed = self.profiles == 1, False
            elif step := _STEP.search(line):
                if self.profiles > 1:
                    self.notes.append(_AGAIN.format(step=step["step"]))
            elif _CLOSING.fullmatch(line.strip()):
                self.is_closed = True
            elif _END.search(line):
                self.is_inside = False
            elif self.is_inside and (row := _LINE.fullmatch(line.strip())):
                self._row(row)

    def _row(self, row: re.Match[str]) -> None:
        try:
            _take_row(self.figures, row, f"{self.text.opened.path}: line {self.text.line:,}")
        except InputError:
            if self.text.is_ended:
                raise
            self.notes.append(describe_cut_line(self.text))


def _take_row(told: dict[str, float], row: re.Match[str], place: str) -> None:
    """A line of the summary, if it is one of those that are kept."""
    said, unit = row["name"], row["unit"] or ""
    name = _FORMULA.sub("", said).strip().lower().replace("device", "gpu")
    if "FLOPS" in said.split("=")[0]:
        name += " per second"
    figure = _NAMES.get(name)
    if figure is None or figure in told:
        return
    value, factor = parse_number(row["value"]), _find_factor(unit, is_time=figure.endswith("_time"))
    if value is None or factor is None or not 0 <= value * factor < math.inf:
        raise InputError(
            f"{place}: {to_storable_text(row['value'])[:40]} {to_storable_text(unit)}: is no "
            "figure",
            hint=AGAIN,
        )
    told[figure] = value * factor


def _find_factor(unit: str, *, is_time: bool) -> float | None:
    """To base units: prefixes of times are small ones, those of all else large ones."""
    if unit in _BILLION:
        return _BILLION[unit]
    told = _UNIT.fullmatch(unit)
    if told is None:
        return None
    return (_SMALL if is_time else _PREFIXES).get(told["prefix"] or "")


def _check_figures(found: Witness, told: dict[str, float]) -> None:
    """Whether the figures fit with each other."""
    parts = [told.get(name) for name in ("forward_time", "backward_time", "update_time")]
    whole, known = told.get("iteration_time"), [part for part in parts if part is not None]
    if whole and len(known) == len(parts) and abs(sum(known) / whole - 1.0) > _TOLERANCE:
        add_doubt(
            found, "iteration_time", quantity(whole, "s"), quantity(sum(known), "s"),
            "Forward pass, backward pass and optimizer do not sum to the iteration.",
        )  # fmt: skip
    batch, shared = told.get("rank_batch"), told.get("data_parallel")
    rate = told.get("samples_rate")
    if whole and batch and shared and rate:
        held = batch * shared / whole
        if abs(rate / held - 1.0) > _TOLERANCE:
            add_doubt(
                found, "samples_rate", quantity(rate, "samples/s"), quantity(held, "samples/s"),
                "The batch of all ranks over the time of an iteration gives another rate.",
            )  # fmt: skip


KIND = WitnessKind("figures", recognises, read)
