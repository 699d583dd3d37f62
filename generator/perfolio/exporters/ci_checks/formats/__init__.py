"""One module per format: checks of one or several runs to a text.

To add one: a module with `render(checks)`. Its name is that of the format.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from pkgutil import iter_modules

from perfolio.exporters.ci_checks.model import Check

Render = Callable[[Sequence[Check]], str]


def list_formats() -> list[str]:
    """All formats, in the order of the alphabet."""
    return sorted(module.name for module in iter_modules(__path__))


def load_renderer(name: str) -> Render:
    """The function that prints checks in this format."""
    render: Render = import_module(f"{__name__}.{name}").render
    return render
