"""Reports of Nsight Systems: `nsys export` as SQLite, or as a folder of Parquet files.

In:  a file, a folder of Parquet files, or a folder with the reports of the ranks of one run.
Out: `generator.sources.model.Source`.

    tables     the tables of a report by name, whatever holds them, and numbers that are checked
    sqlite     tables of an SQLite file, read only
    parquet    tables of a folder of Parquet files
    names      texts by their identifiers
    reading    processes, threads and streams of one report, and what had to be tolerated
    gpu        kernels, copies, memsets and CUDA graphs: operations; allocations of memory
    nvtx       ranges that programs and libraries mark
    host       calls and all other ranges of threads
    lives      from when to when processes lived
    words      what names and numbers of kinds mean
    devices    GPUs of the host, by their numbers
    told       what a report says of itself: version, clock, host, ranks, diagnostics
    files      which files are one run, and what to do with files that cannot be read
    reader     all of them together

A table exists only where it has rows, and its columns differ between versions: all are read by
name, and what is not there was not recorded.
"""
