"""Writes the generated half of docs/reference: `python -m reference.build`, as `make docs` does.

build         the pages, and which of them there are
items         types of items of exercises
rules         thresholds in one table, then every rule with its advice
models        what each model of the store is, what it reads, and who reads it
lineage       the picture of that
methodology   worked numbers of a course text, audited
predictions   formulas, published runs, worked numbers
markdown      pieces of Markdown that these pages are made of
"""
