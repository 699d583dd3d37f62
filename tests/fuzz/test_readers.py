"""Some changed inputs of all formats in each run of the tests."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from perfolio.readers import registry
from tests.fuzz import readers
from tests.fuzz.inputs import inputs
from tests.fuzz.readers import CRASH, DEFECTS, HANG, READ, REFUSED, case_of, run_case

pytestmark = pytest.mark.fuzz


def test_changed_inputs_are_read_or_refused_in_a_line(tmp_path: Path) -> None:
    found = Counter[str]()
    for number in range(250):
        name, files = case_of(1, number)
        outcome, says = run_case(files, tmp_path)
        assert outcome not in DEFECTS, (number, name, outcome, says)
        found[outcome] += 1
    assert found[READ] > 40
    assert found[REFUSED] > 40


@pytest.mark.parametrize("name", sorted(inputs()))
def test_what_is_changed_can_be_read(name: str, tmp_path: Path) -> None:
    assert run_case(dict(inputs()[name]), tmp_path) == (READ, "")


def test_a_case_is_the_same_each_time() -> None:
    assert case_of(1, 7) == case_of(1, 7)
    assert case_of(1, 7) != case_of(2, 7)


def test_what_goes_wrong_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_path: Path) -> None:
        raise KeyError("something else")

    def busy(_path: Path) -> None:
        while True:
            pass

    monkeypatch.setattr(readers, "CPU_LIMIT", 0.2)
    for read, kind in ((broken, CRASH), (busy, HANG)):
        monkeypatch.setattr(registry, "read", read)
        assert run_case({"x.json": b"{}"}, tmp_path)[0] == kind
