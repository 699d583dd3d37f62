/*---
title: Work in one function of the program
unit: ratio
better: neither
definition: >-
  Largest share of the CPU cost of work that one function of the program has, together with the code of
  libraries that it calls, up to the next function of the program. Waiting, the runtime of a GPU,
  elapsed time that came late (see the metric cpu.late_share), what MPI does, Python's import of modules and
  PyTorch's backward pass and optimizers are left out of the function, the first three of the whole too.
population: call frames of all entry points and profiles, scope function
needs: [cpu_event]
source: >-
  The models frame, work_cost and is_own. The interval is the 95 % Wilson interval, where a trace, or the
  period of an event of perf, tells the number of samples (cost_samples); it reaches to that of the share
  with what came late, as the function may itself have kept its thread in the kernel, and not all that
  came late is known. Where the profile charges waits to Python (see the metric cpu.python_waits), it
  reaches from the share without those that the function may have, of work without them, up to the share
  of work without those that others may have
caveat: >-
  What is the program's own is told by paths: not installed, and no well-known library. Work of pool
  threads has no caller in the program and belongs to no function. The interval takes samples as
  independent.
empty: no function of the program itself has a CPU cost
---*/
SELECT share AS value, binomial_low(least_share * samples, samples) AS low, binomial_high(most_share * samples, samples) AS high, samples AS n,
    CASE WHEN ahead IS NOT NULL THEN '95 % interval, widened by waits charged to Python'
        || CASE WHEN share_with_late <> share THEN ' and by what came late:' ELSE ':' END
        WHEN share_with_late <> share THEN '95 % interval, widened by what came late:' END AS "interval"
FROM (
    SELECT share, share_with_late, least_share, most_share, ahead, cost_samples() * work_of() / total_of(cpu_event_of()) AS samples
    FROM own_functions
    ORDER BY share DESC, key
    LIMIT 1
)
