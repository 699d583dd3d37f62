"""The chart library as one local script."""

from __future__ import annotations

import os
from pathlib import Path

import altair as alt
import pytest
import vl_convert

from perfolio.common import cache as caching
from perfolio.site import chart_bundle


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "perfolio"


@pytest.mark.slow
def test_it_is_made_once_and_then_taken_from_the_cache(cache: Path) -> None:
    first = chart_bundle.bundle_path()
    first.write_text("kept")

    assert first.parent == cache
    assert chart_bundle.bundle_path() == first
    assert first.read_text() == "kept"


def test_those_of_earlier_versions_go(cache: Path) -> None:
    cache.mkdir()
    (cache / "vega-earlier.js").touch()
    os.utime(cache / "vega-earlier.js", (1, 1))
    caching.remove_unused.cache_clear()
    path = chart_bundle.bundle_path()
    assert [each.name for each in cache.iterdir()] == [path.name]
    os.utime(path, (1, 1))
    chart_bundle.bundle_path()
    assert path.stat().st_mtime > 1, "it is used, and stays"


def test_it_is_made_while_other_work_is_done(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with chart_bundle.prepare_bundle():
        pass
    monkeypatch.setattr(chart_bundle, "bundle_script", lambda: pytest.fail("made once more"))

    assert chart_bundle.bundle_path().parent == cache
    with chart_bundle.prepare_bundle():
        pass


def test_work_that_fails_does_not_wait_for_it(cache: Path) -> None:
    with pytest.raises(ZeroDivisionError), chart_bundle.prepare_bundle():
        raise ZeroDivisionError

    assert not list(cache.glob("vega-*"))


def test_other_work_goes_on_where_it_cannot_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with chart_bundle.prepare_bundle():
        pass

    with pytest.raises(OSError, match="file"):
        chart_bundle.bundle_path()


def test_it_defines_one_global_name() -> None:
    script = chart_bundle.bundle_script()

    assert script.startswith("(function () {")
    assert script.rstrip().endswith("})();")
    assert "window.perfolioVega=" in script


def test_it_holds_the_vega_lite_that_altair_writes_for() -> None:
    wanted = ".".join(alt.SCHEMA_VERSION.lstrip("v").split(".")[:2])

    assert wanted in vl_convert.get_vegalite_versions()
