"""Writers: columns to the files of a profile, so that anyone can have a profile of any shape.

In:  what a run is to contain: a tree of calling contexts, metrics, measured values, traces.
Out: a folder that `perfolio.readers` and the tools of its format read.

To add one: a package with `write(...)`, its tests (what is written is read back the same),
and a comparison with a reader made by others, recorded in `docs/how-to/write-a-database.md`.
"""
