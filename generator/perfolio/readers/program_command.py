"""The command that started a program, where it is certain: what advice puts in place of PROGRAM.

In:  the words of a command, as a tool recorded them or a profile.toml says.
Out: the command for a shell, or nothing: where a word could mean something else in a shell or on a
     page, where a launcher or a profiler starts the program, whose place the advice takes itself,
     where a word looks like a secret, and where it is too long to be read.

This is the one place that decides. A command is recorded only as it comes out of here.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath

LONGEST = 160
"""Characters of a command that is told."""
RECORDED, DESCRIBED = "run.command", "workload.command"
"""Settings of a run: what its tool recorded, and what its profile.toml says."""
_WORD = re.compile(r"[A-Za-z0-9_@%+=:,./ -]+")
"""What is itself in a shell, where quotes are around spaces, and in Markdown and HTML."""
_SECRET = re.compile(
    r"token|secret|passw|passphrase|api.?key|credential|auth|bearer|private.?key|://[^/]*@"
    r"|\b(?:hf_|sk-|gh[a-z]_|github_pat_|glpat-|xox[a-z]-|AKIA)[\w-]{8}|[A-Za-z0-9+=_-]{40}",
    re.IGNORECASE,
)
_LAUNCHERS = frozenset({
    "mpiexec", "mpirun", "prun", "srun", "aprun", "jsrun", "lrun", "ibrun", "flux", "torchrun",
    "deepspeed", "accelerate", "horovodrun", "bpsrun",
})  # fmt: skip
_PROFILERS = frozenset({
    "nsys", "ncu", "hpcrun", "rocprof", "rocprofv2", "rocprofv3", "rocprof-compute", "omniperf",
    "omnitrace-run", "perf", "py-spy", "strace", "ltrace", "gdb", "cuda-gdb", "rocgdb", "valgrind",
    "compute-sanitizer", "perfolio", "tau_exec",
})  # fmt: skip
_MODULES = ("torch.distributed", "accelerate.commands", "deepspeed.launcher", "cProfile")


def format_program(words: Sequence[str]) -> str:
    """The command of these words for a shell; empty where it is not certain to be one."""
    if not words or words[0].startswith("-") or "=" in words[0] or words[0] != words[0].strip():
        return ""
    command = shlex.join(words)
    if len(command) > LONGEST or not all(map(_WORD.fullmatch, words)) or _SECRET.search(command):
        return ""
    names = {PurePosixPath(word).name for word in words}
    if names & (_LAUNCHERS | _PROFILERS) or any(word.startswith(_MODULES) for word in words):
        return ""
    return command


def agree_on_program(commands: Iterable[Sequence[str]]) -> str:
    """The command of all processes of a run; empty where they differ, or one is not known."""
    found = {tuple(words) for words in commands}
    return format_program(found.pop()) if len(found) == 1 else ""


def find_program(settings: Mapping[str, str]) -> str:
    """The command of a run by its settings: what a person says of it counts first."""
    told = settings.get(DESCRIBED, settings.get(RECORDED, ""))
    try:
        return format_program(shlex.split(told))
    except ValueError:  # a quote that does not end
        return ""
