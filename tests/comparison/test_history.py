"""A series of runs: its files, what is told of it, and what is refused."""

from __future__ import annotations

import gzip
import json
import math
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from perfolio.common.errors import InputError, UsageError
from perfolio.comparison.history.benchmark_results import read_benchmark_results
from perfolio.comparison.history.series_entry import (
    MOST_BYTES,
    HistoryEntry,
    SeriesFigure,
    format_entry,
    make_entry,
    pack_entry,
    read_entry,
)
from perfolio.comparison.history.series_folder import add_entries, find_series, read_series
from perfolio.comparison.history.series_gate import judge_series
from perfolio.comparison.history.series_study import (
    SeriesStudy,
    make_study_document,
    study_series,
)
from perfolio.comparison.run_record import CountedFigure
from perfolio.pages.study_pages import write_advice, write_headline
from perfolio.pipeline.study_sites import compare_events, take_sides
from tests.comparison.support import make_record, make_row

DAY = "2026-03-{:02d}T10:00:00Z"


def figure(value: float, name: str = "time", **more: Any) -> SeriesFigure:
    known = {"title": name, "unit": "s", "better": "lower", "kind": "timed"} | more
    return SeriesFigure(name, value=value, **known)


def entry(commit: int, *figures: SeriesFigure, machine: str = "m", **more: Any) -> HistoryEntry:
    day = DAY.format(1 + commit % 28).replace("2026-03", f"2026-{3 + commit // 28:02d}")
    return HistoryEntry(
        f"c{commit}", day, machine, "work", "tool", figures, f"{commit}{machine}", **more
    )


def drawn(change: float = 0.0, at: int = 20, commits: int = 30, **more: Any) -> list[HistoryEntry]:
    chance = random.Random(7)
    return [
        entry(n, figure(chance.gauss(1.0, 0.005) * (1.0 + change * (n >= at))), **more)
        for n in range(commits)
    ]


def study(entries: list[HistoryEntry]) -> SeriesStudy:
    return study_series("main", entries)


def record_of(ns: int, digest: str, launches: int = 5) -> Any:
    made = make_record([make_row("gemm", ns), make_row("add", 2_000_000)])
    counted = {"launches": CountedFigure("iteration", launches, launches, launches)}
    return replace(made, digest=digest, counted=counted)


def test_the_headline_names_the_commit_of_the_time_and_the_advice_what_moved_first() -> None:
    entries = [
        entry(n, figure(1.0 + 0.2 * (n >= 20) + 1e-4 * (n % 3)),
              figure(5.0 + (n >= 19), "count.launches", unit="count", kind="counted"))
        for n in range(30)
    ]  # fmt: skip
    made = study(entries)
    assert write_headline(made).endswith("since c20.")
    assert write_advice(made, made.events, {}).startswith("Look at c19 first:")


def test_an_entry_comes_back_as_it_was(tmp_path: Path) -> None:
    made = make_entry(record_of(10_000_000, "a"), "3fa91c2", "2026-03-01T12:00:00+02:00")
    (path,) = add_entries([made], tmp_path / "main")
    assert read_entry(path) == made
    assert (made.moment, path.name[:24]) == ("2026-03-01T10:00:00Z", "20260301T100000Z-3fa91c2")
    assert add_entries([made], tmp_path / "main") == [], "it is there already"
    assert pack_entry(made) == path.read_bytes()


def test_an_entry_has_the_time_its_parts_and_what_is_counted() -> None:
    made = make_entry(record_of(10_000_000, "a"), "3fa91c2", "2026-03-01")
    known = {one.name: one for one in made.figures}
    assert known["part.kernel"].value == pytest.approx(known["time"].value)
    assert (known["time"].unit, known["time"].kind) == ("s", "timed")
    assert (known["count.launches"].value, known["count.launches"].kind) == (5.0, "counted")


def test_a_large_run_is_kept_within_its_bound() -> None:
    noise = random.Random(1)
    rows = [make_row(f"k{noise.random()}", noise.randrange(10**6), 10) for _ in range(3000)]
    made = make_entry(make_record(rows), "3fa91c2", "2026-03-01")
    packed = pack_entry(made)
    assert len(packed) <= MOST_BYTES
    kept = json.loads(gzip.decompress(packed))["record"]
    assert sum(row["ns"] for row in kept["rows"]) == sum(row.ns for row in rows)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"schema": "perfolio-series-entry/9"}, "reads perfolio-series-entry/1"),
        ({"commit": "../x"}, "names no commit"),
        ({"moment": "yesterday"}, "is no date"),
        ({"figures": [{"name": "time"}]}, "title"),
    ],
)
def test_what_is_no_entry_is_refused_with_a_line(
    change: dict[str, Any], said: str, tmp_path: Path
) -> None:
    document = json.loads(format_entry(entry(1, figure(1.0)))) | change
    path = tmp_path / "x.json.gz"
    path.write_bytes(gzip.compress(json.dumps(document).encode()))
    with pytest.raises(InputError, match=said) as raised:
        read_entry(path)
    assert str(path) in str(raised.value)


def test_a_record_that_is_none_is_refused_when_it_is_read() -> None:
    with pytest.raises(InputError, match="run of c1: is no run record"):
        entry(1, figure(1.0), record=b'{"schema": "x"}').read_record()


@pytest.mark.parametrize(
    "data",
    [b"", b"no gzip", gzip.compress(b"{"), gzip.compress(b"[1]"), gzip.compress(b"[" * 10**5),
     gzip.compress(b'{"a": NaN}'), gzip.compress(bytes(5_000_000)), gzip.compress(b"{}")[:-6]],
    ids=["empty", "no gzip", "half an object", "a list", "deep", "not a number", "zeros", "cut"],
)  # fmt: skip
def test_a_damaged_file_is_refused_with_a_line(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.json.gz"
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"x\.json\.gz"):
        read_entry(path)


@pytest.mark.parametrize(
    ("figures", "said"),
    [
        ([figure(1.0), figure(2.0)], "one name"),
        ([figure(1.0, unit="furlong")], "no unit"),
    ],
)
def test_wrong_figures_are_refused(figures: list[SeriesFigure], said: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json.gz"
    path.write_bytes(gzip.compress(format_entry(entry(1, *figures)).encode()))
    with pytest.raises(InputError, match=said):
        read_entry(path)


def test_a_step_is_told_with_its_commit_and_the_gate_fails_while_it_is_new() -> None:
    found = study(drawn(0.06))
    (event,) = found.events
    assert found.commits[event.place].commit == "c20"
    assert judge_series(found).commits == ("c20",)
    assert judge_series(found, new=5).worse == ()
    (line,) = judge_series(found).lines
    assert line.startswith("time: 1.0")
    assert line.endswith("since c20")


def test_a_change_for_the_better_fails_nobody() -> None:
    found = study(drawn(-0.06))
    assert len(found.events) == 1
    assert judge_series(found).worse == ()
    higher = [
        replace(one, figures=(replace(one.figures[0], better="higher", name="benchmark.x"),))
        for one in drawn(-0.06)
    ]
    assert len(judge_series(study(higher)).worse) == 1


def test_another_machine_is_a_segment_of_its_own() -> None:
    slow = [replace(one, machine="other", digest=f"o{one.digest}") for one in drawn(0.5, at=0)]
    mixed = [one for pair in zip(drawn(), slow, strict=True) for one in pair]
    found = study(mixed)
    assert found.machines == ("m", "other")
    assert found.events == ()
    later = study([*drawn(commits=20), *slow[20:]])
    assert later.events == ()
    assert [len(later.list_commits(n)) for n in (0, 1)] == [20, 10]


def test_the_median_of_repeats_stands_for_a_commit() -> None:
    repeated = [
        replace(one, digest=f"{one.digest}{n}", figures=(figure(one.figures[0].value * factor),))
        for one in drawn()
        for n, factor in enumerate((1.0, 1.001, 1.8 if one.commit == "c25" else 0.999))
    ]
    found = study(repeated)
    assert found.events == ()
    assert {len(one.runs) for one in found.commits} == {3}


def test_what_is_counted_changes_at_each_difference() -> None:
    counts = [100.0] * 10 + [101.0] * 5
    entries = [
        entry(n, figure(1.0), figure(value, "count.launches", unit="count", kind="counted"))
        for n, value in enumerate(counts)
    ]
    found = study(entries)
    ((moved,),) = [event.moved for event in found.events]
    assert (moved.change.place, moved.change.before, moved.change.after) == (10, 100.0, 101.0)
    assert judge_series(found).commits == ("c10",)


def test_the_figure_that_moved_first_stands_first() -> None:
    entries = [
        replace(one, figures=(*one.figures, figure(5.0 + (n >= 19), "part.copy", kind="counted")))
        for n, one in enumerate(drawn(0.06))
    ]
    (event,) = study(entries).events
    assert [one.figure.name for one in event.moved] == ["part.copy", "time"]


@pytest.mark.parametrize("commits", [1, 7])
def test_too_few_commits_cannot_be_told(commits: int) -> None:
    verdict = judge_series(study(drawn(commits=commits)))
    assert verdict.worse == ()
    assert f"it has {commits} of 8 commits" in verdict.doubt


def test_values_of_zero_are_no_ratios() -> None:
    entries = [entry(n, figure(float(n % 2))) for n in range(20)]
    (found,) = study(entries).figures
    assert "0" in found.reason
    assert math.isfinite(len(json.dumps(make_study_document(study(entries)), allow_nan=False)))


def test_commits_stand_in_the_order_of_their_moments_whenever_they_were_added(
    tmp_path: Path,
) -> None:
    entries = drawn()
    for one in reversed(entries):
        add_entries([one], tmp_path / "main")
    assert read_series(tmp_path / "main") == entries


def test_both_sides_of_an_event_are_compared(tmp_path: Path) -> None:
    entries = [
        make_entry(
            record_of(10_000_000 + 40_000 * (n % 5) + 1_500_000 * (n >= 12), f"d{n}"),
            f"c{n}", DAY.format(1 + n),
        )
        for n in range(20)
    ]  # fmt: skip
    add_entries(entries, tmp_path / "main")
    found = study(read_series(tmp_path / "main"))
    ((event, document),) = compare_events(found).items()
    assert found.commits[event.place].commit == "c12"
    before, after = take_sides(found, event)
    assert [one.digest for one in before] == ["d7", "d8", "d9", "d10", "d11"]
    assert [one.digest for one in after] == ["d12", "d13", "d14", "d15", "d16"]
    assert document["verdict"]["kind"] == "slower"
    assert document["names"] == {"before": "before c12 (5 runs)", "after": "since c12 (5 runs)"}


PYTEST_BENCHMARK: dict[str, Any] = {
    "machine_info": {"cpu": {"brand_raw": "A CPU"}},
    "commit_info": {"id": "abc123", "time": "2026-03-01T10:00:00+01:00"},
    "datetime": "2026-03-02T10:00:00",
    "benchmarks": [
        {"name": "test_x", "fullname": "tests/t.py::test_x", "stats": {"median": 0.25}},
    ],
}  # fmt: skip
ASV: dict[str, Any] = {
    "commit_hash": "def456", "date": 1_772_359_200_000, "params": {"machine": "box"},
    "results": {
        "suite.time_a": [[0.5], [], "v"], "suite.mem_b": {"result": [1024]},
        "suite.time_c": [[1.0, None, 2.0], [["1", "2", "3"]], "v"], "suite.time_failed": None,
    },
}  # fmt: skip


@pytest.mark.parametrize(
    ("document", "commit", "values"),
    [
        (PYTEST_BENCHMARK, "abc123", {"benchmark.tests/t.py::test_x": (0.25, "s")}),
        (ASV, "def456", {
            "benchmark.suite.time_a": (0.5, "s"), "benchmark.suite.mem_b": (1024.0, "B"),
            "benchmark.suite.time_c (1)": (1.0, "s"), "benchmark.suite.time_c (3)": (2.0, "s"),
        }),
    ],
)  # fmt: skip
def test_results_of_benchmarks_are_entries(
    document: dict[str, Any], commit: str, values: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "result.json"
    path.write_text(json.dumps(document), "utf-8")
    found = read_benchmark_results(path)
    assert (found.commit, found.moment[:10]) == (commit, "2026-03-01")
    assert {one.name: (one.value, one.unit) for one in found.figures} == values
    (kept,) = add_entries([found], tmp_path / "main")
    assert read_entry(kept) == found


@pytest.mark.parametrize(
    ("text", "said"),
    [("{", "is no JSON"), ("[]", "benchmark tool"),
     ('{"benchmarks": 3, "commit_info": {"id": "a", "time": "2026-03-01"}}', "is damaged"),
     ('{"commit_hash": "a", "date": 1e300, "results": {}}', "is damaged"),
     ('{"commit_hash": "a", "date": 1, "results": []}', "is damaged")],
)  # fmt: skip
def test_what_is_no_result_is_refused_with_a_line(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=said):
        read_benchmark_results(path)


@pytest.mark.parametrize("name", ["", "..", "a/b", "-x", "a" * 65])
def test_a_series_has_a_name_that_a_folder_can_have(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot name a series"):
        find_series(name, tmp_path)


def test_an_empty_series_says_which_there_are(tmp_path: Path) -> None:
    add_entries(drawn(commits=1), tmp_path / "nightly")
    with pytest.raises(InputError, match="there are nightly"):
        read_series(tmp_path / "main")
