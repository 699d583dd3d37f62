/*---
title: Functions in which helper threads wait
better: neither
definition: >-
  Functions of parallel runtimes and calls that wait in which threads other than main ones spent elapsed
  time, largest first, with the library that calls them, which most often made the threads.
population: >-
  all CPU threads but the lowest-numbered one of each process;
  call frames, scope function; the first 10
needs: [elapsed_time, cpu_event, profiles]
source: names of libraries and functions, listed in the model is_waiting
caveat: >-
  Known by name only, as for the waiting of main threads.
empty: no helper thread waits, or the profile has CPU time, in which waiting that sleeps has no cost
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: module, title: 'Called by', unit: text}
  - {name: time, title: 'Elapsed on helper threads', unit: thread-s}
  - {name: share, title: 'Share of this waiting', unit: ratio}
  - {name: threads, title: 'Threads', unit: count}
---*/
SELECT "function", caller AS module, sum(cost) AS "time", sum(cost) / sum(sum(cost)) OVER () AS share, count(DISTINCT profile) AS threads
FROM helpers_waiting
WHERE cpu_event_of() = 'elapsed_time'
GROUP BY "function", caller
ORDER BY "time" DESC, "function", caller
LIMIT 10
