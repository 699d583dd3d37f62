"""Perfolio: from a profile to a report that people trust, in one command.

The rooms are the data flow; each may import those below it in this list alone:

- cli         arguments to one call of a room below
- classroom   a class: exercises handed out, variants, grades
- exporters   a run for other programs: data frames, Hatchet, Perfetto, CI
- pipeline    profiles to documents, documents to reports, projects
- site        Markdown to a static site; the only place that knows MkDocs
- pages       one template per page, from two JSON documents to Markdown
- charts      one function per chart, from metrics.json to Altair
- exercises   questions about a run whose answers are computed from it
- audit       claims of another report against data
- prediction  formulas of what a run would take, before there is one
- findings    one Markdown file per rule, evaluated to findings.json
- metrics     questions in SQL, by group, evaluated to metrics.json
- store       columns to one DuckDB file, and the check that its totals agree
- simulation  a scenario to events, with known truth
- writers     columns to the files of a profile
- workloads   programs to profile, and a recorder
- readers     bytes of a profile to named columns (Arrow); knows no SQL
- redaction   private paths, users and hosts: found, hidden, proven gone
- common      errors, units and files: what knows nothing of profiles

    import perfolio

    perfolio.Run("trace.json.gz")
    perfolio.frames.metrics("run.duckdb")

`Run` and `frames` are what notebooks call; they are imported when they are first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name == "frames":
        return import_module("perfolio.exporters.data_frames")
    if name == "Run":
        return import_module("perfolio.exporters.notebook_run").NotebookRun
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
