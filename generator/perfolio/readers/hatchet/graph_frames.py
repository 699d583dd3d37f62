"""What Hatchet read to calls: which columns are costs, of whom, and in which unit."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from perfolio.common.errors import InputError
from perfolio.readers.code_names import PYTHON_MODULE
from perfolio.readers.hatchet.caliper import WORLD
from perfolio.readers.hatchet.caliper_regions import SUMS, with_operations, with_outside
from perfolio.readers.hatchet.call_places import (
    MOST_AMOUNTS,
    Amounts,
    Calls,
    Floats,
    Kind,
    Place,
    Ranks,
    Thread,
)
from perfolio.readers.hatchet.columns import SECONDS, Meaning, chosen, meaning_of, notes_of
from perfolio.readers.hatchet.function_calls import spread
from perfolio.readers.hatchet.over_ranks import ranks_of, threads_of
from perfolio.readers.hatchet.profile_kinds import Form
from perfolio.readers.hatchet.staged_files import Held
from perfolio.readers.hatchet.worker import Framed

COST_SHARE = "cost_share"
"""Part of all that a profiler counted: gprof2dot writes percent in place of what was counted."""
_INCLUSIVE = " (inc)"
_OF_TAU = re.compile(rb"<value>([^<]{1,200})</value>")
_KINDS: dict[str, Kind] = {"Pr": "inlined", "L": "loop", "S": "line"}
_UNKNOWN = ("~unknown-file~", "<unknown>", "<unknown file>", "<unknown load module>", "None", "~")
_LINE_OF_CALL = re.compile(r"\d+:")
"""What Hatchet puts before the name of a function that HPCToolkit saw called from a line."""
_TIMES = {
    "CPUTIME": "cpu_time",
    "REALTIME": "elapsed_time",
    "WALLCLOCK": "elapsed_time",
    "TIME": "elapsed_time",
    "CPU_TIME": "cpu_time",
    "wall_clock": "elapsed_time",
    "cpu_clock": "cpu_time",
}
_NUMBER = re.compile(r"[0-9]{1,9}")
_BY_THREAD = (Form.DATABASE, Form.TAU, Form.CPROFILE, Form.PYINSTRUMENT, Form.TIMEMORY)
"""Tools that tell threads apart, or record one."""
_UNIT = re.compile(r"(\w+) \((\w+)\)")


def calls_of(held: Held, framed: Framed) -> Calls:
    """The calls of what Hatchet read. Raises InputError where nothing in it can be added up."""
    threads, lines = _threads(held.form, framed)
    if len(threads) * len(framed.places) > MOST_AMOUNTS:
        raise InputError(f"{held.path}: holds too many threads and places", hint="give fewer ranks")
    columns = [name for name in framed.amounts.column_names if name.startswith("metric ")]
    names = [name.removeprefix("metric ") for name in columns]
    meanings = _meant(names, _MEANINGS[held.form](held, framed))
    kept = chosen(meanings)
    matrices = {
        name: _matrix(framed, f"metric {name}", lines, len(threads)) * each.factor
        for name, each in meanings.items()
    }
    over = Ranks()
    if held.form is Form.CALI and threads == [Thread()]:
        valued = {name: (each, matrices[name][0]) for name, each in meanings.items()}
        over = ranks_of(valued, framed.told["globals"].get(WORLD))
    calls = Calls(
        [_place(held.form, row) for row in framed.places],
        threads_of(threads, over),
        [Amounts(e.measure, matrices[name], e.is_inclusive) for name, e in kept.items()],
        [*_notes(held, names, kept), *over.notes],
        _title(held),
        "",
        over,
    )
    if held.form in (Form.CPROFILE, Form.DOT):
        return spread(calls, framed)
    return (
        with_operations(with_outside(calls, framed, kept), framed)
        if held.form is Form.CALI
        else calls
    )


def _threads(form: Form, framed: Framed) -> tuple[list[Thread], list[int]]:
    """Threads by rank and number, and that of each row.

    Where the tool adds up what several threads spent, or may have done so, there is no number.
    """
    amounts = framed.amounts
    only = 0 if form in _BY_THREAD else None

    def column(name: str, missing: int | None) -> Iterable[int | None]:
        if name not in amounts.column_names:
            return [missing] * amounts.num_rows
        texts = amounts[name].to_pylist()
        return [int(each) if _NUMBER.fullmatch(each) else None for each in texts]

    rows = [
        Thread(*each) for each in zip(column("rank", None), column("thread", only), strict=True)
    ]
    known = sorted(set(rows), key=lambda each: tuple(-1 if n is None else n for n in each))
    numbers = {each: number for number, each in enumerate(known)}
    return known, [numbers[each] for each in rows]


def _matrix(framed: Framed, column: str, lines: list[int], threads: int) -> Floats:
    """Amounts by thread and place; what is missing is nothing."""
    found = np.zeros((threads, len(framed.places)))
    place = framed.amounts["place"].to_numpy()
    values = np.nan_to_num(framed.amounts[column].to_numpy(), nan=0.0, posinf=np.inf)
    known = place >= 0
    np.add.at(found, (np.array(lines, np.int64)[known], place[known]), values[known])
    return found


def _meant(names: list[str], meaning: Callable[[str], Meaning | None]) -> dict[str, Meaning]:
    """Columns that hold costs, by what they mean."""
    found = ((name, meaning(name)) for name in names)
    return {name: each for name, each in found if each is not None}


def _of_hpctoolkit(_held: Held, _framed: Framed) -> Callable[[str], Meaning | None]:
    def meaning(name: str) -> Meaning | None:
        if name.startswith("time"):  # Hatchet's word for CPUTIME, whose unit it drops
            return _timed("CPUTIME", _unit_of_cpu_time(_held), "(inc)" in name)
        plain = re.sub(r"(?::Sum)? \([IE]\)$", "", name)
        if found := _UNIT.fullmatch(plain):
            return _timed(found[1], found[2], name.endswith("(I)"))
        return Meaning(plain, 1.0, name.endswith("(I)"), is_told=True)

    return meaning


def _unit_of_cpu_time(held: Held) -> str:
    found = re.search(rb'n="CPUTIME \((u?sec)\)', held.first)
    return found[1].decode() if found else "usec"


def _timed(name: str, unit: str, inclusive: bool) -> Meaning | None:  # noqa: FBT001 - one call each
    measure = _TIMES.get(name)
    if measure is None or unit not in SECONDS:
        return None
    return Meaning(measure, SECONDS[unit], inclusive, is_told=True)


def _of_caliper(_held: Held, framed: Framed) -> Callable[[str], Meaning | None]:
    units = framed.told["units"]

    def meaning(name: str) -> Meaning | None:
        own = SUMS.get(name, name)
        known = own.replace("avg.sum#", "avg#")
        return meaning_of(own, units.get(known, units.get(own.rpartition("#")[2])), "s")

    return meaning


def _of_timemory(_held: Held, framed: Framed) -> Callable[[str], Meaning | None]:
    """Sums of components that are times; least and largest values cannot be added."""

    def meaning(name: str) -> Meaning | None:
        kind, _, rest = name.partition(".")
        component = rest.removesuffix(_INCLUSIVE)
        if kind != "sum":
            return None
        return _timed(component, str(framed.told["units"].get(component)), rest != component)

    return meaning


def _of_tau(held: Held, _framed: Framed) -> Callable[[str], Meaning | None]:
    """Hatchet calls time of either kind `time`: the file says which it is. TAU counts in µs."""
    found = _OF_TAU.search(held.first)
    told = found[1].decode("utf-8", "replace") if found else ""

    def meaning(name: str) -> Meaning | None:
        plain = name.removesuffix(_INCLUSIVE)
        inclusive = plain != name
        if told in _TIMES:
            return _timed(told, "usec", inclusive) if plain in ("time", told) else None
        return Meaning(plain, 1.0, inclusive, is_told=True) if plain == told else None

    return meaning


def _of(
    measure: str, factor: float = 1.0
) -> Callable[[Held, Framed], Callable[[str], Meaning | None]]:
    """Of tools with one measure, in seconds or percent; of call graphs its own amounts alone."""

    def told(held: Held, _framed: Framed) -> Callable[[str], Meaning | None]:
        wanted = "time (inc)" if held.form is Form.PYINSTRUMENT else "time"

        def meaning(name: str) -> Meaning | None:
            if name != wanted:
                return None
            return Meaning(measure, factor, wanted != "time", is_told=True)

        return meaning

    return told


_MEANINGS: dict[Form, Callable[[Held, Framed], Callable[[str], Meaning | None]]] = {
    Form.DATABASE: _of_hpctoolkit,
    Form.CALI: _of_caliper,
    Form.TIMEMORY: _of_timemory,
    Form.CPROFILE: _of("elapsed_time"),
    Form.PYINSTRUMENT: _of("elapsed_time"),
    Form.TAU: _of_tau,
    Form.DOT: _of(COST_SHARE, 0.01),
}


def _place(form: Form, row: dict[str, Any]) -> Place:
    name, module, file = row["name"], row["module"], row["file"]
    if form is Form.DATABASE and row["kind"] in ("PF", "Pr"):
        name = _LINE_OF_CALL.sub("", name, count=1) if _LINE_OF_CALL.match(name) else name
    if form in (Form.CPROFILE, Form.PYINSTRUMENT):
        module = PYTHON_MODULE
    known = "" if file in _UNKNOWN else file
    line = row["line"] if 0 < row["line"] < 1 << 31 else 0
    kind = _KINDS.get(row["kind"], "function")
    return Place(row["parent"], name, kind, "" if module in _UNKNOWN else module, known, line)


def _title(held: Held) -> str:
    found = re.search(rb'<SecCallPathProfile[^>]* n="([^"]{1,200})"', held.first)
    if held.form is Form.DATABASE and found:
        return found[1].decode("utf-8", "replace")
    return held.path.name.split(".")[0]


def _notes(held: Held, names: list[str], kept: dict[str, Meaning]) -> list[str]:
    if held.form is not Form.CALI:
        return []
    left = [name for name in names if name not in kept and name not in ("time", "time (inc)")]
    return notes_of(left, list(kept.values()), "s")
