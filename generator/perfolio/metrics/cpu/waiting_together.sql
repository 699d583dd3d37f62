/*---
title: Time in which all threads wait at once, lower bound
unit: ratio
better: lower
definition: >-
  Lower bound of the share of the elapsed time that samples of main threads carry in which no thread of their rank does
  anything but wait: what is left of it when the time that all threads of the rank do not wait is taken
  off, as if they never did so at once.
population: all CPU threads of each process; call frames, scope function
needs: [elapsed_time, cpu_event, profiles]
source: names of libraries and functions, listed in the model is_waiting
caveat: >-
  Known by name only, as for the waiting of main threads.
empty: the profile has CPU time, in which waiting that sleeps has no cost, or adds up the threads of a rank
---*/
WITH main AS (
    FROM main_threads WHERE profile IN (SELECT profile FROM process_thread)
),
spent AS (
    SELECT thread.process, sum(value.value) AS active
    FROM value
    JOIN metric ON metric.id = value.metric
    JOIN process_thread AS thread ON thread.profile = value.profile
    JOIN frame AS roles ON roles.frame = value.context AND roles.role NOT IN ('waiting', 'gpu wait')
    WHERE metric.measure = 'elapsed_time' AND metric.scope = 'function'
    GROUP BY thread.process
)
SELECT sum(greatest(total.value - coalesce(spent.active, 0), 0)) / sum(total.value) AS value
FROM main
JOIN profile_total AS total ON total.profile = main.profile AND total.name = 'elapsed_time'
LEFT JOIN spent ON spent.process = main.process
WHERE cpu_event_of() = 'elapsed_time' AND total.value > 0
HAVING sum(total.value) > 0
