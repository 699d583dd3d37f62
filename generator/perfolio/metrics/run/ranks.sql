/*---
title: Ranks
unit: count
better: neither
definition: >-
  Different ranks among the profiles; 0 where the run was not started by MPI or a like launcher.
population: ranks of table profile
needs: []
source: the profile's own tables
---*/
SELECT count(DISTINCT rank) AS value FROM profile
