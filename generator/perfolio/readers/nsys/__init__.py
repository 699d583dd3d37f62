"""Reports of Nsight Systems: `nsys export` as SQLite, or as a folder of Parquet files.

In:  a file, a folder of Parquet files, or a folder with the reports of the ranks of one run.
Out: `perfolio.readers.model.Source`.

    checked_tables     the tables of a report by name, whatever holds them, and numbers that are
                       checked
    sqlite_report      tables of an SQLite file
    parquet_report     tables of a folder of Parquet files
    string_ids         texts by their identifiers
    report_context     processes, threads and streams of one report, and what had to be tolerated
    gpu_events         kernels, copies, memsets and CUDA graphs: operations; allocations of memory
    nvtx_ranges        ranges that programs and libraries mark
    host_events        calls and all other ranges of threads, and lives of processes
    kind_names         what names and numbers of kinds mean
    report_metadata    what a report says of itself: version, clock, host, GPUs, ranks, diagnostics
    report_files       which files are one run, and what to do with files that cannot be read
    reader             all of them together

A table exists only where it has rows, and its columns differ between versions: all are read by
name, and what is not there was not recorded.
"""
