"""What an author's text may ask of a run: `value`, `interval`, `cell`, `setting`, `whole`, `run`.

In:  a run. Out: functions for expressions, which give plain words; NotAskedError where the run
     lacks what is asked of it.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import TypeVar

from perfolio.common.errors import ContentError
from perfolio.common.units import UNITS, quantity
from perfolio.exercises.html_form import shorten_label
from perfolio.exercises.run_view import Run, as_number

_Value = TypeVar("_Value")
_MARK = re.compile(r"^(?:low|high|known|before)\.")
_WHOLES = ("causes", "worth")


def bind_functions(run: Run) -> Mapping[str, Callable[..., str]]:
    """The functions by the names that expressions use, each of this run."""
    return {name: partial(function, run) for name, function in _FUNCTIONS.items()}


@cache
def list_signatures() -> Mapping[str, inspect.Signature]:
    """What each function takes besides the run."""
    by_name = {}
    for name, function in _FUNCTIONS.items():
        signature = inspect.signature(function, eval_str=True)
        by_name[name] = signature.replace(parameters=list(signature.parameters.values())[1:])
    return by_name


def _format_value(run: Run, name: str, unit: str = "") -> str:
    """`89.62 s` of `time.wall`."""
    return quantity(
        _require_known(run, name, run.value(name)), _check_unit(unit) or _find_unit(run, name)
    )


def _format_cell(run: Run, name: str, row: int = 0, unit: str = "") -> str:
    """A cell of a table's column: `cell("gpu.kernels.short")` is the first."""
    source, cells = run.table(name), run.cells(name)
    if source is None:
        raise ContentError(f"{name} is no column of a table")
    value = _require_known(run, name, cells[row] if 0 <= row < len(cells) else None)
    number = as_number(value) if source[1].unit != "text" else None
    return (
        shorten_label(value)
        if number is None
        else quantity(number, _check_unit(unit) or source[1].unit)
    )


def _format_setting(run: Run, key: str) -> str:
    """What profile.toml says."""
    return shorten_label(_require_known(run, key, run.setting(key) or None))


def _format_interval(run: Run, name: str) -> str:
    """`40 % to 72 %` of a sampled metric."""
    ends = (_require_known(run, name, run.value(f"{end}.{name}")) for end in ("low", "high"))
    return " to ".join(quantity(end, _find_unit(run, name)) for end in ends)


def _format_denominator(run: Run, part: str) -> str:
    """What the shares of `causes` or `worth` are of: `4.16 s of wall time, ...`."""
    if part not in _WHOLES:
        raise ContentError(f"{part} is none of {', '.join(_WHOLES)}")
    name = f"{part}.whole"
    amount = quantity(_require_known(run, name, run.value(name)), _find_unit(run, name))
    words = str(run.findings[part]["of"])
    return words if amount in words else f"{amount}: {words}"


def _format_title(run: Run) -> str:
    """The title of the run."""
    return shorten_label(run.facts["title"])


_FUNCTIONS: Mapping[str, Callable[..., str]] = {
    "value": _format_value,
    "whole": _format_denominator,
    "cell": _format_cell,
    "setting": _format_setting,
    "interval": _format_interval,
    "run": _format_title,
}


def _check_unit(unit: str) -> str:
    """A unit that an author names. Raises ContentError for one that there is not."""
    if unit and unit not in UNITS:
        raise ContentError(f"unknown unit {unit!r}")
    return unit


def _require_known(run: Run, name: str, value: _Value | None) -> _Value:
    """What a run has of a name. NotAskedError where that is nothing."""
    if value is None:
        raise run.lacks([_MARK.sub("", name)])
    return value


def _find_unit(run: Run, name: str) -> str:
    if name in run.results:
        return run.results[name].metric.unit
    source = run.table(name) if not name.startswith(("finding.", "hardware.")) else None
    return source[1].unit if source else "1"
