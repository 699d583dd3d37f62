"""Seconds on the clock and of the processor, per stage of the pipeline."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from perfolio.pipeline.run_documents import StageTimings


@dataclass
class BothTimings(StageTimings):
    """Timings that know the processor's time, too."""

    cpu: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time that the block takes to stage `name`."""
        start = time.process_time()
        with super().stage(name):
            yield
        self.cpu[name] = self.cpu.get(name, 0.0) + time.process_time() - start
