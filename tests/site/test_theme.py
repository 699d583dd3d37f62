"""What our theme overrides is still what Material has."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from perfolio.common.content_files import load_yaml
from tests.kit.shared import ROOT

THEME = ROOT / "generator" / "perfolio" / "site" / "theme"
MATERIAL = Path(str(files("material"))) / "templates"
COMPONENT = re.compile(r'data-md-component="([a-z-]+)"')


@pytest.mark.parametrize("path", sorted(path.name for path in (THEME / "partials").glob("*.html")))
def test_each_partial_overrides_one_of_material(path: str) -> None:
    assert (MATERIAL / "partials" / path).is_file()


@pytest.mark.parametrize("path", ["header.html", "search.html"])
def test_overrides_keep_the_components_that_its_script_looks_for(path: str) -> None:
    ours = set(COMPONENT.findall((THEME / "partials" / path).read_text()))
    theirs = set(COMPONENT.findall((MATERIAL / "partials" / path).read_text()))

    # Left out on purpose: what the features of these names need, which we do not switch on.
    assert theirs - ours <= {"search-share", "search-suggest"}


def test_the_search_script_still_asks_for_the_worker_that_we_stand_in_for() -> None:
    script = next((MATERIAL / "assets/javascripts/workers").glob("search.*.js")).read_text()
    bundle = next((MATERIAL / "assets/javascripts").glob("bundle.*.js")).read_text()

    assert '"IFrameWorker"in parent' in script
    assert "new Worker(" in bundle
    # By this name it tells whether to load an index with each page; our form has none.
    assert 'document.forms.namedItem("search")' in bundle
    assert 'name="search"' not in (THEME / "partials" / "search.html").read_text()


def test_files_stay_small_enough_to_read() -> None:
    sizes = {
        path.name: len(path.read_text().splitlines())
        for path in (THEME / "assets" / "perfolio").iterdir()
        if path.suffix in {".js", ".css"}
    }

    assert not {name: size for name, size in sizes.items() if size >= 300}


def test_every_style_is_linked() -> None:
    settings: Any = load_yaml((THEME.parent / "base.yml").read_text())

    found = (THEME / "assets" / "perfolio").glob("*.css")
    names = settings["extra"]["perfolio_styles"]
    assert sorted(names) == sorted(path.stem for path in found)
