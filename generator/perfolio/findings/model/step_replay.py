"""What a replay of the run says, of steps and of ranks that are not alike; what a step is to save.

In:  nothing for the types, which `perfolio.prediction.replay` fills, as findings know no store; a
     finding as findings.json has it, and the replay of its run. Out: a `StepExpectation`: the one
     choice that pages, exports, money and promises read.

A replay of the run counts first, as it is of this run; then what steps of the kind reached of their
bounds; then the bound alone, of which nothing more is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, Protocol

import msgspec

from perfolio.common.units import quantity
from perfolio.findings.model.denominator import RECURRING, STEADY, WITHOUT


@dataclass(frozen=True)
class ReplayedShare:
    """What is saved of an iteration."""

    low: float
    """At worst [ratio]; below 0 it takes longer."""
    high: float
    """At best [ratio]."""


class ReplayedStep(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One change that stands for steps of a roadmap, replayed."""

    codes: tuple[str, ...]
    """Of the steps, as the roadmap had them."""
    change: str
    """Its name: `perfolio whatif --change`."""
    title: str
    alone: ReplayedShare
    error: float
    """Twice the standard error of what it saves alone [ratio]."""
    added: float
    """The sum of what the changes up to this one save alone, in the middle [ratio]."""
    together: ReplayedShare
    """What the changes up to this one save together."""
    is_nothing: bool
    """Whether what it saves alone shows in no iteration."""
    least: bool = False
    """Whether it saves at least that; what it saves beyond shows in no recording."""


@dataclass(frozen=True)
class ReplayedResource:
    """What an iteration gains where one resource takes 10 % less: what stops more."""

    title: str
    now: float
    """Of an iteration as it is [ratio]."""
    after: float
    """Of one after all steps [ratio]."""


@dataclass(frozen=True)
class ReplayedTimeline:
    """One iteration before and after all changes, as columns of marks."""

    before: float
    """How long it is [s]."""
    after: float
    is_after: tuple[bool, ...]
    """Of each mark whether it is of the iteration with the changes."""
    lane: tuple[str, ...]
    kind: tuple[str, ...]
    """Of the host work, call or wait; of streams the kind of operation."""
    start: tuple[float, ...]
    """Since the iteration's first operation began [s]."""
    stop: tuple[float, ...]
    share: tuple[float, ...]
    """How much of it is busy; below 1 where it is a slice of time [ratio]."""
    at_worst: bool = False
    """Whether a change has a range, of which the worse end is drawn."""


@dataclass(frozen=True)
class StepReplay:
    """A run, replayed with its steps."""

    reason: str
    """Why nothing is replayed; empty where it is."""
    unexplained: float
    """Share of the time that neither streams nor calls explain [ratio]."""
    recorded: float
    """An iteration as it was recorded [s]."""
    plain: float | None
    """The same without the profiler, where that is known [s]."""
    host: float
    """Factor of the host's work by which the profiler's cost is taken off [ratio]."""
    unchanged: float
    """An iteration of the replay without a change [s]."""
    iterations: int
    is_recording: bool = False
    """Whether nothing marks iterations, so that the whole recording is replayed as one."""
    steps: tuple[ReplayedStep, ...] = ()
    """In the order in which they save most together."""
    resources: tuple[ReplayedResource, ...] = ()
    """From what stops most."""
    timeline: ReplayedTimeline | None = None
    """None where no iteration can be drawn."""


NOTABLE = 1.02
"""Up to this slowdown nothing is worth mending: a replay is off by up to 0.5 % [ratio]."""


@dataclass(frozen=True)
class MendedPart:
    """A part of the work that is made alike, alone."""

    key: str
    """Of a cause its name, of a rank its number."""
    title: str
    slowdown: float | None
    """An iteration with this part as recorded and all else ideal, over the ideal one [ratio];
    none of what is no part of the work."""
    recovers: float
    """What mending it alone saves, of all that is lost [ratio]."""


@dataclass(frozen=True)
class StraggledRun:
    """Iterations as they are, and with ranks that are alike."""

    reason: str
    """Why it is not known; empty where it is."""
    advice: str = ""
    """What to do, in a sentence."""
    slowdown: float | None = None
    """An iteration over the ideal one, in which the same work takes the same time [ratio]."""
    error: float | None = None
    """Twice its standard error, as iterations differ [ratio]."""
    iterations: int = 0
    recorded: int = 0
    """Ranks that are held against each other."""
    stages: int = 1
    cause: str = ""
    """Which of `causes` recovers most, by key; empty where nothing is notable or beyond chance."""
    rank: int | None = None
    """The rank that is behind by more than chance, and whose mending alone recovers half or more;
    none where no rank is to blame."""
    on_host: bool = False
    """Whether that rank is late by its host's work rather than by its GPU's."""
    causes: tuple[MendedPart, ...] = ()
    """Computing made alike among iterations of a rank, ranks of a stage, or stages; transfers."""
    ranks: tuple[MendedPart, ...] = ()
    """From the one that recovers most."""
    kinds: tuple[MendedPart, ...] = ()
    """Kinds of operations, from the one that recovers most."""
    lost: float | None = None
    """What is lost of an iteration [ratio]."""


class AskReplay(Protocol):
    """Replays of one run."""

    def __call__(self, codes: Sequence[str]) -> StepReplay | None:
        """With steps of these codes; None where calls were not recorded, or none has a change."""

    def find_stragglers(self, ranks: float) -> StraggledRun | None:
        """Who holds up the others of so many ranks; None of one, or where no GPU is traced."""


ExpectationMethod = Literal["replay", "share", "bound"]
METHODS: Mapping[ExpectationMethod, str] = {
    "replay": "replay of the run",
    "share": "share of the bound",
    "bound": "bound alone",
}
"""What each way to expect something is called."""
Record = Mapping[str, Any]
_SAME = 0.995
"""A profiler that leaves so much of the host's work costs nothing that shows [ratio]."""
_LEAST = 0.001
"""A resource decides where 10 % less of it saves so much of the whole [ratio]."""


@dataclass(frozen=True)
class StepExpectation:
    """What a step saves, as far as that is known."""

    method: ExpectationMethod
    low: float | None
    """At least, as a share of the whole; None of a bound alone [ratio]."""
    high: float
    """At most [ratio]."""
    of: str
    """The whole, in words."""
    recurs: bool
    """Whether that is of iterations, of which a longer run has the same shares."""
    error: float = 0.0
    """Twice the standard error of a replay [ratio]."""
    is_nothing: bool = False
    """Whether a replay shows nothing of it."""
    decides: str = ""
    """What decides in its place, in a clause: `kernels decide`."""
    cases: int = 0
    """Outcomes that a share is of."""
    source: str = ""
    """Where these were: simulated, measured, or project."""


def choose_expectation(finding: Record, replay: Record | None) -> StepExpectation | None:
    """What is expected of a fired finding's step; None where neither bound nor replay tells."""
    if finding["status"] != "fired":
        return None
    step = find_replayed_step(finding["code"], replay)
    if replay is not None and step is not None:
        return StepExpectation(
            method="replay",
            low=step["alone"]["low"],
            high=step["alone"]["high"],
            of=name_whole(replay),
            recurs=not replay.get("is_recording", False),
            error=step["error"],
            is_nothing=step["is_nothing"],
            decides=describe_decider(replay["resources"]) if step["is_nothing"] else "",
        )
    worth, told = finding["estimate"], finding["expected"]
    if worth is None or worth["kind"] != "gain":
        return None
    of, share = find_saved_share(worth)
    recurs = worth["steady"] is not None or worth["whole"] in RECURRING
    if told is None:
        return StepExpectation("bound", None, share, of, recurs)
    low, high = told["low"] * share, told["high"] * share
    return StepExpectation(
        "share", low, high, of, recurs, cases=told["cases"], source=told["source"]
    )


def add_expectations(document: Record) -> dict[str, Any]:
    """A document of findings in which each has what is expected of its step, if not yet."""
    replay = document.get("replay")
    findings = [
        finding if "expectation" in finding else _add_expectation(finding, replay)
        for finding in document["findings"]
    ]
    return {**document, "findings": findings}


def _add_expectation(finding: Record, replay: Record | None) -> dict[str, Any]:
    found, step = choose_expectation(finding, replay), find_replayed_step(finding["code"], replay)
    least = {"least": True} if step is not None and step.get("least") else {}
    return {**finding, "expectation": None if found is None else {**asdict(found), **least}}


def find_replayed_step(code: str, replay: Record | None) -> Record | None:
    """The change that stands for a step, replayed; None where it is not."""
    steps = replay["steps"] if replay else ()
    return next((step for step in steps if code in step["codes"]), None)


def find_saved_share(worth: Record) -> tuple[str, float]:
    """What a saving is told as a share of, and that share: of iterations, if it is in these."""
    if worth["steady"] is not None:
        return STEADY + (WITHOUT if WITHOUT in worth["of"] else ""), worth["steady"]
    return worth["of"], worth["reduction"]


def name_whole(replay: Record) -> str:
    """What a replay tells shares of, and whether the profiler's cost was taken off it."""
    return name_unit(replay) + (" without the profiler" if is_plain(replay) else "")


def is_plain(replay: Record) -> bool:
    """Whether the profiler's cost was taken off what is replayed."""
    return replay["plain"] is not None and bool(0.0 < replay["host"] < _SAME)


def name_unit(replay: Record) -> str:
    """What is replayed: the recording, where nothing marks iterations."""
    return "the recording" if replay.get("is_recording") else "an iteration"


def describe_decider(resources: Sequence[Record]) -> str:
    """What stops a run most, in a clause; empty where nothing of it shows."""
    first = max(resources, key=lambda one: one["now"], default=None)
    if first is None or first["now"] < _LEAST:
        return ""
    return f"{str(first['title']).lower()} {conjugate('decide', first['title'])}"


def conjugate(verb: str, title: str) -> str:
    """A verb after the title of a resource: kernels decide, loading of input decides."""
    return f"{verb}s" if title.startswith(("Loading", "Host's work")) else verb


def describe_expected(expectation: Record) -> str:
    """How much is expected, in words: a range, or `nothing now, as kernels decide`."""
    if expectation["is_nothing"]:
        decides = expectation["decides"]
        return f"nothing now{', as ' + decides if decides else ''}"
    ends = (expectation["low"], expectation["high"])
    told = dict.fromkeys(quantity(end, "ratio") for end in ends if end is not None)
    return ("at least " if expectation.get("least") else "") + " to ".join(told)


def tell_expectation(expectation: Record | None, whole: str = "") -> str:
    """`replayed: 20.0 % of an iteration`, or `expect 17.4 % to 43.0 %`; empty of a bound alone.

    What a bound just before it is a share of (`whole`) is not said again.
    """
    if expectation is None or expectation["method"] == "bound":
        return ""
    told = describe_expected(expectation)
    if expectation["method"] == "share":
        return f"expect {told}"
    of = "" if expectation["is_nothing"] or expectation["of"] == whole else expectation["of"]
    return f"replayed: {told}{' of ' + of if of else ''}"
