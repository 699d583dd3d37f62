"""HPCToolkit databases of format 4.x: meta.db, profile.db, trace.db.

In:  a database's folder. Out: `generator.sources.model.Source`.

    layouts   every structure of the format as a table of fields
    datafile  a file: bounds-checked records and strings
    header    magic, version, sections, footer
    meta      meta.db: metrics, modules, files, functions
    scan      meta.db: where the records of the context tree lie
    contexts  meta.db: the tree of calling contexts
    profiles  profile.db: profiles and their identifier tuples
    values    profile.db: values
    weights   under which the costs of a tree add up to nothing
    balance   whether the values of profile.db agree with each other
    trace     trace.db: trace lines
    traced    whether trace.db goes with the other files
    transposed  cct.db: the values of profile.db in another order, for comparison only
    reader    all of them together

To add a field: its row in `layouts`, its use, and a case in `tests/sources`.
Names of structures and fields are those of the format's specification.
"""
