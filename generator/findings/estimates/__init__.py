"""What removing a finding is worth at most, by subject.

In:  the value of a rule's metric and the results of a run.
Out: an `Estimate`, a `Refusal` with its reason, or None.

    estimate      ESTIMATORS: by name                 ledger      cells of a run, and names of some
    gains         what goes becomes an estimate       bounds      formulas, intervals
    clock         the time that bounds are of         amounts     `time.wall - time.gpu_busy`
    assumed       sentences of several                several     means over several GPUs
    budget        what exists of each kind of time: no step takes more
    collectives, copies, host, kernel_work, launches, start, threads, waiting: by subject
    kernels       shares weighted by kernel time
    expected      outcomes.toml: what steps reached of their bounds elsewhere

To add one: a function that says which cells go, or how much of them, a line in `ESTIMATORS`, and a
case of the rule that names it.
"""
