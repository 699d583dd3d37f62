"""Causes and steps: where the time goes, and in which order steps are worth taking.

In:  results, findings, and `causes.yaml`. Out: a `Tree`, a `Roadmap`, joint bounds.

    causes, catalog, grown   causes.yaml + results -> Tree     breakdown  .yaml -> parts in one bar
    population    what shares of time are judged by            concern     what a finding concerns
    roadmap       steps in order, with joint gains             leads       findings that make a step
    held_back     what has to wait

To add a cause: an entry of `causes.yaml`; its head says what an entry holds.
"""
