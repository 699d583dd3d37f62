/*---
title: PC-sample metrics in the list
unit: count
better: neither
definition: >-
  How many metrics of PC samples the database lists, with or without values: more than 0 means
  that PC sampling was on.
population: names of HPCToolkit metrics that begin with GINS or GCYCLES
needs: []
source: the database's list of metrics
---*/
SELECT count(DISTINCT name) AS value FROM metric WHERE is_pc_sample(measure) AND pc_sampled()
