"""One chart per module: `draw(results) -> ChartFigure | None` and a docstring, its question.

`GROUP` is the page that shows it, `ORDER` its place among the charts of that page: what
the page is about first, then what explains it. Its name is the module's.
"""

from __future__ import annotations

import pkgutil


def list_chart_names() -> list[str]:
    """The names of all charts, none of which is imported for that."""
    names = (module.name for module in pkgutil.iter_modules(__path__))
    return [name for name in names if not name.startswith("_")]
