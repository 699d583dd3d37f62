"""How severe a finding may be for what it is worth, and the order of findings.

In:  severities by thresholds, shares of time on the clock, findings.
Out: the severity that a share allows, findings capped by what they concern, and a sort key.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from perfolio.common.units import quantity
from perfolio.findings.estimates.wall_clock import find_elapsed, find_sampled_gaps
from perfolio.findings.evaluation import finding_sentences, threshold_margin
from perfolio.findings.model.denominator import WholeKind, describe_steady
from perfolio.findings.model.finding import Estimate, Finding
from perfolio.findings.model.rule import SEVERITIES, Severity
from perfolio.findings.tree.affected_share import compute_concerned_share
from perfolio.findings.tree.cause_tree import ON_THE_CLOCK, CauseTree
from perfolio.metrics.model import Results

_ORDER = ("fired", "error", "passed", "not_evaluated", "not_applicable")
_CAPS: tuple[tuple[float, Severity], ...] = ((0.01, "info"), (0.05, "low"))
"""What is worth less than this share of time on the clock is no severer than this."""


def cap_severity(severity: Severity, share: float) -> tuple[Severity, float | None]:
    """The severity that a share of time on the clock allows, and the cap, if it needed one."""
    for cap, mildest in _CAPS:
        if share < cap and SEVERITIES.index(severity) < SEVERITIES.index(mildest):
            return mildest, cap
    return severity, None


def cap_by_cause(
    findings: Sequence[Finding], tree: CauseTree, results: Results
) -> tuple[Finding, ...]:
    """`findings` in order, those without an estimate no severer than their causes allow.

    A finding cannot matter more than the time that it concerns. Where its own cause has no
    amount in this run, the nearest one above counts. Those with an estimate were capped by it.
    """
    clock = find_elapsed(results) if tree.whole in ON_THE_CLOCK else None
    found = (_cap_finding(each, tree, clock.words, results) if clock else each for each in findings)
    return order_findings(found)


def _cap_finding(finding: Finding, tree: CauseTree, of: str, results: Results) -> Finding:
    if finding.status != "fired" or finding.estimate is not None:
        return finding
    share = compute_concerned_share(finding, tree, results)
    if share is not None and tree.steady is not None and tree.recurs(finding.rule.cause):
        share = tree.judged_share(share * tree.amount, finding.rule.cause)
        of = describe_steady(tree.left_out)
    return (
        finding
        if share is None
        else _lower_severity(finding, share, of, "What it concerns is", results)
    )


def cap_by_worth(finding: Finding, results: Results) -> Finding:
    """A fired finding, no severer than its estimate allows where that is of time on the clock."""
    worth = finding.estimate
    if worth is None or not worth.of.compares:
        return finding
    share, of = worth.reduction, worth.of.words.partition(";")[0]
    if worth.steady is not None:
        share, of = worth.steady, describe_steady(find_sampled_gaps(results))
    return _lower_severity(finding, share, of, "It is worth", results)


def _lower_severity(
    finding: Finding, share: float, of: str, words: str, results: Results
) -> Finding:
    """No severer than a share allows, and why; as it is where that allows its severity."""
    severity, cap = cap_severity(finding.severity or "info", share)
    if cap is None:
        return finding
    most = f"{words} at most {quantity(share, 'ratio')} of {of}"
    return replace(
        finding,
        severity=severity,
        sentence=finding_sentences.write_fired_for_little(finding, most, severity, results),
        margin=threshold_margin.make_worth_margin(finding, share, of, severity, cap),
    )


def order_findings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """By `rank`, but for a fired one that another waits for: as severe, of at most twice its worth.

    That one comes first, as on the roadmap: what the other is worth is known only after it.
    """
    done: list[Finding] = []
    for finding in sorted(findings, key=rank_finding):
        before = done if finding.status == "fired" else ()
        waiting = (place for place, other in enumerate(before) if _is_waiting_for(other, finding))
        done.insert(next(waiting, len(done)), finding)
    return tuple(done)


def _is_waiting_for(finding: Finding, first: Finding) -> bool:
    if first.rule.code not in finding.rule.after or {finding.status, first.status} != {"fired"}:
        return False
    if finding.severity != first.severity:
        return False
    own, its = finding.estimate, first.estimate
    if own is None or its is None or {own.kind, its.kind} != {"gain"}:
        return False
    (whole, worth), (of, most) = _find_judged_share(own), _find_judged_share(its)
    return whole == of and 2.0 * most >= worth


def _find_judged_share(worth: Estimate) -> tuple[WholeKind, float]:
    """What an estimate is compared by, and its share of that: the steady iterations if it may."""
    if worth.steady is not None:
        return "steady", worth.steady
    return "steady" if worth.of.recurs else worth.of.kind, worth.reduction


def rank_finding(finding: Finding) -> tuple[int, int, int, float, str]:
    """Sort key: state, severity, then worth of fired ones or margin of passed ones.

    Worth is of the steady iterations where it may lie there, else of its own whole.
    What is worth time on the clock comes before what is a share of something else: shares of two
    wholes do not compare. What is only limited comes after both: what it brings nobody knows.
    """
    severity = SEVERITIES.index(finding.severity) if finding.severity else len(SEVERITIES)
    estimate = finding.estimate
    worth = _find_judged_share(estimate)[1] if estimate else 0.0
    second = (
        -worth if finding.status == "fired" else threshold_margin.get_relative_distance(finding)
    )
    off_clock = estimate is None or not estimate.of.compares
    kind = 2 if estimate is not None and estimate.kind == "limit" else int(off_clock)
    return (_ORDER.index(finding.status), severity, kind, second, finding.rule.code)
