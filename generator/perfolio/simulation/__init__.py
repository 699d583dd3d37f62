"""Simulated profiles: what a training loop costs by a model, recorded as a profiler records it.

In:  a scenario (TOML). Out: an HPCToolkit database, and its ground truth in truth.json.

    quantity_parser    times, sizes and rates as text: "4.5 us ± 10 %", "4 MiB", "5.9 GB/s"
    toml_fields        entries of a TOML table, checked, with errors that name the key
    calling_paths      calling paths: "forward @ linear.py:125", "cublasSgemm [libcublas.so.12]"
    scenario           what is simulated: frozen dataclasses, times in nanoseconds
    scenario_parser    TOML to a scenario, over a base scenario if it names one
    phase_steps        the steps of phases: host work, kernels, copies, waits, collectives
    simulated_events   what happened: the events of a run, and nothing of how they were measured
    rank_clocks        one rank's host threads, streams, copy engines and loader
    engine             the model: which event begins when
    ground_truth       the figures that a report should find, from events
    profiler_sampling  what a profiler that samples sees of them
    context_tree       calling paths to a context tree
    event_export       the same as begins and ends, for formats that hold these
    hpctoolkit_export  events to the values and traces of a database
    simulate           all of it: scenario to a folder, whole or not at all
    project_scenarios  the scenarios of a project, simulated where they are stale
    cores/             CPU programs whose threads share cores, sampled by elapsed time

No SQL and no reader: truth must not be computed by what is tested against it.
"""
