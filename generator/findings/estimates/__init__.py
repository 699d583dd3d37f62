"""What removing a finding is worth at most, by subject.

In:  the value of a rule's metric and the results of a run.
Out: an `Estimate`, a `Refusal` with its reason, or None.

    estimate      ESTIMATORS: by name                 bounds      formulas, and how one becomes one
    wall, clock   the time that estimates are of      amounts     `time.wall - time.gpu_busy`
    ahead, chains, collectives, copies, copy_work, iterations, kernel_work, launches, limits,
    overlap, start: by subject                        gpu_work    of one kind of GPU operations
    kernels       shares weighted by kernel time      several     means over several GPUs
    expected      outcomes.toml: what steps reached of their bounds elsewhere

To add one: a formula in `bounds`, a function that reads its inputs, a line in `ESTIMATORS`, and
a case of the rule that names it.
"""
