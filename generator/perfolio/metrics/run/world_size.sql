/*---
title: Ranks of the whole run
unit: count
better: neither
definition: >-
  How many ranks ran, whether their profiles are here or not: as PyTorch's process group, or the launcher of the recorded processes, says.
population: what the profile says of the run
needs: []
source: the profile's own head, or the environment of its processes
empty: the profile does not say how many ranks the run has
---*/
SELECT max(CAST(value AS BIGINT)) AS value FROM setting WHERE key = 'run.ranks' HAVING count(*) > 0
