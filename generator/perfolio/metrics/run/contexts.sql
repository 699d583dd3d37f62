/*---
title: Calling contexts
unit: count
better: neither
definition: >-
  Calling contexts of the profile: functions, loops, lines and instructions by call path. The
  root of the run is not counted.
population: rows of table context
needs: []
source: the profile's own tables
---*/
SELECT count(*) AS value FROM context
