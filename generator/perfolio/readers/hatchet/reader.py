"""Call trees of tools that Hatchet reads to a `Source`."""

from __future__ import annotations

from pathlib import Path

from perfolio.common.errors import InputError
from perfolio.readers.hatchet.caliper import read_caliper_json
from perfolio.readers.hatchet.call_places import Calls
from perfolio.readers.hatchet.call_tables import tables_of
from perfolio.readers.hatchet.graph_frames import calls_of
from perfolio.readers.hatchet.input_guards import check
from perfolio.readers.hatchet.profile_kinds import Form, form_of
from perfolio.readers.hatchet.staged_files import Held, hold
from perfolio.readers.hatchet.worker import read_beside
from perfolio.readers.model import InputFile, Source

CALIPER = "Caliper"
_VERSIONS = {
    Form.DATABASE: "3",
    Form.CALI: ".cali",
    Form.CALIPER_JSON: "json-split",
    Form.TIMEMORY: "tree",
    Form.CPROFILE: "pstats",
    Form.PYINSTRUMENT: "JSON",
    Form.TAU: "profile",
    Form.DOT: "dot",
}


def matches(path: Path) -> bool:
    """Whether `path` is a file or folder that Hatchet reads, or a JSON of Caliper."""
    return form_of(path) is not None


def read(path: Path) -> Source:
    """Read a call tree. Raises InputError and FormatError, and where Hatchet is missing."""
    form = form_of(path)
    if form is None:
        raise InputError(f"{path}: is no call tree that is read")
    held = hold(path, form)
    calls = _calls(held).checked(path)
    tables = tables_of(calls)
    return Source(
        path=path,
        tool=CALIPER if form is Form.CALIPER_JSON else form.value,
        format_version=_VERSIONS[form],
        title=calls.title,
        description="",
        files=tuple(InputFile(each, _VERSIONS[form]) for each in held.files),
        tables=tables,
        streams={},
        warnings=tuple(calls.notes),
        ranks=calls.ranks.number if calls.ranks.statistics else 0,
    )


def _calls(held: Held) -> Calls:
    if held.form is Form.CALIPER_JSON:
        return read_caliper_json(held)
    check(held)
    return calls_of(held, read_beside(held))
