"""Text is readable on every ground, in both palettes; the charts' colours are the same."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from perfolio.charts import theme as charts
from tests.charts.sight import SIGHT, distance
from tests.kit.shared import ROOT

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
