"""One theme: static images know no palette, live charts get the page's."""

from __future__ import annotations

import json
import re

from perfolio.charts.theme import DARK_INK, LIGHT_INK, PALETTE, make_theme_config, make_theme_script


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
