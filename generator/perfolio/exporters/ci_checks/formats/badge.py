"""A badge for a README: the result in an SVG that needs no network and no font of its own.

It holds no name of a profile.
"""

from __future__ import annotations

from collections.abc import Sequence

from perfolio.exporters.ci_checks.model import Check

_LABEL = "performance"
_COLOURS = {"failed": "#b71c1c", "cannot tell": "#5d4037", "passed": "#1b5e20"}
"""By state; each is dark enough for white text."""
_LABEL_COLOUR = "#424242"
_CHARACTER, _PADDING, _HEIGHT = 6.6, 6.0, 20
"""Mean width of a character of 11 px, room beside a word, and the height [px]."""


def render(checks: Sequence[Check]) -> str:
    """`performance | passed`; the worst result of several runs."""
    states = {check.state for check in checks}
    state = next((one for one in _COLOURS if one in states), "passed")
    failing = sum(check.state == "failed" for check in checks)
    words = f"{failing} of {len(checks)} failed" if failing and len(checks) > 1 else state
    left, right = (2 * _PADDING + _CHARACTER * len(text) for text in (_LABEL, words))
    said = f"{_LABEL}: {words}"
    size = f'width="{left + right:.1f}" height="{_HEIGHT}"'
    corner = f"a3 3 0 0 1 3 3v{_HEIGHT - 6}a3 3 0 0 1 -3 3"
    return "\n".join((
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{said}">',
        f"<title>{said}</title>",
        f'<rect {size} rx="3" fill="{_LABEL_COLOUR}"/>',
        f'<path d="M{left:.1f} 0h{right - 3:.1f}{corner}H{left:.1f}z" fill="{_COLOURS[state]}"/>',
        '<g fill="#ffffff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">',
        _place_text(_LABEL, 0.0),
        _place_text(words, left),
        "</g>",
        "</svg>",
        "",
    ))  # fmt: skip


def _place_text(text: str, begin: float) -> str:
    width = _CHARACTER * len(text)
    return f'<text x="{begin + _PADDING:.1f}" y="14" textLength="{width:.1f}">{text}</text>'
