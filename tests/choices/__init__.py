"""Small recordings whose right choices follow by hand: spans, classes, blame, bounds, order.

In:  `cases/<kind>.yaml`: cases by name, each with the files of a recording and what must hold of
     its documents.
Out: one test for each case. To add one: its files, and why each value is right.

    recordings   the files of a case, from the few lines that it has of them
    checks       what must hold of documents, and whether it does
"""
