"""Call trees of tools that Hatchet reads, and that no other reader here does.

In:  a file, or the folder of TAU or of HPCToolkit's older format, as `profile_kinds` tells by
     content.
Out: `perfolio.readers.model.Source`.

    profile_kinds        what a file or folder is, by its first bytes
    staged_files         the files of a form, read once and bounded
    input_guards         what is checked of their content before Hatchet sees it
    marshal_check        plain data that Python's marshal wrote, checked byte by byte
    worker               Hatchet in a process of its own, with bounds of time and memory
    worker_process       what runs in that process: the one place that imports Hatchet
    columns              what Caliper's columns mean
    caliper              Caliper's JSON, on which Hatchet fails
    over_ranks           least, mean and largest of ranks, where there is no value of each
    graph_frames         what the process gave to calls
    call_graph           callers and callees to calling paths, where a tool records no paths
    call_places          what all of them are made into: places of code in a tree, and what they
                         cost
    call_tables          calls to the tables of a source
    reader               all of them together

To add a format: its form, the guard of its content, and a function of `worker_process`.
"""
