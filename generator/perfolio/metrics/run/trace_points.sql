/*---
title: Trace points
unit: count
better: neither
definition: >-
  Points of all traces: changes of what a thread or stream was doing.
population: rows of table trace
needs: [trace]
source: the profile's own tables
---*/
SELECT count(*) AS value FROM trace
