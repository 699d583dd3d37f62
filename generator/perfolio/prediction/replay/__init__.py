"""Replay: what an iteration would take with a part of it changed.

In:  the tables of a run of events, and changes.
Out: the time of its iterations, as it is and changed.

    launch_graph      the same in columns, with what they wait for
    graph_extraction  a store to a graph
    call_columns      calls and operations as recorded; kinds of calls, and work between them
    delays            from a call to its operation, and queues of launches
    stream_edges      waits between streams, as recorded, else inferred
    rank_meetings     collectives in which ranks meet, by their groups and numbers
    graph_replay      a graph to begins and ends
    refusals          where a replay would say nothing true
    change_file       changes as data, `changes/<name>.toml`
    change_kinds      what each kind does; changed_* by what it changes
    iteration_timeline  one iteration before and after changes, as marks to draw
    savings           what changes save, alone and together, and in which order

The model is that of Daydream (Zhu et al., ATC 2020) and dPRO (Hu et al., MLSys 2022), applied to
what is recorded. To add a change: one file; to add a kind: one function.
"""
