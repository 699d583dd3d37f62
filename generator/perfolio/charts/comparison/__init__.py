"""Charts of a comparison: one module per chart, drawn from comparison.json.

In:  the document of a comparison (`perfolio.comparison.comparison_document`).
Out: `ComparisonFigure`: a figure as those of the gallery, and the rows of its data.

To add one: a module here with `draw(document) -> ComparisonFigure | None` (None: nothing to draw),
its name in `comparison_rendering.CHARTS`, and its place on the page in `templates/comparison`.

    time_waterfall     the time before, what each part adds or takes off, the time after
    run_times          the time of each run of both sides
    difference_icicle  the difference by calling path: a differential flame graph
    part_words         parts of time in words, the same in charts and on the page
    comparison_figure  what a chart is before it is rendered
"""
