"""Audit: the claims of another report held against the data of a run.

In:  claims (claims.toml), metrics and findings of one run.
Out: for each claim the truth, the ratio, a verdict, and reasons that are computed from the data.

A claim that is off is compared with what known mistakes give on the same data: inclusive values
summed over callers, one entry point only, CPU-seconds as wall time, both directions of a link as
one. The one that gives the claimed value is named. Nothing here knows any particular report.
"""
