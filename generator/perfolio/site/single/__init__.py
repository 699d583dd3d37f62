"""A report as one file to mail: the pages of a built site one below the other, all within.

    anchors.py   a page's article, its addresses made anchors of the one file
    inlining.py  what a page loads, as data that stands in it
    assembly.py  pages, styles and script to the file

Charts are their static images, but for a timeline of all intervals. The file asks nobody for
anything.
"""
