"""Perfolio: from a profile to a report that people trust, in one command.

The folders are the data flow, left to right; each may import those before it:

    sources -> store -> metrics -> findings -> charts -> pages -> site

- sources   bytes of a profile to named columns (Arrow); knows no SQL
- store     columns to one DuckDB file, and the check that its totals agree
- metrics   one .sql file per metric, evaluated to metrics.json
- findings  one Markdown file per rule, evaluated to findings.json
- charts    one function per chart, from metrics.json to Altair
- pages     one template per page, from both JSON documents to Markdown
- site      Markdown to a static site; the only place that knows MkDocs

`commands` turn arguments into calls of `pipeline`, of `reports` and, for a project, of `project`.
`errors` and `units` are used by everyone and use nobody.
"""

from __future__ import annotations

__version__ = "0.1.0"
