"""How the house stands: figures of names, files and words, each with a budget that only tightens.

In:  the files of the checkout, its settings and, for what an addition costs, its history.
Out: figures by name (`figures`), printed beside their budgets by `make house`, held by a test.

To add one: a function in `figures.py` or `names.py`, and an entry in `budgets.toml`.
"""
