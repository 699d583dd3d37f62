"""Causes and steps: where the time goes, and in which order steps are worth taking.

In:  results, findings, and `causes.yaml`. Out: a `Tree`, a `Roadmap`, joint bounds.

    causes, catalog, grown   causes.yaml + results -> Tree     breakdown  its parts in one bar
    concern       what a finding concerns                      held_back  what has to wait
    roadmap       steps in order, with joint gains             leads      findings that make a step

To add a cause: an entry of `causes.yaml`; its head says what an entry holds.
"""
