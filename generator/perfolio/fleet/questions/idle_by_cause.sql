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
everything AS (SELECT sum(gpu_hours) AS gpu_hours FROM divided),
lost AS (
    SELECT run, CASE part WHEN 'idle' THEN kind ELSE part END AS cause, sum(ns) AS ns
    FROM part WHERE part IN ('idle', 'collective wait') AND ns > 0 GROUP BY ALL
)
SELECT cause, count(*) AS runs, sum(ns * scale) AS gpu_hours, sum(ns * scale) / any_value(everything.gpu_hours) AS share,
    CASE WHEN count(price) = count(*) AND count(currency) = count(*) AND count(DISTINCT currency) = 1 THEN sum(ns * scale * price) END AS cost,
    CASE WHEN count(price) = count(*) AND count(currency) = count(*) AND count(DISTINCT currency) = 1 THEN any_value(currency) END AS currency
FROM lost JOIN divided USING (run) CROSS JOIN everything
GROUP BY cause ORDER BY gpu_hours DESC, cause
