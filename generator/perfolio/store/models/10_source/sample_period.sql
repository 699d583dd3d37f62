/*---
about: >-
  Cycles between two PC samples: a setting, stored once per kernel, so the smallest entry and never the sum.
  pc_samples over it is a number of samples.
value: true
---*/
SELECT coalesce(
    (SELECT min(value.value) FROM value JOIN metric ON metric.id = value.metric
     WHERE metric.measure = 'sample_period' AND metric.scope = 'point'),
    (SELECT min(try_cast(value AS DOUBLE)) FROM setting WHERE key = 'event_period'))
