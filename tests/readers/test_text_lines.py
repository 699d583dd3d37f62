from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from perfolio.common.errors import InputError
from perfolio.readers.text_lines import read_csv_rows, read_lines
from perfolio.readers.text_stream import open_text


def test_a_whole_text_has_no_more_bytes_than_are_allowed(tmp_path: Path) -> None:
    path = tmp_path / "a.json.gz"
    path.write_bytes(gzip.compress(b"1234567890"))
    assert open_text(path).read_all(10, hint="") == b"1234567890"
    with pytest.raises(InputError, match="has more than 9 bytes of text") as refusal:
        open_text(path).read_all(9, hint="split it")
    assert refusal.value.hint == "split it"


def test_rows_are_what_their_cells_hold(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('a;b\n"1\n2";3\n\n4', encoding="utf-8")
    text = open_text(path)
    rows = read_csv_rows(text, read_lines(text), delimiter=";")
    assert list(rows) == [["a", "b"], ["1\n2", "3"], [], ["4"]]


def test_a_row_that_cannot_be_read_is_named_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"a,b\n1,{'x' * 200_000}\n", encoding="utf-8")
    text = open_text(path)
    with pytest.raises(InputError, match=r"a\.csv: line 2: field larger than field limit"):
        list(read_csv_rows(text, read_lines(text)))
