"""What findings are made of: rules, findings, estimates, conditions, and the words for a run.

In:  text of rule and YAML files; results of metrics. Out: values and words; no judgement.

    rule             what a rule is, and the words for how severe it is
    finding          what evaluating a rule gives, and what removing a finding is worth
    change_effect    what goes of the cells of a run, and what several effects save together
    conditions       `run.ranks > 1`, `{gpu.launches}`; conditions.yaml: shared ones by name
    content_entries  content files as objects of the types that describe them
    wording          of the run's CPU event, wordings
    confidence       thresholds within an interval
    run_traits       whether one has a GPU or ranks
    evidence         the rows that show a finding
    denominator      what a bound is a share of
    step_replay      what a replay of the run says of steps, and of ranks

To add a condition that several files share: a line of `conditions.yaml`.
"""
