"""Results of benchmark tools as entries of a series: pytest-benchmark, asv.

In:  a JSON file as the tool wrote it; it may be from anywhere. Out: entries, one a commit.

pytest-benchmark writes `benchmarks` with `stats` in seconds, `commit_info` and `machine_info`
(its documentation, "Comparing past runs"). asv writes a file per commit and environment with
`commit_hash`, `date` in milliseconds, `params` and `results` (asv's documentation, "Developer
docs: results"); a result is a list of numbers, one for each combination of parameters.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from perfolio.common.errors import InputError, UsageError, one_line
from perfolio.comparison.history.series_entry import (
    MOST_FIGURES,
    HistoryEntry,
    SeriesFigure,
    check_commit,
    parse_moment,
)

BENCHMARK = "benchmark."
"""How names of such figures begin."""
_MOST_BYTES = 64_000_000
_MOST_WORDS = 160
_MILLI = 1e-3
_BYTES = ("mem", "peakmem")
_HINT = "give a JSON file of pytest-benchmark (--benchmark-json) or of asv (.asv/results)"

_Document = Mapping[str, Any]


def read_benchmark_results(path: Path, commit: str = "", moment: str = "") -> HistoryEntry:
    """The entry of a file; `commit` and `moment` stand in for what it does not say.

    Raises InputError where the tool is not known or the file is damaged, and UsageError where
    nothing says of which commit it is.
    """
    document = _load(path)
    for known, convert in _TOOLS.items():
        if known in document:
            try:
                return convert(document, commit, moment)
            except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as problem:
                said = one_line(f"{type(problem).__name__} {problem}", 120)
                raise InputError(f"{path}: is damaged: {said}", hint=_HINT) from problem
    raise InputError(f"{path}: is no result of a benchmark tool that is known", hint=_HINT)


def _load(path: Path) -> _Document:
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except OSError as problem:
        raise InputError(f"{path}: cannot be read: {problem.strerror or problem}") from problem
    if len(data) > _MOST_BYTES:
        raise InputError(f"{path}: is larger than {_MOST_BYTES // 1_000_000} MB", hint=_HINT)
    try:
        document = json.loads(data)
    except (ValueError, RecursionError) as problem:
        raise InputError(f"{path}: is no JSON: {problem}", hint=_HINT) from problem
    return document if isinstance(document, dict) else {}


def _convert_pytest_benchmark(document: _Document, commit: str, moment: str) -> HistoryEntry:
    info = document.get("commit_info") or {}
    machine = document.get("machine_info") or {}
    cpu = machine.get("cpu") or {}
    words = cpu.get("brand_raw") or machine.get("processor") or machine.get("machine")
    return HistoryEntry(
        _take_commit(commit or str(info.get("id") or "")),
        parse_moment(moment or str(info.get("time") or document["datetime"])),
        one_line(str(words or "hardware not recorded"), _MOST_WORDS),
        "benchmarks",
        "pytest-benchmark",
        tuple(_list_pytest_figures(document["benchmarks"])),
    )


def _list_pytest_figures(benchmarks: Any) -> Iterator[SeriesFigure]:
    for one in benchmarks[:MOST_FIGURES]:
        name = str(one["fullname"])
        yield from _make_figure(name, str(one["name"]), "s", one["stats"]["median"])


def _convert_asv(document: _Document, commit: str, moment: str) -> HistoryEntry:
    params = document.get("params") or {}
    made = datetime.fromtimestamp(document["date"] * _MILLI, UTC).isoformat()
    words = [str(params[key]) for key in ("machine", "cpu") if params.get(key)]
    return HistoryEntry(
        _take_commit(commit or str(document["commit_hash"])),
        parse_moment(moment or made),
        one_line(", ".join(words) or "hardware not recorded", _MOST_WORDS),
        "benchmarks",
        "asv",
        tuple(_list_asv_figures(document["results"]))[:MOST_FIGURES],
    )


def _list_asv_figures(results: Mapping[str, Any]) -> Iterator[SeriesFigure]:
    """Each number of each benchmark, those of several parameters numbered."""
    for name, result in results.items():
        if isinstance(result, Mapping):
            result = result["result"]  # noqa: PLW2901 - format 1
        elif isinstance(result, list):
            result = result[0] if result and isinstance(result[0], list) else result  # noqa: PLW2901
        values = result if isinstance(result, list) else [result]
        kind = name.rpartition(".")[2].partition("_")[0]
        unit = "B" if kind in _BYTES else "1" if kind == "track" else "s"
        for number, value in enumerate(values, start=1):
            told = f"{name} ({number})" if len(values) > 1 else name
            yield from _make_figure(told, told, unit, value)


def _make_figure(name: str, title: str, unit: str, value: object) -> Iterator[SeriesFigure]:
    """Nothing of a benchmark that failed."""
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        name, title = one_line(name, _MOST_WORDS), one_line(title, _MOST_WORDS)
        yield SeriesFigure(f"{BENCHMARK}{name}", title, unit, "lower", "timed", float(value))


def _take_commit(text: str) -> str:
    if not text:
        raise UsageError("the file does not say of which commit it is", hint="add --at COMMIT")
    return check_commit(text)


_TOOLS: Mapping[str, Callable[[_Document, str, str], HistoryEntry]] = {
    "benchmarks": _convert_pytest_benchmark,
    "commit_hash": _convert_asv,
}
"""How each tool's file is known, by a key that it has."""
