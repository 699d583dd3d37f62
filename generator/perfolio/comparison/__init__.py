"""Two groups of runs, compared: is it faster, is that real, why, and what became of the findings.

In:  a run of a store and its documents; or run records that were kept.
Out: a run record for each run, and of two groups of them the document comparison.json.

A run record is all that a comparison knows of one run. What follows is a function of records alone,
so that a stored record (a baseline, a promise, a repeat) is compared like a run of today.

    run_record           what is known of one run: the types, the file and its schema
    record_extraction    a run of a store and its documents to its record
    steady_window        from when to when its time is divided, and its iterations
    instant_network      how long it would be with a network that takes no time
    division             each nanosecond of a GPU in one row, whole and in integers
    gpu_time             operations of a store, divided
    host_time            idle time by what the host does meanwhile, and what the host does in all
    main_thread_time     the time of a run without GPU work, by what main threads do
    frame_paths          calling paths as both runs may have them: names without numbers and folders
    counted_figures      launches, bytes, synchronisations: exact, without noise
    recording_conditions what must be equal for a comparison to say something

    kernel_matching      rows of two groups that are the same work
    waterfall            rows whose differences sum to the measured difference, and their causes
    run_evidence         whether the difference is more than runs differ by chance
    comparability        which conditions differ, and what that voids
    finding_changes      gone, new, better, worse, unchanged, not evaluated any more
    baseline_file        a group of records under a name, kept in a project
    gate                 a group of records against a baseline: counts, and times of one job
    counted_gate         figures that are counted, held against each other exactly
    timed_gate           times of runs that took turns
    gate_verdict         what a gate says: the types

    promises             what came of the steps of a report in later runs
    range_coverage       how often savings lie in their range; what a project's own steps reached
    promise_record       a step, its outcome, those of a pair, and rows for readers: the types
    promise_file         the outcomes of a project: promises.json

    comparison_document  all of it: comparison.json
    formats/             the document as text, Markdown and JSON

To add a condition: `recording_conditions`, and what its difference voids in `comparability`. To add
a counted figure: `counted_figures`. Both are in the schema by name.
"""
