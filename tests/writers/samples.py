"""Random databases with what they must hold, for comparison with readers made by others.

`python -m tests.writers.samples FOLDER [COUNT]` writes COUNT databases and, beside each,
`expected.json`: what the writer was given, and what follows from it by the oracle. No
reader of this project takes part.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings

from perfolio.readers.hpctoolkit import format_layouts as lay
from perfolio.writers.hpctoolkit import Database, Profile, TracePoints, write
from perfolio.writers.hpctoolkit.meta_writer import NO_DESCRIPTION
from tests.writers.oracle import propagated, statistics
from tests.writers.strategies import Contents, contents, shown_parent, unlisted_contexts


def expected(made: Contents) -> dict[str, Any]:
    """All contents of a database as a JSON document."""
    database, values, traces = made
    cells = propagated(database, values)
    times = [int(time) for piece in traces for time in piece.time]
    return {
        "title": database.title,
        "description": database.description or NO_DESCRIPTION,
        "identifier_kinds": list(database.identifier_kinds),
        "metrics": {
            metric.name: {
                "scopes": list(metric.scopes),
                "statistics": [[s.formula, s.combine] for s in metric.statistics if metric.scopes],
            }
            for metric in database.metrics
        },
        "modules": list(database.modules),
        "files": [[file.path, file.copied] for file in database.files],
        "functions": [_function(database, i) for i in range(len(database.functions))],
        "contexts": _contexts(database),
        "profiles": [_identifiers(database, profile) for profile in database.profiles],
        "values": [[*key, value] for key, value in sorted(cells.items())],
        "summary": sorted(
            [context, name, scope, one.formula, one.combine, value]
            for (context, name, scope, one), value in statistics(database, cells).items()
        ),
        "traces": None
        if not traces
        else [_line(p + 1, traces) for p in range(len(made[0].profiles))],
        "times": [min(times, default=0), max(times, default=0)],
    }


def _function(database: Database, position: int) -> list[Any]:
    one = database.functions[position]
    module = database.modules[one.module] if one.module >= 0 else None
    file = database.files[one.file].path if one.file >= 0 else None
    return [
        one.name,
        module,
        None if module is None else one.offset,
        file,
        None if file is None else one.line,
    ]


def _contexts(database: Database) -> list[list[Any]]:
    """Id, parent and all properties of each context with a node."""
    tree = database.tree
    unlisted = unlisted_contexts(tree)
    rows: list[list[Any]] = [
        [e.context, 0, e.kind, e.name or lay.ENTRY_POINTS[e.kind]] for e in database.entry_points
    ]
    for i, context in enumerate(tree.context.tolist()):
        if unlisted[i]:
            continue
        function, file, module = int(tree.function[i]), int(tree.file[i]), int(tree.module[i])
        rows.append(
            [
                context,
                shown_parent(tree, context),
                int(tree.relation[i]),
                int(tree.lexical_type[i]),
                int(tree.relation[i] == 0),
                _function(database, function) if function >= 0 else None,
                [database.files[file].path, int(tree.line[i])] if file >= 0 else None,
                [database.modules[module], int(tree.offset[i])] if module >= 0 else None,
            ]
        )
    return sorted(rows)


def _identifiers(database: Database, profile: Profile) -> list[list[int]]:
    """Kind, whether it is physical, logical and physical number."""
    return [
        [
            database.identifier_kinds.index(i.kind),
            int(i.physical is not None),
            i.logical,
            i.logical if i.physical is None else i.physical,
        ]
        for i in profile.identifiers
    ]


def _line(profile: int, traces: list[TracePoints]) -> list[list[int]]:
    """Time and context of each point."""
    return [
        [int(time), int(context)]
        for piece in traces
        if piece.profile == profile
        for time, context in zip(piece.time, piece.context, strict=True)
    ]


def main(folder: Path, count: int) -> None:
    """Write the databases, numbered from 0, always the same ones."""
    written = 0

    @settings(
        max_examples=count,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(contents())
    def one(made: Contents) -> None:
        nonlocal written
        database = write(made[0], folder / f"{written:04}", made[1], made[2])
        (database / "expected.json").write_text(json.dumps(expected(made)))
        written += 1

    one()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 200)
