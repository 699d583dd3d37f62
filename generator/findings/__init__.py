"""Findings: what the metrics mean, one Markdown file per rule.

In:  results of metrics (`generator.metrics.model.Results`).
Out: findings, key figures and a verdict, and `findings.json`.
     No word here knows charts, templates or the site.

Rooms, each of which imports those before it:

    terms         rules, findings, conditions, words     tree     causes, steps, joint bounds
    estimates     what findings are worth at most        judge    rules + results -> findings
    rules         one Markdown file each                 report   verdict, figures, plan, quality

    document      all of it as findings.json     reading      findings.json back from a file
    provenance    where its numbers come from    tables       what charts draw of findings
    claimed       rules that an audit feeds

To add a rule, a cause, an estimator, a kind of run: see the room.
"""
