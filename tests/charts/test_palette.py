"""Colours hold on both backgrounds and for readers who do not see all of them; one theme has them.

Contrast as WCAG 2 defines it; dichromacy by Machado, Oliveira and Fernandes (2009), full
severity, in linear RGB; distance in Ottosson's OKLab, where 0.02 is just noticeable, and by
CIEDE2000, where 1 is, of roles that charts and pages draw side by side.
"""

from __future__ import annotations

import json
import re
from itertools import combinations, pairwise

import numpy as np
import pytest

from perfolio.charts.theme import (
    CHANGE_SCALE,
    CHANGE_STEPS,
    CHANGES,
    DARK_BACKGROUND,
    DARK_INK,
    FRAME,
    HOT_FRAME,
    LIGHT_BACKGROUND,
    LIGHT_INK,
    MODULES,
    ON_FRAME,
    ON_PALE,
    PALETTE,
    is_pale,
    make_theme_config,
    make_theme_script,
)
from tests.charts.sight import SIGHT, Vector, ciede2000, distance, linear

BACKGROUNDS = {"light": LIGHT_BACKGROUND, "dark": DARK_BACKGROUND}
INKS = {"light": LIGHT_INK, "dark": DARK_INK}
APART = 0.075

LMS = np.array([
    [0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
])  # fmt: skip
LAB = np.array([
    [0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
])  # fmt: skip


def luminance(colour: str) -> float:
    return float(linear(colour) @ np.array([0.2126, 0.7152, 0.0722]))


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def seen(colour: str, sight: str) -> Vector:
    """OKLab coordinates of `colour` as somebody with this sight sees it."""
    rgb = np.clip(SIGHT[sight] @ linear(colour), 0, 1)
    return np.asarray(LAB @ np.cbrt(LMS @ rgb), dtype=np.float64)


def over(ink: str, background: str, opacity: float) -> str:
    mixed = (
        round(int(ink[i : i + 2], 16) * opacity + int(background[i : i + 2], 16) * (1 - opacity))
        for i in (1, 3, 5)
    )
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def test_the_measures_know_black_and_white() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert seen("#ffffff", "full") == pytest.approx([1, 0, 0], abs=1e-3)
    red, green = (seen(colour, "deuteranopia") for colour in ("#b85a00", "#6f7a00"))
    assert np.linalg.norm(red - green) < APART, "a pair that deuteranopes confuse"


@pytest.mark.parametrize("background", BACKGROUNDS.values(), ids=BACKGROUNDS)
@pytest.mark.parametrize("role", [*PALETTE, "frame", "hot"])
def test_marks_stand_out(role: str, background: str) -> None:
    colour = {**PALETTE, "frame": FRAME, "hot": HOT_FRAME}[role]
    assert contrast(colour, background) >= 3


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize(("one", "other"), list(combinations(PALETTE, 2)))
def test_roles_stay_apart(one: str, other: str, sight: str) -> None:
    assert np.linalg.norm(seen(PALETTE[one], sight) - seen(PALETTE[other], sight)) >= APART


BESIDE = [
    *combinations(("cpu", "kernels", "copies", "synchronisation", "other", "waiting"), 2),
    *((one, other) for one in ("memsets", "allocation") for other in ("kernels", "copies")),
]
"""Roles that bars and pages draw side by side."""


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize(("one", "other"), BESIDE)
def test_neighbours_are_told_apart(one: str, other: str, sight: str) -> None:
    assert distance(PALETTE[one], PALETTE[other], sight) >= 15


def test_distance_knows_the_published_pairs() -> None:
    """Sharma, Wu and Dalal (2005), table 1."""
    pairs = (
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, -1.0, 2.0), (50.0, 0.0, 0.0), 2.3669),
        ((50.0, 2.49, -0.001), (50.0, -2.49, 0.0011), 7.2195),
        ((50.0, 2.5, 0.0), (58.0, 24.0, 15.0), 19.4535),
        ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
        ((90.8027, -2.0831, 1.4410), (91.1528, -1.6435, 0.0447), 1.4441),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    )
    for one, other, apart in pairs:
        assert ciede2000(one, other) == pytest.approx(apart, abs=1e-4)


@pytest.mark.parametrize("sight", SIGHT)
def test_the_hot_path_stays_apart(sight: str) -> None:
    assert np.linalg.norm(seen(FRAME, sight) - seen(HOT_FRAME, sight)) >= APART


@pytest.mark.parametrize("frame", [FRAME, HOT_FRAME])
def test_names_on_frames_can_be_read(frame: str) -> None:
    assert contrast(ON_FRAME, frame) >= 4.5


@pytest.mark.parametrize("sight", SIGHT)
def test_the_scale_of_changes_has_two_sides_and_steps(sight: str) -> None:
    scale = list(CHANGE_SCALE.values())
    longer, shorter = scale[: len(CHANGE_STEPS)], scale[-len(CHANGE_STEPS) :]
    assert len(scale) == 2 * len(CHANGE_STEPS) + 1
    assert min(distance(one, other, sight) for one in longer for other in shorter) >= 30
    assert min(distance(one, other, sight) for one, other in pairwise(scale)) >= 6


FRAMES = {"modules": MODULES, "changes": tuple(CHANGES.values())}


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("kind", FRAMES)
def test_frames_of_two_kinds_are_told_apart(kind: str, sight: str) -> None:
    pairs = combinations(FRAMES[kind], 2)
    assert min(distance(one, other, sight) for one, other in pairs) >= 15


@pytest.mark.parametrize("colour", sorted({*MODULES, *CHANGES.values(), *CHANGE_SCALE.values()}))
def test_frames_of_a_kind_stand_out_and_their_names_can_be_read(colour: str) -> None:
    assert min(contrast(colour, ground) for ground in BACKGROUNDS.values()) >= 3
    assert contrast(ON_PALE if is_pale(colour) else ON_FRAME, colour) >= 4.5


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_axis_labels_can_be_read(mode: str) -> None:
    opacity = make_theme_config("static")["axis"]["labelOpacity"]
    assert contrast(over(INKS[mode], BACKGROUNDS[mode], opacity), BACKGROUNDS[mode]) >= 4.5


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_grid_is_calm(mode: str) -> None:
    opacity = make_theme_config("static")["axis"]["gridOpacity"]
    assert contrast(over(INKS[mode], BACKGROUNDS[mode], opacity), BACKGROUNDS[mode]) < 1.6


def test_the_static_theme_takes_its_ink_from_the_page() -> None:
    static = json.dumps(make_theme_config("static"))
    assert "currentColor" in static
    assert LIGHT_INK not in static
    assert DARK_INK not in static


def test_light_and_dark_differ_in_ink_and_background_only() -> None:
    light, dark = json.dumps(make_theme_config("light")), json.dumps(make_theme_config("dark"))
    assert light != dark
    assert re.sub("#[0-9a-f]{6}", "", light) == re.sub("#[0-9a-f]{6}", "", dark)
    assert make_theme_config("light")["range"] == make_theme_config("dark")["range"]


def test_the_script_hands_over_both_palettes() -> None:
    script = make_theme_script()
    themes = json.loads(script.split("window.perfolio.themes = ")[1].removesuffix(";\n"))
    assert themes == {"light": make_theme_config("light"), "dark": make_theme_config("dark")}
    assert themes["dark"]["range"]["category"] == list(PALETTE.values())


def test_no_font_is_fetched() -> None:
    assert "http" not in make_theme_script()
    assert make_theme_config("light")["font"].startswith("system-ui")
