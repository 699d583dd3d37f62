/*---
about: >-
  The rank with the least time in collective operations of the steady state, for which the others wait: its
  row of collectives_by_rank, how many others there are, and how much longer than their median it runs other
  kernels and no kernel, but no more than they are longer in collectives, for it is there that they wait (delay; NULL
  without others) [ns].
---*/
WITH used AS (FROM collectives_by_rank WHERE phase = 'steady state'), late AS (FROM used ORDER BY busy, exposed, rank LIMIT 1)
SELECT any_value(COLUMNS(late.* EXCLUDE (phase))), count(used.rank) AS n,
    least(
        greatest(any_value(late.others) - median(used.others), 0) + greatest(any_value(late.rest) - median(used.rest), 0),
        median(used.busy) - any_value(late.busy)
    ) AS delay
FROM late LEFT JOIN used ON used.rank <> late.rank HAVING count(*) > 0
