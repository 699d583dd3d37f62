/*---
title: Main thread's time spent on input data
unit: ratio
better: lower
definition: >-
  Share of the main thread's time in which it prepares input data, as functions on the calling path
  tell it: of the time for which samples of CPU time show it running, or of its elapsed time where it was
  sampled by that; that part of the metrics time.main_running and time.main_thread. What
  imports modules, what starts a GPU and the profiler's own calls are left out of the whole; a wait for
  the GPU prepares nothing. Where functions tell that the program trains, what they do not tell
  is left out too: it is mostly before the first batch and after the last.
population: >-
  the lowest-numbered CPU thread of each process, from its first
  trace point to its last sample
needs: [cpu_trace]
source: traces; names of functions and files in the store's table phase_pattern
caveat: >-
  Waiting for files or other processes is not in it where samples are of CPU time.
empty: >-
  no main thread was sampled, or the run has ranges alone, without source files and the name of a data
  loader, by which input could be told
---*/
SELECT coalesce(sum(spent) FILTER (WHERE part = 'data'), 0) / sum(spent) AS value
FROM (
    SELECT coalesce(part, 'other') AS part, CASE WHEN sum(running) OVER () IS NULL THEN spent ELSE coalesce(running, 0) END AS spent,
        bool_or(coalesce(part IN ('forward', 'backward', 'optimizer'), false)) OVER () AS trains
    FROM main_stretches
)
WHERE part NOT IN ('importing', 'initialisation', 'profiler') AND NOT (trains AND part = 'other')
HAVING sum(spent) > 0 AND (SELECT told FROM input_told)
