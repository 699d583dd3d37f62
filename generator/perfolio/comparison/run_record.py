"""A run record: all that a comparison needs to know of one run.

In:  the fields, or a file that may come from anywhere. Out: a `RunRecord`, checked; or its file.

The file has each text once (`texts`), and rows name texts by their number. It holds no path of a
folder, and at most 100 kB: `fold_small_rows` adds up the smallest rows until it fits. Sums stay.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal, cast

import msgspec

from perfolio.common.errors import InputError
from perfolio.common.json_schema import find_first_problem, parse_integer, refuse_number
from perfolio.comparison.promise_record import ReplayedRange

SCHEMA = "perfolio-run-record/1"
MOST_BYTES = 100_000
"""Size of the file of a usual run, at most."""
_SCHEMA_FILE = Path(__file__).parent / "schema" / "run-record-1.schema.json"
_HINT = "make the record again from its profile"
_ROW_STEPS = (600, 400, 250, 150, 80, 40)
OTHERS = "(others)"
"""Name of a row that holds the small ones of its part and kind."""

Part = Literal["kernel", "collective", "collective wait", "copy", "idle", "main thread"]
Setting = str | int | float | bool | None


@dataclass(frozen=True)
class DividedTime:
    """The time that the rows of a record divide."""

    basis: Literal["iteration", "wall"]
    """What `window_ns` is: steady iterations, or the whole run where none were found."""
    of: Literal["GPU", "main thread"]
    """Whose time it is."""
    lanes: int
    """How many GPUs or main threads there are, of all ranks: each has the whole window [count]."""
    window_ns: int
    """Length of the window on one of them [ns]. Rows sum to `window_ns * lanes`."""
    iterations: int
    """In the window; 1 where the basis is the wall [count]."""
    durations_ns: tuple[int, ...]
    """Of each of them, in their order; they sum to `window_ns` [ns]."""
    wall_ns: int
    """From the first moment of the recording to the last [ns]."""
    doubts: tuple[str, ...] = ()
    """Why what was recorded of the GPU is a part of unknown size, such as graphs; mostly empty."""
    instant_ns: int | None = None
    """Its length if collectives only waited for the last rank; None where that is not told [ns]."""

    @property
    def total_ns(self) -> int:
        """What the rows sum to [ns]."""
        return self.window_ns * self.lanes

    @property
    def units(self) -> int:
        """What a sum over lanes and iterations is divided by for that of one iteration."""
        return self.lanes * self.iterations


@dataclass(frozen=True)
class TimeRow:
    """Time of the window that belongs to one kind of work, over all lanes."""

    part: Part
    """kernel > collective (wait: until its last rank comes) > copy > idle; of a run without GPU
    work main thread, of several ranks with collectives of the host. Where several run at once, the
    time is that of the first of these."""
    kind: str
    """Class of a kernel (model kernel_class), operation of a copy, rank that a collective waits
    for; what the host does while the GPU idles, or what a main thread does."""
    ns: int
    """Time in the window; kernels that run at the same moment share it [ns]."""
    calls: int
    """Operations that begin in the window; 0 where they are not counted: idle, main thread."""
    path: tuple[str, ...] = ()
    """Functions and operators that launched it, the outermost first, without numbers (names of
    layers, steps) and folders: 12 at most, of what the host does 4, the innermost ones."""
    place: str = ""
    """Lines of that path, such as 125.48, which tell two calls of one function apart; empty where
    they are not recorded."""
    shapes: str = ""
    """Sizes of the arguments of the operator that launched it, as the tool writes them; of a copy
    its bytes. Empty where they are not recorded."""
    name: str = ""
    """Whole name of the kernel, without folders; of a very long one its begin and a digest."""
    short: str = ""
    """What people call it."""
    most_ns: int | None = None
    """Time on the GPU that has most of it; None of one GPU, and where that is not told [ns]."""


@dataclass(frozen=True)
class HostWork:
    """What threads that launch for the GPUs do in the window, also while the GPU is busy."""

    activity: str
    """As the kind of an idle row: launches, copies, allocates, waits for the GPU, data, ..."""
    path: tuple[str, ...]
    """As in rows."""
    ns: int
    """Time of all these threads [ns]."""
    calls: int | None
    """Calls of the GPU's runtime, or operations launched there; None where nothing tells."""


@dataclass(frozen=True)
class RankTime:
    """Time of one rank's lanes by part."""

    rank: int
    parts: Mapping[str, int]
    """Time in the window [ns]; over all ranks the sums of rows."""


@dataclass(frozen=True)
class ProcessorCounts:
    """What processors counted in code that works, of all threads over the whole run."""

    instructions: float
    cycles: float
    cpu_ns: float
    """Time on processors [ns]."""


@dataclass(frozen=True)
class CountedFigure:
    """A number that is counted exactly, without noise."""

    per: Literal["iteration", "run"]
    value: int | None
    """Of the usual iteration (the lower median), or of the run; None: not measured."""
    least: int | None = None
    most: int | None = None
    """Of the iterations of the window; both None where it is per run."""
    unit: str = "count"


@dataclass(frozen=True)
class RecordedFigure:
    """A measured scalar metric of the run's documents."""

    name: str
    title: str
    unit: str
    """As in common.units."""
    better: str
    """higher, lower or neither."""
    value: float
    low: float | None = None
    high: float | None = None
    is_key: bool = False
    """Whether the report of the run has it among its key figures."""


@dataclass(frozen=True)
class RecordedFinding:
    """What the report of the run says by one rule."""

    code: str
    slug: str
    title: str
    status: str
    """fired, passed, not_evaluated or not_applicable."""
    severity: str | None
    cause: str
    """Node of the tree of causes."""
    bound: float | None
    """What removing it saves at most, as a part of `denominator` [ratio]."""
    denominator: str
    low: float | None
    """What such a change usually saves at least, as a share of the bound [ratio]."""
    high: float | None
    value: float | None
    """Of its metric."""
    unit: str
    threshold: float | None
    """The one that its severity has, else the first one."""
    direction: str
    """Whether it fires above or below the threshold."""
    whole: str = ""
    """Kind of `denominator`, as `findings.model.denominator` has them; empty without a bound."""
    steady: float | None = None
    """Of steady iterations, where `bound` is of the whole run; None if of none of them [ratio]."""
    is_limit: bool = False
    """Whether the bound is what all steps can bring together: no promise of one."""
    replayed: ReplayedRange | None = None
    """What its step saves by a replay; None where that tells nothing of iterations."""


@dataclass(frozen=True)
class KeptStep:
    """A step of the run's roadmap, in its order."""

    code: str
    also: tuple[str, ...]
    """Findings that it answers, all of them or in part."""
    joint: float | None
    """What all steps up to this one save of wall time together, at most; None where bounds are of
    another whole [ratio]."""
    joint_steady: float | None
    """The same of the steady iterations; None without any [ratio]."""


@dataclass(frozen=True)
class RunRecord:
    """What is known of one run."""

    slug: str
    digest: str
    """Of the files of the profile: equal digests are the same recording."""
    tool: str
    recorded: str | None
    """When it began, in UTC to the second; None where its times are no dates."""
    perfolio: str
    """Version that made the record."""
    conditions: Mapping[str, Setting]
    """By name of `recording_conditions`; None: not recorded."""
    whole: DividedTime | None
    """None where there was a report only, and no recording."""
    rows: tuple[TimeRow, ...] = ()
    """The time of `whole`, the largest first."""
    host: tuple[HostWork, ...] = ()
    host_period_ns: int | None = None
    """Distance of the samples of `host` and idle rows; None where these were recorded [ns]."""
    ranks: tuple[RankTime, ...] = ()
    """Empty where the run has one rank."""
    processor: ProcessorCounts | None = None
    """None where not all of it was counted."""
    counted: Mapping[str, CountedFigure] = field(default_factory=dict)
    """By name of `counted_figures`."""
    figures: tuple[RecordedFigure, ...] = ()
    findings: tuple[RecordedFinding, ...] = ()
    steps: tuple[KeptStep, ...] = ()
    """The roadmap of its report."""


_FIELDS = frozenset(one.name for one in fields(RunRecord))


def load_record_schema() -> dict[str, Any]:
    """The JSON Schema of the file."""
    return cast(dict[str, Any], json.loads(_SCHEMA_FILE.read_text(encoding="utf-8")))


def write_record(record: RunRecord) -> str:
    """The content of its file, at most `MOST_BYTES` for a usual run."""
    text = _format_record(record)
    for most in _ROW_STEPS:
        if len(text.encode("utf-8")) <= MOST_BYTES:
            break
        text = _format_record(fold_small_rows(record, most))
    return text


def fold_small_rows(record: RunRecord, most: int) -> RunRecord:
    """The record with its `most` largest rows, the others added up by part and kind."""
    if len(record.rows) <= most and len(record.host) <= most:
        return record
    rows = sorted(record.rows, key=lambda row: (-row.ns, row.path, row.place, row.shapes, row.name))
    summed: defaultdict[tuple[Part, str], list[int]] = defaultdict(lambda: [0, 0])
    for row in rows[most:]:
        summed[row.part, row.kind][0] += row.ns
        summed[row.part, row.kind][1] += row.calls
    others = (
        TimeRow(part, kind, ns, calls, name=OTHERS, short=OTHERS)
        for (part, kind), (ns, calls) in sorted(summed.items())
    )
    return replace(record, rows=(*rows[:most], *others), host=_fold_host(record.host, most))


def _fold_host(works: tuple[HostWork, ...], most: int) -> tuple[HostWork, ...]:
    ordered = sorted(works, key=lambda work: (-work.ns, work.activity, work.path))
    summed: dict[str, HostWork] = {}
    for work in ordered[most:]:
        held = summed.get(work.activity, HostWork(work.activity, (OTHERS,), 0, None))
        calls = (
            None
            if held.calls is None and work.calls is None
            else ((held.calls or 0) + (work.calls or 0))
        )
        summed[work.activity] = replace(held, ns=held.ns + work.ns, calls=calls)
    return (*ordered[:most], *(summed[name] for name in sorted(summed)))


def _format_record(record: RunRecord) -> str:
    texts: dict[str, int] = {}

    def number(text: str) -> int:
        return texts.setdefault(text, len(texts))

    document = cast(dict[str, Any], msgspec.to_builtins(record))
    for row in document["rows"]:
        row["path"] = [number(text) for text in row["path"]]
        for key in ("name", "short", "shapes"):
            row[key] = number(row[key])
    told = [(row, "most_ns") for row in document["rows"]]
    told += [(finding, "replayed") for finding in document["findings"]]
    for holder, key in (*told, (document["whole"] or {}, "instant_ns"), (document, "processor")):
        if holder.get(key) is None:
            holder.pop(key, None)
    for work in document["host"]:
        work["path"] = [number(text) for text in work["path"]]
    whole = {"schema": SCHEMA, **document, "texts": list(texts)}
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n"


def read_record(path: Path) -> RunRecord:
    """The record of a file. Raises InputError where it is none, and says where it is wrong."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as problem:
        raise InputError(f"{path}: cannot be read: {problem.strerror or problem}") from problem
    except UnicodeDecodeError as problem:
        raise InputError(f"{path}: is no UTF-8: {problem.reason}", hint=_HINT) from problem
    return parse_record(text, str(path))


def parse_record(text: str, where: str) -> RunRecord:
    """The record of such a text; `where` is named in errors. Raises InputError."""
    try:
        document = json.loads(text, parse_constant=refuse_number, parse_int=parse_integer)
    except (ValueError, RecursionError) as problem:
        raise InputError(f"{where}: is no JSON: {problem}", hint=_HINT) from problem
    problem_found = find_first_problem(document, load_record_schema())
    if problem_found is None:
        problem_found = _find_wrong_text(document)
    if problem_found is not None:
        raise InputError(f"{where}: is no run record: {problem_found}", hint=_HINT)
    try:
        record = msgspec.convert(_restore_texts(document), RunRecord)
    except msgspec.ValidationError as problem:
        raise InputError(f"{where}: is no run record: {problem}", hint=_HINT) from problem
    if wrong := find_wrong_sum(record):
        raise InputError(f"{where}: is no run record: {wrong}", hint=_HINT)
    return record


def find_wrong_sum(record: RunRecord) -> str:
    """Which sums of a record do not agree; empty where all do."""
    whole = record.whole
    if whole is None:
        return "rows: have no whole" if record.rows else ""
    if sum(row.ns for row in record.rows) != whole.total_ns:
        return "rows: do not sum to window_ns of all lanes"
    if sum(whole.durations_ns) != whole.window_ns:
        return "whole/durations_ns: do not sum to window_ns"
    if len(whole.durations_ns) != whole.iterations:
        return "whole/durations_ns: are not as many as iterations"
    if any(row.most_ns is not None and row.ns > row.most_ns * whole.lanes for row in record.rows):
        return "rows: most_ns is less than that of the mean GPU"
    return ""


def is_record_text(text: str) -> bool:
    """Whether a text begins as a run record does."""
    return text.lstrip().startswith(f'{{"schema":"{SCHEMA.rpartition("/")[0]}/')


def _find_wrong_text(document: Mapping[str, Any]) -> str | None:
    most = len(document["texts"])
    for place, number in _list_numbers(document):
        if number >= most:
            return f"{place}: there is no text {number}"
    return None


def _list_numbers(document: Mapping[str, Any]) -> Iterable[tuple[str, int]]:
    for place, row in enumerate(document["rows"]):
        for number in (*row["path"], row["name"], row["short"], row["shapes"]):
            yield f"rows/{place}", number
    for place, work in enumerate(document["host"]):
        for number in work["path"]:
            yield f"host/{place}", number


def _restore_texts(document: Mapping[str, Any]) -> dict[str, Any]:
    texts = document["texts"]
    rows = [
        {**row, "path": [texts[number] for number in row["path"]]}
        | {key: texts[row[key]] for key in ("name", "short", "shapes")}
        for row in document["rows"]
    ]
    host = [
        {**work, "path": [texts[number] for number in work["path"]]} for work in document["host"]
    ]
    return {key: value for key, value in document.items() if key in _FIELDS} | {
        "rows": rows,
        "host": host,
    }
