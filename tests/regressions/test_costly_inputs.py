"""Inputs that cost far more than their size: what is read now costs as much as its text."""

from __future__ import annotations

import contextlib
import gzip
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from perfolio.common.errors import FormatError, InputError
from perfolio.readers import registry
from perfolio.readers.events.recording import RangeColumns, find_spans_by_owner
from tests.kit import crafted
from tests.kit.limits import measured

# Arrays that many structures name were read once for each: 50 kB took 20 s and 300 MB.


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "says"),
    [
        (crafted.shared_scopes, r"arrays of \{PSI\} overlap"),
        (crafted.shared_tuple, "strings add up to far more than the file"),
        (crafted.overlapping_texts, "strings add up to far more than the file"),
    ],
)
def test_arrays_named_often_are_refused_at_once(
    make: Callable[[Path, int], None], says: str, tmp_path: Path
) -> None:
    database = crafted.crafted(make, tmp_path / "x", 250_000)
    seconds, memory = measured(database)
    assert seconds < 1
    assert memory < 60_000_000
    with pytest.raises(FormatError, match=says):
        registry.read(database)


def test_identifier_tuples_may_be_shared_but_not_overlap(tmp_path: Path) -> None:
    crafted.meta(tmp_path / "meta.db")
    crafted.profiles(tmp_path / "profile.db", 3, identifiers=2)
    table = registry.read(tmp_path).tables["profile"]
    assert table["identifier_tuple"].to_pylist() == ["main 7 main 7"] * 3
    data = bytearray((tmp_path / "profile.db").read_bytes())
    first = int.from_bytes(data[24:32], "little") + 16
    shared = int.from_bytes(data[first + 48 + 32 : first + 48 + 40], "little")
    data[first + 48 + 32 : first + 48 + 40] = (shared + 16).to_bytes(8, "little")
    (tmp_path / "profile.db").write_bytes(data)
    with pytest.raises(FormatError, match=r"overlap|beyond"):
        registry.read(tmp_path)


def _anonymous(folder: Path, count: int) -> Path:
    """Functions that are named after a module whose path has 60,000 characters."""
    module = b"/opt/" + b"m" * 60_000
    crafted.meta(folder / "meta.db", functions=crafted.anonymous(count), module=module)
    return folder


@pytest.mark.parametrize("count", [320, 4000])
def test_a_module_of_many_functions_without_names_is_bounded(count: int, tmp_path: Path) -> None:
    """Found while mending: each got a name of its own from its module's, however long."""
    with pytest.raises(FormatError, match="strings add up"):
        registry.read(_anonymous(tmp_path, count))


def test_names_within_the_bound_are_read(tmp_path: Path) -> None:
    """Of 250, 15 MB: within the 16 MiB, beyond 8 bytes for each of the file; 320 have 19 MB."""
    table = registry.read(_anonymous(tmp_path, 250)).tables["function"]
    assert table.num_rows == 250


# A trace of 200,000 streams took 47 CPU-seconds: all operations were looked at for each stream,
# and all ranges for each process. Each is looked at once now; GPUs beyond any run are refused.


def stream(number: int) -> dict[str, Any]:
    args = {"device": 0, "stream": number, "correlation": 9}
    times = {"ts": number, "dur": 1}
    return {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": number, **times, "args": args}


def rank(number: int) -> dict[str, Any]:
    times = {"ts": number, "dur": 1, "args": {"rank": number}}
    return {"ph": "X", "cat": "cpu_op", "name": "a", "pid": number, "tid": 0, **times}


def same_correlation(number: int) -> dict[str, Any]:
    call = {"cat": "cuda_runtime", "name": "cudaLaunchKernel", "tid": 1}
    return stream(7) | {"ts": 5 * number} | (call if number % 2 else {})


def gpu(number: int) -> dict[str, Any]:
    return stream(7) | {"args": {"device": number, "stream": 7}}


def seconds_to_read_events(path: Path, event: Callable[[int], dict[str, Any]], count: int) -> float:
    path.write_text(json.dumps({"traceEvents": [event(number) for number in range(count)]}))
    begin = time.process_time()
    registry.read(path)
    return time.process_time() - begin


@pytest.mark.slow
@pytest.mark.parametrize("event", [stream, rank, same_correlation])
def test_lines_cost_as_much_as_their_events(
    event: Callable[[int], dict[str, Any]], tmp_path: Path
) -> None:
    path = tmp_path / "trace.json"
    seconds_to_read_events(path, event, 100)  # what is imported for the first time
    small = min(seconds_to_read_events(path, event, 6_000) for _ in range(2))
    assert seconds_to_read_events(path, event, 24_000) < 8 * small + 0.2


def test_spans_are_those_of_each_owner() -> None:
    table = RangeColumns()
    for line, start, duration in ((4, 10, 5), (2, 3, 1), (4, 7, 20), (2, 8, 1)):
        table.append(line, start, duration, 0, 0, 0, 0)
    found = [column.tolist() for column in find_spans_by_owner(table["line"], table)]
    assert found == [[2, 4], [2, 2], [3, 7], [9, 27]]
    assert [
        column.tolist() for column in find_spans_by_owner(RangeColumns()["line"], RangeColumns())
    ] == [[]] * 4


def test_more_gpus_than_any_run_has_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "MOST_GPUS", 3)
    path = tmp_path / "trace.json"
    seconds_to_read_events(path, gpu, 3)
    with pytest.raises(InputError, match="names 4 GPUs, and more than 3 are not read"):
        seconds_to_read_events(path, gpu, 4)


# A gzip file of 181 kB took 27 CPU-seconds: each of its thousand members was a piece of text,
# and the text before each was looked at again. What a file of events costs grows with its text now.

HEAD = b'{"schemaVersion":1,"traceEvents":['
EVENT = b'{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":%d,"dur":1}'
END = EVENT % 1 + b"]}"


def small_members(count: int) -> bytes:
    return gzip.compress(HEAD) + gzip.compress(b"", 1) * count + gzip.compress(END)


def members_of_blanks(count: int) -> bytes:
    """Each unpacks to as much as its bytes may, and no event ends in any."""
    return gzip.compress(HEAD) + gzip.compress(b" " * 1_500, 1) * count + gzip.compress(END)


def fields_within_an_event(count: int) -> bytes:
    fields = gzip.compress(b'"a":[[],{},"},{"],' * 500, 1)
    return gzip.compress(HEAD + b"{") + fields * count + gzip.compress(b'"b":1},' + END)


def lists_before_the_events(count: int) -> bytes:
    before = gzip.compress(b'{"traceEvents":[]},' * 500, 1)
    return gzip.compress(b'{"schemaVersion":1,"a":[') + before * count + gzip.compress(b"0]}")


def seconds_to_read(path: Path) -> float:
    begin = time.process_time()
    with contextlib.suppress(InputError):
        registry.read(path)
    return time.process_time() - begin


@pytest.mark.slow
@pytest.mark.parametrize(
    ("made", "count"),
    [
        (small_members, 20_000),
        (members_of_blanks, 2_000),
        (fields_within_an_event, 40),
        (lists_before_the_events, 40),
    ],
)
def test_what_is_read_costs_as_much_as_its_text(
    made: Callable[[int], bytes], count: int, tmp_path: Path
) -> None:
    small, large = tmp_path / "small.json.gz", tmp_path / "large.json.gz"
    small.write_bytes(made(count))
    large.write_bytes(made(4 * count))
    assert seconds_to_read(large) < 8 * min(seconds_to_read(small) for _ in range(2)) + 0.2


@pytest.mark.parametrize(
    ("behind", "note"),
    [
        (b"", ""),
        (b"\0" * 600, ""),
        (gzip.compress(b"", mtime=0) * 3, ""),
        (b"rubbish", "what stands behind the compressed text is left out: 7 B"),
        (b"\x1f", "what stands behind the compressed text is left out: 1 B"),
        (b"x" * 20_000, "what stands behind the compressed text is left out: 20,000 B"),
    ],
)
def test_what_follows_the_text_is_told(behind: bytes, note: str, tmp_path: Path) -> None:
    path = tmp_path / "t.json.gz"
    path.write_bytes(gzip.compress(HEAD + END) + behind)
    warnings = registry.read(path).warnings
    assert [each for each in warnings if "stands behind" in each] == ([note] if note else [])


@pytest.mark.parametrize("size", range(8_180, 8_200))
def test_members_are_found_wherever_they_begin(size: int, tmp_path: Path) -> None:
    path = tmp_path / "t.json.gz"
    stored = gzip.compress(HEAD + b" " * size, 0)
    path.write_bytes(stored + gzip.compress(EVENT % 5 + b",") + gzip.compress(END))
    assert len(registry.read(path).tables["context"])


def test_a_text_of_many_times_its_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.json.gz"
    path.write_bytes(gzip.compress(HEAD + b" " * 10_000_000))
    with pytest.raises(InputError, match="unpacks to more than"):
        registry.read(path)
