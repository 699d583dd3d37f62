"""Compare recordings by Perfolio with the second implementation, and print what differs.

    python -m tests.recordings --recordings 3000 --seed 1
    python -m tests.recordings --only 17 --form nsys --reduce

Ends with 1 where a difference is found.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor

from tests.recordings.comparison import FIGURES, Difference, compared, smallest
from tests.recordings.formats import FORMATS

_SHARD = 8


def main(arguments: list[str] | None = None) -> int:
    """Parse arguments, compare, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--recordings", type=int, default=3_000, help="of each format")
    parser.add_argument("--seed", type=int, default=1, help="the first one")
    parser.add_argument("--form", choices=FORMATS, action="append", help="else all of them")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", type=int, help="compare this seed alone")
    parser.add_argument("--figure", help="look at this figure alone")
    parser.add_argument("--reduce", action="store_true", help="drop events while it differs")
    given = parser.parse_args(arguments)
    seeds = range(given.seed, given.seed + given.recordings)
    if given.only is not None:
        seeds = range(given.only, given.only + 1)
    begin, found, forms = time.monotonic(), Counter[str](), given.form or FORMATS
    _say(f"{len(FIGURES)} figures of recordings {seeds[0]} to {seeds[-1]} in {', '.join(forms)}")
    for one in _all(seeds, forms, given.jobs):
        if given.figure in (None, one.figure):
            found[one.figure] += 1
            _say(str(one))
            if given.reduce:
                _say(_told(one))
    for figure, count in found.most_common():
        _say(f"{count:6} {figure}")
    recordings, taken = len(seeds) * len(forms), time.monotonic() - begin
    _say(f"{recordings} recordings, {sum(found.values())} differences, {taken:.0f} s")
    return bool(found)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _all(seeds: range, forms: Sequence[str], jobs: int) -> Iterator[Difference]:
    shards = [
        (range(first, min(first + _SHARD, seeds.stop)), form)
        for first in range(seeds.start, seeds.stop, _SHARD)
        for form in forms
    ]
    if jobs == 1 or len(shards) == 1:
        for shard in shards:
            yield from _differences(shard)
        return
    with ProcessPoolExecutor(jobs) as pool:
        for found in pool.map(_differences, shards):
            yield from found


def _differences(shard: tuple[range, str]) -> list[Difference]:
    return [one for _, found, _ in compared(*shard) for one in found]


def _told(difference: Difference) -> str:
    """The fewest events in which a figure differs."""
    found = smallest(difference)
    base = min(one.start for one in found.events)
    lines = [f"  {found.processes} processes, {found.devices} GPUs each, ranked: {found.ranked}"]
    for one in sorted(found.events, key=lambda one: (one.process, one.start)):
        told = {key: value for key, value in vars(one).items() if key not in ("start", "stop")}
        lines.append(f"    {one.start - base:>9} {one.stop - base:>9} {type(one).__name__} {told}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
