/*---
about: >-
  The rank with the least time in collective operations of the steady state, for which the others wait: its
  row of collectives_by_rank [ns].
---*/
SELECT rank, busy, exposed, others, rest, length
FROM collectives_by_rank WHERE phase = 'steady state' ORDER BY busy, exposed, rank LIMIT 1
