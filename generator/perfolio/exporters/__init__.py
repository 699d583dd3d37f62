"""A run for other programs: data frames, a graph for Hatchet, flame graphs, timelines.

In:  a store, and the short name of a run where it has several.
Out: data frames of pandas (`data_frames`), or files that other programs read (`export_files`).

    data_frames   what notebooks call: metrics, table, findings, query, as data frames
    notebook_run  what notebooks show: the summary of a run, its frames, comparisons
    arrow_tables  the same as tables of Arrow, with units and definitions
    call_tree     the calling contexts of a run with what they cost
    hatchet       a GraphFrame of Hatchet of any run
    speedscope    calling contexts for speedscope
    perfetto      what threads and GPUs did over time, for Perfetto and Chrome
    agent_server  runs of a folder for assistants, by the Model Context Protocol
    served_runs   which these are, that nothing else is read, and what was made of them
    export_files  each of them as a file or folder, which appears whole or not at all

To add a format: a module with a function of a store and a run, and its line in
`export_files.FORMATS`.
"""
