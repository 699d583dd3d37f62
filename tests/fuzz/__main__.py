"""Change databases, read and store them, and print what became of them.

    python -m tests.fuzz --minutes 30 --seed 1 --jobs 2
    python -m tests.fuzz --seed 1 --only 12345

Ends with 1 where a case crashed, hung, took too much memory, or was read wrongly; such
cases are kept in the folder `defects` of the corpus.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

from tests.fuzz.cases import Place
from tests.fuzz.run import Plan, Tally, files_of, limited, run, seeds_of
from tests.fuzz.seeds import Corpus
from tests.kit.shared import ROOT

EVERY = 60.0
"""Seconds between two tables."""


def main() -> int:
    """Parse arguments and run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--cases", type=int, default=10**12, help="at most so many")
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--ingest-every", type=int, default=50, help="0: none")
    parser.add_argument("--corpus", type=Path, default=ROOT / ".cache" / "fuzz")
    parser.add_argument("--only", type=int, help="run this case alone, here")
    given = parser.parse_args()
    if given.only is not None:
        return _only(given.seed, given.only, given.corpus)
    plan = Plan(
        given.seed,
        given.jobs,
        60 * given.minutes,
        given.cases,
        given.ingest_every,
        given.corpus,
        given.first,
    )
    begin = shown = time.monotonic()
    tally = Tally()
    for tally in run(plan):
        if time.monotonic() - shown > EVERY:
            shown = time.monotonic()
            _show(tally, shown - begin)
    _show(tally, time.monotonic() - begin)
    return bool(tally.defects)


def _show(tally: Tally, seconds: float) -> None:
    rate = tally.cases / max(seconds, 0.001)
    print(f"{seconds:.0f} s, {rate:.0f} cases/s", *tally.rows(), *tally.defects[-20:], sep="\n")
    sys.stdout.flush()


def _only(seed: int, number: int, corpus: Path) -> int:
    chosen, files = files_of(seeds_of(Corpus(corpus)), seed, number)
    with tempfile.TemporaryDirectory() as folder:
        print(chosen.name, limited(files, Place(Path(folder)), stored=True))
    return 0


if __name__ == "__main__":
    sys.exit(main())
