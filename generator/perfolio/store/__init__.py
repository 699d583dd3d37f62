"""Store: columns to one DuckDB file.

In:  tables and batches of a source (`perfolio.readers.model`).
Out: a file whose tables are described in `schema.sql`, with the models of `models/`.

To add a column: `schema.sql` with comment and unit, the source that fills it,
and raise `SCHEMA_VERSION` in `database.py`. A model is an entry of a file below
`models/`, on its topic.
"""
