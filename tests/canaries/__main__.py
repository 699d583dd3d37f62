"""Plant private words in each text of each input format, and search them in what is shared.

    python -m tests.canaries [--seed 1] [--only kineto ...] [--all]

Of each format a site is built with --share; with --all every command that writes anything is run.
Ends with 1 where a word is told, by a command that succeeded. Prints a row for each format.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from tests.canaries.inputs import INPUTS, described
from tests.canaries.outputs import files_below, told_by, written, written_by_all
from tests.canaries.plant import Canaries


def main() -> int:
    """Parse arguments and run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", choices=sorted(INPUTS), default=sorted(INPUTS))
    parser.add_argument("--all", action="store_true", help="run every command that writes")
    given = parser.parse_args()
    planted = told = 0
    for name in given.only:
        counts = _tried(name, given.seed, every=given.all)
        planted, told = planted + counts[0], told + counts[1]
    print(f"{planted} words planted, {told} told")
    return bool(told)


def _tried(name: str, seed: int, *, every: bool) -> tuple[int, int]:
    """How many words were planted in a format, and how many were told."""
    canaries = Canaries(seed)
    begin = time.process_time()
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work) / canaries.word("folder of all") / "run"
        folder.mkdir(parents=True)
        profile = INPUTS[name](folder, canaries)
        described(profile if profile.is_dir() else folder, canaries)
        made = (written_by_all if every else written)(profile, Path(work) / "out")
        failed = [(result, place) for result, place in made if result.exit_code]
        files = [file for _, place in made for file in files_below(place)]
        found = told_by(files, canaries)
    print(
        f"{name:14} {len(canaries.words):4} words in {len(canaries.planted):3} fields,"
        f" {len(files):4} files, {len(failed):2} of {len(made):2} commands refused,"
        f" {len(found):3} told, {time.process_time() - begin:.0f} s",
        flush=True,
    )
    for result, place in failed:
        print(f"    {place.name}: {result.output.strip()[-300:]} {result.exception!r}")
    for word, names in sorted(found.items(), key=lambda one: canaries.words[one[0]]):
        print(f"    {word} ({canaries.words[word]}): {len(names)} files, {sorted(names)[:3]}")
    return len(canaries.words), len(found)


if __name__ == "__main__":
    raise SystemExit(main())
