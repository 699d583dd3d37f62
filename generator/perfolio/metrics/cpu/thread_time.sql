/*---
title: Elapsed thread time
unit: thread-s
better: lower
definition: >-
  Elapsed time of all threads, running or waiting, summed over threads. A thread that sleeps for
  the whole run counts in full, so this is never wall time.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [elapsed_time]
source: measure elapsed_time
---*/
SELECT total_of('elapsed_time') AS value
