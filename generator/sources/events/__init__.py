"""Recordings of events with begin and end, as PyTorch, Nsight Systems and ROCm write them.

In:  a `Recording`, which a reader of such a format fills.
Out: the tables of a `Source`: the same that a reader of samples gives.

    recording   what a reader hands over: lines, ranges, operations, memory
    nesting     ranges to calling contexts, time in each, and moments of change
    operations  operations to contexts below the call that launched them
    costs       time and counts by line and context to values and sums
    tables      all of it as tables of a source
"""
