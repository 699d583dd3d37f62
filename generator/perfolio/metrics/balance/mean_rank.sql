/*---
title: Elapsed time of the mean rank
unit: s
better: lower
definition: >-
  Mean over all ranks of the time that they spend in the outermost regions, waiting included: about how long the run is.
population: >-
  regions of call trees that hold statistics over ranks in place of values of each; own times of all regions where they hold nothing of what is below
needs: []
source: the profile's own statistics over ranks
empty: the profile has no mean time of ranks by region
---*/
SELECT value FROM mean_rank
