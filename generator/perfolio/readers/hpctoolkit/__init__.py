"""HPCToolkit databases of format 4.x: meta.db, profile.db, trace.db.

In:  a database's folder. Out: `perfolio.readers.model.Source`.

    format_layouts     every structure of the format as a table of fields
    binary_file        a file: bounds-checked records and strings
    file_header        magic, version, sections, footer
    meta_db            meta.db: metrics, modules, files, functions
    context_scan       meta.db: where the records of the context tree lie
    meta_contexts      meta.db: the tree of calling contexts
    profile_db         profile.db: profiles and their identifier tuples
    profile_values     profile.db: values
    cost_weights       under which the costs of a tree add up to nothing
    cost_consistency   whether the values of profile.db agree with each other
    trace_db           trace.db: trace lines
    trace_consistency  whether trace.db goes with the other files
    cct_db             cct.db: the values of profile.db in another order, for comparison only
    reader             all of them together

To add a field: its row in `format_layouts`, its use, and a case in `tests/readers`.
Names of structures and fields are those of the format's specification.
"""
