"""The one theme of all charts: palette, type, grid, for light, dark and static output.

In:  a mode. Out: a Vega-Lite `config`; specifications themselves hold no colour of
text, axes or grid, so that one specification serves both palettes.

One colour per meaning, in charts and on pages (`palette.css`). Each has a contrast of at least
3:1 against both backgrounds, and stays apart from those that it stands beside under the three
forms of dichromacy (`tests/charts/test_palette.py`, `tests/site/test_theme.py`). Severities have
colours of their own, on pages alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

Mode = Literal["light", "dark", "static"]

LIGHT_BACKGROUND = "#ffffff"
DARK_BACKGROUND = "#1e2129"
LIGHT_INK = "#1f2630"
DARK_INK = "#e4e8ee"

PALETTE: dict[str, str] = {
    "cpu": "#1f9aeb",
    "kernels": "#2f845f",
    "copies": "#9d5b00",
    "memsets": "#f545d6",
    "synchronisation": "#c68815",
    "allocation": "#a903fa",
    "other": "#939298",
    "waiting": "#666a8c",
}
"""Colour of each role: the CPU, kinds of GPU work, and time in which the GPU waits. The order is
that of the scale's domain (`ROLES`)."""

ROLES = tuple(PALETTE)


def make_colour_domain(labels: Mapping[str, str]) -> list[str]:
    """The domain of a scale of colours in which each label has the colour of its role."""
    return [labels.get(role, role) for role in ROLES]


PALE_ROLES = ("cpu", "memsets", "synchronisation", "other")
"""Roles whose colour takes dark text; the others take white."""
ON_PALE = "#101418"

FRAME = "#62758c"
"""Fill behind white text: a frame of a call tree."""
HOT_FRAME = "#b9530d"
"""Fill behind white text: a frame on the hot path."""
FOUND_FRAME = "#7a3fb0"
"""Fill behind white text: a frame whose name holds what is looked for."""
ON_FRAME = "#ffffff"

MODULES = ("#8f87f7", "#e2790b", "#417669", "#9b5c2c", "#6c6899", "#969674")
"""Fills of frames by module, the one with the most cost first; the last is of all other modules."""
CHANGES = {"grew": "#f83b07", "shrank": "#3b5bfe", "same": "#7b667d", "new": "#21a26f"}
"""Fills of frames by what became of their share since another run."""
CHANGE_STEPS = (0.25, 0.05)
"""Changes, of the larger side, from which on a time is in another step of the scale."""
CHANGE_SCALE = {
    "longer by 25 % or more": CHANGES["grew"],
    "longer by 5 to 25 %": "#bc5547",
    "about the same": CHANGES["same"],
    "shorter by 5 to 25 %": "#686bba",
    "shorter by 25 % or more": CHANGES["shrank"],
}
"""Fills of frames by how their time has changed."""


def is_pale(colour: str) -> bool:
    """Whether dark text on `colour` is easier to read than white (WCAG's contrast)."""
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] > 0.195


FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'

STATIC_FONT = (
    '-apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Liberation Sans", sans-serif'
)
"""Of static images: none wider than the font by which their texts are measured and cut."""
MEASURED_FONT = "Arial"
"""The font to measure with: looking through a list for each text takes twice the time."""

STATIC_WIDTH = 680
"""Width of the static image [px]: about the text column, and legible on a telephone."""

_INKS: dict[Mode, str] = {"light": LIGHT_INK, "dark": DARK_INK, "static": "currentColor"}
_BACKGROUNDS: dict[Mode, str] = {
    "light": LIGHT_BACKGROUND,
    "dark": DARK_BACKGROUND,
    "static": "none",
}


def make_theme_config(mode: Mode) -> dict[str, Any]:
    """Vega-Lite configuration of `mode`; `static` writes `currentColor` for text and axes."""
    ink = _INKS[mode]
    size = 14 if mode == "static" else 13
    return {
        "background": "transparent",
        "font": MEASURED_FONT if mode == "static" else FONT,
        "padding": 2,
        "view": {"stroke": None},
        "axis": _make_axis_config(ink, size),
        "legend": _make_legend_config(ink, size),
        "range": {
            "category": list(PALETTE.values()),
            "diverging": list(CHANGES.values()),
        },
        "mark": {"aria": False},
        "text": {"color": ink, "fontSize": size},
        "rule": {"color": ink},
        "style": _make_mark_styles(mode, ink, size),
    }


def make_theme_script() -> str:
    """JavaScript that puts both configurations where the page's script finds them."""
    themes = {mode: make_theme_config(mode) for mode in ("light", "dark")}
    return (
        "window.perfolio = window.perfolio || {specs: {}};\n"
        f"window.perfolio.themes = {json.dumps(themes, indent=1)};\n"
    )


def _make_axis_config(ink: str, size: int) -> dict[str, Any]:
    return {
        "aria": False,
        "domain": False,
        "ticks": False,
        "grid": True,
        "gridColor": ink,
        "gridOpacity": 0.13,
        "labelColor": ink,
        "labelOpacity": 0.85,
        "labelFontSize": size - 1,
        "labelPadding": 6,
        "labelOverlap": "parity",
        "titleColor": ink,
        "titleFontSize": size - 1,
        "titleFontWeight": "normal",
        "titlePadding": 8,
    }


def _make_legend_config(ink: str, size: int) -> dict[str, Any]:
    return {
        "aria": False,
        "orient": "top",
        "direction": "horizontal",
        "columns": 3,
        "labelColor": ink,
        "labelFontSize": size - 1,
        "labelLimit": 260,
        "titleColor": ink,
        "symbolSize": 90,
        "offset": 8,
    }


def _make_mark_styles(mode: Mode, ink: str, size: int) -> dict[str, Any]:
    """Named styles of marks; charts use the names only."""
    frame_name = {
        "color": ON_FRAME,
        "fontSize": size - 2,
        "align": "left",
        "baseline": "middle",
    }
    return {
        "pf-name": {"color": ink, "fontSize": size, "align": "left", "baseline": "alphabetic"},
        "pf-value": {
            "color": ink,
            "fontSize": size,
            "fontWeight": 600,
            "align": "right",
            "baseline": "alphabetic",
        },
        "pf-note": {"color": ink, "fontSize": size - 1, "fillOpacity": 0.85},
        "pf-name-right": {"color": ink, "fontSize": size - 1, "align": "left", "dx": 20},
        "pf-name-left": {"color": ink, "fontSize": size - 1, "align": "right", "dx": -20},
        "pf-track": {"color": ink, "fillOpacity": 0.07},
        "pf-guide": {"color": ink, "strokeOpacity": 0.25, "strokeWidth": 1},
        "pf-whisker": {"color": ink, "strokeWidth": 1.5},
        "pf-cap": {"color": ink, "thickness": 1.5, "size": 7},
        "pf-limit": {"color": ink, "strokeWidth": 1.5, "strokeDash": [4, 3]},
        "pf-dot": {"color": ink, "fill": ink, "size": 40, "opacity": 1},
        "pf-kernel": {"color": PALETTE["kernels"], "opacity": 0.85},
        "pf-cpu": {"color": PALETTE["cpu"]},
        "pf-gap": {"color": PALETTE["waiting"]},
        "pf-lens": {"color": ink, "fillOpacity": 0.12, "stroke": ink, "strokeOpacity": 0.3},
        "pf-band": {"color": ink, "fillOpacity": 0.12},
        "pf-frame": {"color": FRAME, "stroke": _get_edge_colour(mode), "strokeWidth": 1},
        "pf-hot": {"color": HOT_FRAME, "stroke": _get_edge_colour(mode), "strokeWidth": 1},
        "pf-group": {"stroke": _get_edge_colour(mode), "strokeWidth": 1},
        "pf-lane": {"color": ink, "fontSize": size - 1, "align": "left", "baseline": "alphabetic"},
        "pf-lane-value": {
            "color": ink,
            "fontSize": size - 1,
            "fontWeight": 600,
            "align": "right",
            "baseline": "alphabetic",
        },
        "pf-operation": {"stroke": _get_edge_colour(mode), "strokeWidth": 0.7},
        "pf-on-pale": {**frame_name, "color": ON_PALE},
        "pf-on-dark": frame_name,
        "pf-frame-name": frame_name,
        "pf-hot-name": {**frame_name, "fontWeight": 700},
    }


def _get_edge_colour(mode: Mode) -> str:
    """Line between neighbouring frames: the background, which a static image does not know."""
    return "#8a93a0" if mode == "static" else _BACKGROUNDS[mode]
