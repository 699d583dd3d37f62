"""What goes through a build: what its caller asks and wants to know, and documents of runs.

Pages are made of these alone, also in a process that imports nothing that reads profiles.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perfolio.common.progress import Progress, QuietProgress
from perfolio.findings.rules.threshold_overrides import ThresholdOverrides
from perfolio.pipeline.project_outcomes import ProjectOutcomes
from perfolio.redaction.leak_check import prove_contents
from perfolio.redaction.pseudonyms import Secrets
from perfolio.site.file_sync import as_bytes

if TYPE_CHECKING:  # what reads profiles and stores
    from perfolio.metrics.result_cache import ResultCache
    from perfolio.pipeline.run_redaction import ShareRequest


@dataclass
class StageTimings:
    """Seconds per stage, in order of their first use, and of the models that stages made."""

    seconds: dict[str, float] = field(default_factory=dict)
    models: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time that the block takes to stage `name`."""
        from perfolio.store.run_tables import measure_models  # with DuckDB, which pages need not

        start = time.perf_counter()
        try:
            with measure_models(self.models):
                yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start

    def add(self, other: StageTimings) -> None:
        """Add what stages and models took elsewhere."""
        for own, found in ((self.seconds, other.seconds), (self.models, other.models)):
            for name, taken in found.items():
                own[name] = own.get(name, 0.0) + taken


def say_nothing(said: object) -> None:
    """Print nothing."""
    del said


@dataclass(frozen=True)
class Context:
    """What a caller wants to know of long work, and what it judges by and asks."""

    progress: Progress = field(default_factory=QuietProgress)
    say: Callable[[str], None] = say_nothing
    """Prints a line of the result while the work goes on."""
    said: set[str] = field(default_factory=set)
    noted: list[str] = field(default_factory=list)
    """Every note on reports, also what was said before."""
    timings: StageTimings = field(default_factory=StageTimings)
    overrides: ThresholdOverrides = field(default_factory=ThresholdOverrides)
    """Thresholds that the caller sets in place of the rules' own."""
    outcomes: ProjectOutcomes = field(default_factory=ProjectOutcomes)
    """What came of earlier steps, which reports expect in place of what steps reached elsewhere."""
    project: Path | None = None
    """The project whose exercises join those that are shipped."""
    results: ResultCache | None = None
    """Where metrics of a store of our own are kept."""
    left_out: frozenset[str] = frozenset()
    """Metrics that the caller has no use for: those that pages alone draw."""
    name: str = ""
    """What the caller calls the only run."""
    share: ShareRequest | None = None
    """Documents are for others to read: what is private in them is hidden."""
    draws_timeline: bool = False
    """Whether the caller makes reports, which show every interval of a run of events, and calls."""
    hidden: list[Secrets] = field(default_factory=list)
    """What was hidden in documents so far."""
    tell_judged: Callable[[RunDocuments], None] = say_nothing
    """Takes the documents of each run before its timeline is made."""

    def prove(
        self, contents: Iterable[tuple[str, str | bytes]], allowed: Sequence[str] = ()
    ) -> None:
        """Raise SiteError where a file for others to read tells what is private and not allowed."""
        if self.share is not None:
            written = ((name, as_bytes(content)) for name, content in contents)
            prove_contents(written, [*self.hidden, Secrets(allowed=tuple(allowed))])

    def apart(self) -> Context:
        """The same for another process, which tells nothing."""
        return replace(
            self,
            progress=QuietProgress(),
            say=say_nothing,
            said=set(),
            noted=[],
            timings=StageTimings(),
        )

    def note(self, text: str) -> None:
        """Say once what is not in a report that is made; nothing where there is no text."""
        if text:
            self.noted.append(text)
        if text and text not in self.said:
            self.said.add(text)
            sys.stderr.write(f"perfolio: note: {text}\n")

    def judged(self, one: RunDocuments, further: Iterable[str] = ()) -> None:
        """Say the verdict of a run and further lines, once."""
        if one.slug not in self.said:
            self.said.add(one.slug)
            self.say(f"{one.slug}: {one.findings['verdict']['sentence']}")
            for line in further:
                self.say(f"  {line}")


@dataclass(frozen=True)
class RunDocuments:
    """All that is known of one run; pages are rendered from these and nothing else."""

    metrics: dict[str, Any]
    findings: dict[str, Any]
    secrets: Secrets | None = None
    """What was hidden, of those for others to read."""
    live: Mapping[str, str] = field(default_factory=dict)
    """Files of its timeline and call trees by their path in its report, where asked for: no
    document could hold them."""

    @property
    def slug(self) -> str:
        """Short name of the run, its folder in the site."""
        return str(self.metrics["run"]["slug"])


@dataclass(frozen=True)
class BuiltSite:
    """The reports of a site, and whether it had to be written."""

    documents: list[RunDocuments]
    written: bool = True
