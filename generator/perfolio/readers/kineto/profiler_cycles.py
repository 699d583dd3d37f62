"""Which traces of a folder were recorded together: a schedule writes one a rank and cycle.

In:  traces that lie in one folder, more than one of a rank.
Out: a path for each run; `FirstOfRanks` where it has several ranks.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from perfolio.readers.kineto.rank_files import RankHeader, is_trace, list_traces, read_rank_header
from perfolio.readers.text_stream import open_text, read_begin

_STEP = re.compile(rb'"ProfilerStep#(\d{1,18})"')
_MOMENT = re.compile(r"\.(\d{10,19})\.pt\.trace\.json")
"""When a trace was written, in the name that PyTorch's handler for TensorBoard gives it."""


class FirstOfRanks(type(Path())):  # type: ignore[misc]  # the class of paths of this system
    """The trace of a run's first rank, beside which the other ranks lie, and other runs as well."""

    @property
    def title(self) -> str:
        """The folder, and the step that tells the run from the others there."""
        step = _find_first_step(read_begin(open_text(Path(self))))
        return str(self.parent.name) + (f", step {step}" if step >= 0 else f", {self.name}")

    def files(self) -> list[Path]:
        """The traces of all ranks of the run, in order of their ranks."""
        own = Path(self)
        return next((each for each in _group_cycles(list_traces(own.parent)) if own in each), [own])


def merge_rank_traces(found: Sequence[Path]) -> list[Path]:
    """Profiles, where traces of a folder that are the ranks of one run count as one of them."""
    traces = [path for path in found if path.is_file() and is_trace(path)]
    folders: dict[Path, list[Path]] = defaultdict(list)
    for path in traces:
        folders[path.parent].append(path)
    others: set[Path] = set()
    first: dict[Path, Path] = {}
    for paths in folders.values():
        for cycle in _group_cycles(paths) if len(paths) > 1 else []:
            first[cycle[0]] = FirstOfRanks(cycle[0])
            others.update(cycle[1:])
    return [first.get(path, path) for path in found if path not in others]


def _group_cycles(paths: Sequence[Path]) -> list[list[Path]]:
    """Runs of several ranks, by the first step that each trace holds, else by their order in time.

    None where a rank is not known or ranks have unequally many traces: then nothing tells what
    belongs together.
    """
    heads = {path: read_begin(open_text(path)) for path in paths}
    known = {path: read_rank_header(path, head) for path, head in heads.items()}
    ranks: dict[int, list[Path]] = defaultdict(list)
    for path, one in known.items():
        if one.rank is None:
            return []
        ranks[one.rank].append(path)
    if len(ranks) < 2 or len({len(own) for own in ranks.values()}) > 1 or not _has_same_size(known):
        return []
    keys = {path: (_find_first_step(heads[path]), _parse_moment(path), path.name) for path in paths}
    ordered = [sorted(ranks[rank], key=keys.__getitem__) for rank in sorted(ranks)]
    cycles = [list(cycle) for cycle in zip(*ordered, strict=True)]
    if any(len({keys[path][0] for path in cycle}) > 1 for cycle in cycles):
        return []
    return cycles


def _has_same_size(known: dict[Path, RankHeader]) -> bool:
    return len({one.size for one in known.values() if one.size is not None}) <= 1


def _find_first_step(head: bytes) -> int:
    found = _STEP.search(head)
    return int(found[1]) if found else -1


def _parse_moment(path: Path) -> int:
    found = _MOMENT.search(path.name)
    return int(found[1]) if found else 0
