/*---
about: >-
  Whether PC sampling was on: the database lists its metrics, with values or without.
value: true
---*/
SELECT EXISTS (SELECT 1 FROM metric WHERE is_pc_sample(measure)) AS value
