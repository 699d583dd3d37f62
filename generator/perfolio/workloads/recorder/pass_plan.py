"""The passes of a recording: which tools are there, in which order, with which commands.

In:  the user's command, the steps, the tools asked for, what the machine has.
Out: `RecordingPass` after `RecordingPass`, the clock alone first; UsageError where a tool that was
     asked for is not there. `shell` has a pass as lines of a shell.

What a tool needs and runs is a file of the folder `tools`; ContentError where one is faulty.
"""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from perfolio.common.content_files import reload_when_edited
from perfolio.common.errors import ContentError, UsageError
from perfolio.common.toml_files import TomlError, read_toml
from perfolio.workloads.torch_check import QUIET

INJECT = Path(__file__).with_name("inject")
TIME = "time"
_GPU = "nvidia-smi"
"""Where this program is, there is a driver of NVIDIA's."""
TOOLS = Path(__file__).with_name("tools")
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=300)]


class RecordingTool(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tool that records a program."""

    about: Text
    order: int
    """Passes go from what changes the program least to what changes it most."""
    program: str
    """What must be there; nothing for what PyTorch brings."""
    commands: Annotated[tuple[Text, ...], msgspec.Meta(min_length=1)]
    """Of a pass, one after the other. `{program}` stands for the user's command, `{out}` for the
    folder of the pass, `{gpu}` for the entry of this name where a GPU is there."""
    profile: Literal["", "torch", "cuda"] = ""
    """Who starts at the first step: PyTorch's profiler, the tool by CUDA's calls, or nobody."""
    beside: str = ""
    """A command that runs beside the program; what it prints is kept."""
    gpu: str = ""
    metrics: tuple[Text, ...] = ()
    """What `{metrics}` in a command stands for."""
    needs_gpu: bool = False
    whole: bool = False
    """Whether it records the program from its begin."""
    one_step: bool = False
    """Whether a single step is enough, as each takes long."""


@dataclass(frozen=True)
class StepRange:
    """Steps of the optimizer, from the end of the first to the end of the last."""

    first: int
    last: int

    @property
    def text(self) -> str:
        """As on the command line."""
        return f"{self.first}:{self.last}"


@dataclass(frozen=True)
class RecordingPass:
    """One run of the program."""

    name: str
    about: str
    out: Path
    environment: Mapping[str, str]
    """What is set besides."""
    commands: tuple[tuple[str, ...], ...]
    beside: tuple[str, ...] = ()


def parse_steps(text: str) -> StepRange:
    """From `5:15`. Raises UsageError."""
    first, colon, last = text.partition(":")
    if not (colon and first.isdecimal() and last.isdecimal() and len(text) < 20):
        raise UsageError(f"--steps {text[:60]!r}: is no range", hint="as in --steps 5:15")
    steps = StepRange(int(first), int(last))
    if steps.first < 2 or steps.last <= steps.first:
        raise UsageError(
            f"--steps {text}: begins at 2 or later, and ends after that", hint="as in --steps 5:15"
        )
    return steps


def choose_tools(names: Sequence[str] | None, *, has_gpu: bool) -> dict[str, RecordingTool]:
    """The tools of these names, or all that are there. Raises UsageError where one is not."""
    known = load_tools()
    for name in names or ():
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"one of {', '.join(known)}"
            raise UsageError(f"--with: no tool is called {name[:60]!r}", hint=hint)
        missing = explain_lack(known[name], has_gpu=has_gpu)
        if missing:
            raise UsageError(f"--with {name}: {missing}", hint="leave it out, or install it")
    if names:
        return {name: tool for name, tool in known.items() if name in names}
    return {name: tool for name, tool in known.items() if not explain_lack(tool, has_gpu=has_gpu)}


def explain_lack(tool: RecordingTool, *, has_gpu: bool) -> str:
    """Why a tool cannot be used here; empty where it can."""
    if tool.program and shutil.which(tool.program) is None:
        return f"{tool.program} is not on PATH"
    return "no GPU of NVIDIA is seen here" if tool.needs_gpu and not has_gpu else ""


def detect_gpu() -> bool:
    """Whether a driver of NVIDIA's is seen."""
    return shutil.which(_GPU) is not None


def plan_passes(  # noqa: PLR0913 - what a recording is made of
    program: Sequence[str],
    steps: StepRange,
    tools: Mapping[str, RecordingTool],
    folder: Path,
    *,
    has_gpu: bool,
    to_the_end: bool = False,
    shapes: bool = True,
) -> Iterator[RecordingPass]:
    """The clock alone, then each tool."""
    clock = RecordingTool("how long steps take, without a profiler", 1, "", ("{program}",))
    path = os.pathsep.join(filter(None, (str(INJECT), os.environ.get("PYTHONPATH"))))
    for name, tool in ((TIME, clock), *tools.items()):
        out = (folder / name).absolute()  # the program may change its folder
        last = steps.first + 1 if tool.one_step else steps.last
        environment = {
            "PYTHONPATH": path,
            "PERFOLIO_STEPS": f"{steps.first}:{last}",
            "PERFOLIO_PROFILE": tool.profile,
            "PERFOLIO_OUT": str(out),
            "PERFOLIO_END": "0" if to_the_end else "1",
            "PERFOLIO_SHAPES": "1" if shapes else "0",
            **QUIET,
        }
        gpu = tool.gpu if has_gpu else ""
        metrics = ",".join(tool.metrics)
        asked = (each.replace("{metrics}", metrics) for each in tool.commands)
        commands = tuple(_fill_command(each, program, out, gpu) for each in asked)
        beside = tuple(shlex.split(tool.beside))
        yield RecordingPass(name, tool.about, out, environment, commands, beside)


def _fill_command(command: str, program: Sequence[str], out: Path, gpu: str) -> tuple[str, ...]:
    words: list[str] = []
    for word in shlex.split(command):
        if word == "{program}":
            words += program
        elif word == "{gpu}":
            words += shlex.split(gpu)
        else:
            words.append(word.replace("{out}", str(out)))
    return tuple(words)


def format_shell(one: RecordingPass) -> Iterator[str]:
    """Lines for a shell that run the pass."""
    yield f"# {one.name}: {one.about}"
    yield shlex.join(("mkdir", "-p", str(one.out)))
    if one.beside:
        yield f"{shlex.join(one.beside)} > {shlex.quote(str(one.out / name_beside_file(one)))} &"
    settings = (f"{name}={value}" for name, value in one.environment.items() if value)
    first, *others = one.commands
    yield shlex.join(("env", *settings, *first))
    if one.beside:
        yield "kill $!"
    for command in others:
        yield shlex.join(command)


def name_beside_file(one: RecordingPass) -> str:
    """Where the output of what runs beside goes, in the folder of the pass."""
    return f"{one.beside[0]}.txt"


@reload_when_edited(TOOLS)
def load_tools(folder: Path) -> Mapping[str, RecordingTool]:
    """All tools by name, in the order of their passes. Raises ContentError."""
    found: dict[str, RecordingTool] = {}
    for path in folder.glob("*.toml"):
        try:
            found[path.stem] = msgspec.convert(read_toml(path), RecordingTool)
        except (TomlError, msgspec.ValidationError) as error:
            raise ContentError(f"{path}: {error}") from error
    return dict(sorted(found.items(), key=_get_order))


def _get_order(named: tuple[str, RecordingTool]) -> int:
    return named[1].order
