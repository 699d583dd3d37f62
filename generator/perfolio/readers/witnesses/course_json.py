"""JSON of the course's scripts: flops_profile, computational_intensity, performance_summary.

Their figures are kept as what they are of, and what the scripts get wrong is said:

- They read DeepSpeed's counter after each step and never reset it, so that the mean over n steps is
  (n + 1) / 2 times the operations of one. The first step has the right number.
- Their time of a step is that of the forward pass, and so is their rate of samples.
- Some of their peaks are of other devices or precisions, or made up where the device is unknown.
- They call a program memory-bound below 10 FLOP/B on each device, in place of its ridge point.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from perfolio.common.errors import InputError
from perfolio.common.units import quantity
from perfolio.readers.text_lines import AGAIN
from perfolio.readers.text_stream import TextStream
from perfolio.readers.witnesses.figure_names import add_doubt, tell_figure
from perfolio.readers.witnesses.model import Witness, WitnessKind

TOOL = "the course's script"
MOST_BYTES = 1 << 24
_MARKS = ('"step_by_step_results"', '"flops_analysis"', '"memory_bound_vs_compute_bound"',
          '"avg_training_speed"')  # fmt: skip
_SAME, _EXACT = 0.01, 1e-6
_THRESHOLD = 10.0
"""FLOP/B from which on the scripts call a program bound by arithmetic."""
_UNKNOWN = "no peak of this device"
_PEAKS = {
    61.3e12: (
        "122.6 TFLOP/s on MI300A, 163.4 TFLOP/s on MI300X",
        "It divides operations in FP32 by MI300A's FP64 vector rate.",
    ),
    20e12: (_UNKNOWN, "It is the script's default for devices that it does not know."),
    1e12: (_UNKNOWN, "It is the script's guess for processors."),
}
"""Constants of the scripts: what is right, and why they are not."""
_BANDWIDTHS = {
    1555e9: ("900 GB/s on V100", "It is A100's with 40 GB, which the script takes for V100's too."),
    1000e9: (_UNKNOWN, "It is the script's default for devices that it does not know."),
    100e9: (_UNKNOWN, "It is the script's guess for processors."),
}


def recognises(head: Sequence[str]) -> bool:
    """Whether a line has a key that only these files have."""
    first = next((line.lstrip() for line in head if line.strip()), "")
    return first.startswith("{") and any(mark in line for line in head for mark in _MARKS)


def read(text: TextStream) -> Witness:
    """The figures of one file. Raises InputError where it is no JSON."""
    entries = _read_entries(text)
    found = Witness(TOOL)
    if "step_by_step_results" in entries or "flops_analysis" in entries:
        _read_flops(entries, found)
    elif "memory_bound_vs_compute_bound" in entries:
        _read_intensity(entries, found)
    else:
        _read_summary(entries, found)
    if not found.rows:
        found.notes.append("holds none of the figures that are read")
    return found


def _read_entries(text: TextStream) -> dict[str, Any]:
    try:
        entries = msgspec.json.decode(text.read_all(MOST_BYTES, hint=AGAIN))
    except (ValueError, RecursionError) as problem:
        raise InputError(f"{text.opened.path}: is no JSON: {problem}", hint=AGAIN) from problem
    if not isinstance(entries, dict):
        raise InputError(f"{text.opened.path}: is no object", hint=AGAIN)
    return entries


def _get_part(entries: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    part = entries.get(name)
    return part if isinstance(part, dict) else {}


def _get_figure(entries: Mapping[str, Any], name: str, factor: float = 1.0) -> float | None:
    """A finite number that is not negative; None for anything else."""
    value = entries.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    number = float(value) if abs(value) < 1e300 else -1.0
    return number * factor if number >= 0.0 else None


def _read_flops(entries: Mapping[str, Any], found: Witness) -> None:
    model, setting = _get_part(entries, "model_info"), _get_part(entries, "profiling_config")
    speed, peak = (
        _get_part(entries, "performance_metrics"),
        _get_part(entries, "efficiency_metrics"),
    )
    tell_figure(found, "parameters", _get_figure(model, "total_params"))
    tell_figure(found, "rank_batch", _get_figure(setting, "batch_size"))
    tell_figure(found, "sequence_length", _get_figure(setting, "sequence_length"))
    said = _get_figure(_get_part(entries, "flops_analysis"), "avg_flops_per_step")
    flop = _choose_operations(entries, found, said)
    tell_figure(found, "forward_flop", flop)
    time, rate = (
        _get_figure(speed, "avg_time_per_step"),
        _get_figure(speed, "throughput_samples_per_sec"),
    )
    tell_figure(found, "forward_time", time)
    tell_figure(found, "forward_samples_rate", rate)
    if rate is not None:
        add_doubt(
            found, "samples_rate", quantity(rate, "samples/s"), "a rate of the forward pass",
            "The script stops its clock before the backward pass: this is no rate of training.",
        )  # fmt: skip
    if time and flop is not None:
        tell_figure(found, "forward_rate", flop / time)
    _tell_peak(found, _get_figure(peak, "device_peak_flops"))


def _choose_operations(
    entries: Mapping[str, Any], found: Witness, said: float | None
) -> float | None:
    """Of a forward pass: the first step's, where the counter adds up, else the mean."""
    steps = entries.get("step_by_step_results")
    told = (
        [_get_figure(step, "flops") for step in steps if isinstance(step, dict)]
        if isinstance(steps, list)
        else []
    )
    counted = [value for value in told if value]
    first = counted[0] if counted else None
    if first is None or len(counted) < 2 or len(counted) != len(told):
        return first if first is not None else said
    if any(abs(value / (first * n) - 1.0) > _SAME for n, value in enumerate(counted, 1)):
        return said if said is not None else first
    times = (len(counted) + 1) / 2
    add_doubt(
        found, "forward_flop", quantity(first * times if said is None else said, "FLOP"),
        quantity(first, "FLOP"),
        f"The counter adds up over {len(counted)} steps, so its mean is {times:g} times too high; "
        "so are the rate, the utilisation and the intensity that were made of it.",
    )  # fmt: skip
    return first


def _tell_peak(found: Witness, peak: float | None) -> None:
    tell_figure(found, "peak", peak)
    _check_constant(found, "peak", peak, "FLOP/s", _PEAKS)


def _check_constant(
    found: Witness, figure: str, value: float | None, unit: str,
    known: Mapping[float, tuple[str, str]],
) -> None:  # fmt: skip
    """Doubt a figure that is one of the scripts' constants."""
    for constant, (held, why) in known.items():
        if value is not None and abs(value / constant - 1.0) < _EXACT:
            add_doubt(found, figure, quantity(value, unit), held, why)


def _read_intensity(entries: Mapping[str, Any], found: Witness) -> None:
    roof = _get_part(entries, "roofline_metrics")
    intensity = _get_figure(entries, "arithmetic_intensity_flops_per_byte")
    peak, bandwidth = _get_figure(roof, "peak_flops"), _get_figure(roof, "peak_memory_bandwidth")
    bandwidth = bandwidth or _get_figure(entries, "device_memory_bandwidth_gb_per_sec", 1e9)
    tell_figure(found, "intensity", intensity)
    tell_figure(found, "peak_bandwidth", bandwidth)
    _tell_peak(found, peak)
    _check_constant(found, "peak_bandwidth", bandwidth, "B/s", _BANDWIDTHS)
    if intensity is None or not peak or not bandwidth:
        return
    ridge = peak / bandwidth
    side = "memory" if intensity < ridge else "arithmetic"
    said = "memory" if entries["memory_bound_vs_compute_bound"] == "memory_bound" else "arithmetic"
    if said != side:
        add_doubt(
            found, "bound", f"bound by {said}", f"bound by {side}",
            f"The script takes {_THRESHOLD:g} FLOP/B for the border on each device. The ridge "
            f"point of its own peaks is {quantity(ridge, 'FLOP/B')}.",
        )  # fmt: skip


def _read_summary(entries: Mapping[str, Any], found: Witness) -> None:
    """The program's own times, at the top or one level below."""
    inner = (part for part in entries.values() if isinstance(part, dict))
    own = (
        entries
        if "avg_training_speed" in entries
        else next((part for part in inner if "avg_training_speed" in part), {})
    )
    tell_figure(found, "samples_rate", _get_figure(own, "avg_training_speed"))
    tell_figure(found, "iteration_time", _get_figure(own, "avg_batch_time"))
    tell_figure(found, "forward_time", _get_figure(own, "avg_forward_time"))
    tell_figure(found, "backward_time", _get_figure(own, "avg_backward_time"))
    tell_figure(found, "update_time", _get_figure(own, "avg_optimizer_time"))
    tell_figure(found, "peak_memory", _get_figure(own, "peak_memory_mb", 2.0**20))


KIND = WitnessKind("figures", recognises, read)
