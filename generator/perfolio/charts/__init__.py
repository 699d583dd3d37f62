"""Charts: one function per chart, drawn from the results of one run.

In:  results of metrics (`perfolio.metrics.model.Results`).
Out: `model.RenderedChart`: a static SVG, a Vega-Lite specification, the data as CSV.

To add one: write `gallery/<name>.py` with a function `draw(results) -> ChartFigure | None`
(None: nothing measured to draw) and `GROUP`, the page that shows it; and its case in
`tests/charts/cases/<name>.yaml`. Nothing else registers it. Charts of two groups of runs are drawn
from comparison.json: see `comparison`. Those of a fleet are in `fleet`. Every interval of a run of
events, for its live timeline, is read from the store: see `tiles`. Images are drawn in `drawing`.
"""
