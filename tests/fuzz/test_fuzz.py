"""Some changed files of all formats in each run of the tests: what the fuzzers look for is seen."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from perfolio.readers import registry
from tests.fuzz import cases, readers, run
from tests.fuzz.cases import CRASH, DIFFERENT, READ, REFUSED, STORED, Place
from tests.fuzz.inputs import inputs
from tests.fuzz.readers import case_of, run_case
from tests.fuzz.run import DEFECTS, HANG, MEMORY, Plan, files_of, limited, seeds_of
from tests.fuzz.seeds import Corpus, all_seeds

# Some cases in each run of the tests, and whether the fuzzer sees what it looks for.

pytestmark = pytest.mark.fuzz


def test_changed_databases_are_refused_or_read_as_the_second_decoder_does(tmp_path: Path) -> None:
    seeds, place, found = all_seeds(), Place(tmp_path / "cases"), Counter[str]()
    for number in range(400):
        _, files = files_of(seeds, 1, number)
        outcome = limited(files, place, stored=number % 100 == 0)
        assert outcome.kind not in DEFECTS, (number, outcome)
        assert outcome.stored.split(":")[0] not in DEFECTS, (number, outcome)
        found[outcome.kind] += 1
    assert found[REFUSED] > 100
    assert found[READ] > 20


def test_a_case_is_the_same_each_time() -> None:
    seeds = all_seeds()
    assert files_of(seeds, 1, 7) == files_of(seeds, 1, 7)
    assert files_of(seeds, 1, 7)[1] != files_of(seeds, 2, 7)[1]


def _busy(_path: Path) -> None:
    while True:
        pass


def _large(path: Path) -> object:
    bytearray(200_000_000)
    return _read(path)


def _broken(_path: Path) -> None:
    raise KeyError("something else")


_read = registry.read


@pytest.mark.parametrize(
    ("read", "kind"), [(_broken, CRASH), (_busy, HANG), (_large, MEMORY), (_read, READ)]
)
def test_what_goes_wrong_is_seen(
    read: Callable[[Path], object], kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if kind == HANG:  # else the first touch of so much memory may take longer
        monkeypatch.setattr(run, "CPU_LIMIT", 0.3)
    monkeypatch.setattr(registry, "read", read)
    before = signal.signal(signal.SIGPROF, run._too_long)
    try:
        assert limited(all_seeds()[0].files, Place(tmp_path / "x"), stored=False).kind == kind
    finally:
        signal.signal(signal.SIGPROF, before)


def test_a_difference_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files, place = all_seeds()[0].files, Place(tmp_path / "x")
    assert limited(files, place, stored=True).stored == STORED
    monkeypatch.setattr(cases, "difference", lambda *_: "costs")
    assert limited(files, place, stored=False).kind == DIFFERENT


def test_a_run_counts_keeps_and_starts_from_what_it_kept(tmp_path: Path) -> None:
    plan = Plan(seed=3, jobs=2, seconds=60, cases=100, ingest_every=0, corpus=tmp_path / "kept")
    *_, tally = run.run(plan)
    assert tally.cases == 100
    assert tally.defects == []
    corpus = Corpus(plan.corpus)
    assert len(corpus.known) > 5
    again = len(seeds_of(corpus)) - len(all_seeds())
    assert again == sum(name.startswith(READ) for name in corpus.known) > 0


def test_a_process_that_cannot_end_itself_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deaf(*_arguments: object, **_named: object) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        while True:
            pass

    monkeypatch.setattr(run, "CPU_LIMIT", 0.2)
    monkeypatch.setattr(run, "limited", deaf)
    *_, tally = run.run(Plan(1, 1, 30, 1, 0, tmp_path / "kept"))
    assert tally.reader == {HANG: 1}
    assert tally.defects == ["case 0: hang: -9"]


# Some changed inputs of all formats in each run of the tests.


def test_changed_inputs_are_read_or_refused_in_a_line(tmp_path: Path) -> None:
    found = Counter[str]()
    for number in range(250):
        name, files = case_of(1, number)
        outcome, says = run_case(files, tmp_path)
        assert outcome not in readers.DEFECTS, (number, name, outcome, says)
        found[outcome] += 1
    assert found[readers.READ] > 40
    assert found[readers.REFUSED] > 40


@pytest.mark.parametrize("name", sorted(inputs()))
def test_what_is_changed_can_be_read(name: str, tmp_path: Path) -> None:
    assert run_case(dict(inputs()[name]), tmp_path) == (readers.READ, "")


def test_a_changed_input_is_the_same_each_time() -> None:
    assert case_of(1, 7) == case_of(1, 7)
    assert case_of(1, 7) != case_of(2, 7)


def test_what_goes_wrong_with_an_input_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_path: Path) -> None:
        raise KeyError("something else")

    def busy(_path: Path) -> None:
        while True:
            pass

    monkeypatch.setattr(readers, "CPU_LIMIT", 0.2)
    for read, kind in ((broken, readers.CRASH), (busy, readers.HANG)):
        monkeypatch.setattr(registry, "read", read)
        assert run_case({"x.json": b"{}"}, tmp_path)[0] == kind
