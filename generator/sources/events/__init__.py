"""Recordings of events with begin and end, as PyTorch, Nsight Systems and ROCm write them.

In:  a `Recording`, which a reader of such a format fills.
Out: the tables of a `Source`: the same that a reader of samples gives.

    recording   what a reader hands over: lines, ranges, operations, memory
    nesting     ranges to calling contexts, time in each, and moments of change
    operations  operations to contexts below the call that launched them
    costs       time and counts by line and context to values and sums
    lines       threads and streams with their numbers
    placed      a recording in the tree of its contexts
    code        places of code and the tree as tables
    timeline    what threads and streams did over time as tables
    tables      all of it as tables of a source
    words       names as people and stores can hold them
    strays      events far from all others, which are no part of the run
    notes       what readers say alike of what a recording lacks
"""
