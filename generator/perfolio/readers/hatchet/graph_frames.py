"""What Hatchet read to calls: which columns are costs, of whom, and in which unit."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from perfolio.common.errors import InputError
from perfolio.readers.code_names import PYTHON_MODULE
from perfolio.readers.hatchet.caliper import WORLD
from perfolio.readers.hatchet.caliper_regions import SUMS, add_operations, add_outside
from perfolio.readers.hatchet.call_graph import spread_calls
from perfolio.readers.hatchet.call_places import (
    MOST_AMOUNTS,
    CallPlace,
    CallThread,
    CostedCallTree,
    Floats,
    Kind,
    PlaceAmounts,
    RankStatistics,
)
from perfolio.readers.hatchet.columns import (
    SECONDS,
    ColumnMeaning,
    choose_columns,
    describe_columns,
    find_meaning,
)
from perfolio.readers.hatchet.over_ranks import choose_threads, collect_rank_statistics
from perfolio.readers.hatchet.profile_kinds import CallTreeFormat
from perfolio.readers.hatchet.staged_files import StagedFiles
from perfolio.readers.hatchet.worker import HatchetTables

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
_BY_THREAD = (
    CallTreeFormat.DATABASE,
    CallTreeFormat.TAU,
    CallTreeFormat.CPROFILE,
    CallTreeFormat.PYINSTRUMENT,
    CallTreeFormat.TIMEMORY,
)
"""Tools that tell threads apart, or record one."""
_UNIT = re.compile(r"(\w+) \((\w+)\)")


def make_calls(held: StagedFiles, framed: HatchetTables) -> CostedCallTree:
    """The calls of what Hatchet read. Raises InputError where nothing in it can be added up."""
    threads, lines = _list_threads(held.form, framed)
    if len(threads) * len(framed.places) > MOST_AMOUNTS:
        raise InputError(f"{held.path}: holds too many threads and places", hint="give fewer ranks")
    columns = [name for name in framed.amounts.column_names if name.startswith("metric ")]
    names = [name.removeprefix("metric ") for name in columns]
    meanings = _select_costs(names, _MEANINGS[held.form](held, framed))
    kept = choose_columns(meanings)
    matrices = {
        name: _make_matrix(framed, f"metric {name}", lines, len(threads)) * each.factor
        for name, each in meanings.items()
    }
    over = RankStatistics()
    if held.form is CallTreeFormat.CALI and threads == [CallThread()]:
        valued = {name: (each, matrices[name][0]) for name, each in meanings.items()}
        over = collect_rank_statistics(valued, framed.told["globals"].get(WORLD))
    calls = CostedCallTree(
        [_make_place(held.form, row) for row in framed.places],
        choose_threads(threads, over),
        [PlaceAmounts(e.measure, matrices[name], e.is_inclusive) for name, e in kept.items()],
        [*_list_notes(held, names, kept), *over.notes],
        _find_title(held),
        "",
        over,
    )
    if held.form in (CallTreeFormat.CPROFILE, CallTreeFormat.DOT):
        return spread_calls(calls, framed)
    return (
        add_operations(add_outside(calls, framed, kept), framed)
        if held.form is CallTreeFormat.CALI
        else calls
    )


def _list_threads(
    form: CallTreeFormat, framed: HatchetTables
) -> tuple[list[CallThread], list[int]]:
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
        CallThread(*each) for each in zip(column("rank", None), column("thread", only), strict=True)
    ]
    known = sorted(set(rows), key=lambda each: tuple(-1 if n is None else n for n in each))
    numbers = {each: number for number, each in enumerate(known)}
    return known, [numbers[each] for each in rows]


def _make_matrix(framed: HatchetTables, column: str, lines: list[int], threads: int) -> Floats:
    """Amounts by thread and place; what is missing is nothing."""
    found = np.zeros((threads, len(framed.places)))
    place = framed.amounts["place"].to_numpy()
    values = np.nan_to_num(framed.amounts[column].to_numpy(), nan=0.0, posinf=np.inf)
    known = place >= 0
    np.add.at(found, (np.array(lines, np.int64)[known], place[known]), values[known])
    return found


def _select_costs(
    names: list[str], meaning: Callable[[str], ColumnMeaning | None]
) -> dict[str, ColumnMeaning]:
    """Columns that hold costs, by what they mean."""
    found = ((name, meaning(name)) for name in names)
    return {name: each for name, each in found if each is not None}


def _explain_hpctoolkit(
    _held: StagedFiles, _framed: HatchetTables
) -> Callable[[str], ColumnMeaning | None]:
    def meaning(name: str) -> ColumnMeaning | None:
        if name.startswith("time"):  # Hatchet's word for CPUTIME, whose unit it drops
            return _make_time_meaning("CPUTIME", _find_cpu_time_unit(_held), "(inc)" in name)
        plain = re.sub(r"(?::Sum)? \([IE]\)$", "", name)
        if found := _UNIT.fullmatch(plain):
            return _make_time_meaning(found[1], found[2], name.endswith("(I)"))
        return ColumnMeaning(plain, 1.0, name.endswith("(I)"), is_told=True)

    return meaning


def _find_cpu_time_unit(held: StagedFiles) -> str:
    found = re.search(rb'n="CPUTIME \((u?sec)\)', held.first)
    return found[1].decode() if found else "usec"


def _make_time_meaning(name: str, unit: str, inclusive: bool) -> ColumnMeaning | None:  # noqa: FBT001 - one call each
    measure = _TIMES.get(name)
    if measure is None or unit not in SECONDS:
        return None
    return ColumnMeaning(measure, SECONDS[unit], inclusive, is_told=True)


def _explain_caliper(
    _held: StagedFiles, framed: HatchetTables
) -> Callable[[str], ColumnMeaning | None]:
    units = framed.told["units"]

    def meaning(name: str) -> ColumnMeaning | None:
        own = SUMS.get(name, name)
        known = own.replace("avg.sum#", "avg#")
        return find_meaning(own, units.get(known, units.get(own.rpartition("#")[2])), "s")

    return meaning


def _explain_timemory(
    _held: StagedFiles, framed: HatchetTables
) -> Callable[[str], ColumnMeaning | None]:
    """Sums of components that are times; least and largest values cannot be added."""

    def meaning(name: str) -> ColumnMeaning | None:
        kind, _, rest = name.partition(".")
        component = rest.removesuffix(_INCLUSIVE)
        if kind != "sum":
            return None
        return _make_time_meaning(
            component, str(framed.told["units"].get(component)), rest != component
        )

    return meaning


def _explain_tau(
    held: StagedFiles, _framed: HatchetTables
) -> Callable[[str], ColumnMeaning | None]:
    """Hatchet calls time of either kind `time`: the file says which it is. TAU counts in µs."""
    found = _OF_TAU.search(held.first)
    told = found[1].decode("utf-8", "replace") if found else ""

    def meaning(name: str) -> ColumnMeaning | None:
        plain = name.removesuffix(_INCLUSIVE)
        inclusive = plain != name
        if told in _TIMES:
            return _make_time_meaning(told, "usec", inclusive) if plain in ("time", told) else None
        return ColumnMeaning(plain, 1.0, inclusive, is_told=True) if plain == told else None

    return meaning


def _explain_single_measure(
    measure: str, factor: float = 1.0
) -> Callable[[StagedFiles, HatchetTables], Callable[[str], ColumnMeaning | None]]:
    """Of tools with one measure, in seconds or percent; of call graphs its own amounts alone."""

    def told(held: StagedFiles, _framed: HatchetTables) -> Callable[[str], ColumnMeaning | None]:
        wanted = "time (inc)" if held.form is CallTreeFormat.PYINSTRUMENT else "time"

        def meaning(name: str) -> ColumnMeaning | None:
            if name != wanted:
                return None
            return ColumnMeaning(measure, factor, wanted != "time", is_told=True)

        return meaning

    return told


_MEANINGS: dict[
    CallTreeFormat, Callable[[StagedFiles, HatchetTables], Callable[[str], ColumnMeaning | None]]
] = {
    CallTreeFormat.DATABASE: _explain_hpctoolkit,
    CallTreeFormat.CALI: _explain_caliper,
    CallTreeFormat.TIMEMORY: _explain_timemory,
    CallTreeFormat.CPROFILE: _explain_single_measure("elapsed_time"),
    CallTreeFormat.PYINSTRUMENT: _explain_single_measure("elapsed_time"),
    CallTreeFormat.TAU: _explain_tau,
    CallTreeFormat.DOT: _explain_single_measure(COST_SHARE, 0.01),
}


def _make_place(form: CallTreeFormat, row: dict[str, Any]) -> CallPlace:
    name, module, file = row["name"], row["module"], row["file"]
    if form is CallTreeFormat.DATABASE and row["kind"] in ("PF", "Pr"):
        name = _LINE_OF_CALL.sub("", name, count=1) if _LINE_OF_CALL.match(name) else name
    if form in (CallTreeFormat.CPROFILE, CallTreeFormat.PYINSTRUMENT):
        module = PYTHON_MODULE
    known = "" if file in _UNKNOWN else file
    line = row["line"] if 0 < row["line"] < 1 << 31 else 0
    kind = _KINDS.get(row["kind"], "function")
    return CallPlace(row["parent"], name, kind, "" if module in _UNKNOWN else module, known, line)


def _find_title(held: StagedFiles) -> str:
    found = re.search(rb'<SecCallPathProfile[^>]* n="([^"]{1,200})"', held.first)
    if held.form is CallTreeFormat.DATABASE and found:
        return found[1].decode("utf-8", "replace")
    return held.path.name.split(".")[0]


def _list_notes(held: StagedFiles, names: list[str], kept: dict[str, ColumnMeaning]) -> list[str]:
    if held.form is not CallTreeFormat.CALI:
        return []
    left = [name for name in names if name not in kept and name not in ("time", "time (inc)")]
    return describe_columns(left, list(kept.values()), "s")
