"""A gzip file of 181 kB took 27 CPU-seconds: each of its thousand members was a piece of text,
and the text before each was looked at again. What a file of events costs grows with its text now.
"""

from __future__ import annotations

import contextlib
import gzip
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from perfolio.common.errors import InputError
from perfolio.readers import registry

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
        (gzip.compress(b"") * 3, ""),
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
