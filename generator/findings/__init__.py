"""Findings: what the metrics mean, one Markdown file per rule.

In:  results of metrics (`generator.metrics.model.Results`).
Out: findings, key figures and a verdict, and `findings.json`.
     No word here knows charts, templates or the site.

To add one: write `rules/<code>-<slug>.md` (see any neighbour) and its cases in
`tests/findings/cases/<code>.toml`: at least one that fires, one that passes and
one that cannot be evaluated.
"""
