"""A report as one file to mail: the pages of a built site one below the other, all within.

    anchored.py   a page's article, its addresses made anchors of the one file
    within.py     what a page loads, as data that stands in it
    assemble.py   pages, styles and script to the file

Charts are their static images, and the file asks nobody for anything.
"""
