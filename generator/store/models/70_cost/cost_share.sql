/*---
about: >-
  Share of CPU cost in frames of a role (frame.role) with its 95 % interval, where a trace tells the number of
  samples (cpu_sample_number); no row without a cost.
given: [of]
---*/
SELECT value, binomial_low(value * n, n) AS low, binomial_high(value * n, n) AS high, n
FROM (
    SELECT coalesce(sum(exclusive) FILTER (WHERE role = of), 0) / sum(exclusive) AS value, cost_samples() AS n
    FROM cpu_frames
    HAVING sum(exclusive) > 0
)
