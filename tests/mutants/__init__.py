"""Do tests notice a change of one place? Single random mutations, tried one by one, by hand.

    python -m tests.mutants --count 91 --seed 1
    python -m tests.mutants --count 20 --seed 1 --area metrics --tree ../older-checkout

Each mutant is one change of a metric's SQL, of a rule or the Python of findings, or of the reader
of HPCToolkit's files, in a copy of the tree. The tests that concern the file run; a mutant that
passes them all has survived, and is printed as a difference. Some survivors mean the same as the
original; the others show what no test looks at.

The same seed gives the same mutants of the same files: `--tree` compares two sets of tests.

    changes  places where a module, a query or a rule can be changed
    areas    what is mutated, and which tests concern it
    trees    copies of a tree, and tests in them
"""
