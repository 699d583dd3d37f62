"""Runs the passes of a plan, and compares what they saw.

In:  passes. Out: what the clock showed, what the profiler costs, a profile.toml for each tool;
     ProgramError where the program fails, takes too few steps, or differs between passes.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median

import msgspec

from perfolio.common.errors import ProgramError
from perfolio.common.progress import ShownProgress
from perfolio.workloads.profile_notes import Setting, describe_processor, format_profile_toml
from perfolio.workloads.recorder.pass_plan import RecordingPass, StepRange, name_beside_file

_PATTERN = "steps-rank*.json"
_WITNESSES = ("counters.csv", "dcgmi.txt", "nvidia-smi.txt")
"""Files of counters and monitors, which each profile of the recording names."""
_SAME = ("framework", "optimizer", "parameters", "devices", "precision")
_MANY = 2.0
"""From here on a cost is told as a factor, as of what runs each kernel many times [ratio]."""
_INTERRUPT = 10
"""What a program that is asked to end gets for that [s]."""


class ProcessSteps(msgspec.Struct, frozen=True):
    """What a process of the program told of its steps."""

    framework: str
    python: str
    cuda: str
    device: str
    devices: list[str]
    threads: int
    optimizer: str
    parameters: int
    precision: list[str]
    rank: str
    first: int
    clock: list[float]

    @property
    def times(self) -> list[float]:
        """How long each recorded step took [s]."""
        return [after - before for before, after in pairwise(self.clock[self.first - 1 :])]


@dataclass(frozen=True)
class PassResult:
    """A pass, and what its processes saw."""

    name: str
    out: Path
    ranks: list[ProcessSteps]

    @property
    def step(self) -> float:
        """A typical step of the first rank [s]."""
        return median(self.ranks[0].times)


def run_passes(
    passes: Sequence[RecordingPass], steps: StepRange, shown: ShownProgress
) -> list[PassResult]:
    """Run them all, the clock first. Raises ProgramError."""
    told: list[PassResult] = []
    for each in passes:
        shown.start(f"{each.name}: {each.about}", None)
        each.out.mkdir(parents=True)
        with _run_beside(each):
            for number, command in enumerate(each.commands):
                _run_command(
                    command, {**os.environ, **each.environment} if number == 0 else os.environ
                )
                if number == 0:
                    told.append(PassResult(each.name, each.out, _read_steps(each, steps)))
        _compare_passes(told[0], told[-1])
    return told


def _run_command(command: Sequence[str], environment: Mapping[str, str]) -> None:
    try:
        done = subprocess.run(command, env=environment, check=False)  # noqa: S603 - the user's own
    except OSError as problem:
        raise ProgramError(f"{command[0]}: cannot be started: {problem.strerror}") from problem
    if done.returncode:
        raise ProgramError(f"{shlex.join(command)[:300]}: ended with code {done.returncode}")


@contextmanager
def _run_beside(one: RecordingPass) -> Iterator[None]:
    """While the program runs, what runs beside it."""
    if not one.beside:
        yield
        return
    with (one.out / name_beside_file(one)).open("wb") as kept:
        process = subprocess.Popen(one.beside, stdout=kept)  # noqa: S603 - of a file of ours
        try:
            yield
        finally:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(_INTERRUPT)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _read_steps(one: RecordingPass, steps: StepRange) -> list[ProcessSteps]:
    paths = sorted(one.out.glob(_PATTERN))
    if not paths:
        raise ProgramError(
            "the program took no step with an optimizer of PyTorch",
            hint="record a Python program that trains; python -I, -E and -S hide the recorder",
        )
    try:
        found = [msgspec.json.decode(path.read_bytes(), type=ProcessSteps) for path in paths]
    except msgspec.MsgspecError as error:
        raise ProgramError(f"{one.out}: what the program told is damaged: {error}") from error
    taken = min(len(each.clock) for each in found)
    if taken <= steps.first:
        hint = f"--steps 2:{taken}" if taken > 2 else "let it train for longer"
        raise ProgramError(
            f"the program took {taken} steps, none after step {steps.first}", hint=hint
        )
    return found


def _compare_passes(first: PassResult, other: PassResult) -> None:
    """Whether a pass ran the same program as the first one."""
    before, after = first.ranks[0], other.ranks[0]
    for name in _SAME:
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            raise ProgramError(
                f"pass {other.name}: another program than in pass {first.name}: {name} {new}, and "
                f"not {old}",
                hint="fix its seeds and options, so that each run is the same",
            )
    if len(first.ranks) != len(other.ranks):
        raise ProgramError(
            f"pass {other.name}: {len(other.ranks)} processes trained, and not {len(first.ranks)}"
        )


def write_descriptions(
    told: Sequence[PassResult], command: Sequence[str], steps: StepRange
) -> None:
    """Write a profile.toml beside each recording."""
    clock, *others = told
    seen = clock.ranks[0]
    settings: dict[str, Setting] = {
        "command": shlex.join(command)[:300],
        "framework": seen.framework,
        "python": seen.python,
        "device": seen.device or describe_processor(),
        "driver": f"CUDA {seen.cuda}" if seen.cuda else "",
        "threads": seen.threads,
        "optimizer": seen.optimizer,
        "parameters": seen.parameters,
        "precision": ", ".join(seen.precision),
        "ranks": len(clock.ranks),
        "steps": steps.text,
        "step_time": clock.step,
    }
    witnesses = [
        f"../{each.name}/{path.name}"
        for each in others
        for path in sorted(_find_witnesses(each.out))
    ]
    for each in others:
        notes = (
            f"Recorded from the end of step {steps.first} to that of step {steps.last}. Without a "
            f"profiler a step took {clock.step * 1e3:.4g} ms, median; {describe_cost(clock, each)}."
        )
        texts = {"title": f"{_name_program(command)}, {each.name}"[:100], "notes": notes}
        beside = [] if _find_witnesses(each.out) else witnesses
        (each.out / "profile.toml").write_text(
            format_profile_toml(texts, None, settings, beside), "utf-8"
        )


def _find_witnesses(folder: Path) -> list[Path]:
    """What a pass wrote that is no profile, but tells more of the same program."""
    return [path for pattern in _WITNESSES for path in folder.glob(pattern)]


def _name_program(command: Sequence[str]) -> str:
    """What to call the program: its first file of Python, else the command."""
    scripts = (word for word in command if word.endswith(".py"))
    return Path(next(scripts, command[0])).name


def describe_cost(clock: PassResult, other: PassResult) -> str:
    """What a tool cost, against the clock alone."""
    cost = other.step / clock.step - 1.0
    longer = f"{cost:.1%} longer" if cost > 0.0 else "no longer than steps differ"
    if cost >= _MANY:
        longer = f"{cost + 1.0:,.0f} times as long"
    return f"with {other.name} it took {longer}"
