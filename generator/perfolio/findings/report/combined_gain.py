"""What the steps of a roadmap are worth together, in time and, with prices, in money and energy.

In:  the tree of causes, the roadmap, results, and the run's settings (profile.toml).
Out: a `CombinedWorth`: a joint bound with its formula; none where steps are bounded in different
     wholes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from perfolio.common.units import compute_half_width, quantity
from perfolio.findings.estimates.bound_formulas import clamp_share
from perfolio.findings.estimates.launches import sum_behind
from perfolio.findings.estimates.time_ledger import COMPLETE, STEADY, select_cells
from perfolio.findings.estimates.wall_clock import is_profiled
from perfolio.findings.model import change_effect
from perfolio.findings.model.change_effect import ChangeEffect
from perfolio.findings.model.conditions import find_shared_condition, is_met
from perfolio.findings.model.denominator import describe_steady
from perfolio.findings.model.finding import choose_factor
from perfolio.findings.model.wording import format_figure
from perfolio.findings.tree.cause_tree import ON_THE_CLOCK, CauseTree, is_ending_long_waits
from perfolio.findings.tree.roadmap import MATTERS, Roadmap
from perfolio.metrics.metric_values import get_rows, get_value
from perfolio.metrics.model import Results

_HOUR = 3600.0
_ONE_WAIT = 0.2
"""From this share of an iteration on, its longest gap is worth a word: as for G9 [ratio]."""
_MUCH = 0.1
"""From this share of wall time on, start-up is worth a word [ratio]."""
_LONGER = "Start-up takes a smaller share of a longer run."
_APART = (
    "What a step saves is bounded in another whole than the rest of this report, so that no sum "
    "over the steps has a price."
)
_JOULE = 3.6e6
"""Joules of a kilowatt-hour."""


@dataclass(frozen=True)
class CombinedSaving:
    """What the steps save together at most."""

    saved: float
    """In the unit of the tree's whole."""
    reduction: float
    factor: float | None
    """None where it would be read as a promise: see `choose_factor`."""
    formula: str
    steady: float | None = None
    """As a share of the steady iterations, so of a long run; None without a part in it [ratio]."""


@dataclass(frozen=True)
class SavingReturn:
    """What that means in money or energy, for one run like this one."""

    what: str
    """`money` or `energy`."""
    unit: str
    """Currency, or kWh."""
    now: float
    most: float
    formula: str


@dataclass(frozen=True)
class CombinedWorth:
    """All steps together: at most, and what no step can go beyond."""

    of: str
    whole: float
    unit: str
    is_time: bool
    """Whether the whole is time on the clock."""
    most: CombinedSaving | None
    """None where nothing bounds them, or a step is bounded in another whole: then no number is
    true of all of them."""
    steps: tuple[str, ...]
    """Codes of the steps that are counted, each with the findings that it answers."""
    unbounded: tuple[str, ...]
    """Codes of the steps that nothing bounds: what they save comes on top."""
    limit: str
    """What would be left if all else took no time, in a sentence; empty where unknown, and of
    several GPUs."""
    iteration: str
    """The same for one iteration of the steady state, in a sentence; empty without iterations."""
    returns: tuple[SavingReturn, ...]
    no_returns: str
    """Why there is no money and no energy, where there is none."""


def compute_worth(
    tree: CauseTree, roadmap: Roadmap, results: Results, settings: Mapping[str, str]
) -> CombinedWorth:
    """What the steps of `roadmap` save together; nothing where none has a gain."""
    effects = [each for step in roadmap.steps for each in step.effects]
    counted = sum(step.gains for step in roadmap.steps)
    apart = any(step.apart for step in roadmap.steps)
    long = _compute_long_run_share(tree, roadmap, effects)
    most = None if apart else _compute_most(tree, results, effects, counted, long)
    is_time = tree.whole in ON_THE_CLOCK
    returns, why_not = _compute_returns(tree, most, settings, apart=apart)
    return CombinedWorth(
        of=tree.of,
        whole=tree.amount,
        unit=tree.unit,
        is_time=is_time,
        most=most,
        steps=tuple(step.code for step in roadmap.steps if step.most is not None),
        unbounded=tuple(s.code for s in roadmap.steps if s.most is None and not s.apart),
        limit=_describe_limit(tree, results),
        iteration=_describe_iteration(tree, results, effects)
        or _describe_steady(tree, most, results),
        returns=returns,
        no_returns=why_not,
    )


def _compute_most(
    tree: CauseTree,
    results: Results,
    effects: Sequence[ChangeEffect],
    count: int,
    long: float | None,
) -> CombinedSaving | None:
    saved = tree.saved(effects)
    reduction = tree.share(saved)
    if not 0.0 < reduction < 1.0:
        return None
    left = quantity(tree.amount - saved, tree.unit)
    how = (
        "the bound of the one estimate that counts"
        if count == 1
        else "the bounds of what the steps answer, added up where they concern different time, but "
        "of no cause more than there is"
    )
    formula = (
        f"{quantity(saved, tree.unit)} of {quantity(tree.amount, tree.unit)}, so "
        f"that {left} are "
        f"left: {how}."
    )
    is_told = tree.whole in ON_THE_CLOCK and not is_profiled(results)
    return CombinedSaving(
        saved, reduction, choose_factor(reduction) if is_told else None, formula, long
    )


def _compute_long_run_share(
    tree: CauseTree, roadmap: Roadmap, effects: Sequence[ChangeEffect]
) -> float | None:
    """The share of iterations that steps save together at most [ratio]; None without a part there.

    No more than the sum of what each saves. Where short gaps are left out of the run, shares of
    iterations have different wholes, and only that of a single step is told.
    """
    bounded = [step for step in roadmap.steps if step.most is not None]
    if tree.steady is None or (tree.left_out and len(bounded) > 1):
        return None
    alone = math.fsum(step.steady or 0.0 for step in bounded)
    return (alone if tree.left_out else min(alone, _compute_iteration_share(tree, effects))) or None


def _compute_iteration_share(tree: CauseTree, effects: Sequence[ChangeEffect]) -> float:
    """The share of iterations that effects save at most [ratio].

    Of complete ones or of all steady ones, whichever is more: bounds of one step are of either.
    """
    of_all = tree.judged_share(
        change_effect.compute_saved(effects, select_cells(tree.cells, STEADY)), ""
    )
    whole = change_effect.sum_cells(tree.cells, COMPLETE)
    found = change_effect.compute_saved(effects, select_cells(tree.cells, COMPLETE))
    return max(of_all, clamp_share(found / whole) if whole > 0.0 else 0.0)


def _describe_limit(tree: CauseTree, results: Results) -> str:
    """The GPU's own work: its kernels stay whatever the host does, its copies may go.

    Nothing of several GPUs: those that wait for another one in a collective operation count as
    busy, so that what holds up one host is in the work of all.
    """
    host, gpus = tree.find("host"), get_value(results, "run.gpus") or 1.0
    if tree.whole not in ON_THE_CLOCK or host is None or host.amount is None or gpus > 1.0:
        return ""
    own = tree.amount - (host.most or host.amount)
    kernels, work = get_value(results, "time.kernel_busy"), quantity(own, tree.unit)
    behind = sum_behind(results)
    least = quantity(own - behind, tree.unit)
    limit = (
        f"The GPU's own work, {work}, is the limit"
        if least == work
        else f"The GPU's own work takes {work}, of which copies of {quantity(behind, tree.unit)} "
        f"can run behind kernels: {least} are the limit"
    )
    limit += " that no change of the host's side can go below while kernels last as long as now"
    if kernels is not None and kernels < own and quantity(kernels, tree.unit) != work:
        alone = quantity(kernels, tree.unit)
        limit += f" and copies stay as they are; its kernels alone take {alone}"
    limit += "."
    if tree.judged_share(own, "gpu") < MATTERS:
        limit += " It says how little the GPU holds the run back."
    return f"{limit} It is no gain, because no step makes all of the host's work vanish."


def _describe_iteration(tree: CauseTree, results: Results, effects: Sequence[ChangeEffect]) -> str:
    """What steps leave of one iteration, where one concerns its longest gap."""
    median = get_value(results, "time.iteration_median")
    gap = get_value(results, "time.iteration_longest_gap")
    if median is None or gap is None or not _ONE_WAIT * median < gap < median:
        return ""
    if not is_ending_long_waits(effects, tree):
        return ""
    longer = f"{_LONGER} There, an iteration counts: "
    now, without = quantity(median, "s"), quantity(median - gap, "s")
    if is_profiled(results):
        return f"{longer}{now} as it was profiled, {_describe_unprofiled(without, results)}"
    workers = "".join(
        f"{quantity(float(row['with_eight'] or 0.0), 's')} with 8 workers that prepare "
        "ahead, "
        "each on a core of its own, "
        for row in get_rows(results, "target.workers")[:1]
    )
    return f"{longer}{now} now, {workers}{without} if its longest gap vanishes."


def _describe_unprofiled(without: str, results: Results) -> str:
    """What is left of a profiled iteration, and of one without the profiler, by samples."""
    unsure = "PC sampling makes what is left much longer, so no factor follows."
    own, rest = (results.get(f"time.{name}") for name in ("iteration_profiler", "unprofiled_rest"))
    if not (own and own.value and rest and rest.value):
        return f"{without} if its longest gap vanishes. {unsure}{_describe_hook(results)}"
    calls = format_figure(own, "s")
    half = compute_half_width(rest.low, rest.high)
    left = " to ".join(quantity(end, "s", half) for end in (rest.low, rest.high) if end is not None)
    return (
        f"{without} if its longest gap vanishes. By samples of the host, {calls} of an iteration "
        "are on average the profiler's own calls: without these and without input, "
        f"{left or 'about ' + quantity(rest.value, 's')} are left."
    )


def _describe_hook(results: Results) -> str:
    """What is known of an iteration whose samples were dropped: that it is too long."""
    if not is_met(find_shared_condition("hooked"), results):
        return ""
    return (
        " Most of the gap itself is most likely the profiler's hook in Python: the share that "
        "vanishes is smaller without the profiler."
    )


def _describe_steady(tree: CauseTree, most: CombinedSaving | None, results: Results) -> str:
    """The same of the steady iterations, where start-up takes much of the run."""
    if most is None or most.steady is None or tree.steady is None or is_profiled(results):
        return ""
    if (get_value(results, "time.start_up_share") or 0.0) < _MUCH or most.saved >= tree.steady:
        return ""
    recurring = quantity(most.steady * tree.steady, "s")
    apart = f"{recurring} of it, what is saved only once left out,"
    same = f"the same {recurring}" if recurring == quantity(most.saved, "s") else apart
    return (
        f"{_LONGER} There, {describe_steady(tree.left_out)} count: {same} "
        f"are at most {quantity(most.steady, 'ratio')} of their "
        f"{quantity(tree.steady, 's')} here."
    )


def _compute_returns(
    tree: CauseTree, most: CombinedSaving | None, settings: Mapping[str, str], *, apart: bool
) -> tuple[tuple[SavingReturn, ...], str]:
    if most is None:
        return (), _APART if apart else "No step has a gain that could be counted."
    if tree.whole not in ON_THE_CLOCK:
        return (), "Prices are per hour on the clock, and these shares are of no time on the clock."
    gpus = _read_number(settings, "price.gpus") or 1.0
    found = []
    price, power = (
        _read_number(settings, "price.gpu_hour"),
        _read_number(settings, "price.gpu_power"),
    )
    hours = tuple(each * gpus / _HOUR for each in (tree.amount, most.saved))
    if price is not None:
        unit = settings.get("price.currency", "")
        found.append(_make_return("money", unit, price, hours, f"{price:g} {unit} per GPU-hour"))
    if power is not None:
        words = f"{power:g} W per GPU, assuming full power throughout: an upper estimate"
        found.append(_make_return("energy", "kWh", power * _HOUR / _JOULE, hours, words))
    why_not = "" if found else "profile.toml gives no price per GPU-hour and no power."
    return tuple(found), why_not


def _make_return(
    what: str, unit: str, rate: float, hours: tuple[float, ...], words: str
) -> SavingReturn:
    now, most = (each * rate for each in hours)
    return SavingReturn(what, unit, now, most, f"GPUs × time in hours × {words}")


def _read_number(settings: Mapping[str, str], key: str) -> float | None:
    return float(settings[key]) if key in settings else None
