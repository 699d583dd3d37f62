/*---
title: Elapsed thread time by module, without waits of helpers
better: lower
definition: >-
  Elapsed time spent in the code of each executable and library, largest first, less that in which threads
  other than main ones wait: helpers that have nothing to do sleep.
population: >-
  call frames of all entry points and profiles, scope function, without those of helper threads that wait (see the
  metric cpu.helpers_waiting)
needs: [elapsed_time, cpu_event, profiles]
source: measure elapsed_time; the model helpers_waiting
caveat: >-
  Known by name only, as for the waiting of main threads.
empty: no thread has elapsed time, or the profile has CPU time, in which waiting that sleeps has no cost
columns:
  - {name: module, title: 'Module', unit: text}
  - {name: time, title: 'Elapsed', unit: thread-s}
  - {name: share, title: 'Share', unit: ratio}
---*/
WITH waits AS (
    SELECT frame, sum(cost) AS cost FROM helpers_waiting GROUP BY frame
),
spent AS (
    SELECT coalesce(frame.module_path, 'unknown module') AS module, sum(cost.exclusive - coalesce(waits.cost, 0)) AS "time"
    FROM frame_cost AS cost
    JOIN frame ON frame.frame = cost.frame
    LEFT JOIN waits ON waits.frame = cost.frame
    WHERE cost.name = 'elapsed_time' AND cpu_event_of() = 'elapsed_time'
    GROUP BY ALL
)
SELECT module, "time", "time" / sum("time") OVER () AS share
FROM spent
WHERE "time" > 1e-12
ORDER BY "time" DESC, module
