"""Recordings of events with begin and end, in the formats of tools that record them.

In:  `model.Events`: what threads and GPUs did. Out: a folder per format.

    model          what is to be written: ranges, operations, steps
    kineto_json    JSON of PyTorch's profiler, a file per rank
    nsys_sqlite    SQLite as Nsight Systems exports it, one file
    rocpd_sqlite   the database of rocprofv3, a file per rank
    sqlite_writer  tables of a file that is a database

A format is written as far as it has a place for a fact. To add one: a module with
`write(events, folder) -> Path`, and its case in `tests/writers/test_events.py`.
"""
