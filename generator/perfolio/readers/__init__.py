"""Readers: bytes of a profile to named columns.

In:  the path of a profile, as a user gives it.
Out: `model.Source`: small tables and streams of record batches (Arrow), with the
     column names of `generator/perfolio/store/schema.sql` less `run`. No SQL is known here.

    registry         which reader reads a path
    run_files        a profile, and what else is known of its run
    run_description  profile.toml: what a person knows about a run
    model            what every reader gives: tables, streams, and what the files are
    measures         what a tool measures, in words that all tools share
    kernel_rules     what work a kernel does, by its name
    program_command  how the program was started, where it is certain
    tool_catalog     what each tool calls things, what it can record, and how
    own_files        what Perfolio wrote, or reads besides profiles
    stable_file      an input that is noticed when it changes while it is read
    tool_exports     binary reports, exported by the program that wrote them
    sqlite_file      tables and views of an SQLite file, within bounds
    text_stream      a file to pieces of its text, decompressed as they are asked for
    text_lines       lines of a text, each of bounded length, and rows of CSV
    json_stream      the elements of a list in JSON, without holding all of it
    chrome_trace     what a trace in Chrome's format is, by its name and its begin
    code_names       names of code, as all readers write them
    events/          begins and ends to tables, for all readers of events
    witnesses/       files of other tools beside a profile

To add one: a package with `matches(path) -> bool` and `read(path) -> Source`,
one line in `registry.READERS`, its tests, and a sample.
"""
