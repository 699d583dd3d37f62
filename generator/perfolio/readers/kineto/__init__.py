"""Traces of PyTorch's profiler: JSON of Kineto, plain or compressed by gzip, one file per rank.

In:  a file, or a folder with the files of the ranks of one run.
Out: `perfolio.readers.model.Source`.

    trace_events          the fields that are read, and the exact nanoseconds of a decimal number
    event_classification  an event to a range, an operation, a change of memory or nothing
    untimed_events        the times of ranges and operations, read together
    rank_files            which files are one run, and the rank of each
    profiler_options      what was recorded beside the times, and what that does to them
    rank_reading          the trace of one rank, also in another process
    reader                all of them together

Nothing depends on the process that an event names: functions of Python and GPU streams share
numbers. What an event is follows from its category, in any case, and for the host from its thread.
"""
