/*---
about: >-
  Names of the metrics that the profile lists, whether or not a value was recorded.
---*/
SELECT DISTINCT measure AS name FROM metric
