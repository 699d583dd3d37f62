"""What an author's text may ask of a run: `value`, `interval`, `cell`, `setting`, `run`.

In:  a run. Out: functions for templates, which give plain words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from generator.errors import ContentError
from generator.units import quantity
from generator.worksheets.markup import label
from generator.worksheets.run import Run, as_number


def functions(run: Run) -> Mapping[str, Callable[..., str]]:
    """The functions by the names that templates use."""

    def value(name: str, unit: str = "") -> str:
        """`89.62 s` of `time.wall`; `not measured` where the run has none."""
        return quantity(run.value(name), unit or _unit(run, name))

    def cell(name: str, row: int = 0) -> str:
        """A cell of a table's column: `cell("gpu.kernels.short")` is the first."""
        found, cells = run.table(name), run.cells(name)
        if found is None:
            raise ContentError(f"{name} is no column of a table")
        if not 0 <= row < len(cells):
            return quantity(None, "text")
        number = as_number(cells[row]) if found[1].unit != "text" else None
        return label(cells[row]) if number is None else quantity(number, found[1].unit)

    def setting(key: str) -> str:
        """What profile.toml says."""
        return label(run.setting(key) or quantity(None, "text"))

    def interval(name: str) -> str:
        """`40 % to 72 %` of a sampled metric."""
        ends = [quantity(run.value(f"{end}.{name}"), _unit(run, name)) for end in ("low", "high")]
        return " to ".join(ends)

    return {
        "value": value,
        "interval": interval,
        "cell": cell,
        "setting": setting,
        "run": lambda: label(run.facts["title"]),
    }


def _unit(run: Run, name: str) -> str:
    if name in run.results:
        return run.results[name].metric.unit
    found = run.table(name) if not name.startswith(("finding.", "hardware.")) else None
    return found[1].unit if found else "1"
