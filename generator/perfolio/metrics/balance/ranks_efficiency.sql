/*---
title: Load balance over ranks
unit: ratio
better: higher
definition: >-
  Mean CPU cost over ranks over the largest: 1 is perfect balance.
population: >-
  ranks that have any CPU cost (context 0 at scope execution of their profiles); ranks without
  samples do not count
needs: [cpu_event, profiles, ranks]
source: POP's load balance
empty: fewer than two ranks have a CPU cost
---*/
SELECT avg(cost) / max(cost) AS value, count(*) AS n
FROM rank_costs
HAVING count(*) > 1
