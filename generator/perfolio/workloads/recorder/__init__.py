"""`perfolio record`: somebody else's program, unchanged, recorded in passes.

In:  the command that starts it, which steps, which tools. Out: a folder for each tool, with its
     recording and a profile.toml.

    tools/     what each tool needs and runs, a file each
    pass_plan  passes: which tools are there, in which order, with which commands
    inject/    what a program that is recorded runs as well: it counts steps and starts
               profilers
    passes     runs a plan, and compares what the passes saw

To add a tool: one file in `tools`, and its case in tests/workloads/test_record.py.
"""
