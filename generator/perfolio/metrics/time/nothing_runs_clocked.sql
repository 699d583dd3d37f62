/*---
title: Time in which no thread is seen running by samples, but CPU clocks may
unit: ratio
better: neither
definition: >-
  Of the time in which no sample shows a CPU thread running, the part that ends with a sample taken a whole number of
  the timer's periods after the last one of its thread. The timer goes by the thread's CPU time, so that a
  thread whose samples are dropped while it runs comes back at such a moment always, and one that waits by
  chance: half of the time at most, unless its waits have such lengths themselves. What this part is longer than the
  rest is therefore no wait.
population: >-
  CPU trace lines of all profiles of a run without GPU work; stretches between the first and the last sample
needs: [cpu_time, cpu_trace]
source: >-
  traces, by the model timer_gaps; timer_create(2) with CLOCK_THREAD_CPUTIME_ID, which Linux checks at
  each tick
empty: >-
  threads were sampled by elapsed time, the run works on a GPU, some thread always runs, or nearly all gaps between samples are whole
  periods, as they are where a tick is as long as a period
---*/
SELECT sum(clocked) / nullif(sum(duration), 0) AS value
FROM idle_time
HAVING sum(clocked) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM gpu_span)
