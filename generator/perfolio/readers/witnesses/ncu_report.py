"""A report of Nsight Compute, `.ncu-rep`, by NVIDIA's own reader: the extra `ncu`, or the program.

The rows are those of the CSV that `ncu --import` prints. The reader is compiled code, loaded only
when such a file is met: give it reports of your own. Without it, the `ncu` that is installed prints
the CSV.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from perfolio.common.errors import InputError
from perfolio.readers.code_names import to_storable_text
from perfolio.readers.text_lines import AGAIN
from perfolio.readers.text_stream import TextStream, open_text
from perfolio.readers.tool_exports import NCU, describe_command, export_report
from perfolio.readers.witnesses import ncu_csv
from perfolio.readers.witnesses.model import Witness, WitnessKind
from perfolio.readers.witnesses.ncu_csv import BESIDE, LONGEST, MOST_LAUNCHES, MOST_VALUES, TOOL
from perfolio.readers.witnesses.unit_parser import find_factor

MODULE = "ncu_report"
_BEGIN = b"NVR"
_MAJOR, _MINOR = (f"device__attribute_compute_capability_{each}" for each in ("major", "minor"))
_DEVICE = "device__attribute_display_name"
_KINDS = {"OPTIMIZATION": "OPT", "WARNING": "WRN", "ERROR": "ERR"}
"""Names of types of messages, as the CSV writes them; all others are INF."""


def recognises(_head: Sequence[str]) -> bool:
    """No text is one."""
    return False


def begins(head: bytes) -> bool:
    """Whether bytes are the begin of a report."""
    return head.startswith(_BEGIN)


def read(text: TextStream) -> Witness:
    """Counters and rules of each launch; with neither reader nor `ncu` a note on what to do."""
    path = text.opened.path
    try:
        module = importlib.import_module(MODULE)
    except ImportError:
        if NCU.find():
            return _read_export(text)
        found = Witness(TOOL)
        found.notes.append(
            "is a report of Nsight Compute: `pip install ncu-report` lets it be read; else "
            f"{describe_command(NCU, path)}"
        )
        return found
    try:
        report = module.load_report(str(path))
    except (RuntimeError, ValueError, OSError) as problem:
        raise InputError(
            f"{path}: Nsight Compute's reader cannot read it: "
            f"{to_storable_text(str(problem))[:200]}",
            hint=AGAIN,
        ) from problem
    return read_report(report, str(path))


def _read_export(text: TextStream) -> Witness:
    """What `ncu` prints of a report, which has no rows of rules."""
    path = text.opened.path
    with export_report(NCU, text.opened) as exported:
        try:
            return ncu_csv.read(open_text(exported))
        except InputError as problem:
            what = str(problem).replace(str(exported), "the CSV that ncu printed")
            raise InputError(f"{path}: {what}") from problem


def read_report(report: Iterable[Iterable[Any]], place: str) -> Witness:
    """The rows of a report: ranges of actions, of which each is a launch."""
    found, told = Witness(TOOL), 0
    for launch, action in enumerate(action for part in report for action in part):
        if launch >= MOST_LAUNCHES:
            raise InputError(
                f"{place}: more than {MOST_LAUNCHES:,} launches are not read", hint="export a part"
            )
        _add_launch(found, launch, action)
        for name, value in _list_counters(action):
            found.add("kernel_counter", (launch, name, value))
            told += 1
        if told > MOST_VALUES:
            raise InputError(
                f"{place}: more than {MOST_VALUES:,} values are not read", hint="export a part"
            )
        for rule in action.rule_results_as_dicts():
            _add_rule(found, launch, rule)
    if "counted_kernel" not in found.rows:
        found.notes.append("holds no launch: nothing was recorded, or the file is damaged")
    elif "counter_rule" not in found.rows:
        found.notes.append("the rules of Nsight Compute were not run: record it with --set full")
    return found


def _add_launch(found: Witness, launch: int, action: Any) -> None:
    device = _get_value(action, _DEVICE)
    if isinstance(device, str):
        found.device = found.device or to_storable_text(device)[:200]
    major, minor = _get_value(action, _MAJOR), _get_value(action, _MINOR)
    whole = isinstance(major, int) and isinstance(minor, int)
    found.add(
        "counted_kernel",
        (
            launch, to_storable_text(str(action.name()))[:LONGEST] or "(unnamed)",
            _get_size(action, "launch__grid_size"), _get_size(action, "launch__block_size"), "0",
            float(f"{major}.{minor}") if whole else None,
        ),
    )  # fmt: skip


def _list_counters(action: Any) -> Iterator[tuple[str, float]]:
    """Numbers of a launch in base units, by the names of Nsight Compute."""
    for name in action.metric_names():
        if str(name).startswith(BESIDE):
            continue
        metric = action.metric_by_name(name)
        value = metric.value() if metric is not None else None
        if isinstance(value, int | float) and abs(value) < 1e300:
            yield to_storable_text(str(name))[:300], float(value) * find_factor(str(metric.unit()))


def _add_rule(found: Witness, launch: int, rule: dict[str, Any]) -> None:
    message = rule.get("rule_message") or {}
    speedup = (rule.get("speedup_estimation") or {}).get("speedup")
    kind = getattr(message.get("type"), "name", "")
    found.add(
        "counter_rule",
        (
            launch, to_storable_text(str(rule.get("name", "")))[:200], _KINDS.get(kind, "INF"),
            to_storable_text(str(message.get("message", "")))[:LONGEST],
            speedup / 100.0 if isinstance(speedup, int | float) else None,
        ),
    )  # fmt: skip


def _get_value(action: Any, name: str) -> object:
    metric = action.metric_by_name(name)
    return None if metric is None else metric.value()


def _get_size(action: Any, name: str) -> int | None:
    value = _get_value(action, name)
    return int(value) if isinstance(value, int | float) and 0 < value < 1 << 62 else None


KIND = WitnessKind("counters", recognises, read, begins)
