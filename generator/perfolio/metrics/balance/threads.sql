/*---
title: Imbalance over threads that work
unit: x
better: lower
definition: >-
  Largest work of a thread over the mean over the threads that work, of a run of ranks within the rank
  where they differ most: 1 is perfect balance. Work is CPU cost without waiting, without the runtime
  of a GPU and without elapsed time that came late (see the metric cpu.late_share). If it could be spread evenly, the busiest
  thread would have this many times less, given a core for each thread.
population: >-
  CPU threads with at least 1 % of the work of their process's busiest one, of ranks with so many samples
  per thread (2 ln(threads) / 0.25²) that chance alone does not give 1.25; of several ranks the one
  with the largest figure, so that ranks are not compared with each other. n counts its threads
needs: [cpu_event, profiles]
source: >-
  max over mean, the inverse of POP's load balance. Where the profile charges waits to Python (see the metric cpu.python_waits), the interval
  reaches as far as threads may have less work by those of them that their samples show: each all or none
caveat: >-
  Threads with different tasks (a main thread, helpers of a library) differ by design. Without a trace
  nothing tells how many samples a thread has.
empty: no rank has two threads that work and enough samples of them to tell imbalance from chance
---*/
SELECT imbalance AS value, imbalance_low AS low, imbalance_high AS high, threads AS n,
    CASE WHEN imbalance_low IS NOT NULL THEN 'with waits charged to Python' END AS "interval"
FROM thread_balance
ORDER BY value DESC, n DESC
LIMIT 1
