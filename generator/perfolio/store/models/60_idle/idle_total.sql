/*---
about: >-
  Idle time of GPUs by kind: sums over idle_gaps.
when: gpu_operation
columns:
  period: "VARCHAR; When it begins: see idle_gaps [text]"
  gap: "VARCHAR; Kind of gap: see idle_gaps [text]"
  inside: BOOLEAN; Whether it lies between operations
  first: BIGINT; Begin of the first one, since the epoch [ns]
  duration: HUGEINT; Time, the sum over GPUs [ns]
---*/
SELECT period, gap, inside, min(start) AS first, sum(duration) AS duration FROM idle_gaps GROUP BY period, gap, inside
