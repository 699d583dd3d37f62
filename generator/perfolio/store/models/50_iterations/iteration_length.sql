/*---
about: >-
  How long an iteration of the program lasts, the one length that a report gives it: the median of steady_iterations, or in a run
  without GPU operations of the steps that main threads mark (host_step); n is how many these are. No row without any [ns].
---*/
SELECT median(duration) AS length, count(*) AS n
FROM (SELECT duration FROM steady_iterations UNION ALL SELECT stop - start FROM host_step WHERE NOT EXISTS (FROM gpu_operation))
HAVING count(*) > 0
