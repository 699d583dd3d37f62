"""Rules against results: each rule becomes one finding.

In:  results, rules. Out: findings in the order in which a reader needs them.

    rule_evaluation    rules + results -> Finding
    severity           how severe a share may be; order
    threshold_margin   what would change it
    finding_sentences  a finding in one line of words
"""
