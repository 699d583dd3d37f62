"""Commands that start a program, for a run that was started as several ranks.

In:  text with commands: a page's code, a sentence, an entry of `needs.toml`. PROGRAM stands for
     the program with its arguments, RANKS for the number of ranks.
Out: the text with every one of them started by `mpiexec`, where the run had several ranks.

What a tool measures of a single rank says little about all of them: ranks that share cores, say,
hold each other up, and one alone is not held up. So this is the one place that starts a program,
and the texts name it bare.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from perfolio.common.content_files import reload_when_edited
from perfolio.common.errors import ContentError
from perfolio.common.toml_files import TomlError, read_toml

PATH = Path(__file__).with_name("run_command_rules.toml")
PROGRAM, RANKS = "PROGRAM", "RANKS"
_PLACES = ("before", "behind")
_OWN_FILE = "%q{"
"""In a name of a file: a variable of the environment, which differs between ranks."""
_COMMENT = re.compile(r"(?P<command>\S.*?) {2,}(?P<comment># .*)")
_GAP = 3


@dataclass(frozen=True)
class ToolStarter:
    """A tool that starts a program."""

    place: str
    """Where mpiexec stands: `before` the tool, so that each rank has its own, or `behind` it."""
    note: str = ""
    """What to know where it starts several ranks."""
    option: str = ""
    """What it is told besides where it follows all ranks, unless the command says it itself."""


@reload_when_edited(PATH)
def load_starters(path: Path) -> Mapping[str, ToolStarter]:
    """The tools that start a program, by command. ContentError where the file is faulty."""
    try:
        found = read_toml(path)["starter"]
        starters = {
            str(each["command"]): ToolStarter(
                str(each["mpiexec"]), str(each.get("note", "")), str(each.get("option", ""))
            )
            for each in found
        }
    except (KeyError, TypeError, TomlError) as error:
        raise ContentError(f"{path}: {error}") from error
    if wrong := sorted({each.place for each in starters.values()} - set(_PLACES)):
        raise ContentError(f"{path}: mpiexec is one of {', '.join(_PLACES)}, not {wrong}")
    return starters


def launch_as_ranks(text: str, ranks: int) -> str:
    """`text` with its commands started as `ranks` ranks; as it is for a single process."""
    if ranks < 2 or PROGRAM not in text:
        return text
    starters = load_starters(PATH)
    started = _make_command_pattern(tuple(starters)).sub(
        lambda found: _start_command(found, ranks, starters), text
    )
    return text if started == text else align_comments(_add_notes(started, starters))


def name_program(text: str, program: str) -> str:
    """`text` whose commands start this `program`; as it is where none is given.

    Where PROGRAM is a file, an argument of another command, it stays.
    """
    if not program or PROGRAM not in text:
        return text
    named = _make_command_pattern(tuple(load_starters(PATH))).sub(
        lambda found: (
            found[0].removesuffix(PROGRAM) + program if _starts_program(found) else found[0]
        ),
        text,
    )
    return text if named == text else align_comments(named)


def _starts_program(found: re.Match[str]) -> bool:
    """Whether a match is a command that starts PROGRAM, and not one with its file."""
    begins = found["begins"] is not None
    return bool(found["launcher"] or found["tool"] or found["settings"] or begins)


def align_comments(text: str) -> str:
    """`text` with the comments behind its commands below each other."""
    lines = text.split("\n")
    found = [_COMMENT.fullmatch(line) for line in lines]
    width = max((len(one["command"]) for one in found if one), default=0) + _GAP
    return "\n".join(
        one["command"].ljust(width) + one["comment"] if one else line
        for one, line in zip(found, lines, strict=True)
    )


def _add_notes(text: str, starters: Mapping[str, ToolStarter]) -> str:
    """`text` with the notes of its tools, each as a comment above the first command of the tool."""
    for command, starter in starters.items():
        if starter.note:
            first = re.search(rf"^{re.escape(command)} .*\b{PROGRAM}\b", text, re.MULTILINE)
            start = first.start() if first else None
            text = text if start is None else f"{text[:start]}# {starter.note}\n{text[start:]}"
    return text


def _start_command(found: re.Match[str], ranks: int, starters: Mapping[str, ToolStarter]) -> str:
    if found["launcher"]:
        return found[0].replace(f"-n {RANKS} ", f"-n {ranks} ")
    settings, tool = found["settings"], found["tool"]
    if not _starts_program(found):
        return found[0]
    launcher = f"mpiexec -n {ranks} "
    if tool and starters[tool].place == "behind" and _OWN_FILE not in found["options"]:
        option = starters[tool].option
        known = not option or option.split()[0] in found["options"]
        options = found["options"] + ("" if known else f"{option} ")
        return settings + tool + options + launcher + PROGRAM
    return launcher + ("env " if settings else "") + found[0]


@cache
def _make_command_pattern(tools: tuple[str, ...]) -> re.Pattern[str]:
    """A tool with options and PROGRAM, or PROGRAM alone, and whether a command begins with it."""
    names = "|".join(re.escape(tool) for tool in sorted(tools, key=len, reverse=True))
    return re.compile(
        r"(?P<launcher>mpiexec -n \w+ (?:-\S+ )*)?(?P<begins>^|(?<=`)|(?<=; )|(?<=&& ))?"
        r"(?P<settings>(?:\b[A-Z_]+=\S* )*)"
        rf"(?:(?<![\w/.-])(?P<tool>{names})(?P<options> (?:[^`;&#\n]*? )?))?\b{PROGRAM}\b",
        re.MULTILINE,
    )
