"""An exercise on one run: every item with its key, or a gap with the reason.

In:  an exercise, the run, the run before where it names one, and how text is filled in.
Out: `Sheet`. NotAskedError where more than a third of the points vanish, with the list; of a
     partial exercise only where all of them do.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping

from perfolio.common.errors import ContentError, UsageError
from perfolio.exercises.collect_commands import choose_command
from perfolio.exercises.item_context import ItemContext, Say
from perfolio.exercises.items import load_item_type
from perfolio.exercises.model import (
    Exercise,
    Item,
    Json,
    KeyedItem,
    NotAskedError,
    Prose,
    Question,
    QuestionGap,
    Sheet,
)
from perfolio.exercises.run_conditions import evaluate_condition
from perfolio.exercises.run_view import Run

MOST_MISSING = 1.0 / 3.0
_ID_SIGNS = 8


def is_offered(exercise: Exercise, run: Run, runs: Mapping[str, Run]) -> bool:
    """Whether a run has what an exercise needs; one about two runs is of these two alone."""
    paired = not exercise.before or (run.slug == exercise.run and exercise.before in runs)
    return paired and run.meets(exercise.needs)


def find_run_before(exercise: Exercise, runs: Mapping[str, Run]) -> Run | None:
    """The run before the change, where an exercise names one that is there."""
    return runs.get(exercise.before) if exercise.before else None


def make_sheet(
    exercise: Exercise,
    run: Run,
    say: Say,
    *,
    runs: Mapping[str, Run] | None = None,
    variant: str = "",
    learner: str = "",
) -> Sheet:
    """The sheet of an exercise on a run; `runs` are those that `before` may name, by slug.

    Letters depend on the name of the `variant`, the sheet's id on the `learner` too.
    """
    before = find_run_before(exercise, runs or {})
    run = run.after(before)
    values: dict[str, float] = {}
    body: list[Prose | Question] = []
    for part in exercise.body:
        if isinstance(part, Prose):
            body.append(part)
            continue
        names = {each.replace("-", "_"): each for each in part.follows}
        earlier = {name: values[id_] for name, id_ in names.items() if id_ in values}
        seed = (exercise.slug, run.slug, variant, part.id)
        context = ItemContext(part, run, before, runs or {}, seed, say, earlier, names)
        question = _make_located_question(part, context, exercise)
        if question.keyed and (accept := question.keyed.key.get("accept")):
            values[part.id] = accept[0]["value"]
        body.append(question)
    named = [variant, learner] if learner else [variant]
    id_ = _make_sheet_id(exercise, run, named, body)
    made = Sheet(exercise, run.named(), variant, id_, tuple(body), learner)
    _refuse_emptied(made)
    return made


def _make_located_question(item: Item, context: ItemContext, exercise: Exercise) -> Question:
    """An item as it is asked, or why it is not. ContentError names it where it is faulty."""
    try:
        return _make_question(item, context, exercise)
    except (ContentError, UsageError) as problem:
        raise ContentError(f"{item.where}: {problem}") from problem


def _make_question(item: Item, context: ItemContext, exercise: Exercise) -> Question:
    try:
        _refuse_absent(item, context, exercise)
        made = load_item_type(item.type).key(context)
        return Question(item, _add_common_parts(item, made, context, exercise))
    except NotAskedError as gap:
        ask = context.fill_known(item.ask)
        return Question(item, None, QuestionGap(gap.reason, gap.collect, gap.refused, ask))


def _refuse_absent(item: Item, context: ItemContext, exercise: Exercise) -> None:
    """Refuse what its author says no such run can be asked, and what follows from that."""
    absent = item.absent
    if absent is not None and (not absent.when or evaluate_condition(absent.when, context.run)):
        raise NotAskedError(absent.reason, collect=choose_command(absent.collect, context.run))
    missing = [id_ for name, id_ in context.ids.items() if name not in context.earlier]
    if missing:
        asks = {each.id: each.ask for each in exercise.items}
        first = context.fill_known(asks[missing[0]])
        raise NotAskedError(f"it follows from another answer, and that is not asked here: {first}")


def _add_common_parts(
    item: Item, made: KeyedItem, context: ItemContext, exercise: Exercise
) -> KeyedItem:
    """What is common to all types."""
    common: Json = {"id": item.id, "type": item.type, "points": item.points}
    shown = {
        "ask": context.say(item.ask),
        "hints": [hint for each in item.hints if (hint := context.fill_known(each))],
        "step": item.step,
        **made.shown,
        **common,
    }
    key = {
        "ask": shown["ask"],
        "objectives": [exercise.objectives[each] for each in item.tests],
        "explain": context.fill_known(item.explain),
        "follows": list(item.follows),
        **made.key,
        **{name: common[name] for name in ("type", "points")},
    }
    return KeyedItem(shown, key, made.dropped)


def _refuse_emptied(sheet: Sheet) -> None:
    total = sum(each.item.points for each in sheet.questions)
    missing = [each for each in sheet.questions if each.keyed is None]
    lost = sum(each.item.points for each in missing)
    emptied = lost >= total > 0.0 if sheet.exercise.partial else lost > MOST_MISSING * total
    if not sheet.answerable or emptied:
        listed = "; ".join(f"{each.item.id}: {each.gap.reason}" for each in missing if each.gap)
        raise NotAskedError(
            f"{sheet.exercise.slug}: {lost:g} of {total:g} points cannot be asked of "
            f"{sheet.run['slug']}: {listed}"
        )


def _make_sheet_id(
    exercise: Exercise, run: Run, variant: list[str], body: list[Prose | Question]
) -> str:
    """Eight signs that name the exercise, the run with its answers, the variant and its learner."""
    keys = [part.keyed.key for part in body if isinstance(part, Question) and part.keyed]
    text = json.dumps([exercise.digest, run.named(), *variant, keys], sort_keys=True)
    digest = hashlib.sha256(text.encode()).digest()
    return base64.b32encode(digest).decode()[:_ID_SIGNS]
