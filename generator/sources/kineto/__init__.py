"""Traces of PyTorch's profiler: JSON of Kineto, plain or compressed by gzip, one file per rank.

In:  a file, or a folder with the files of the ranks of one run.
Out: `generator.sources.model.Source`.

    stream     a file to pieces of text, whatever its size
    elements   the elements of `traceEvents` out of these pieces, and the entries beside it
    events     the fields that are read, and the exact nanoseconds of a decimal number
    classify   an event to a range, an operation, a change of memory or nothing
    ranks      which files are one run, and the rank of each
    reader     all of them together

Nothing depends on the process that an event names: functions of Python and GPU streams share
numbers. What an event is follows from its category, in any case, and for the host from its thread.
"""
