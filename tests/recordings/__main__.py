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
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

from tests.recordings.comparison import Difference, differences, smallest
from tests.recordings.formats import FORMATS

_SHARD = 24


def main(arguments: list[str] | None = None) -> int:
    """Parse arguments, compare, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--recordings", type=int, default=3_000, help="of each format")
    parser.add_argument("--seed", type=int, default=1, help="the first one")
    parser.add_argument("--form", choices=FORMATS, action="append")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", type=int, help="compare this seed alone")
    parser.add_argument("--figure", help="look at this figure alone")
    parser.add_argument("--reduce", action="store_true", help="drop events while it differs")
    given = parser.parse_args(arguments)
    seeds = range(given.seed, given.seed + given.recordings)
    if given.only is not None:
        seeds = range(given.only, given.only + 1)
    begin, found, forms = time.monotonic(), Counter[str](), given.form or FORMATS
    for each in _all(seeds, forms, given.jobs):
        for one in each:
            if given.figure in (None, one.figure):
                found[one.figure] += 1
                if given.reduce:
                    _print_smallest(one)
    for _figure, _count in found.most_common():
        pass
    time.monotonic() - begin
    return bool(found)


def _all(seeds: range, forms: tuple[str, ...], jobs: int) -> Iterator[list[Difference]]:
    shards = [
        (range(first, min(first + _SHARD, seeds.stop)), form)
        for first in range(seeds.start, seeds.stop, _SHARD)
        for form in forms
    ]
    if jobs == 1 or len(shards) == 1:
        for shard in shards:
            yield from differences(*shard)
        return
    with ProcessPoolExecutor(jobs) as pool:
        for found in pool.map(_shard, shards):
            yield from found


def _shard(shard: tuple[range, str]) -> list[list[Difference]]:
    return list(differences(*shard))


def _print_smallest(difference: Difference) -> None:
    found = smallest(difference)
    min(one.start for one in found.events)
    for one in sorted(found.events, key=lambda one: (one.process, one.start)):
        {key: value for key, value in vars(one).items() if key not in ("start", "stop")}


if __name__ == "__main__":
    sys.exit(main())
