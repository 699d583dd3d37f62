"""Rules: one Markdown file each, and what reads them.

In:  `<code>-<slug>.md`, `inputs.toml`, a project's own thresholds. Out: `Rule` by code.

    catalog, head, entries   files -> Rule        passages    advice that a run's evidence bears out
    inputs        what no database holds          overrides   a project's own thresholds
    order         what comes first

To add a rule: write `<code>-<slug>.md` (see any neighbour) and its cases in
`tests/findings/cases/<code>.toml`: at least one that fires, one that passes and
one that cannot be evaluated.
"""
