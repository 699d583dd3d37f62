"""What lies beside a profile: it is read with it, or named."""

from __future__ import annotations

import json
from pathlib import Path

from perfolio.readers.run_files import read_run
from tests.readers.test_kineto import EVENTS, document, written


def test_what_is_not_read_is_named(tmp_path: Path) -> None:
    trace = written(tmp_path, document(EVENTS))
    (tmp_path / "links.json").write_text(json.dumps({"rows": []}))
    (tmp_path / "notes.txt").write_text("Monday")
    source, _ = read_run(trace)
    assert [note for note in source.warnings if "not read" in note] == [
        "files beside the profile that are not read: links.json"
    ]


def test_many_are_counted(tmp_path: Path) -> None:
    trace = written(tmp_path, document(EVENTS))
    for number in range(9):
        (tmp_path / f"{number}.csv").write_text("a,b\n")
    source, _ = read_run(trace)
    assert any(note.endswith("4.csv, 5.csv, 3 more") for note in source.warnings)


def test_files_of_other_profiles_are_theirs(tmp_path: Path) -> None:
    trace = written(tmp_path, document(EVENTS))
    written(tmp_path, document(EVENTS), "another.json")
    (tmp_path / "links.csv").write_text("a,b\n")
    source, _ = read_run(trace)
    assert not any("not read" in note for note in source.warnings)
