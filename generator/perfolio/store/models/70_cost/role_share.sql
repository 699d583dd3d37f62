/*---
about: >-
  CPU cost of what waits and of what waits for a GPU (frame.role) as a share of all, with its 95 % interval;
  n is samples (cost_samples), NULL where these are not known.
---*/
SELECT role, value, binomial_low(value * n, n) AS low, binomial_high(value * n, n) AS high, n
FROM (
    SELECT asked.role, coalesce(sum(exclusive) FILTER (WHERE cost.role = asked.role), 0) / sum(exclusive) AS value,
        cost_samples() AS n
    FROM cpu_frames AS cost CROSS JOIN (VALUES ('waiting'), ('gpu wait')) AS asked(role)
    GROUP BY asked.role HAVING sum(exclusive) > 0
)
