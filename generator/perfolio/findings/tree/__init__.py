"""Causes and steps: where the time goes, and in which order steps are worth taking.

In:  results, findings, and `causes.yaml`. Out: a `Tree`, a `Roadmap`, joint bounds.

    cause_tree, catalog, run_tree   causes.yaml + results -> Tree     breakdown  its parts in one
    bar
    affected_share  what a finding concerns
    blocked_steps   what has to wait
    roadmap         steps in order, with joint gains
    step_grouping   findings that make a step

To add a cause: an entry of `causes.yaml`; its head says what an entry holds.
"""
