"""What sums up a run: verdict, key figures, quality of the data, plan and what it is worth.

In:  results, findings, the tree of causes. Out: parts of the document.

    verdict            verdicts.yaml -> the run in a sentence
    key_figures        numbers of the summary
    scorecard          scorecard.yaml -> data quality
    share_lint         shares of the wrong whole
    action_plan        causes, roadmap, targets, worth together
    answered_findings  what else a step answers
    combined_gain      time, money, energy

A kind of run is an entry of `verdicts.yaml`, a number of the summary one of `key_figures.yaml`, a
property of the data one of `scorecard.yaml`.
"""
