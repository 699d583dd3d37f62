"""The ledger of a made-up run: cells that agree with what the case says by other metrics.

In:  scalars and tables of a case. Out: rows of time.gpu_ledger; none without time on the clock.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Rows = Mapping[str, Sequence[Mapping[str, Any]]]
Row = dict[str, Any]
ITERATING = (
    "time.steady", "time.iteration_median", "time.data_share", "time.iteration_gap_share",
    "time.steady_utilisation", "gpu.fusable_time", "gpu.moving_time",
)  # fmt: skip


def ledger_rows(measured: Mapping[str, float], tables: Rows) -> list[Row]:
    """One GPU's time in cells."""
    case = _Case(measured, tables)
    if not case.iterates and not case.any("time.wall", "time.gpu_span", "time.exposed_copy"):
        return []
    within = case.steady() if case.iterates else case.between()
    within = _apart(within, measured.get("communication.exposed_everywhere", 0.0))
    rows = [*within, *case.around("warm-up"), *case.around("start-up"), *case.around("end")]
    return [{"gpu": 0, "beside": "none", "gap": "none", "number": 0, **row} for row in rows]


class _Case:
    def __init__(self, measured: Mapping[str, float], tables: Rows) -> None:
        self.measured, self.tables = measured, tables

    @property
    def iterates(self) -> bool:
        """Whether the case has iterations, which it may show by any of these."""
        return self.any(*ITERATING)

    @property
    def length(self) -> float:
        """Of complete iterations: in cases that give shares alone it is 1 s."""
        counted = self.get("iteration_median") * self.get("iterations", 1.0)
        return self.get("steady_complete", self.get("steady", counted or self.get("wall", 1.0)))

    @property
    def meets(self) -> bool:
        """Whether ranks wait in collective operations, which are kernels."""
        return any(name.startswith("communication.") for name in self.measured)

    def any(self, *names: str) -> bool:
        return any(name in self.measured for name in names)

    def get(self, name: str, default: float = 0.0) -> float:
        return self.measured.get(f"time.{name}", default)

    def row(self, table: str, column: str, name: str) -> Mapping[str, Any]:
        rows = self.tables.get(f"time.{table}", ())
        return next((row for row in rows if row.get(column) == name), {})

    def waits(self, part: str) -> Mapping[str, Any]:
        return self.row("copy_waits", "part", part)

    def steady(self) -> list[Row]:
        length = self.length
        wait, gaps = (
            self.waits("steady iterations"),
            self.row("launch_gaps", "part", "steady iterations"),
        )
        waited = self.get("iteration_copy_wait_share", _number(wait, "share")) * length
        copies = max(self.get("iteration_exposed_copy_share") * length, waited)
        share = self.get("iteration_kernel_alone_share", -1.0)
        kernels = self.get("iteration_kernel_alone", -1.0) if share < 0.0 else share * length
        if self.any("time.steady_utilisation"):
            idle = (1.0 - self.get("steady_utilisation")) * length
        elif gaps:
            idle = _number(gaps, "brief") + _number(gaps, "longer")
        else:
            kernels = max(kernels, self.get("kernel_busy"))
            idle = 0.0 if self.meets else length - copies - kernels
        kernels = kernels if kernels >= 0.0 else max(length - idle - copies, 0.0)
        beside = {"after copy": _number(wait, "gap_share") * length,
                  "before copy": _number(wait, "before_share") * length}  # fmt: skip
        sampling = sum(
            _number(row, "sampling_gaps")
            for row in self.tables.get("time.idle_parts", ())
            if row.get("period") in ("typical iterations", "outlying iterations")
        )
        found = [
            *_copies("steady", copies, waited, _number(wait, "apart")),
            {"period": "steady", "state": "kernel", "time": kernels},
            {
                "period": "steady",
                "state": "both",
                "time": max(length - idle - copies - kernels, 0.0),
            },
            *self.idle("steady", idle, sampling, gaps, beside, wait),
        ]
        last = max(self.get("steady", length) - length, 0.0)
        if last:
            found.append({"period": "last", "state": "idle", "gap": "other", "time": last})
        return found

    def idle(
        self, period: str, idle: float, sampling: float, gaps: Mapping[str, Any],
        beside: Mapping[str, float], wait: Mapping[str, Any],
    ) -> list[Row]:  # fmt: skip
        if self.get("sampling_gaps"):  # too short to be told from those of PC sampling
            beside = dict.fromkeys(beside, 0.0)
        brief = {"after copy": min(_number(wait, "brief"), beside["after copy"]),
                 "before copy": min(_number(wait, "brief_before"), beside["before copy"]),
                 }  # fmt: skip
        longest = self.longest() if period == "steady" else 0.0
        launch = max(_number(gaps, "brief") - sum(brief.values()), 0.0)
        longest = min(longest, max(idle - sampling - launch - sum(beside.values()), 0.0))
        other = max(idle - sampling - launch - longest - sum(beside.values()), 0.0)
        times = {
            ("none", "sampling"): sampling, ("none", "launch"): launch,
            ("none", "longest"): longest, ("none", "other"): other,
            **{(side, "launch"): brief[side] for side in beside},
            **{(side, "other"): beside[side] - brief[side] for side in beside},
        }  # fmt: skip
        count = _number(gaps, "count")
        return [
            {"period": period, "state": "idle", "beside": side, "gap": gap, "time": time,
             "number": count if (side, gap) == ("none", "other") else 0}
            for (side, gap), time in times.items() if time > 0.0
        ]  # fmt: skip

    def longest(self) -> float:
        parts = [
            row for row in self.tables.get("time.idle_parts", ()) if row.get("part") == "iterations"
        ]
        told = sum(_number(row, "waits") or _number(row, "wait") for row in parts)
        median, gap = self.get("iteration_median"), self.get("iteration_longest_gap")
        length = self.length
        return told or (gap / median * length if median and gap else 0.0)

    def between(self) -> list[Row]:
        wait, gaps = self.waits("run"), self.row("launch_gaps", "part", "run")
        copies = self.get(
            "iteration_exposed_copy", self.get("exposed_copy", _number(wait, "copies"))
        )
        beside = {"after copy": _number(wait, "gaps"), "before copy": _number(wait, "before")}
        idle = self.get("gap_time", _number(gaps, "brief") + _number(gaps, "longer"))
        idle = max(idle, sum(beside.values()))
        both = min(self.get("overlap"), self.get("kernel_busy"))
        kernels = self.get("iteration_kernel_alone", self.get("kernel_busy") - both)
        if gaps:
            kernels = max(_number(gaps, "busy") - copies, 0.0)
        if self.meets:
            kernels = max(kernels, self.get("wall") - copies - idle)
        return [
            *_copies(
                "between",
                copies,
                _number(wait, "copies") if wait else copies,
                _number(wait, "apart"),
            ),
            {"period": "between", "state": "kernel", "time": kernels},
            {"period": "between", "state": "both", "time": both},
            *self.idle("between", idle, min(self.get("sampling_gaps"), idle), gaps, beside, wait),
        ]

    def uploads(self) -> list[Row]:
        """Copies of a run that has iterations without any."""
        run, within = self.waits("run"), self.any("time.iteration_exposed_copy_share")
        if not run or not self.iterates or within:
            return []
        return _copies(
            "start-up", self.get("exposed_copy"), _number(run, "copies"), _number(run, "apart")
        )

    def around(self, period: str) -> list[Row]:
        """What lies before and after the steady iterations."""
        phase = self.row("phases", "phase", "tail" if period == "end" else period)
        part, gaps = self.row("idle_parts", "part", period), self.row("launch_gaps", "part", period)
        idle = _number(part, "host") + _number(part, "profiler")
        idle = idle or _number(phase, "duration") - _number(phase, "gpu_busy")
        idle = idle or _number(gaps, "brief") + _number(gaps, "longer")
        if period != "warm-up":
            alone = [{"period": period, "state": "idle", "gap": "other", "time": idle}]
            return alone + (self.uploads() if period == "start-up" else [])
        wait, steady = self.waits("iterations"), self.waits("steady iterations")
        length = self.length
        copies = self.get("iteration_exposed_copy") - length * self.get(
            "iteration_exposed_copy_share"
        )
        beside = {
            "after copy": _number(wait, "gaps") - length * _number(steady, "gap_share"),
            "before copy": _number(wait, "before") - length * _number(steady, "before_share"),
        }
        found: list[Row] = [
            {"period": period, "state": "kernel", "time": _number(gaps, "busy")},
            {"period": period, "state": "idle", "gap": "launch", "time": _number(gaps, "brief")},
            {"period": period, "state": "idle", "gap": "other",
             "time": idle - _number(gaps, "brief"), "number": _number(gaps, "count")},
        ]  # fmt: skip
        if self.iterates and copies > 0.0:
            found.append({"period": period, "state": "copy waited for", "time": copies})
        if self.iterates and not self.get("sampling_gaps"):
            found += [
                {"period": period, "state": "idle", "beside": side, "gap": "other", "time": time}
                for side, time in beside.items()
            ]
        return [row for row in found if row["time"] > 0.0]


def _apart(rows: list[Row], exposed: float) -> list[Row]:
    """Collective operations apart from the other kernels that run alone."""
    found = []
    for row in rows:
        alone = min(row["time"], exposed) if row["state"] == "kernel" else 0.0
        exposed -= alone
        if alone:
            found.append({**row, "state": "collective", "time": alone})
        found.append({**row, "time": row["time"] - alone})
    return found


def _copies(period: str, copies: float, waited: float, apart: float) -> list[Row]:
    times = {"copy waited for": waited * (1.0 - apart), "copy apart": waited * apart,
             "copy passing": max(copies - waited, 0.0)}  # fmt: skip
    return [
        {"period": period, "state": state, "time": time}
        for state, time in times.items()
        if time > 0.0
    ]


def _number(row: Mapping[str, Any], column: str) -> float:
    return float(row.get(column) or 0.0)
