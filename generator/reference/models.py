"""docs/reference/models.md: what each model is, what it reads, and who reads it."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from perfolio.common.errors import ContentError
from perfolio.metrics.catalog import HERE as METRICS
from perfolio.metrics.catalog import load_catalog, load_files
from perfolio.store.model_catalog import (
    StoreModel,
    find_model_files,
    find_reads,
    find_source_tables,
    load_models,
)
from reference.lineage import drawn
from reference.markdown import link, page, table, text

_STORE = Path(__file__).parents[1] / "perfolio" / "store"
_ASKING = ("store", "metrics", "prediction/replay")
"""Folders whose modules ask a run's tables with queries of their own."""
MOST_METRICS = 8
FOLLOWED = (
    "trace",
    "recorded_operations",
    "gpu_operation",
    "gpu_level",
    "gpu_use",
    "time.gpu_busy",
)
_KINDS = {"kept": "kept", "table": "table", "value": "value", "given": "table"}
_HEAD = (
    "What metrics share is a model: one SELECT about one run, in a file on its topic below "
    "`generator/perfolio/store/models`. Its room is its folder; a model reads tables of the "
    "source, and "
    "models of its own room and of those before it. It is made once, when the first query asks "
    "for it. A kept one is made when a run is stored, and is a table of the [store](schema.md); "
    "a value is called like a function, `gpus()`, and so is a table with parameters."
)
_PICTURE = (
    "Tables of the source at the left, then a column for each room; kept models are bold. A line "
    "that a longer way stands for is left out: the tables below have them all."
)
_FOLLOW = (
    "Each file reads the one before it. From a table that a source fills to the metric "
    "{metric}, which is how long any operation ran on a GPU:"
)


def models_page() -> str:
    """The page: the picture, a figure to follow, and a table for each room."""
    readers = model_readers()
    parts = ["# Models", _HEAD, "## Lineage", _PICTURE, _figure()]
    parts += ["## Follow a figure", _FOLLOW.format(metric=link(FOLLOWED[-1])), followed()]
    for room, members in rooms().items():
        parts.append(f"## {room_title(room)} {{ #{room.replace('_', '-')} }}")
        parts.append(table(["Model", "A row is", "Reads", "Read by"], _rows(members, readers)))
    return page(parts)


def functions_table() -> str:
    """The functions of values with their parameters."""
    found = sorted(load_models().values(), key=lambda one: one.name)
    listed = (
        [f"`{one.name}({', '.join(one.given)})`", text(one.about)]
        for one in found
        if one.kind == "function"
    )
    return table(["Function", "Gives"], listed)


def rooms() -> dict[str, list[StoreModel]]:
    """Models by room, functions left out."""
    found: dict[str, list[StoreModel]] = {}
    for model in load_models().values():
        if model.room:
            found.setdefault(model.room, []).append(model)
    return found


def room_title(room: str) -> str:
    """A folder's name in words."""
    return room.partition("_")[2].replace("_", " ").capitalize().replace("Gpu", "GPU")


def sources_of(model: StoreModel) -> set[str]:
    """The tables and models that a model reads, also by the functions that it calls."""
    found = {*model.reads, *model.needs, *_made_from(model)}
    for name in sorted(found):
        called = load_models().get(name)
        if called is not None and called.kind == "function":
            found = found - {name} | sources_of(called)
    return found


def _made_from(model: StoreModel) -> set[str]:
    """What the module asks for that fills a model by a function of its own."""
    for path in sorted(_STORE.glob("*.py")) if model.made_by else ():
        if f"def {model.made_by}(" in path.read_text("utf-8"):
            return _asked(path) - {model.name}
    return set()


@cache
def model_readers() -> Mapping[str, frozenset[str]]:
    """Names of models, metrics and modules by the model or function that they read."""
    found: dict[str, set[str]] = {}

    def add(reader: str, names: Collection[str]) -> None:
        for name in names:
            found.setdefault(name, set()).add(reader)

    for model in load_models().values():
        add(model.name, {*model.reads, *model.needs})
    for metric in load_catalog().values():
        add(metric.name, find_reads(metric.sql, load_models()))
    for folder in _ASKING:
        for path in sorted((_STORE.parent / folder).glob("*.py")):
            add(f"{folder}/{path.name}", _asked(path))
    return {name: frozenset(readers) for name, readers in found.items()}


def _asked(path: Path) -> set[str]:
    """Models and tables in the queries of a module, or asked for by name."""
    found: set[str] = set()
    known = load_models().keys() | find_source_tables().keys()
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    told = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}  # docstrings
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            found |= {node.value} & load_models().keys() | find_reads(node.value, known)
    return found


def followed() -> str:
    """The files of one figure, in order. Raises ContentError where one does not read the last."""
    steps = []
    for number, name in enumerate(FOLLOWED):
        path, words, reads = _step(name)
        if number and FOLLOWED[number - 1] not in reads:
            raise ContentError(f"{name} does not read {FOLLOWED[number - 1]}")
        steps.append(f"{number + 1}. `{path}`: {words}")
    return "\n".join(steps)


def _step(name: str) -> tuple[str, str, Collection[str]]:
    if name in find_source_tables():
        return (
            "generator/perfolio/store/schema.sql",
            f"the table `{name}`, as the source fills it.",
            (),
        )
    if name in load_models():
        model = load_models()[name]
        about = text(model.about).partition(". ")[0].rstrip(".")
        place = find_model_files()[name].relative_to(_STORE).as_posix()
        return f"generator/perfolio/store/{place}", f"{about}.", model.reads
    metric = load_catalog()[name]
    path = f"generator/perfolio/metrics/{load_files()[name].relative_to(METRICS).as_posix()}"
    return path, f"{text(metric.title)}.", find_reads(metric.sql, load_models())


def _rows(
    members: Sequence[StoreModel], readers: Mapping[str, frozenset[str]]
) -> Iterator[list[str]]:
    for model in members:
        kind = _KINDS[model.kind]
        given = f"({', '.join(model.given)})" if model.given else "()" if kind == "value" else ""
        name = f"`{model.name}{given}`{' (kept)' if kind == 'kept' else ''}"
        reads = ", ".join(f"`{one}`" for one in sorted(sources_of(model)))
        by = ", ".join(_readers(sorted(readers.get(model.name, ()))))
        yield [name, text(model.about), reads, by]


def _readers(names: Sequence[str]) -> Iterator[str]:
    known = load_catalog()
    metrics = [name for name in names if name in known]
    yield from (f"`{name}`" for name in names if name not in metrics)
    yield from (link(name) for name in metrics[:MOST_METRICS])
    if len(metrics) > MOST_METRICS:
        yield f"{len(metrics) - MOST_METRICS} more metrics"


def _figure() -> str:
    reads = {model.name: sources_of(model) for members in rooms().values() for model in members}
    read = {name for found in reads.values() for name in found}
    columns = {"Tables of the source": sorted(read & find_source_tables().keys())}
    columns |= {room_title(room): [one.name for one in found] for room, found in rooms().items()}
    bold = {model.name for model in load_models().values() if model.kind == "kept"}
    return f'<div class="md-typeset__scrollwrap">\n{drawn(columns, reads, bold)}\n</div>'
