"""What a written database must hold, worked out one number at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from perfolio.writers.hpctoolkit import COUNT, MAX, MIN, SQUARES, SUM, Database, Statistic, Values
from perfolio.writers.hpctoolkit.model import LEXICAL, LOOP

Cells = dict[tuple[int, int, str, str], float]
"""Value by profile, context, name of metric, and scope."""


def propagated(database: Database, values: Sequence[Values]) -> Cells:
    """Each measured value, added to all contexts that the definitions name."""
    tree = database.tree
    rows = {int(c): i for i, c in enumerate(tree.context)}
    cells: Cells = defaultdict(float)
    for piece in values:
        for context, metric, value in zip(piece.context, piece.metric, piece.value, strict=True):
            name = database.metrics[metric].name
            for scope, at in _reached(database, rows, int(context)):
                cells[piece.profile, at, name, scope] += float(value)
    kept = {metric.name: metric.scopes for metric in database.metrics}
    return {key: value for key, value in cells.items() if value and key[3] in kept[key[2]]}


def _reached(database: Database, rows: dict[int, int], start: int) -> list[tuple[str, int]]:
    """The scopes and contexts that a value measured at `start` belongs to."""
    tree = database.tree
    found = [("point", start), ("function", start), ("lex_aware", start), ("execution", start)]
    context, inside, loops = start, True, 0
    while context:
        row = rows.get(context)
        inside = inside and row is not None and int(tree.relation[row]) == LEXICAL
        loops += row is not None and int(tree.lexical_type[row]) == LOOP
        context = 0 if row is None else int(tree.parent[row])
        found.append(("execution", context))
        above = rows.get(context)
        if inside:
            found.append(("function", context))
            is_loop = above is not None and int(tree.lexical_type[above]) == LOOP
            if not (is_loop and loops):
                found.append(("lex_aware", context))
    return found


def statistics(database: Database, cells: Cells) -> dict[tuple[int, str, str, Statistic], float]:
    """Statistic by context, name of metric and scope."""
    groups: dict[tuple[int, str, str], list[float]] = defaultdict(list)
    for (_, context, name, scope), value in cells.items():
        groups[context, name, scope].append(value)
    found = {}
    for metric in database.metrics:
        contexts = {context for context, name, _ in groups if name == metric.name}
        for context in contexts:
            counts = [len(groups[context, metric.name, s]) for s in metric.scopes]
            for scope in metric.scopes:
                values = groups[context, metric.name, scope]
                for one in metric.statistics:
                    value = float(max(counts)) if one == COUNT else _statistic(one, values)
                    if value:
                        found[context, metric.name, scope, one] = value
    return found


def _statistic(one: Statistic, values: list[float]) -> float:
    if not values:
        return 0.0
    return {
        SUM: sum(values),
        SQUARES: sum(v * v for v in values),
        MIN: min(values),
        MAX: max(values),
    }[one]
