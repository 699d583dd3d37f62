"""Store: columns to one DuckDB file.

In:  tables and batches of a source (`generator.sources.model`).
Out: a file whose tables are described in `schema.sql`, with the views of `views.sql`.

To add a column: `schema.sql` with comment and unit, the source that fills it,
and raise `SCHEMA_VERSION` in `connect.py`. A view goes into `views.sql` with its comment.
"""
