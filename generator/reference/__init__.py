"""Makes the generated pages of docs; `make docs` writes them (`python -m reference.build`).

build         the pages, and which of them there are
docs_hook     gives them to MkDocs, so that no file of them is kept
items         types of items of exercises
python_api    what notebooks import
rules         thresholds in one table, then every rule with its advice
models        what each model of the store is, what it reads, and who reads it
lineage       the picture of that
methodology   worked numbers of a course text, audited
performance   seconds and memory of reports, and of other tools on the same files
predictions   formulas, published runs, worked numbers
markdown      pieces of Markdown that these pages are made of
"""
