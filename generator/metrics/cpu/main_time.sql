/*---
title: Elapsed time of the main thread by its samples
unit: s
better: neither
definition: >-
  Elapsed time that the main thread's samples carry in the profile; of several ranks the mean over their main
  threads. What was charged to no function is missing.
population: the lowest-numbered CPU thread of each rank, or of the run where there are no ranks
needs: ["REALTIME (sec)", cpu_event, profiles]
source: HPCToolkit's metric REALTIME
empty: the profile has CPU time, in which waiting that sleeps has no cost
---*/
SELECT avg(total.value) AS value
FROM main_threads($run) AS main
JOIN profile_total AS total ON total.run = $run AND total.profile = main.profile AND total.name = 'REALTIME (sec)'
WHERE cpu_event_of($run) = 'REALTIME (sec)' AND total.value > 0
HAVING count(*) > 0
