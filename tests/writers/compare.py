"""Compare databases of `tests.writers.samples` as HPCToolkit's own Python reader sees them.

Run it with an interpreter that has hpctesttool (of HPCToolkit's repository):
`python tests/writers/compare.py FOLDER`. It needs nothing else, and nothing of Perfolio.
Prints how much was compared; fails at the first difference.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def main(folder: Path) -> None:
    """Compare every database below `folder`."""
    reader = importlib.import_module("hpctesttool.formats.v4").Database
    counts: Counter[str] = Counter()
    for path in sorted(folder.iterdir()):
        expected = json.loads((path / "expected.json").read_text())
        found = contents(reader.from_dir(path))
        for key, value in expected.items():
            if found[key] != value:
                sys.exit(f"{path}: {key} differ:\n  expected {value}\n  found    {found[key]}")
            if isinstance(value, list):
                counts[key] += len(value)
        counts["databases"] += 1
    sys.stdout.write("".join(f"{count:9,} {key}\n" for key, count in counts.items()))


def contents(db: Any) -> dict[str, Any]:
    """All contents of a database, in the form of `tests.writers.samples.expected`."""
    numbers = {
        inst.prop_metric_id: (metric.name, inst.scope.scope_name)
        for metric in db.meta.metrics.metrics
        for inst in metric.scope_insts
    }
    values = sorted(_values(db, numbers))
    transposed = sorted(_transposed(db, numbers))
    if values != transposed:
        sys.exit(f"profile.db and cct.db differ:\n  {values}\n  {transposed}")
    return {
        "title": db.meta.general.title,
        "description": db.meta.general.description,
        "identifier_kinds": db.meta.id_names.names,
        "metrics": {metric.name: _metric(metric) for metric in db.meta.metrics.metrics},
        "modules": [module.path for module in db.meta.modules.modules],
        "files": [[f.path, f.Flags.copied in f.flags] for f in db.meta.files.files],
        "functions": [_function(function) for function in db.meta.functions.functions],
        "contexts": sorted(_contexts(db)),
        "profiles": [
            [
                [i.kind, int(i.Flags.is_physical in i.flags), i.logical_id, i.physical_id]
                for i in profile.id_tuple.ids
            ]
            for profile in db.profile.profile_infos.profiles[1:]
        ],
        "values": values,
        "summary": sorted(_summary(db)),
        "traces": None if db.trace is None else [_line(t) for t in _lines(db)],
        "times": [0, 0] if db.trace is None else list(db.trace.ctx_traces.timestamp_range.values()),
    }


def _metric(metric: Any) -> dict[str, Any]:
    statistics = [[s.formula, s.combine.name] for s in metric.summaries]
    return {
        "scopes": [inst.scope.scope_name for inst in metric.scope_insts],
        "statistics": [one for i, one in enumerate(statistics) if one not in statistics[:i]],
    }


def _function(function: Any) -> list[Any]:
    module, file = function.module, function.file
    return [
        function.name,
        module and module.path,
        function.offset,
        file and file.path,
        function.line,
    ]


def _contexts(db: Any) -> Iterator[list[Any]]:
    for entry in db.meta.context.entry_points:
        yield [entry.ctx_id, 0, entry.entry_point.value, entry.pretty_name]
        waiting = [(entry.ctx_id, child) for child in entry.children]
        while waiting:
            parent, one = waiting.pop()
            waiting += [(one.ctx_id, child) for child in one.children]
            yield [
                one.ctx_id,
                parent,
                one.relation.value,
                one.lexical_type.value,
                one.propagation,
                one.function and _function(one.function),
                one.file and [one.file.path, one.line],
                one.module and [one.module.path, one.offset],
            ]


def _values(db: Any, numbers: dict[int, tuple[str, str]]) -> Iterator[list[Any]]:
    for index, profile in enumerate(db.profile.profile_infos.profiles):
        if profile.Flags.is_summary not in profile.flags:
            for context, row in profile.values.items():
                for metric, value in row.items():
                    yield [index, context, *numbers[metric], value]


def _transposed(db: Any, numbers: dict[int, tuple[str, str]]) -> Iterator[list[Any]]:
    for context, one in enumerate(db.context.ctx_infos.contexts):
        for metric, row in one.values.items():
            for index, value in row.items():
                yield [index, context, *numbers[metric], value]


def _summary(db: Any) -> Iterator[list[Any]]:
    numbers = {
        one.stat_metric_id: (metric.name, one.scope.scope_name, one.formula, one.combine.name)
        for metric in db.meta.metrics.metrics
        for one in metric.summaries
    }
    for context, row in db.profile.profile_infos.profiles[0].values.items():
        for metric, value in row.items():
            yield [context, *numbers[metric], value]


def _lines(db: Any) -> list[Any]:
    return sorted(db.trace.ctx_traces.traces, key=lambda trace: trace.prof_index)


def _line(trace: Any) -> list[list[int]]:
    return [[point.timestamp, point.ctx_id] for point in trace.line]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
