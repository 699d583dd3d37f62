/*---
title: Slowest rank of one region, beyond the mean
unit: ratio
better: lower
definition: >-
  What the slowest rank of a region takes beyond the mean rank there, over the mean rank's time in the whole run; of the region that
  computes in which this is most. The run gets shorter by no more than that where the work of this region is divided evenly.
population: >-
  outermost regions in which no call of MPI and no wait is, of call trees that hold statistics over ranks in place of values of each;
  the mean is over all ranks
needs: []
source: the profile's own statistics over ranks
caveat: Ranks that wait in no call of MPI that was recorded count as computing.
empty: the profile has no largest and mean time of ranks by region
---*/
WITH computing AS (
    SELECT frame, caller, is_inclusive, largest - mean AS beyond FROM region_ranks WHERE does = 'computing'
)
SELECT max(beyond) / any_value(whole.value) AS value, count(*) AS n
FROM computing, (SELECT value FROM mean_rank) AS whole
WHERE beyond >= 0 AND NOT (is_inclusive AND caller IN (SELECT frame FROM computing))
HAVING count(*) > 0
