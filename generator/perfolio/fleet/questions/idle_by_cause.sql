/*---
title: Idle time by cause
about: >-
  GPU-hours in which nothing that computes or copies runs, by what the host does meanwhile. Of each run, the share of its window is taken of
  all of its GPU-hours. Collective wait is the time in which a GPU waits for its last rank.
population: runs whose GPU time is divided
columns:
  - {name: cause, title: Cause, unit: text}
  - {name: runs, title: Runs, unit: count}
  - {name: gpu_hours, title: GPU-hours, unit: GPU-h}
  - {name: share, title: Share of GPU-hours, unit: ratio}
  - {name: cost, title: Cost, unit: money}
  - {name: currency, title: Currency, unit: text}
---*/
WITH divided AS (
    SELECT run, price, currency, gpu_hours, gpu_hours / (window_ns * lanes) AS scale
    FROM run WHERE gpu_hours > 0 AND window_ns > 0 AND lanes > 0
),
everything AS (SELECT sum(gpu_hours) AS gpu_hours FROM divided)
SELECT cause, count(*) AS runs, sum(ns * scale) AS gpu_hours, sum(ns * scale) / any_value(everything.gpu_hours) AS share,
    sum_money(ns * scale, price, currency) AS cost,
    shared_currency(price, currency) AS currency
FROM lost_time JOIN divided USING (run) CROSS JOIN everything
GROUP BY cause ORDER BY gpu_hours DESC, cause
