"""A gate's verdict as a check, so that every format prints it.

In:  a `GateVerdict`, and the records that it is about. Out: `Check`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import perfolio
from perfolio.common.units import quantity
from perfolio.comparison.gate_verdict import GateFigure, GateVerdict
from perfolio.comparison.run_record import RunRecord
from perfolio.exporters.ci_checks.model import Check, CheckItem

LEVEL = "worse"
"""What makes it fail, in the place of a severity."""
_SEVERITY = "high"
_STATUS = {
    "worse": "fired",
    "told": "fired",
    "better": "passed",
    "same": "passed",
    "unknown": "not_evaluated",
}
_SEVERITIES = {"worse": _SEVERITY, "told": "info"}


def check_gate(verdict: GateVerdict, records: Sequence[RunRecord], subject: str = "") -> Check:
    """The verdict on these runs, which are repeats of one; `subject` is where they lie."""
    slug = records[0].slug
    items = [_make_item(figure, verdict.against) for figure in verdict.figures]
    if not verdict.figures:
        items.append(_make_refusal(verdict))
    return Check(
        slug=slug,
        title=slug,
        verdict=verdict.sentence,
        provenance={
            "digest": _join_digests(records),
            "perfolio": perfolio.__version__,
            "baseline": verdict.against,
        },
        level=LEVEL,
        subject=subject,
        items=tuple(sorted(items, key=lambda item: not item.fails)),
        doubt="; ".join(verdict.doubts),
        marker=f"perfolio check {verdict.against}",
    )


def _make_item(figure: GateFigure, against: str) -> CheckItem:
    value = "" if figure.after is None else quantity(figure.after, figure.unit)
    before = "that before" if figure.before is None else quantity(figure.before, figure.unit)
    return CheckItem(
        code=figure.name,
        slug=figure.name.replace("_", "-"),
        title=figure.title,
        status=_STATUS[figure.outcome],
        severity=_SEVERITIES.get(figure.outcome, ""),
        fails=figure.outcome == "worse",
        words=figure.words,
        collect="",
        metric=figure.name,
        value=value,
        thresholds=f"above {before}: {_SEVERITY}" if figure.outcome != "told" else "never: info",
        threshold_source=against,
        worth="",
        rank=0.0,
        places=(),
        sections={},
        is_figure=True,
    )


def _make_refusal(verdict: GateVerdict) -> CheckItem:
    """One item for runs that are not comparable, so that no format is silent."""
    words = "; ".join(verdict.doubts)
    return CheckItem(
        "comparable", "comparable", "The runs are comparable", "error", "", fails=False,
        words=f"{words}.", collect="", metric="", value="", thresholds=f"never: {_SEVERITY}",
        threshold_source=verdict.against, worth="", rank=0.0, places=(), sections={},
        is_figure=True,
    )  # fmt: skip


def _join_digests(records: Sequence[RunRecord]) -> str:
    """The digest of one recording; of several one of all, in whatever order they came."""
    digests = sorted({record.digest for record in records})
    if len(digests) == 1:
        return digests[0]
    return hashlib.sha256("\n".join(digests).encode()).hexdigest()
