/*---
title: Metrics listed
unit: count
better: neither
definition: Metrics that the profile lists, with or without values.
population: model collected
needs: []
source: the profile's own tables
---*/
SELECT count(*) AS value FROM collected
