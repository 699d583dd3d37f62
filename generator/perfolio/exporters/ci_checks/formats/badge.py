"""A badge for a README: the result in an SVG that needs no network and no font of its own.

It holds no name of a profile.
"""

from __future__ import annotations

from collections.abc import Sequence

from perfolio.exporters.ci_checks.model import Check
from perfolio.pages.template_environment import render as render_template

_COLOURS = {"failed": "#a3182b", "cannot tell": "#7a5b00", "passed": "#1f6b3a"}
"""By state, the worst first."""


def render(checks: Sequence[Check]) -> str:
    """`performance | passed`; the worst result of several runs."""
    states = {check.state for check in checks}
    state = next((one for one in _COLOURS if one in states), "passed")
    failing = sum(check.state == "failed" for check in checks)
    words = f"{failing} of {len(checks)} failed" if failing and len(checks) > 1 else state
    made = render_template("badge.svg.j2", label="performance", words=words, colour=_COLOURS[state])
    return made.strip() + "\n"
