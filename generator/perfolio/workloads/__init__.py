"""Programs to profile, and a recorder: ours, and any other that trains with PyTorch.

In:  a variant (a table of `variants/<program>.toml`), or the command line of a program. PyTorch is
     needed to run either (the extra `torch`), and is imported only then.
Out: a folder that `perfolio build` takes: a trace, profile.toml, performance_summary.json.

    variant_options  what a variant can say, as types
    catalog          the variants by name, each with what it takes from another one
    models           what is trained, a module each
    training_step    one step: its input, forward, backward, optimizer, as the options ask for it
    serving_step     one step of a server's engine: a prompt, or a token of each request
    workload_run     a variant to a folder: warm-up, timed steps, recorded steps
    profile_notes    profile.toml and other files of a recording
    recorder         `perfolio record`: passes over somebody else's program

To add a variant: one table, with `from` where it differs from another one in few entries. To add a
model: its sizes in `variant_options`, and a module in `models` with `build`.
"""
