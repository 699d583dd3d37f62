"""Commands as they work for the run that a report is about.

In:  a command of `needs.toml`, of a rule or of its inputs, and what is known of the run.
Out: the command with the run's numbers and as many ranks, and above it, as a comment of the
     shell, the version of ROCm that it asks for where the run had an older one, or none is known.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path

from perfolio.common.content_files import reload_when_edited
from perfolio.common.errors import ContentError
from perfolio.common.toml_files import read_toml
from perfolio.metrics.mpi_commands import launch_as_ranks

PATH = Path(__file__).with_name("run_command_rules.toml")
LAUNCH_RANGE = "{launch_range}"
"""In a command of Nsight Compute: which launches to look at."""
_PYTHON = "-a python"
"""What records functions of Python."""
_MOST_LAUNCHES = 200
"""Nsight Compute runs each launch that it looks at several times: some hundred take minutes."""
_LONGEST_ITERATION = 2000
"""An iteration of more launches is not looked at as a whole."""


@dataclass(frozen=True)
class CommandSetting:
    """What a command depends on."""

    rocm: str | None = None
    """Version of ROCm, such as 5.7.1; empty where it is not known, None without an AMD GPU."""
    launches: float | None = None
    """Kernel launches that were counted; None where their number is not known."""
    iterations: float | None = None
    """Iterations that were found; None without any."""
    python: bool = False
    """Whether the run was recorded with functions of Python in the calling paths."""
    ranks: int = 0
    """Ranks of the run; 0 where it had none."""


@reload_when_edited(PATH)
def load_tools(path: Path) -> tuple[tuple[str, str], ...]:
    """Words of a command and the first version of ROCm with them; ContentError where faulty."""
    try:
        tools = read_toml(path)["tool"]
        found = tuple((str(tool["sign"]), str(tool["rocm"])) for tool in tools)
        for _, version in found:
            _parse_version(version)
    except (KeyError, TypeError, ValueError) as error:
        raise ContentError(f"{path}: {error}") from error
    return found


def prepare_command(command: str, setting: CommandSetting) -> str:
    """`command` for a run of this `setting`."""
    command = start_commands(command, setting)
    notes = [_note_part_of_iteration(setting)] if LAUNCH_RANGE in command else []
    command = command.replace(LAUNCH_RANGE, _choose_launch_range(setting))
    shown = [note for note in (*notes, _note_rocm_version(command, setting.rocm)) if note]
    return "\n".join([*shown, command.strip()]) if shown else command


def start_commands(text: str, setting: CommandSetting) -> str:
    """`text` with its commands as the run was started: with its ranks, and as for Python.

    A line that speaks of `-a python` itself is left as it is.
    """
    if setting.python:
        text = "\n".join(
            line if _PYTHON in line else line.replace("hpcrun -e", f"hpcrun {_PYTHON} -e")
            for line in text.split("\n")
        )
    return launch_as_ranks(text, setting.ranks)


def _choose_launch_range(setting: CommandSetting) -> str:
    """Past the first tenth, which warms up, no more launches than there are, whole iterations."""
    if setting.launches is None or setting.launches < 1:
        return f"--launch-count {_MOST_LAUNCHES}"
    launches, each = setting.launches / max(setting.ranks, 1), _count_per_iteration(setting)
    skipped, looked_at = int(launches // 10), max(1, int(launches // 20))
    some = min(_MOST_LAUNCHES, looked_at)
    if 0 < each <= min(_LONGEST_ITERATION, launches - skipped):
        some = max(some // each, 1) * each
    return f"--launch-skip {skipped} --launch-count {some}"


def _count_per_iteration(setting: CommandSetting) -> int:
    """Launches of one process in one iteration; 0 where none were found."""
    if not setting.launches or not setting.iterations:
        return 0
    return math.ceil(setting.launches / max(setting.ranks, 1) / setting.iterations)


def _note_part_of_iteration(setting: CommandSetting) -> str:
    """A comment where an iteration has too many launches to look at them all."""
    each = _count_per_iteration(setting)
    is_part = each > _LONGEST_ITERATION
    return f"# Looks at a part of an iteration, which has {each:,} launches." if is_part else ""


def _note_rocm_version(command: str, rocm: str | None) -> str:
    """The latest version of ROCm that a part of the command needs, unless the run had it."""
    if rocm is None:
        return ""
    versions = [version for sign, version in load_tools() if sign in command]
    if not versions:
        return ""
    least = max(versions, key=_parse_version)
    if not rocm:
        return f"# Needs ROCm {least} or later."
    had, needed = _parse_version(rocm), _parse_version(least)
    if had == needed[: len(had)] != needed:  # of 6 it is not known whether it is 6.2 or 6.4
        return f"# Needs ROCm {least} or later; this run used ROCm {rocm}."
    return f"# This run used ROCm {rocm}: first update to {least} or later." if had < needed else ""


def _parse_version(version: str) -> tuple[int, ...]:
    if not re.fullmatch(r"\d+(\.\d+)*", version):
        raise ValueError(f"{version!r} is no version")
    return tuple(int(part) for part in version.split("."))
