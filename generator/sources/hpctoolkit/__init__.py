"""HPCToolkit databases of format 4.x: meta.db, profile.db, trace.db.

In:  a database's folder. Out: `generator.sources.model.Source`.

    layouts   every structure of the format as a table of fields
    mapped    a file in memory: bounds-checked records and strings
    header    magic, version, sections, footer
    meta      meta.db: metrics, modules, files, functions
    contexts  meta.db: the tree of calling contexts
    profiles  profile.db: profiles and their identifier tuples
    values    profile.db: values
    trace     trace.db: trace lines
    reader    all of them together

cct.db holds the values of profile.db in another order and is not read.
To add a field: its row in `layouts`, its use, and a case in `tests/sources`.
Names of structures and fields are those of the format's specification.
"""
