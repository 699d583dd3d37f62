"""The verdict of a comparison in words, and what must be known beside it.

In:  the document of a comparison. Out: sentences, with numbers as all pages have them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from perfolio.common.units import format_threshold, quantity
from perfolio.comparison.recording_conditions import describe_setting
from perfolio.comparison.run_evidence import MOST_REPEATS

Document = Mapping[str, Any]
_BASES = {
    "iteration": "an iteration",
    "wall": "the whole run",
    "figure time.iteration_median": "the median iteration",
    "figure time.wall": "the whole run",
}
_DIGESTS = frozenset({"shapes"})
_MOST_VALUE = 60
_FIVE = 5


def write_verdict(document: Document) -> str:
    """The verdict, in one sentence or two."""
    kind, difference = document["verdict"]["kind"], document["difference"]
    times = describe_times(document)
    if kind == "not-comparable":
        return f"Not comparable: {_list_mattering(document)}. {times[0].upper()}{times[1:]}."
    if kind == "no-difference" and _is_same_recording(document):
        return "Both sides are the same recordings."
    if kind == "recordings-differ":
        return (
            f"These recordings differ by {describe_change(difference['value'])}: {times}. "
            f"{_say_repeats(difference)}"
        )
    if kind in ("faster", "slower"):
        word = "less" if kind == "faster" else "more"
        share = quantity(abs(difference["value"]), "ratio")
        return f"The runs after take {share} {word} time: {times} ({_say_interval(difference)})."
    if kind == "no-difference":
        floor = format_threshold(difference["floor"], "ratio")
        return (
            f"No difference of {floor} or more: {describe_change(difference['value'])} "
            f"({_say_interval(difference)})."
        )
    return (
        f"These repeats cannot tell: {describe_change(difference['value'])} "
        f"({_say_interval(difference)}). {_say_repeats(difference)}"
    )


def describe_change(value: float) -> str:
    """A change of time with its sign: +2.1 %."""
    return f"{'+' if value > 0 else ''}{quantity(value, 'ratio')}"


def describe_times(document: Document) -> str:
    """What is compared on both sides: `68.91 ms to 55.44 ms an iteration`."""
    whole = document["whole"]
    what = _BASES[whole["basis"]]
    before, after = (quantity(whole[side] / 1e9, "s") for side in ("median_before", "median_after"))
    return f"{what} took {before} before and {after} after"


def _is_same_recording(document: Document) -> bool:
    first, second = ({run["digest"] for run in document[side]} for side in ("before", "after"))
    return first == second and first != {""}


def _list_mattering(document: Document) -> str:
    found = [check for check in document["comparability"] if check["matters"]]
    return "; ".join(f"{check['title']} differs{_say_values(check)}" for check in found)


def _say_values(check: Mapping[str, Any]) -> str:
    """Both values; nothing of a digest."""
    if check["name"] in _DIGESTS:
        return ""
    sides = (
        describe_setting(check["name"], check[side], _MOST_VALUE) for side in ("before", "after")
    )
    return f" ({', '.join(sides)})"


def _say_interval(difference: Mapping[str, Any]) -> str:
    before, after = difference["runs"]
    low, high = (describe_change(difference[end]) for end in ("low", "high"))
    return f"95 % interval {low} to {high}, {before} + {after} runs"


def _say_repeats(difference: Mapping[str, Any]) -> str:
    if difference["repeats"] is None:
        return f"It would take more than {MOST_REPEATS:,} runs on each side to decide."
    assumed = difference["repeats_assume"]
    given = f", if runs differ by {format_threshold(assumed, 'ratio')}" if assumed else ""
    each = max(difference["repeats"], 3)
    return f"{each} runs on each side would decide{given}."


def write_notes(document: Document, repeated: int = 0) -> list[str]:
    """What must be known beside the verdict; `repeated` runs are the recordings of others."""
    return [
        *_note_repeated(document, repeated),
        *_note_evidence(document),
        *_note_conditions(document),
        *_note_time(document),
    ]


def _note_repeated(document: Document, repeated: int) -> Iterator[str]:
    if repeated:
        runs = "1 run is the recording of another one"
        if repeated > 1:
            runs = f"{repeated:,} runs are recordings of others"
        yield f"{runs} of its side: each recording counts once."
    first, second = ({run["digest"] for run in document[side]} for side in ("before", "after"))
    if first != second and first & second - {""}:
        yield "The same recording is on both sides: they are no runs before and after a change."


def _note_evidence(document: Document) -> Iterator[str]:
    difference = document["difference"]
    if difference["least_detectable"] is not None:
        least = quantity(difference["least_detectable"], "ratio")
        yield f"So many runs show a change of {least} in four cases of five."
    if document["verdict"]["kind"] == "recordings-differ":
        yield "One recording tells what is different in it, not that a change made it so."
    if document["verdict"]["kind"] in ("recordings-differ", "cannot-tell"):
        yield f"Record {_FIVE} runs on each side, one of each in turn: before, after, before, ..."
    if difference["order"] == "blocks" and max(difference["runs"]) > 1:
        yield "All runs of one side were recorded before the others: drift looks like a change."


def _note_conditions(document: Document) -> Iterator[str]:
    checks = document["comparability"]
    for check in checks:
        if check["voids"]:
            title = check["title"][0].upper() + check["title"][1:]
            yield f"{title} differs{_say_values(check)}. {check['voids']}"
    unknown = [check["title"] for check in checks if check["agreement"] == "not recorded"]
    if unknown:
        yield f"Not recorded: {', '.join(unknown)}."
    if doubts := _list_doubts(document):
        yield (
            f"A part of the GPU's work is not recorded: {', '.join(doubts)}. No cause is named: "
            "rows that are gone may be not recorded."
        )


def _list_doubts(document: Document) -> list[str]:
    """Why GPU work of runs is recorded in part."""
    runs = (*document["before"], *document["after"])
    return sorted({doubt for run in runs for doubt in run["doubts"]})


def _note_time(document: Document) -> Iterator[str]:
    if not document["waterfall"]:
        yield "Times are not divided: the sides have no recording, or are divided differently."
        return
    share = document["matched_share"]
    if share["before"] == 0 and share["after"] == 0:
        yield "The sides have no kernel in common."
    clock = document["clock"]
    if clock is not None:
        yield (
            f"The same kernels at another clock: {clock['kernels']} kernels, "
            f"{quantity(clock['share'], 'ratio')} of kernel time, take "
            f"{quantity(clock['factor'], 'x')} the time."
        )
    has_cause = document["causes"] or _list_doubts(document)
    if not has_cause and document["whole"]["difference"]:
        yield "The difference is below 2 % of the time: no cause is named."
