"""Metrics: questions to the store, in SQL.

In:  a store and a run. Out: results (`model.Result`, read with `metric_values`), and
     `metrics.json`.

To add one: a single value is an entry of its group's `<group>/scalars.sql`, a table a file
`<group>/<name>.sql`; its cases are an entry of `tests/metrics/cases/<group>.yaml`. Those of `time`
are divided by what they are about. Nothing else registers it.
A need that no metric had before is described in `readers/events/needs.toml`, or in the
`capabilities.toml` of the tools that record it.
"""
