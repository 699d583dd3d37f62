"""A lake: what is known of many runs, as Parquet that any tool reads, and questions over all of it.

In:  run records and documents of runs, one at a time and from many processes at once.
Out: tables below a folder, `table=<name>/month=<yyyy-mm>/*.parquet`; answers of queries.

    lake_tables      the tables, their columns and types: schema.sql
    run_summary      a run record and its documents to rows of these tables
    lake             the folder: what is in it, what was refused, and how a run comes into it
    lake_compaction  many small files of each month to one
    remote_lake      a lake at an address, copied to be read
    lake_connection  the tables as views of DuckDB, and what questions count by: macros.sql
    lake_questions   the queries of questions/, one SQL file each: what they say, and their answers
    shared_answers   answers for others to read: machines, people and runs under other names

A run is known by the hash of its files. Its rows come first, and count once its manifest is there:
what a killed process leaves is no run, and is replaced by the next attempt. Nothing is written
twice: names of files follow from that hash, and their rows from the run alone.

To add a question: a file in questions/ with its header, and a case in tests/fleet/questions/.
To add a column: schema.sql and run_summary, and a version with what reads the old one.
"""
