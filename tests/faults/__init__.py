"""Faults at every write: what is left of an output when the disk is full, or a run is killed.

    python -m tests.faults          # some moments of each operation: seconds
    python -m tests.faults --all    # every moment, with each kind of fault: minutes

An operation (an ingest, a build, ...) is run in a process of its own, in a copy of a folder where
an earlier one was done. At one moment a fault happens: a file that should be opened for writing,
renamed, removed or flushed is not, for a full disk, Ctrl-C or SIGKILL; or a write beyond a size
fails or kills, whoever writes, DuckDB included. Then three things must hold:

    the run ended in one of our errors, in KeyboardInterrupt or by the signal, or it was done
    the output is the old or the new one, whole
    the next run succeeds, and nothing but its output is there
"""
