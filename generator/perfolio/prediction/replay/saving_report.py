"""What changes save, for a reader.

In:  a run that is replayed, and changes. Out: a `Prediction`.
"""

from __future__ import annotations

from collections.abc import Sequence

from perfolio.common.errors import UsageError
from perfolio.common.units import quantity
from perfolio.findings.model.step_replay import (
    StepReplay,
    StraggledRun,
    describe_decider,
    name_unit,
)
from perfolio.prediction.model import PredictedFigure, PredictedTable, Prediction
from perfolio.prediction.replay.change_file import Change, load_changes
from perfolio.prediction.replay.change_kinds import explain_nothing
from perfolio.prediction.replay.savings import ReplayedRun, ReplayedSaving
from perfolio.prediction.replay.step_savings import find_resources

_RULE = (
    "An operation begins when its stream is free, its call has been made, copies of its direction "
    "are done, and what it waits for has ended; the host goes on when its waits are over."
)
_ASSUMPTIONS = (
    "Kernels do not slow each other; a wait that a change would move elsewhere is not foreseen.",
    "What a change costs to make, and what else it changes in the program, is not part of it.",
)
_TOLD, _SHOWN = 5, 0.01
"""Ranks, and kinds of operations, that are told: those that recover most, and so much [ratio]."""


def describe_savings(
    known: StepReplay,
    replayed: ReplayedRun,
    changes: Sequence[Change],
    found: StraggledRun | None = None,
) -> Prediction:
    """What changes save together; of none, what each known one saves alone.

    `found` says of several ranks who holds up the others: told where no change is named.
    Raises UsageError where a change concerns nothing in the run.
    """
    if not changes:
        return _describe_all(known, replayed, found)
    for change in changes:
        if not replayed.compute_saving([change]).touched:
            raise UsageError(f"{change.name}: {explain_nothing(replayed.graph, change)}")
    together = replayed.compute_saving(changes)
    figures = [*_describe_run(known), *_describe_saving(known, together)]
    rows = [
        _describe_row(change, replayed, changes[: place + 1])
        for place, change in enumerate(changes)
    ]
    return Prediction(
        title="Replayed: " + "; ".join(change.title for change in changes),
        answer=_describe_answer(replayed, together),
        figures=figures,
        formulas=(_RULE, *(change.source for change in changes)),
        assumptions=_list_assumptions(known, changes),
        tables=(
            PredictedTable("One after the other", ("Change", "Alone", "Together so far"), rows),
            *_list_resources(replayed, changes),
        ),
    )


def _describe_saving(known: StepReplay, together: ReplayedSaving) -> tuple[PredictedFigure, ...]:
    """What is left of an iteration, and what is saved: where that is the least, without a range."""
    step, unit = known.unchanged, _name_unit(known)
    if together.is_least:
        left = step * (1.0 - together.low)
        return (
            PredictedFigure(f"{unit} with the changes, at most", left, "s"),
            PredictedFigure("Saved, at least", together.low, "ratio"),
        )
    low, high = _widen(together)
    left = step * (1.0 - _middle(together))
    return (
        PredictedFigure(
            f"{unit} with the changes", left, "s", step * (1.0 - high), step * (1.0 - low)
        ),
        PredictedFigure("Saved", _middle(together), "ratio", low, high),
    )


def _describe_all(
    known: StepReplay, replayed: ReplayedRun, stragglers: StraggledRun | None
) -> Prediction:
    found = [(change, replayed.compute_saving([change])) for change in load_changes().values()]
    ordered = sorted(
        (pair for pair in found if pair[1].touched), key=lambda pair: -_middle(pair[1])
    )
    rows = [(change.name, change.title, _format_share(saving)) for change, saving in ordered]
    unit = name_unit(vars(known))
    return Prediction(
        title="Each change alone",
        answer=_describe_blame(stragglers),
        figures=_describe_run(known),
        formulas=(_RULE,),
        assumptions=_list_assumptions(known, ()),
        tables=(
            PredictedTable("Changes", ("Name", "Change", f"Saves of {unit}"), rows),
            *_list_resources(replayed, ()),
            *_list_mended(stragglers),
        ),
    )


def _describe_run(known: StepReplay) -> list[PredictedFigure]:
    unit = _name_unit(known)
    figures = [PredictedFigure(f"{unit} as recorded", known.recorded, "s")]
    if known.plain is not None:
        figures.append(PredictedFigure("The same without the profiler", known.plain, "s"))
    figures.append(PredictedFigure(f"{unit} replayed", known.unchanged, "s"))
    if not known.is_recording:
        figures.append(PredictedFigure("Iterations", known.iterations, "count"))
    figures.append(PredictedFigure("Not explained", known.unexplained, "ratio"))
    return figures


def _name_unit(known: StepReplay) -> str:
    return name_unit(vars(known)).capitalize()


def _describe_row(
    change: Change, replayed: ReplayedRun, before: Sequence[Change]
) -> tuple[str, str, str]:
    alone, together = replayed.compute_saving([change]), replayed.compute_saving(before)
    return change.title, _format_share(alone), _format_share(together)


def _list_resources(replayed: ReplayedRun, changes: Sequence[Change]) -> tuple[PredictedTable, ...]:
    found = find_resources(replayed, changes)
    if not found:
        return ()
    columns = ("Resource", "Now", *(("After the changes",) if changes else ()))
    rows = [
        (
            one.title,
            PredictedFigure("", one.now, "ratio"),
            *((PredictedFigure("", one.after, "ratio"),) if changes else ()),
        )
        for one in found
    ]
    return (PredictedTable("What 10 % less of a resource saves", columns, rows),)


def _describe_blame(found: StraggledRun | None) -> str:
    """Who holds up the others, or why that is not told; empty of one rank."""
    if found is None:
        return ""
    if found.reason:
        return f"Who holds up the others is not replayed: {found.reason}."
    return found.advice


def _list_mended(found: StraggledRun | None) -> tuple[PredictedTable, ...]:
    """What is lost as ranks are not alike, and what mending each part alone recovers."""
    if found is None or found.lost is None or not found.causes:
        return ()
    parts = [
        *found.causes,
        *(part for part in (*found.ranks[:_TOLD], *found.kinds[:_TOLD]) if part.recovers >= _SHOWN),
    ]
    rows = [
        (
            part.title,
            PredictedFigure("", part.recovers, "ratio"),
            PredictedFigure("", part.recovers * found.lost, "ratio"),
        )
        for part in parts
    ]
    lost = quantity(found.lost, "ratio")
    title = f"Made alike, alone, of {lost} of an iteration that is lost"
    return (PredictedTable(title, ("Part", "Recovers", "Saves of an iteration"), rows),)


def _describe_answer(replayed: ReplayedRun, saving: ReplayedSaving) -> str:
    if saving.is_nothing:
        decides = describe_decider([vars(one) for one in find_resources(replayed, ())])
        return f"Saves nothing now{', as ' + decides if decides else ''}."
    return ""


def _list_assumptions(known: StepReplay, changes: Sequence[Change]) -> tuple[str, ...]:
    found = list(_ASSUMPTIONS)
    if known.plain is not None and 0.0 < known.host < 1.0:
        found.append(
            f"The host's work takes {known.host:.0%} of the recorded time, so that an iteration "
            "is as long as without the profiler."
        )
    elif known.plain is not None and known.host == 0.0:
        found.append(
            "The host's work alone does not explain the time without the profiler, so that nothing "
            "was taken off."
        )
    elif known.plain is not None and known.plain > known.recorded:
        found.append("Without the profiler it took no less time, so that nothing was taken off.")
    if any(change.modelled for change in changes):
        found.append(
            "Another device is a model of nominal rates, and no replay of this one alone: runs "
            "that were recorded on both were up to 5 % off."
        )
    return tuple(found)


def _format_share(saving: ReplayedSaving) -> str:
    ends = dict.fromkeys((quantity(saving.low, "ratio"), quantity(saving.high, "ratio")))
    least = "at least " if saving.is_least else ""
    return "nothing now" if saving.is_nothing else least + " to ".join(ends)


def _middle(saving: ReplayedSaving) -> float:
    return (saving.low + saving.high) / 2.0


def _widen(saving: ReplayedSaving) -> tuple[float, float]:
    """The range, with the error of its ends."""
    return saving.low - saving.low_error, min(1.0, saving.high + saving.high_error)
