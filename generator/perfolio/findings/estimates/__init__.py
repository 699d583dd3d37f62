"""What removing a finding is worth at most, by subject.

In:  the value of a rule's metric and the results of a run.
Out: an `Estimate`, a `Refusal` with its reason, or None.

    estimator_catalog  estimators by name
    time_ledger     cells of a run, and names of some
    removal_gains   what goes becomes an estimate
    bound_formulas  formulas, intervals
    wall_clock      the time that bounds are of
    time_formulas   `time.wall - time.gpu_busy`
    assumptions     sentences of several
    multi_gpu       means over several GPUs
    savings_budget  what exists of each kind of time: no step takes more
    collectives, copies, host_work, kernel_work, launches, start_up, cpu_threads, gpu_waits: by
      subject
    kernel_shares   shares weighted by kernel time
    observed_gains  outcomes.toml: what steps reached of their bounds elsewhere

To add one: a function `bound_<name>`, marked with `@GainEstimator`, that says which cells go, or
how much of them, and a case of the rule that names it.
"""
