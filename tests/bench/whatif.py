"""Replays against simulated truth, all pairs: `python -m tests.bench whatif`.

Prints each pair that is off by more than 3 % of an iteration, the worst of each kind, and how many
are within 1, 3 and 5 %. See `tests.prediction.replay.simulated_pairs`.
"""

from __future__ import annotations

import tempfile
import time
from collections import defaultdict
from pathlib import Path
from statistics import median

import click

from tests.prediction.replay.simulated_pairs import measure_pairs

_CLOSE = 0.03


def main() -> None:
    """Measure all pairs, and print how far replays are off."""
    begin = time.process_time()
    kinds: dict[str, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        for pair, saved, true in measure_pairs(Path(folder)):
            off = (1.0 - saved) / (1.0 - true) - 1.0
            kinds[pair.kind].append(abs(off))
            if abs(off) > _CLOSE:
                click.echo(
                    f"off {off:+.2%}: {pair.kind}, {pair.scenario}: {saved:.2%}, true {true:.2%}"
                )
    every = [off for each in kinds.values() for off in each]
    for kind, each in sorted(kinds.items()):
        click.echo(f"{kind:24} {len(each):3} pairs, worst {max(each):.2%}")
    shares = ", ".join(
        f"{sum(off <= limit for off in every) / len(every):.1%} within {limit:.0%}"
        for limit in (0.01, 0.03, 0.05)
    )
    click.echo(
        f"{len(every)} pairs of {len(kinds)} kinds: {shares}; median {median(every):.2%}; "
        f"{time.process_time() - begin:.0f} CPU-s"
    )
