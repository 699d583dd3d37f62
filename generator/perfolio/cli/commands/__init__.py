"""Commands: one module per subcommand of `perfolio`.

In:  arguments. Out: a call of the pipeline, and lines for people or programs.
     An error becomes one line on standard error and its exit code
     (`command_options.report_errors`).

To add one: a module with a function of the same name, whose docstring is its help and
has an example, and its case in `tests/functional`. Nothing else registers it.
What it needs beyond `command_options` it imports when it runs: `perfolio --help` stays fast.
"""
