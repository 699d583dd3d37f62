/*---
title: CPU cost by rank
better: lower
definition: >-
  CPU cost of each rank, summed over its threads, with how many of these have any, and its share of the run's total.
population: profiles with a rank and a CPU cost, context 0 at scope execution; the first 1,000
needs: [cpu_event, profiles, ranks]
source: events of the CPU
caveat: >-
  In the unit of the run's CPU event: CPU-seconds, thread-seconds or events.
empty: no rank has a CPU cost
columns:
  - {name: rank, title: 'Rank', unit: id}
  - {name: threads, title: 'Threads with cost', unit: count}
  - {name: time, title: 'CPU cost', unit: "1"}
  - {name: share, title: 'Share', unit: ratio}
---*/
SELECT rank, threads, cost AS "time", cost / total_of(cpu_event_of()) AS share
FROM rank_costs
ORDER BY rank
LIMIT 1000
