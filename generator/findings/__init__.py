"""Findings: what the metrics mean, one Markdown file per rule.

In:  results of metrics (`generator.metrics.model.Results`).
Out: findings, key figures and a verdict, and `findings.json`.
     No word here knows charts, templates or the site.

    model, finding, summary: what a rule is, what evaluating one gives, what sums up a run
    head, entries, catalog: rules/*.md -> Rule   conditions   `run.ranks > 1`, `{gpu.launches}`
    evaluate      rules + results -> Finding     sentences    a finding in one line of words
    costs, events words of the run's CPU event   undecided    thresholds within an interval
    estimate      what a finding is worth        kernels      shares weighted by kernel time
    bounds        formulas of estimates          wall, clock  the time that they are shares of
    ahead, chains, collectives, copies, copy_work, iterations, kernel_work, launches, limits,
    overlap, start: estimates by subject         gpu_work     of one kind of GPU operations
    concern       the part that a finding concerns
    evidence      the rows that show it          verdict      verdicts.yaml -> the run in a sentence
    expected      what steps reached of their bounds elsewhere
    margin        what would change a severity   inputs       what no database holds
    overrides     a project's own thresholds     gpu          whether a run has one
    claimed       the rule that an audit feeds
    passages      advice that a run's evidence bears out, with its numbers
    key_figures, breakdown                       document     all of it as findings.json
    provenance    where its numbers come from    reading      findings.json back from a file
    tables        what charts draw of findings

    causes        causes.yaml + results -> Tree  amounts      `time.wall - time.gpu_busy`
    causes_catalog, causes_placed: its file, and how much each cause has of what
    joint         bounds of several findings     roadmap      steps in order, with joint gains
    leads         findings that make a step
    answers       what else a step answers       population   what shares of time are judged by
    worth         time, money, energy            targets      what metrics should reach
    scorecard     scorecard.yaml -> data quality lint         shares of the wrong whole
    plan          these, as parts of the document
    severity      how severe a share of the run may be, and the order of findings

To add a rule: write `rules/<code>-<slug>.md` (see any neighbour) and its cases in
`tests/findings/cases/<code>.toml`: at least one that fires, one that passes and
one that cannot be evaluated. A cause is an entry of `causes.yaml`, a kind of run one of
`verdicts.yaml`, a number of the summary one of `key_figures.yaml`, a property of the data one of
`scorecard.yaml`; their heads say what an entry holds. A condition that several of them share has a
name in `conditions.yaml`.
"""
