"""Small recordings whose right choices follow by hand: spans, classes, blame, bounds, order.

In:  `cases/<name>.yaml`, each with an input below `inputs/` and what must hold of its documents.
Out: one test for each case. To add one: its file, its input, and why each value is right.
"""
