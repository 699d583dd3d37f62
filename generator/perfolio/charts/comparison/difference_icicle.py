"""In which calls does the time of two groups of runs differ?

A differential flame graph. On the page a frame is as wide as its time after, or before, as the
reader chooses. On paper it is as wide as the larger of both, so that work of one side alone has its
place; it is red where it takes more time after, blue where it takes less.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import altair as alt

from perfolio.charts.axes import scale_axis
from perfolio.charts.bar_rows import stack_layers
from perfolio.charts.call_tree_rows import keep_largest, list_colours, pack_functions
from perfolio.charts.chart_data import MAX_MARKS, format_full_name, label
from perfolio.charts.comparison.comparison_figure import (
    FATES,
    LESS,
    MORE,
    NANO,
    SAME,
    ComparisonFigure,
    Document,
    encode_fate,
    name_basis,
)
from perfolio.charts.comparison.part_words import name_kind
from perfolio.charts.icicle import FRAME_HEIGHT, draw_frame_names, draw_frames, place_frames
from perfolio.charts.model import ChartFigure
from perfolio.charts.theme import CHANGE_SCALE, CHANGE_STEPS, CHANGES, is_pale
from perfolio.comparison.compared_tables import PART_TITLES, describe_difference

_PLUMBING = frozenset({"_call_impl", "_wrapped_call_impl"})
"""Frames of PyTorch around each module, which tell nothing."""
_LEAST_WIDTH = 0.001
"""Of the whole width: narrower frames are left out."""
_LEAST_CHANGE = 0.05
"""Of a frame's width: a smaller difference is about the same."""
_HALF = 0.5
_PALE = {
    fate: is_pale(colour)
    for fate, colour in zip(
        FATES, (CHANGES["grew"], CHANGES["shrank"], CHANGES["same"]), strict=True
    )
}


@dataclass
class DifferenceFrame:
    """A frame with its times on both sides [ns]."""

    name: str
    before: int = 0
    after: int = 0
    width: int = 0
    """Of the rows below, the larger side of each."""
    below: dict[str, DifferenceFrame] = field(default_factory=dict)

    @property
    def difference(self) -> int:
        """After less before."""
        return self.after - self.before

    @property
    def fate(self) -> str:
        """What became of it."""
        if abs(self.difference) < _LEAST_CHANGE * self.width:
            return SAME
        return MORE if self.difference > 0 else LESS

    def add(self, row: Mapping[str, int]) -> None:
        """Add the times of a row."""
        self.before += row["before"]
        self.after += row["after"]
        self.width += max(row["before"], row["after"])


def draw(document: Document) -> ComparisonFigure | None:
    """The frames of all rows; None where the time is not divided, or nothing differs."""
    rows = document["waterfall"]
    root = make_tree(document)
    if not root.width or not any(row["difference"] for row in rows):
        return None
    frames = list(_place_frames(root))
    axis = scale_axis(f"Time of {name_basis(document)}, the larger side", root.width / NANO, "s")
    for frame in frames:
        for edge in ("left", "right"):
            frame[edge] = round(axis.at(float(str(frame[edge])) / NANO), 6)
    path = follow_difference(root)
    figure = ChartFigure(
        title=_make_title(path),
        description=f"Frames of {name_basis(document)}, callers above callees, by part, class and "
        f"calling path. {_describe_path(path)}",
        chart=_draw_picture(frames, axis.title, axis.at(root.width / NANO)),
        metric="",
        tree=_make_live_tree(root, name_basis(document)),
        note="Red takes more time after, blue less, grey differs by less than 5 %. Widths are the "
        "time after, or before: what has gone is seen there. Click on a frame to enlarge it, twice "
        "for all of them; frames found are purple. PyTorch's call wrappers are left out. On paper "
        "a frame is as wide as its larger side, so widths add up to more than either; frames below "
        "0.1 % are left out.",
    )
    return ComparisonFigure(figure, _HEADER, [_make_csv_row(row) for row in rows])


def _make_live_tree(root: DifferenceFrame, words: str) -> dict[str, object]:
    """All frames with their times on both sides, callers before callees."""
    frames, parents = list(root.below.values()), [-1] * len(root.below)
    for place, frame in enumerate(frames):  # it grows while it is read
        frames += frame.below.values()
        parents += [place] * len(frame.below)
    kept = keep_largest(parents, [(frame.after, frame.before) for frame in frames])
    shown = [frames[at] for at in kept.nodes]
    codes = {name: code for code, name in enumerate(dict.fromkeys(one.name for one in shown))}
    functions = [(format_full_name(name), label(name), "", 0) for name in codes]
    return {
        "key": "calls",
        "what": "Differences by calling path",
        "words": f"time of {words}",
        "unit": "s",
        "scale": 1 / NANO,
        "whole": root.after,
        "before": root.before,
        "cut": False,
        "groups": [],
        "changes": list(CHANGE_SCALE),
        "steps": CHANGE_STEPS,
        "colours": {**list_colours(), "changes": list(CHANGE_SCALE.values())},
        **pack_functions(functions),
        "nodes": {
            "in": kept.parents,
            "code": [codes[one.name] for one in shown],
            "value": [one.after for one in shown],
            "before": [one.before for one in shown],
        },
        "folded": [[place, *sums] for place, sums in sorted(kept.folded.items())],
        "hot": [],
    }


_NUMBERS = ("before", "after", "difference", "by_calls", "by_duration")
_HEADER = (
    "part", "kind", "name", "path", "shapes", "matched_by", "change",
    *(f"{name} (ns)" for name in _NUMBERS), "calls_before", "calls_after",
)  # fmt: skip


def _make_csv_row(row: Mapping[str, object]) -> tuple[str | int | float | None, ...]:
    path = row["path"]
    words = [str(row[name]) for name in ("part", "kind")]
    named = str(row["full_name"] or row["name"])
    joined = " > ".join(map(str, path)) if isinstance(path, list) else ""
    others = [str(row[name]) for name in ("shapes", "matched_by", "change")]
    numbers = [int(str(row[name])) for name in _NUMBERS]
    calls = [float(str(row[name])) for name in ("calls_before", "calls_after")]
    return (*words, named, joined, *others, *numbers, *calls)


def make_tree(document: Document) -> DifferenceFrame:
    """All rows by part, class, calling path and name."""
    root = DifferenceFrame("")
    for row in document["waterfall"]:
        names = [
            PART_TITLES.get(row["part"], row["part"]),
            name_kind(row["part"], row["kind"]),
            *(name for name in row["path"] if name not in _PLUMBING),
        ]
        if row["name"] not in (names[-1], row["kind"]):
            names.append(row["name"])
        root.add(row)
        frame = root
        for name in names:
            frame = frame.below.setdefault(name, DifferenceFrame(name))
            frame.add(row)
    return root


def follow_difference(root: DifferenceFrame) -> list[DifferenceFrame]:
    """From the part with the largest difference down, while a callee holds half of it."""
    path: list[DifferenceFrame] = []
    below = root.below
    while below:
        largest = max(below.values(), key=lambda frame: abs(frame.difference))
        if path and abs(largest.difference) < _HALF * abs(path[-1].difference):
            break
        path.append(largest)
        below = largest.below
    return path


def _make_title(path: list[DifferenceFrame]) -> str:
    end = path[-1]
    within = f", within {label(path[0].name)}" if len(path) > 2 else ""
    change = describe_difference(end.difference)
    return f"The largest difference is in {label(end.name)}: {change}{within}"


def _describe_path(path: list[DifferenceFrame]) -> str:
    said = " › ".join(
        f"{label(frame.name)} {describe_difference(frame.difference)}" for frame in path
    )
    return f"The largest difference, as long as a callee holds half of it: {said}."


def _place_frames(root: DifferenceFrame) -> Iterator[dict[str, object]]:
    """Frames with their edges [ns], widest first, at most as many as a chart may draw."""
    least = root.width * _LEAST_WIDTH
    waiting = [(frame, left, 0) for frame, left in _spread(root, 0)]
    made = 0
    while waiting and made < MAX_MARKS:
        waiting.sort(key=lambda each: each[0].width)
        frame, left, level = waiting.pop()
        if frame.width < least:
            return
        made += 1
        yield {
            "left": left,
            "right": left + frame.width,
            "level": level,
            "label": label(frame.name),
            "fate": frame.fate,
            "pale": _PALE[frame.fate],
        }
        waiting += [(each, begin, level + 1) for each, begin in _spread(frame, left)]


def _spread(frame: DifferenceFrame, left: int) -> Iterator[tuple[DifferenceFrame, int]]:
    """What is below a frame, the widest leftmost, and where each begins."""
    for each in sorted(frame.below.values(), key=lambda one: (-one.width, one.name)):
        yield each, left
        left += each.width


def _draw_picture(frames: list[dict[str, object]], title: str, end: float) -> alt.LayerChart:
    levels = 1 + max(int(str(frame["level"])) for frame in frames)
    layers = [
        draw_frames("pf-group", "true", levels, title, end).encode(color=encode_fate(FATES)),
        draw_frame_names("pf-frame-name", "!datum.pale", levels, end),
        draw_frame_names("pf-on-pale", "datum.pale", levels, end),
    ]
    return place_frames(stack_layers(*layers, height=FRAME_HEIGHT * levels), frames)
