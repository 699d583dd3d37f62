"""Call trees of tools that Hatchet reads, and that no other reader here does.

In:  a file, or the folder of TAU or of HPCToolkit's older format, as `forms` tells by content.
Out: `generator.sources.model.Source`.

    forms        what a file or folder is, by its first bytes
    held         the files of a form, read once and bounded
    guards       what is checked of their content before Hatchet sees it
    marshalled   plain data that Python's marshal wrote, checked byte by byte
    beside       Hatchet in a process of its own, with bounds of time and memory
    beside_process  what runs in that process: the one place that imports Hatchet
    columns      what Caliper's columns mean
    caliper      Caliper's JSON, on which Hatchet fails
    over_ranks   least, mean and largest of ranks, where there is no value of each
    framed       what the process gave to calls
    graph        callers and callees to calling paths, where a tool records no paths
    calls        what all of them are made into: places of code in a tree, and what they cost
    tables       calls to the tables of a source
    statistics_of_ranks  statistics over ranks to these tables
    reader       all of them together

To add a format: its form, the guard of its content, and a function of `beside_process`.
"""
