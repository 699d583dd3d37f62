"""What our theme overrides is still what Material has; its colours are readable."""

from __future__ import annotations

import re
from importlib.resources import files
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from perfolio.charts import theme as charts
from perfolio.common.content_files import load_yaml
from tests.charts.sight import SIGHT, distance
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


STYLES = ROOT / "generator" / "perfolio" / "site" / "theme" / "assets" / "perfolio"
TEXT = (
    "ink",
    "muted",
    "link",
    "critical",
    "high",
    "medium",
    "low",
    "info",
    "passed",
    "unknown",
    "code-comment",
    "code-keyword",
    "code-string",
    "code-number",
    "code-name",
    "code-function",
)
GROUNDS = ("ground", "panel")


def palettes() -> dict[str, dict[str, str]]:
    """Colours by name, light and dark; dark lays over light."""
    light, dark = (STYLES / "palette.css").read_text().split("@media screen", 1)
    pattern = re.compile(r"--pf-([a-z-]+): (#[0-9a-f]{6});")
    bright = dict(pattern.findall(light))
    return {"light": bright, "dark": bright | dict(pattern.findall(dark))}


def luminance(colour: str) -> float:
    """Relative luminance of WCAG 2.2."""
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_contrast_of_known_colours() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("name", TEXT)
def test_text_is_readable(mode: str, ground: str, name: str) -> None:
    colours = palettes()[mode]

    assert contrast(colours[name], colours[ground]) >= 4.5


TEXTURED = frozenset({"pause", "profiler", "unknown"})
"""Meanings that a texture tells, drawn with lines of the colour of waiting."""
DATA = (*charts.PALETTE.values(), *charts.MODULES, *charts.CHANGES.values())
SEVERITIES = ("critical", "high", "medium", "low", "passed")


TINTS = {f"{role}-{tint}" for role in ("cpu", "kernels") for tint in ("pale", "deep")}
"""Parts of one role that stand beside each other."""


@pytest.mark.parametrize("role", ["cpu", "kernels"])
@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("sight", SIGHT)
def test_parts_of_one_role_stay_apart_from_their_neighbours(
    mode: str, sight: str, role: str
) -> None:
    colours = palettes()[mode]
    tints = [colours[name] for name in (role, f"{role}-pale", f"{role}-deep")]

    assert min(distance(one, other, sight) for one, other in combinations(tints, 2)) >= 14.9


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("severity", SEVERITIES)
def test_no_data_has_the_colour_of_a_severity(mode: str, severity: str) -> None:
    colours = palettes()[mode]
    apart = {
        sight: min(distance(colours[severity], data, sight) for data in DATA) for sight in SIGHT
    }

    assert apart.pop("full") >= 15
    assert min(apart.values()) >= 8


def test_every_meaning_has_a_colour_or_a_texture() -> None:
    drawn = set(re.findall(r"\.pf-part-([a-z-]+) \{", (STYLES / "parts.css").read_text()))

    assert drawn == {*charts.ROLES, *TEXTURED, *TINTS}


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_parts_of_a_whole_have_the_colours_of_the_charts(mode: str) -> None:
    colours = palettes()[mode]

    assert {name: colours[name] for name in charts.PALETTE} == charts.PALETTE


def test_charts_are_drawn_for_the_grounds_of_the_pages() -> None:
    colours = palettes()

    assert colours["light"]["ground"] == charts.LIGHT_BACKGROUND
    assert colours["dark"]["ground"] == charts.DARK_BACKGROUND
    assert colours["light"]["ink"] == charts.LIGHT_INK
    assert colours["dark"]["ink"] == charts.DARK_INK


def test_colours_are_named_in_one_file_only() -> None:
    others = [path for path in STYLES.glob("*.css") if path.name != "palette.css"]

    assert others
    assert not [path.name for path in others if re.search(r"#[0-9a-fA-F]{3,8}\b", path.read_text())]


def test_every_name_of_a_colour_is_defined() -> None:
    css = "".join(path.read_text() for path in STYLES.glob("*.css"))
    used = set(re.findall(r"var\((--pf-[a-z0-9-]+)\)", css))
    defined = set(re.findall(r"(--pf-[a-z0-9-]+):", css))

    assert used - defined == set()
