/*---
title: Imbalance over ranks
unit: x
better: lower
definition: >-
  Largest CPU cost of a rank over the mean over ranks, waits included as far as they have a cost: 1 is perfect balance.
  If all of it were work that could be spread evenly, the slowest rank would take this many times less.
population: >-
  ranks that have any CPU cost (context 0 at scope execution of their profiles); ranks without
  samples do not count
needs: [cpu_event, profiles, ranks]
source: max over mean, the inverse of POP's load balance
empty: fewer than two ranks have a CPU cost
---*/
SELECT max(cost) / avg(cost) AS value, count(*) AS n
FROM rank_costs
HAVING count(*) > 1
