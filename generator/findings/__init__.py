"""Findings: what the metrics mean, one Markdown file per rule.

In:  results of metrics (`generator.metrics.model.Results`).
Out: findings, key figures and a verdict, and `findings.json`.
     No word here knows charts, templates or the site.

    head, catalog rules/*.md -> Rule             conditions   `run.ranks > 1`, `{gpu.launches}`
    evaluate      rules + results -> Finding     sentences    a finding in one line of words
    estimate      what a finding is worth        kernels      shares weighted by kernel time
    evidence      the rows that show it          verdict      verdicts.yaml -> the run in a sentence
    margin        what would change a severity   inputs       what no database holds
    overrides     a project's own thresholds     gpu          whether a run has one
    claimed       the rule that an audit feeds
    key_figures, breakdown                       document     all of it as findings.json

To add a rule: write `rules/<code>-<slug>.md` (see any neighbour) and its cases in
`tests/findings/cases/<code>.toml`: at least one that fires, one that passes and
one that cannot be evaluated.
"""
