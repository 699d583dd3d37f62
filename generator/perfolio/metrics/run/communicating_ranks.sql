/*---
title: Ranks whose communication is looked at
unit: count
better: neither
definition: >-
  Ranks recorded. Processes of which no rank is known count as one together where a kernel of theirs communicates, and else as none.
population: ranks of table profile; kernels that communicate (kernel_class)
needs: []
source: the profile's own tables
---*/
SELECT CASE WHEN count(DISTINCT rank) > 0 THEN count(DISTINCT rank)
    ELSE (SELECT count(*) FROM (FROM rank_kernels WHERE is_collective LIMIT 1)) END AS value FROM profile
