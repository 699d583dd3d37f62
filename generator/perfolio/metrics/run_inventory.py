"""What one run holds, as far as metrics can need it.

In:  `run_inventory.toml` and the run. Out: `StoreInventory`, which asks for each need when it is
     needed first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from perfolio.common.content_files import reload_when_edited
from perfolio.common.errors import ContentError
from perfolio.common.toml_files import TomlError, read_toml
from perfolio.metrics.run_commands import LAUNCH_RANGE, CommandSetting

if TYPE_CHECKING:
    from perfolio.store.run_tables import RunTables

PATH = Path(__file__).with_name("run_inventory.toml")


class RunInventory(Protocol):
    """What one run holds."""

    def meets(self, need: str) -> bool:
        """Whether it meets a need."""
        ...

    @property
    def vendor(self) -> str:
        """The vendor of its GPU."""
        ...

    @property
    def filled(self) -> frozenset[str]:
        """Names of measures of which something was recorded: what is listed need not be."""
        ...

    def setting(self, command: str, /) -> CommandSetting:
        """What this command for the run depends on."""
        ...


@dataclass(frozen=True)
class FixedInventory:
    """What a run holds, told at once."""

    met: frozenset[str]
    vendor: str
    filled: frozenset[str] = frozenset()

    def meets(self, need: str) -> bool:
        """Whether it is told that it does."""
        return need in self.met

    def setting(self, _command: str, /) -> CommandSetting:
        """Nothing is known of it."""
        return CommandSetting()


@dataclass(frozen=True)
class StoreInventory:
    """What a run holds, each part of it asked when it is needed first."""

    tables: RunTables
    known: dict[str, bool] = field(default_factory=dict)
    """Whether it meets needs that were asked for so far."""

    def meets(self, need: str) -> bool:
        """As `run_inventory.toml` and the model `missing_kernels` say."""
        if need not in self.known:
            self.known[need] = self._tells(need)
        return self.known[need]

    def _tells(self, need: str) -> bool:
        if need in MISSING:
            return need in self._missing
        return need in self._doubted if need in DOUBTED else self._holds(need)

    @cached_property
    def _doubted(self) -> frozenset[str]:
        return self._names(_DOUBTED)

    @cached_property
    def filled(self) -> frozenset[str]:
        """As `total` says, and operations of a GPU."""
        return self._names(_FILLED)

    @cached_property
    def vendor(self) -> str:
        """As `gpu_vendor` says."""
        return next(iter(self._names(_VENDOR)), "unknown")

    def setting(self, command: str, /) -> CommandSetting:
        """Numbers of launches and iterations only where the command depends on them."""
        launches, iterations = self._counted if LAUNCH_RANGE in command else (None, None)
        return CommandSetting(self._rocm, launches, iterations, *self._started)

    def _holds(self, need: str) -> bool:
        queries = _list_need_queries(need)
        return any(map(self._column, queries)) if queries else need in self._listed

    @cached_property
    def _listed(self) -> frozenset[str]:
        return self._names(_LISTED)

    @cached_property
    def _missing(self) -> frozenset[str]:
        # To plan whether kernels are missing takes as long as all else that is asked here.
        if self.meets(_EXPECTED) or self._column(_UNSEEN):
            return self._names(_MISSING)
        return frozenset()

    @cached_property
    def _counted(self) -> tuple[float | None, float | None]:
        """Launches and iterations."""
        (launches,), (iterations,) = map(self._column, _COUNTED)
        return (
            float(launches) if isinstance(launches, (int, float)) else None,
            float(iterations) if isinstance(iterations, int) and iterations else None,
        )

    @cached_property
    def _rocm(self) -> str | None:
        if self.vendor != "AMD":
            return None
        known = sorted((str(version) for version in self._column(_ROCM) if version), key=len)
        return known[-1] if known else ""

    @cached_property
    def _started(self) -> tuple[bool, int]:
        """Whether functions of Python were recorded, and the ranks."""
        python, (ranks,) = map(self._column, _STARTED)
        return bool(python), ranks if isinstance(ranks, int) else 0

    def _column(self, sql: str) -> list[object]:
        return [row[0] for row in self.tables.rows(sql)]

    def _names(self, sql: str) -> frozenset[str]:
        return frozenset(map(str, self._column(sql)))


def list_inventory_queries(needs: Iterable[str], commands: Iterable[str]) -> Iterator[str]:
    """The queries that tell whether a run meets any of these needs, and how to meet them."""
    yield from (_LISTED, _FILLED, _VENDOR, _ROCM, *_STARTED)
    if any(LAUNCH_RANGE in command for command in commands):
        yield from _COUNTED
    for need in needs:
        if need in DOUBTED:
            yield _DOUBTED
        else:
            yield from (_UNSEEN, _MISSING) if need in MISSING else _list_need_queries(need)


@reload_when_edited(PATH)
def load_signs(path: Path) -> Mapping[str, tuple[str, ...]]:
    """The queries of each need that is listed. Raises ContentError where the file is faulty."""
    try:
        tables = read_toml(path)
    except TomlError as error:
        raise ContentError(f"{path}: {error}") from error
    for need, queries in tables.items():
        if not isinstance(queries, list):
            raise ContentError(f"{path}: {need} must be a list of queries")
    return {need: tuple(map(str, queries)) for need, queries in tables.items()}


def _list_need_queries(need: str) -> tuple[str, ...]:
    """Those of which one gives a row where a run meets the need; none for what a run lists."""
    if need.startswith(_FIGURE):
        return (f"SELECT 1 {_OF_DEVICE} WHERE hardware.{need.removeprefix(_FIGURE)} IS NOT NULL",)
    return tuple(f"SELECT 1 {sign} LIMIT 1" for sign in load_signs().get(need, ()))


MISSING = frozenset({"unseen_products", "missing_products"})
"""Signs that the model `missing_kernels` gives."""
DOUBTED = frozenset(
    {"lost_graphs", "lost_launches", "lost_times", "captured_launches", "whole_graphs"}
)
"""Signs that table `plausibility` gives."""
_DOUBTED = """
SELECT CASE what WHEN 'graphs' THEN 'lost_graphs' WHEN 'launches' THEN 'lost_launches'
    WHEN 'untimed' THEN 'lost_times' WHEN 'capture' THEN 'captured_launches' ELSE what END
FROM plausibility WHERE voids OR what = 'whole_graphs'"""
_EXPECTED = "model_flops_per_iteration"
"""The setting without which no time of products is known that kernels should take."""
_FIGURE = "hardware."
_OF_DEVICE = "FROM run JOIN hardware ON hardware.name = run.hardware"
_LISTED = "SELECT name FROM collected WHERE EXISTS (FROM summary) UNION ALL SELECT key FROM setting"
_FILLED = """
SELECT name FROM total WHERE value > 0
UNION SELECT 'copy_time' FROM gpu_operation WHERE operation LIKE 'copy%'"""
"""Copies may all be shorter than a clock tells: they are recorded, in a time of 0."""
_VENDOR = "SELECT vendor FROM gpu_vendor"
_UNSEEN = "SELECT 1 FROM unseen_product LIMIT 1"
_MISSING = "SELECT sign FROM missing_kernels"
_ROCM = "SELECT DISTINCT rocm_version(path) FROM module"
_COUNTED = (
    "SELECT gpu_count('kernel_launches', 'kernel_time', 'kernel')",
    "SELECT count(*) FROM iteration",
)
_STARTED = (
    "SELECT 1 FROM module WHERE path = python_module()",
    "SELECT count(DISTINCT rank) FROM profile",
)
