/*---
title: Metrics with values
unit: count
better: neither
definition: Metrics of which at least one value was recorded.
population: model total
needs: [values]
source: the profile's own tables
---*/
SELECT count(*) AS value FROM total WHERE value <> 0
