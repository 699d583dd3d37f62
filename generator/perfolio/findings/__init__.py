"""Findings: what the metrics mean, one Markdown file per rule.

In:  results of metrics (`perfolio.metrics.model.Results`).
Out: findings, key figures and a verdict, and `findings.json`.
     No word here knows charts, templates or the site.

Rooms, each of which imports those before it:

    model       rules, findings, conditions, words
    estimates   what findings are worth at most
    tree        causes, steps, joint bounds
    rules       one Markdown file each
    evaluation  rules + results -> findings
    report      verdict, figures, plan, quality

    document         all of it as findings.json
    document_reader  findings.json back from a file
    provenance       where its numbers come from
    chart_tables     what charts draw of findings
    claim_rules      rules that an audit feeds

A rule names its cause, its estimator and its chart; no list does. To add a rule, a cause, an
estimator, a kind of run: see the room.
"""
