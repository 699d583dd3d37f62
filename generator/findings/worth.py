"""What the steps of a roadmap are worth together, in time and, with prices, in money and energy.

In:  the tree of causes, the roadmap, results, and the run's settings (profile.toml).
Out: a `Worth`: a range with the formula of each number, never a number without one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from generator.findings.bounds import factor, measured
from generator.findings.causes import Tree
from generator.findings.joint import Claim, joint_least, joint_most
from generator.findings.roadmap import MATTERS, ON_THE_CLOCK, Roadmap
from generator.metrics.model import Results
from generator.units import quantity

_HOUR = 3600.0
_ONE_WAIT = 0.2
"""From this share of an iteration on, its longest gap is worth a word: as for G9 [ratio]."""
_JOULE = 3.6e6
"""Joules of a kilowatt-hour."""


@dataclass(frozen=True)
class Range:
    """One end of what the steps save together."""

    saved: float
    """In the unit of the tree's whole."""
    reduction: float
    factor: float
    formula: str


@dataclass(frozen=True)
class Returned:
    """What that means in money or energy, for one run like this one."""

    what: str
    """`money` or `energy`."""
    unit: str
    """Currency, or kWh."""
    now: float
    most: float
    least: float | None
    formula: str


@dataclass(frozen=True)
class Worth:
    """All steps together: at most, at least, and what no step can go beyond."""

    of: str
    whole: float
    unit: str
    is_time: bool
    """Whether the whole is time on the clock."""
    most: Range | None
    least: Range | None
    steps: tuple[str, ...]
    """Codes of the steps that are counted, each with the findings that it answers."""
    limit: str
    """What would be left if all else took no time, in a sentence; empty where unknown."""
    iteration: str
    """The same for one iteration of the steady state, in a sentence; empty without iterations."""
    returns: tuple[Returned, ...]
    no_returns: str
    """Why there is no money and no energy, where there is none."""


def worth_of(
    tree: Tree,
    roadmap: Roadmap,
    claims: Mapping[str, Claim],
    results: Results,
    settings: Mapping[str, str],
) -> Worth:
    """What the steps of `roadmap` save together; nothing where none has a gain."""
    answered = (code for step in roadmap.steps for code in (step.code, *step.also))
    counted = [code for code in answered if code in claims]
    most = _most(tree, [claims[code] for code in counted])
    least = _least(tree, [claims[code] for code in counted])
    is_time = tree.whole in ON_THE_CLOCK
    returns, why_not = _returns(tree, most, least, settings)
    return Worth(
        of=tree.of,
        whole=tree.amount,
        unit=tree.unit,
        is_time=is_time,
        most=most,
        least=least,
        steps=tuple(step.code for step in roadmap.steps if step.most is not None),
        limit=_limit(tree),
        iteration=_iteration(results, counted),
        returns=returns,
        no_returns=why_not,
    )


def _most(tree: Tree, claims: Sequence[Claim]) -> Range | None:
    saved = joint_most(tree, claims)
    return _range(
        tree,
        saved,
        "the bound of the one estimate that counts"
        if len(claims) == 1
        else "the bounds of what the steps answer, added up, but of no cause more than there is",
    )


def _least(tree: Tree, claims: Sequence[Claim]) -> Range | None:
    saved = joint_least(tree, claims)
    return _range(
        tree,
        saved,
        "the lower end of the one estimate that counts"
        if len(claims) == 1
        else "the largest lower end of an estimate; they are not added up, because what runs "
        "beside other work is hidden only as long as that work lasts",
    )


def _range(tree: Tree, saved: float, how: str) -> Range | None:
    reduction = saved / tree.amount if tree.amount > 0.0 else 0.0
    if not 0.0 < reduction < 1.0:
        return None
    left = quantity(tree.amount - saved, tree.unit)
    formula = (
        f"{quantity(saved, tree.unit)} of {quantity(tree.amount, tree.unit)}, so that {left} are "
        f"left: {how}."
    )
    return Range(saved, reduction, factor(reduction), formula)


def _limit(tree: Tree) -> str:
    """The GPU's own work, which stays whatever the host does."""
    host = tree.find("host")
    if tree.whole not in ON_THE_CLOCK or host is None or host.amount is None:
        return ""
    own = tree.amount - host.amount
    limit = (
        f"The GPU's own work, {quantity(own, tree.unit)}, is the limit that no change of the "
        "host's side can go below."
    )
    if own < MATTERS * tree.amount:
        limit += " It says how little the GPU holds the run back."
    return f"{limit} It is no gain, because no step makes all of the host's work vanish."


def _iteration(results: Results, counted: Sequence[str]) -> str:
    """The range for one iteration, where a step concerns its longest gap."""
    median = measured(results, "time.iteration_median")
    gap = measured(results, "time.iteration_longest_gap")
    if median is None or gap is None or not _ONE_WAIT * median < gap < median:
        return ""
    if not {"D8", "G6", "G9"} & set(counted):
        return ""
    beside, without = max(gap, median - gap), median - gap
    if (measured(results, "sampling.metrics_listed") or 0.0) > 0.0:
        return (
            f"Start-up takes a smaller share of a longer run. There, an iteration counts: "
            f"{quantity(median, 's')} as it was profiled, {quantity(without, 's')} if its longest "
            "gap vanishes. PC sampling makes what is left much longer, so no factor follows."
        )
    return (
        f"Start-up takes a smaller share of a longer run. There, an iteration of "
        f"{quantity(median, 's')} counts: {quantity(beside, 's')} if its longest gap runs beside "
        f"the rest ({quantity(median / beside, 'x')}), {quantity(without, 's')} if that gap "
        f"vanishes ({quantity(median / without, 'x')})."
    )


def _returns(
    tree: Tree, most: Range | None, least: Range | None, settings: Mapping[str, str]
) -> tuple[tuple[Returned, ...], str]:
    if most is None:
        return (), "No step has a gain that could be counted."
    if tree.whole not in ON_THE_CLOCK:
        return (), "Prices are per hour on the clock, and these shares are of no time on the clock."
    gpus = _number(settings, "price.gpus") or 1.0
    hours = [each.saved * gpus / _HOUR if each else None for each in (most, least)]
    found = []
    price, power = _number(settings, "price.gpu_hour"), _number(settings, "price.gpu_power")
    now = tree.amount * gpus / _HOUR
    if price is not None:
        unit = settings.get("price.currency", "")
        found.append(_scaled("money", unit, price, (now, *hours), f"{price:g} {unit} per GPU-hour"))
    if power is not None:
        words = f"{power:g} W per GPU, as if it drew that all the time, so rather too much"
        found.append(_scaled("energy", "kWh", power * _HOUR / _JOULE, (now, *hours), words))
    why_not = "" if found else "profile.toml gives no price per GPU-hour and no power."
    return tuple(found), why_not


def _scaled(
    what: str, unit: str, rate: float, hours: tuple[float | None, ...], words: str
) -> Returned:
    now, most, least = (None if each is None else each * rate for each in hours)
    return Returned(
        what=what,
        unit=unit,
        now=now or 0.0,
        most=most or 0.0,
        least=least,
        formula=f"GPUs × time in hours × {words}",
    )


def _number(settings: Mapping[str, str], key: str) -> float | None:
    return float(settings[key]) if key in settings else None
