"""Findings: what the metrics mean, one Markdown file per rule.

In:  results of metrics (`perfolio.metrics.model.Results`).
Out: findings, key figures and a verdict, and `findings.json`.
     No word here knows charts, templates or the site.

Rooms, each of which imports those before it:

    model       rules, findings, conditions, words
    tree        causes, steps, joint bounds
    estimates   what findings are worth at most
    evaluation  rules + results -> findings
    rules       one Markdown file each
    report      verdict, figures, plan, quality

    document         all of it as findings.json
    document_reader  findings.json back from a file
    provenance       where its numbers come from
    chart_tables     what charts draw of findings
    claim_rules      rules that an audit feeds

To add a rule, a cause, an estimator, a kind of run: see the room.
"""
