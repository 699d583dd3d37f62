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
SELECT count(*) AS runs, (SELECT count(DISTINCT host) FROM (SELECT unnest(hosts) AS host FROM run)) AS hosts,
    count(DISTINCT workload) AS workloads, strftime(min(recorded), '%Y-%m-%d') AS first_recorded,
    strftime(max(recorded), '%Y-%m-%d') AS last_recorded, sum(gpu_hours) AS gpu_hours, sum(idle_gpu_hours) AS idle_gpu_hours,
    sum(idle_gpu_hours) / nullif(sum(gpu_hours) FILTER (WHERE idle_gpu_hours IS NOT NULL), 0) AS idle_share,
    sum_money(gpu_hours, price, currency) AS cost, sum_money(idle_gpu_hours, price, currency) AS idle_cost,
    shared_currency(price, currency) AS currency
FROM run_cost
