/*---
about: >-
  The function that profile.toml names as the begin of an iteration, or NULL.
value: true
---*/
SELECT any_value(value) FROM setting WHERE key = 'workload.iteration_marker'
