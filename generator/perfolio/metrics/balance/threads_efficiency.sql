/*---
title: Load balance over threads
unit: ratio
better: higher
definition: >-
  Mean work of the threads that work over the largest, of a run of ranks within the rank where they
  differ most: 1 is perfect balance. Work is CPU cost without waiting, without the runtime of a GPU and
  without elapsed time that came late (see the metric cpu.late_share).
population: >-
  CPU threads with at least 1 % of the work of their process's busiest one, of ranks with so many samples
  per thread (2 ln(threads) / 0.25²) that chance alone does not give 1.25; of several ranks the one
  with the smallest figure
needs: [cpu_event, profiles]
source: >-
  POP's load balance. Where the profile charges waits to Python (see the metric cpu.python_waits), the interval
  reaches as far as threads may have less work by those of them that their samples show: each all or none
caveat: >-
  Threads with different tasks (a main thread, helpers of a library) differ by design. Without a trace
  nothing tells how many samples a thread has.
empty: no rank has two threads that work and enough samples of them to tell imbalance from chance
---*/
SELECT 1 / imbalance AS value, 1 / imbalance_high AS low, 1 / imbalance_low AS high, threads AS n,
    CASE WHEN imbalance_low IS NOT NULL THEN 'with waits charged to Python' END AS "interval"
FROM thread_balance
ORDER BY value, n DESC
LIMIT 1
