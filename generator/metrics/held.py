"""What one run holds, as far as metrics can need it.

In:  the run. Out: `HeldByRun`, for which each model is asked when it is needed first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from generator.metrics.fitting import Setting
from generator.store.run_tables import RunTables


class Held(Protocol):
    """What one run holds."""

    @property
    def met(self) -> frozenset[str]:
        """The needs that it meets."""
        ...

    @property
    def vendor(self) -> str:
        """The vendor of its GPU."""
        ...

    @property
    def filled(self) -> frozenset[str]:
        """Names of metrics with a value above 0: what is listed need not be recorded."""
        ...

    @property
    def setting(self) -> Setting:
        """What the commands for this run depend on."""
        ...

    def tells(self, sign: str) -> bool:
        """Whether it holds the sign of something hidden."""
        ...


@dataclass(frozen=True)
class Holdings:
    """What a run holds, told at once."""

    met: frozenset[str]
    vendor: str
    filled: frozenset[str] = frozenset()
    setting: Setting = field(default_factory=Setting)

    def tells(self, sign: str) -> bool:
        """Whether it is among the needs that are met."""
        return sign in self.met


@dataclass(frozen=True)
class HeldByRun:
    """What the models tell that a run holds, each of them asked when it is needed first."""

    tables: RunTables

    @cached_property
    def met(self) -> frozenset[str]:
        """As `capability` says."""
        return self._names(QUERIES[0])

    @cached_property
    def filled(self) -> frozenset[str]:
        """As `total` says."""
        return self._names(QUERIES[1])

    @cached_property
    def vendor(self) -> str:
        """As `gpu_vendor` says."""
        return next(iter(self._names(QUERIES[2])), "unknown")

    @cached_property
    def setting(self) -> Setting:
        """By the last of the queries."""
        return _setting(self._column, self.vendor)

    def tells(self, sign: str) -> bool:
        """As `capability` and `missing_kernels` say."""
        return sign in (self._missing if sign in MISSING else self.met)

    @cached_property
    def _missing(self) -> frozenset[str]:
        # To plan whether kernels are missing takes as long as all else that is asked here.
        if _EXPECTED in self.met or self._column(QUERIES[3]):
            return self._names(QUERIES[4])
        return frozenset()

    def _column(self, sql: str) -> list[object]:
        return [row[0] for row in self.tables.rows(sql)]

    def _names(self, sql: str) -> frozenset[str]:
        return frozenset(map(str, self._column(sql)))


MISSING = frozenset({"unseen_products", "missing_products"})
"""Signs that `missing_kernels` gives, and not `capability`."""
QUERIES = (
    "SELECT need FROM capability",
    "SELECT name FROM total WHERE value > 0",
    "SELECT vendor FROM gpu_vendor",
    "SELECT 1 FROM unseen_product LIMIT 1",
    "SELECT sign FROM missing_kernels",
    "SELECT DISTINCT rocm_version(path) FROM module",
    "SELECT gpu_count('kernel_launches', 'kernel_time', 'kernel')",
    "SELECT count(*) FROM iteration",
    "SELECT 1 FROM module WHERE path = python_module()",
    "SELECT count(DISTINCT rank) FROM profile",
)
"""What is asked of a run."""
_EXPECTED = "model_flops_per_iteration"
"""The setting without which no time of products is known that kernels should take."""


def _setting(column: Callable[[str], list[object]], vendor: str) -> Setting:
    versions, (launches,), (iterations,), python, (ranks,) = (column(sql) for sql in QUERIES[5:])
    known = sorted((str(version) for version in versions if version), key=len)
    return Setting(
        (known[-1] if known else "") if vendor == "AMD" else None,
        float(launches) if isinstance(launches, (int, float)) else None,
        float(iterations) if isinstance(iterations, int) and iterations else None,
        bool(python),
        ranks if isinstance(ranks, int) else 0,
    )
