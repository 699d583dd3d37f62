"""Call trees of tools that Hatchet reads to a `Source`."""

from __future__ import annotations

from pathlib import Path

from perfolio.common.errors import InputError
from perfolio.readers.hatchet.caliper import read_caliper_json
from perfolio.readers.hatchet.call_places import CostedCallTree
from perfolio.readers.hatchet.call_tables import make_call_tables
from perfolio.readers.hatchet.graph_frames import make_calls
from perfolio.readers.hatchet.input_guards import check_input
from perfolio.readers.hatchet.profile_kinds import CallTreeFormat, detect_format
from perfolio.readers.hatchet.staged_files import StagedFiles, stage_files
from perfolio.readers.hatchet.worker import run_hatchet
from perfolio.readers.model import InputFile, Source

CALIPER = "Caliper"
_VERSIONS = {
    CallTreeFormat.DATABASE: "3",
    CallTreeFormat.CALI: ".cali",
    CallTreeFormat.CALIPER_JSON: "json-split",
    CallTreeFormat.TIMEMORY: "tree",
    CallTreeFormat.CPROFILE: "pstats",
    CallTreeFormat.PYINSTRUMENT: "JSON",
    CallTreeFormat.TAU: "profile",
    CallTreeFormat.DOT: "dot",
}


def matches(path: Path) -> bool:
    """Whether `path` is a file or folder that Hatchet reads, or a JSON of Caliper."""
    return detect_format(path) is not None


def read(path: Path) -> Source:
    """Read a call tree. Raises InputError and FormatError, and where Hatchet is missing."""
    form = detect_format(path)
    if form is None:
        raise InputError(f"{path}: is no call tree that is read")
    held = stage_files(path, form)
    calls = _read_calls(held).checked(path)
    tables = make_call_tables(calls)
    return Source(
        path=path,
        tool=CALIPER if form is CallTreeFormat.CALIPER_JSON else form.value,
        format_version=_VERSIONS[form],
        title=calls.title,
        description="",
        files=tuple(InputFile(each, _VERSIONS[form]) for each in held.files),
        tables=tables,
        streams={},
        warnings=tuple(calls.notes),
        ranks=calls.ranks.number if calls.ranks.statistics else 0,
    )


def _read_calls(held: StagedFiles) -> CostedCallTree:
    if held.form is CallTreeFormat.CALIPER_JSON:
        return read_caliper_json(held)
    check_input(held)
    return make_calls(held, run_hatchet(held))
