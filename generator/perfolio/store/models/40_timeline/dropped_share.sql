/*---
about: >-
  Of the main thread's elapsed time in each part of the program (main_stretches), the share in which the
  profiler dropped its samples, though its CPU clock ran; NULL where the timer does not tell.
---*/
SELECT part, if(sum(dropped) < 0, 0, sum(dropped)) / nullif(sum(spent), 0) AS value FROM main_stretches GROUP BY part
