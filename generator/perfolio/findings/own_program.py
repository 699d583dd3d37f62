"""The run's own command in the place of PROGRAM, in all that its documents advise to run.

In:  a findings document with its metrics. Out: the same, whose commands can be run as they are.

Where the command is not certain, PROGRAM stays (`readers.program_command` decides).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from perfolio.metrics.mpi_commands import name_program
from perfolio.readers.program_command import find_program

_COMMANDS = frozenset({"collect", "sections", "details"})
"""Keys of commands and of text with commands, wherever they are in a document."""


def find_own_program(run: Mapping[str, Any]) -> str:
    """How a run was started; empty where that is not certain, or others are to read of it."""
    return "" if "shared" in run else find_program(run["settings"])


def start_own_program(findings: Mapping[str, Any]) -> None:
    """Name the program in the commands of a document, where it is known how it was started."""
    if program := find_own_program(findings["metrics"]["run"]):
        _name_below(findings, program)


def name_in_sections(sections: Mapping[str, str], program: str) -> dict[str, str]:
    """The advice of a rule with the program in its commands; as it is where none is given."""
    return {heading: name_program(text, program) for heading, text in sections.items()}


def _name_below(holder: Any, program: str) -> None:
    if isinstance(holder, list):
        for each in holder:
            _name_below(each, program)
    elif isinstance(holder, dict):
        for key, value in holder.items():
            if key in _COMMANDS:
                holder[key] = _name_in(value, program)
            else:
                _name_below(value, program)


def _name_in(value: Any, program: str) -> Any:
    if isinstance(value, str):
        return name_program(value, program)
    if isinstance(value, dict):
        return {key: _name_in(each, program) for key, each in value.items()}
    return [_name_in(each, program) for each in value] if isinstance(value, list) else value
