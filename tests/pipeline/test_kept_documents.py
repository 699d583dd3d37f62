"""A run that was measured before is not measured again, unless anything differs."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from perfolio.common.cache import find_cache_folder
from perfolio.comparison.promise_record import PairOutcome
from perfolio.findings.rules.threshold_overrides import ThresholdOverrides
from perfolio.pipeline import report_files, reports
from perfolio.pipeline.build_context import Context
from perfolio.pipeline.kept_documents import make_documents_key
from perfolio.pipeline.project_outcomes import ProjectOutcomes
from perfolio.pipeline.run_documents import make_documents, open_profile
from perfolio.pipeline.run_redaction import ShareRequest
from tests.kit.databases import write_database


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's own; all but documents is there as the package would bring it."""
    monkeypatch.setattr("perfolio.common.cache.PREPARED", find_cache_folder())
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "perfolio" / "documents"


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    return write_database(tmp_path / "runs" / "x.d")


@pytest.fixture
def no_site(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_build_site", "draw_charts", "sync_tree"):
        monkeypatch.setattr(reports, name, lambda *_: None)
    monkeypatch.setattr(reports, "write_report", lambda *_: [])
    for name in ("make_tree", "report_files"):
        monkeypatch.setattr(report_files, name, lambda *_: {})


def build(profile: Path, site: Path, **changed: object) -> str:
    (made,) = reports.build([profile], site, context=replace(Context(), **changed))  # type: ignore[arg-type]
    return json.dumps(made.findings)


def forbid_measuring(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ingest_sources", "make_documents"):
        monkeypatch.setattr(reports, name, lambda *_: pytest.fail("measured again"))


def test_the_same_files_are_measured_once_and_give_the_same_site(
    profile: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = build(profile, tmp_path / "first")
    forbid_measuring(monkeypatch)

    assert build(profile, tmp_path / "second") == first
    names = [path.relative_to(tmp_path / "first") for path in (tmp_path / "first").rglob("*.*")]
    for name in names:
        both = tmp_path / "first" / name, tmp_path / "second" / name
        assert both[0].is_dir() or both[0].read_bytes() == both[1].read_bytes(), name


def edit_a_byte(profile: Path) -> None:
    path = profile / "meta.db"
    path.write_bytes(path.read_bytes().replace(b"main\0", b"mean\0"))


def describe_it(profile: Path) -> None:
    (profile / "profile.toml").write_text('title = "Another"\n')


def set_hardware(profile: Path) -> None:
    (profile / "profile.toml").write_text('hardware = "H100 SXM"\n')


def leave_a_file_beside(profile: Path) -> None:
    (profile / "other.csv").write_text("a,b\n1,2\n")


@pytest.mark.parametrize(
    "edit", [edit_a_byte, describe_it, set_hardware, leave_a_file_beside], ids=lambda f: f.__name__
)
def test_what_a_document_follows_from_is_in_its_key(
    profile: Path, edit: Callable[[Path], None]
) -> None:
    before = make_documents_key(*open_profile(profile, Context()), "x", Context())
    edit(profile)

    assert make_documents_key(*open_profile(profile, Context()), "x", Context()) != before


def test_thresholds_names_and_places_are_in_the_key(profile: Path, tmp_path: Path) -> None:
    opened, context = open_profile(profile, Context()), Context()
    moved = shutil.copytree(profile, tmp_path / "moved" / "x.d")
    judged = replace(context, overrides=ThresholdOverrides(by_code={"G1": {"high": 0.5}}))
    learned = ProjectOutcomes((PairOutcome("x", "y", ("x", "y"), ()),))
    keys = {
        make_documents_key(*opened, "x", context),
        make_documents_key(*opened, "y", context),
        make_documents_key(*opened, "x", judged),
        make_documents_key(*opened, "x", replace(context, project=tmp_path)),
        make_documents_key(*opened, "x", replace(context, outcomes=learned)),
        make_documents_key(*open_profile(moved, context), "x", context),
    }

    assert len(keys) == 6
    assert make_documents_key(*opened, "x", context) in keys


@pytest.mark.usefixtures("no_site")
def test_documents_with_a_note_are_not_kept(
    profile: Path, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measure = make_documents

    def note_and_measure(store: Path, runs: list[int], context: Context) -> object:
        context.note("a query failed")
        return measure(store, runs, context)

    monkeypatch.setattr(reports, "make_documents", note_and_measure)
    said = set[str]()
    for _ in range(2):  # the second time, the note is not said again
        build(profile, tmp_path / "site", said=said)

    assert not cache.exists()


@pytest.mark.usefixtures("no_site")
def test_nothing_that_is_to_be_shared_is_kept(
    profile: Path, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(profile, tmp_path / "shared", share=ShareRequest())
    assert not cache.exists()
    build(profile, tmp_path / "own")
    assert len(list(cache.iterdir())) == 1
    forbid_measuring(monkeypatch)

    with pytest.raises(pytest.fail.Exception, match="measured again"):
        build(profile, tmp_path / "again", share=ShareRequest())


@pytest.mark.usefixtures("no_site")
def test_many_runs_are_measured_once(
    profile: Path, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(2):
        shutil.copytree(profile, tmp_path / "many" / f"run-{number}.d")
    monkeypatch.setattr("perfolio.common.processes.count_processors", lambda: 1)
    monkeypatch.setattr(reports, "is_many", lambda _: True)
    context = Context()
    first = reports.build([tmp_path / "many"], tmp_path / "first", context=context)
    assert len(list(cache.iterdir())) == 2
    monkeypatch.setattr(reports, "store_opened_portion", lambda *_: pytest.fail("measured again"))
    second = reports.build([tmp_path / "many"], tmp_path / "second", context=context)

    assert [one.findings for one in second] == [one.findings for one in first]
