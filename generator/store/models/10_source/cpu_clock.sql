/*---
about: >-
  By which clock CPU threads were sampled: running (CPU time, cycles: it stands still while the thread waits) or
  elapsed (also while it waits; so taken where the metrics do not tell).
value: true
---*/
SELECT CASE
    WHEN bool_or(name = 'REALTIME (sec)') THEN 'elapsed'
    WHEN bool_or(name = 'CPUTIME (sec)' OR name LIKE 'perf::%' OR name LIKE 'PAPI_%' OR lower(name) LIKE '%cycles%') THEN 'running'
    ELSE 'elapsed'
END
FROM collected
