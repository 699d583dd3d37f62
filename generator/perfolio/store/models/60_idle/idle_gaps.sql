/*---
about: >-
  Times without any operation on a GPU, each moment once: see idle_pieces. With when it begins (before the first
  operation, or idle_periods), and whether it is short (PC sampling may have made it), the long wait of its
  iteration, or other; inside tells whether it lies between operations, as all does of which blame is [ns].
---*/
SELECT idle.device, idle.start, idle.stop, idle.stop - idle.start AS duration,
    CASE idle.place WHEN 'before' THEN 'before' WHEN 'after' THEN 'end' ELSE coalesce(later.period, early.period, first.period) END AS period,
    CASE WHEN idle.short THEN 'short' WHEN long_wait.start IS NOT NULL THEN 'wait' ELSE 'other' END AS gap,
    idle.place = 'between' AS inside
FROM idle_pieces AS idle
CROSS JOIN (SELECT period FROM idle_periods WHERE start IS NULL) AS first
ASOF LEFT JOIN (FROM idle_periods WHERE start IS NOT NULL) AS later ON later.start <= idle.counts
LEFT JOIN (FROM idle_periods WHERE start IS NOT NULL AND period = 'start-up') AS early ON early.start <= idle.start
LEFT JOIN long_waits AS long_wait ON long_wait.device = idle.device AND long_wait.start = idle.start
