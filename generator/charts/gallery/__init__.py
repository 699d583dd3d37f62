"""One chart per module: `draw(results) -> Figure | None`, `GROUP`, a docstring: its question."""
