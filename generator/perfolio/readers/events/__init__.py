"""Recordings of events with begin and end, as PyTorch, Nsight Systems and ROCm write them.

In:  a `Recording`, which a reader of such a format fills.
Out: the tables of a `Source`: the same that a reader of samples gives.

    recording         what a reader hands over: lines, ranges, operations, memory
    recording_parts   recordings of parts of a run, such as ranks, as one
    range_nesting     ranges to calling contexts, time in each, and moments of change
    gpu_operations    operations to contexts below the call that launched them
    cost_tables       time and counts by line and context to values and sums
    thread_lines      threads and streams with their numbers
    placed_recording  a recording in the tree of its contexts
    code_tables       places of code and the tree as tables
    timeline          what threads and streams did over time as tables
    recording_tables  all of it as tables of a source
    event_names       names as people and stores can hold them
    stray_events      events far from all others, which are no part of the run
    missing_notes     what readers say alike of what a recording lacks
"""
