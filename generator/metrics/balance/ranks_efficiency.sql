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
FROM (
    SELECT sum(profile_total.value) AS cost
    FROM profile_total
    JOIN profile ON profile.run = profile_total.run AND profile."index" = profile_total.profile
    WHERE profile_total.run = $run AND profile_total.name = cpu_event_of($run) AND profile.rank IS NOT NULL
    GROUP BY profile.rank
    HAVING sum(profile_total.value) > 0
)
HAVING count(*) > 1
