/*---
title: Elapsed thread time without waits of helpers
unit: thread-s
better: lower
definition: >-
  Elapsed time of all threads less that in which threads other than main ones wait: helpers that
  have nothing to do sleep, which costs nothing and lengthens no run.
population: >-
  all calling contexts of all entry points and profiles, without call frames of helper threads that
  wait (see the metric cpu.helpers_waiting)
needs: [elapsed_time, cpu_event, profiles]
source: measure elapsed_time; the model helpers_waiting
caveat: >-
  Known by name only, as for the waiting of main threads.
empty: no thread has elapsed time, or the profile has CPU time, in which waiting that sleeps has no cost
---*/
SELECT total_of('elapsed_time') - coalesce((SELECT sum(cost) FROM helpers_waiting), 0) AS value
WHERE cpu_event_of() = 'elapsed_time' AND total_of('elapsed_time') > 0
