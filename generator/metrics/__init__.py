"""Metrics: questions to the store, one .sql file each.

In:  a store and a run. Out: results (`model.Result`), and `metrics.json`.

To add one: write `<group>/<name>.sql` with its front matter (see any neighbour)
and a case `tests/metrics/cases/<group>.<name>/`. Nothing else registers it.
"""
