/*---
title: Regions by how much longer a rank takes
better: lower
definition: >-
  Of each region the least, mean and largest time of a rank, and what the slowest rank takes beyond the mean, also as a share of the mean
  rank's time in the whole run. Regions that compute come first, outermost ones alone: in a region that also waits, ranks that wait
  for the slowest take as long as it. Each region may have a slowest rank of its own, so that what is beyond the mean does not add up.
population: >-
  regions of call trees that hold statistics over ranks in place of values of each; the mean is over all ranks, least and largest over those that
  entered the region; at scope execution where the profile has that; the first 1,000
needs: []
source: the profile's own statistics over ranks
caveat: Which rank is the slowest is not told, nor whether it is the same one in two regions.
empty: the profile has no statistics over ranks by region
columns:
  - {name: region, title: 'Region', unit: text}
  - {name: does, title: 'What ranks do there', unit: text}
  - {name: entered, title: 'Ranks that enter it', unit: count}
  - {name: least, title: 'Least', unit: s}
  - {name: mean, title: 'Mean', unit: s}
  - {name: largest, title: 'Largest', unit: s}
  - {name: ratio, title: 'Largest to mean', unit: x}
  - {name: beyond, title: 'Beyond the mean', unit: s}
  - {name: share, title: 'Beyond, of a rank''s time', unit: ratio}
---*/
WITH around AS (
    SELECT frame FROM region_ranks WHERE is_inclusive AND does IN ('computing', 'mpi', 'waiting')
),
listed AS (
    SELECT *, caller IN (SELECT frame FROM around) AS is_inner FROM region_ranks
)
SELECT name AS region,
    CASE does WHEN 'mpi' THEN 'communicate' WHEN 'both' THEN 'compute and wait' WHEN 'waiting' THEN 'wait' ELSE 'compute' END AS does,
    CAST(entered AS BIGINT) AS entered, least, mean, largest, largest / mean AS ratio, largest - mean AS beyond,
    (largest - mean) / (SELECT value FROM mean_rank) AS share
FROM listed
WHERE NOT (is_inner AND does = 'mpi')
ORDER BY does = 'computing' AND NOT is_inner DESC, largest - mean DESC NULLS LAST, largest DESC NULLS LAST, frame
LIMIT 1000
