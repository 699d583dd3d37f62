/*---
title: The whole fleet
about: Runs, GPU-hours, and those in which GPUs idle or wait for other ranks. Money is given where each run has a price in one currency.
population: all runs
columns:
  - {name: runs, title: Runs, unit: count}
  - {name: hosts, title: Hosts, unit: count}
  - {name: workloads, title: Workloads, unit: count}
  - {name: first_recorded, title: First recorded, unit: text}
  - {name: last_recorded, title: Last recorded, unit: text}
  - {name: gpu_hours, title: GPU-hours, unit: GPU-h}
  - {name: idle_gpu_hours, title: Idle GPU-hours, unit: GPU-h}
  - {name: idle_share, title: Idle, unit: ratio}
  - {name: cost, title: Cost, unit: money}
  - {name: idle_cost, title: Cost of idle time, unit: money}
  - {name: currency, title: Currency, unit: text}
---*/
WITH lost AS (SELECT run, sum(ns) AS ns FROM part WHERE part IN ('idle', 'collective wait') GROUP BY run),
spent AS (
    SELECT run.workload, run.recorded, run.hosts, run.gpu_hours, run.price, run.currency,
        CASE WHEN window_ns > 0 AND lanes > 0 THEN coalesce(lost.ns, 0) / (window_ns * lanes) * gpu_hours END AS idle
    FROM run LEFT JOIN lost USING (run)
)
SELECT count(*) AS runs, (SELECT count(DISTINCT host) FROM (SELECT unnest(hosts) AS host FROM spent)) AS hosts,
    count(DISTINCT workload) AS workloads, strftime(min(recorded), '%Y-%m-%d') AS first_recorded,
    strftime(max(recorded), '%Y-%m-%d') AS last_recorded, sum(gpu_hours) AS gpu_hours, sum(idle) AS idle_gpu_hours,
    sum(idle) / nullif(sum(gpu_hours) FILTER (WHERE idle IS NOT NULL), 0) AS idle_share,
    CASE WHEN count(price) = count(*) AND count(currency) = count(*) AND count(DISTINCT currency) = 1 THEN sum(gpu_hours * price) END AS cost,
    CASE WHEN count(price) = count(*) AND count(currency) = count(*) AND count(DISTINCT currency) = 1 THEN sum(idle * price) END AS idle_cost,
    CASE WHEN count(price) = count(*) AND count(currency) = count(*) AND count(DISTINCT currency) = 1 THEN any_value(currency) END AS currency
FROM spent
