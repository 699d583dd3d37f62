"""Metrics: questions to the store, one .sql file each.

In:  a store and a run. Out: results (`model.Result`, read with `metric_values`), and
     `metrics.json`.

To add one: write `<group>/<name>.sql` with its front matter (see any neighbour)
and its cases `tests/metrics/cases/<group>.<name>.yaml`. Nothing else registers it.
A need that no metric had before is described in `needs.toml`.
"""
