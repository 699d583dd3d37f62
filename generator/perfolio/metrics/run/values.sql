/*---
title: Values
unit: count
better: neither
definition: Non-zero values per profile, context and metric.
population: rows of table value
needs: [values]
source: the profile's own tables
---*/
SELECT count(*) AS value FROM "value"
