"""Commands: one module per subcommand of `perfolio`.

In:  arguments. Out: a call of the pipeline, and lines for people or programs.
     An error becomes one line on standard error and its exit code (`common.reported`).

To add one: a module with a function of the same name, whose docstring is its help and
has an example, and its case in `tests/functional`. Nothing else registers it.
What it needs beyond `common` it imports when it runs: `perfolio --help` stays fast.
"""
