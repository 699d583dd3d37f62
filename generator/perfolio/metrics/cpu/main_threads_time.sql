/*---
title: Elapsed time of main threads
unit: thread-s
better: lower
definition: >-
  Elapsed time of main threads, running or waiting, summed over ranks: about the length of the run
  times the number of ranks.
population: >-
  the lowest-numbered CPU thread of each process; context 0 at
  scope execution
needs: [elapsed_time, cpu_event, profiles]
source: measure elapsed_time
empty: no main thread has elapsed time
---*/
SELECT sum(total.value) AS value
FROM main_threads AS main
JOIN profile_total AS total ON total.profile = main.profile AND total.name = 'elapsed_time'
HAVING sum(total.value) > 0
