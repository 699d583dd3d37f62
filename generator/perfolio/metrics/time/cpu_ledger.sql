/*---
title: Elapsed time by what threads do
better: neither
definition: >-
  All time from the first trace point of a CPU thread to the last one, each moment in one part: some thread works; none
  works, and one or more that are due to work are late (they had no core, or the kernel or the profiler held them); all
  that are alive wait; none is alive. What passes before a thread's first sample is in none of its parts.
population: >-
  CPU threads of the trace, by samples of elapsed time; each of work stands for one punctual distance before it, as in the
  metric cpu.late_share
needs: [elapsed_time, cpu_event, cpu_trace, host_samples]
source: traces; the models cpu_stretch and cpu_wall
caveat: A thread that is held up and goes on before its next sample is due counts as working.
empty: the profile has CPU time, no thread has samples, or there are more than a million, too many to be put in one order here
columns:
  - {name: part, title: 'Part', unit: text}
  - {name: time, title: 'Elapsed', unit: s}
  - {name: share, title: 'Share', unit: ratio}
  - {name: threads, title: 'Threads that work, on average', unit: threads}
---*/
SELECT CASE WHEN works > 0 THEN 'some thread works' WHEN late > 0 THEN 'threads are due and none works'
        WHEN waits > 0 THEN 'all threads wait' WHEN alive > 0 THEN 'no sample tells' ELSE 'no thread is alive' END AS part,
    sum(ns) / 1e9 AS "time", sum(ns) / sum(sum(ns)) OVER () AS share, sum(ns * works) / sum(ns) AS threads
FROM cpu_wall
WHERE cpu_event_of() = 'elapsed_time' AND (SELECT sum(active) FROM trace_line WHERE kind = 'CPU thread') <= 1000000
GROUP BY part
ORDER BY "time" DESC, part
