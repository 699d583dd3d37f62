/*---
title: Cores in use by threads that work, at most
unit: cores
better: neither
definition: >-
  Average number of cores on which threads that work ran, at most: each of their samples stands for no more running than
  one punctual distance, the one that one in twenty of the thread's samples is below, but no more than a tenth
  above the one that one in a hundred of the run's is below, over the length of the run.
population: >-
  trace points of CPU threads that work (at least 1 % of the work of their process's busiest one), in work and in waits; of
  threads with at least 20 of them
needs: [elapsed_time, cpu_event, profiles, cpu_trace]
source: >-
  traces. A timer of elapsed time, set again after each sample, interrupts a thread that runs at once, so
  that between two samples it runs for one period at most
caveat: >-
  The profiler's own handler, which takes a core after each sample, is not in it, nor is a period whose sample the profiler
  dropped, as it does where that hits its own code. A sleeping thread is sampled, too, and counts as running.
empty: no thread that works has 20 samples, or the profile has CPU time
---*/
SELECT sum(punctual.samples * punctual.distance) / any_value(nullif(span.stop - span.start, 0)) AS value
FROM punctual_distance AS punctual
JOIN thread_work AS thread ON thread.profile = punctual.profile AND thread.works
JOIN cpu_trace_span AS span ON true
WHERE punctual.role = 'any'
HAVING count(*) > 0
