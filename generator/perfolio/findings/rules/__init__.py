"""Rules: one Markdown file each, and what reads them.

In:  `<code>-<slug>.md`, `external_inputs.toml`, a project's own thresholds. Out: `Rule` by code.

    catalog              files -> Rule, by the types of `model.rule`
    rule_checks          which entries go together, and which rules
    external_inputs      what no database holds
    threshold_overrides  a project's own thresholds
    advice_passages      advice that a run's evidence bears out

To add a rule: write `<code>-<slug>.md` (see any neighbour) and its cases below
`[[<code>]]` in `tests/findings/cases/<letter>.toml`: at least one that fires, one that passes and
one that cannot be evaluated. One of them repeats the thresholds.
"""
