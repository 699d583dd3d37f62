"""One chart per module: `draw(results) -> Figure | None` and a docstring, its question.

`GROUP` is the page that shows it, `ORDER` its place among the charts of that page: what
the page is about first, then what explains it.
"""
