"""Charts over many runs: one module per chart, drawn from answers of a lake.

In:  rows of a question (`perfolio.fleet.lake_questions`). Out: a `ComparisonFigure`, with its data.

    weekly_idle  the share of GPU-hours in which GPUs idle, by week
"""
