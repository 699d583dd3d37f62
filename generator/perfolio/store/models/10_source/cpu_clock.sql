/*---
about: >-
  By which clock CPU threads were sampled: running (CPU time, cycles: it stands still while the thread waits) or
  elapsed (also while it waits; so taken where the metrics do not tell).
value: true
---*/
SELECT CASE
    WHEN bool_or(name = 'elapsed_time') THEN 'elapsed'
    WHEN bool_or(is_cpu_event(name)) THEN 'running'
    ELSE 'elapsed'
END
FROM collected
