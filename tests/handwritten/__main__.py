"""Change files that people write, do with each what Perfolio does, and print what became of them.

    python -m tests.handwritten --seed 1 --cases 20000
    python -m tests.handwritten --seed 1 --kind claims.toml --only 123

Ends with 1 where a mutant ended in a traceback or took too long; such mutants are kept in
`.cache/handwritten`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.handwritten.kinds import KINDS
from tests.handwritten.run import Tally, case, keep, run
from tests.kit.shared import ROOT

EVERY = 60.0
"""Seconds between two tables."""


def main() -> int:
    """Parse arguments and run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first mutant")
    parser.add_argument("--cases", type=int, default=2_000)
    parser.add_argument("--kind", choices=[kind.name for kind in KINDS], action="append")
    parser.add_argument("--only", type=int, help="try this mutant alone, and let its error go")
    given = parser.parse_args()
    kinds = [kind for kind in KINDS if not given.kind or kind.name in given.kind]
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        if given.only is not None:
            kind, text, rng = case(given.seed, given.only, kinds)
            print(kind.name, text, sep="\n")
            kind.attempt(text, folder, rng)
            return 0
        numbers = range(given.first, given.first + given.cases)
        tally = run(given.seed, numbers, folder, kinds, _Shown())
    print(*tally.rows(), sep="\n")
    keep(given.seed, tally, kinds, ROOT / ".cache" / "handwritten")
    return bool(tally.defects)


class _Shown:
    """Prints a table each minute."""

    def __init__(self) -> None:
        self.at = time.monotonic()

    def __call__(self, tally: Tally) -> None:
        if time.monotonic() - self.at > EVERY:
            self.at = time.monotonic()
            print(*tally.rows(), sep="\n", flush=True)


if __name__ == "__main__":
    sys.exit(main())
