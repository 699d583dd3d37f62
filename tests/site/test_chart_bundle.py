"""The chart library as one local script."""

from __future__ import annotations

from pathlib import Path

import altair as alt
import pytest
import vl_convert

from perfolio.site import chart_bundle


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "perfolio" / "bundle"


def test_it_is_made_once_while_other_work_is_done(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with chart_bundle.prepare_bundle():
        pass
    assert len(list(cache.iterdir())) == 1
    monkeypatch.setattr(chart_bundle, "_start_script", lambda: pytest.fail("made once more"))

    assert chart_bundle.load_bundle()
    with chart_bundle.prepare_bundle():
        pass


def test_work_that_fails_does_not_wait_for_it(cache: Path) -> None:
    with pytest.raises(ZeroDivisionError), chart_bundle.prepare_bundle():
        raise ZeroDivisionError

    assert not cache.exists()


def test_it_is_made_where_it_cannot_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with chart_bundle.prepare_bundle():
        pass
    assert chart_bundle.load_bundle()


def test_it_defines_one_global_name() -> None:
    script = chart_bundle.load_bundle().decode()

    assert script.startswith("(function () {")
    assert script.rstrip().endswith("})();")
    assert "window.perfolioVega=" in script


def test_it_holds_the_vega_lite_that_altair_writes_for() -> None:
    wanted = ".".join(alt.SCHEMA_VERSION.lstrip("v").split(".")[:2])

    assert wanted in vl_convert.get_vegalite_versions()
