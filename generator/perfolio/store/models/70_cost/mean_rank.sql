/*---
about: >-
  Elapsed time of the mean rank of a run with statistics over ranks [s]: means of the outermost regions, or of all where these do not hold
  what is below them. No row where no mean is told.
---*/
SELECT sum(mean) AS value FROM region_ranks
WHERE NOT is_inclusive OR caller NOT IN (SELECT frame FROM region_ranks)
HAVING sum(mean) > 0
