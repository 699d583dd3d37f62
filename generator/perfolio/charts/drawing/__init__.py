"""Images of charts without JavaScript: what Vega would draw, of what the gallery uses of it.

In:  a Vega-Lite specification as `perfolio.charts.gallery_rendering` makes it static.
Out: the same image as Vega's, element by element; nothing where it uses what is not known here.

    formulas         Vega's expressions
    number_formats   d3's formats and ticks
    geometry         scales, boxes, and how wide texts are
    marks            rectangles, texts, rules, points and lines
    guides           axes and the legend
    layered_views    what a specification says, layer by layer
    static_images    the image

Starting a JavaScript engine takes as long as drawing all charts of a report here. To add what Vega
can: write it where it belongs, and a chart whose image is compared with Vega's in the tests.
"""
