"""Rules against results: each rule becomes one finding.

In:  results, rules. Out: findings in the order in which a reader needs them.

    evaluate      rules + results -> Finding     severity    how severe a share may be; order
    margin        what would change it           sentences   a finding in one line of words
"""
