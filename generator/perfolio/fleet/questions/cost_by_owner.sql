/*---
title: Cost by owner
about: >-
  GPU-hours, and those in which GPUs idle or wait for other ranks. Of each run, the share of its window is taken of all of its GPU-hours.
  Money is given where each of these runs has a price in one currency.
population: runs that name their owner
columns:
  - {name: owner, title: Owner, unit: text, private: owner}
  - {name: runs, title: Runs, unit: count}
  - {name: gpu_hours, title: GPU-hours, unit: GPU-h}
  - {name: idle_gpu_hours, title: Idle GPU-hours, unit: GPU-h}
  - {name: idle_share, title: Idle, unit: ratio}
  - {name: cost, title: Cost, unit: money}
  - {name: idle_cost, title: Cost of idle time, unit: money}
  - {name: currency, title: Currency, unit: text}
---*/
WITH lost AS (SELECT run, sum(ns) AS ns FROM part WHERE part IN ('idle', 'collective wait') GROUP BY run),
spent AS (
    SELECT run.owner, run.gpu_hours, run.price, run.currency,
        CASE WHEN window_ns > 0 AND lanes > 0 THEN coalesce(lost.ns, 0) / (window_ns * lanes) * gpu_hours END AS idle
    FROM run LEFT JOIN lost USING (run) WHERE run.owner IS NOT NULL
)
SELECT owner, count(*) AS runs, sum(gpu_hours) AS gpu_hours, sum(idle) AS idle_gpu_hours,
    sum(idle) / nullif(sum(gpu_hours) FILTER (WHERE idle IS NOT NULL), 0) AS idle_share,
    CASE WHEN count(price) = count(*) AND count(currency) = count(*) AND count(DISTINCT currency) = 1 THEN sum(gpu_hours * price) END AS cost,
    CASE WHEN count(price) = count(*) AND count(currency) = count(*) AND count(DISTINCT currency) = 1 THEN sum(idle * price) END AS idle_cost,
    CASE WHEN count(price) = count(*) AND count(currency) = count(*) AND count(DISTINCT currency) = 1 THEN any_value(currency) END AS currency
FROM spent GROUP BY owner ORDER BY idle_gpu_hours DESC NULLS LAST, owner
