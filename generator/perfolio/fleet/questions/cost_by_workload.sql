/*---
title: Cost by workload
about: >-
  GPU-hours, and those in which GPUs idle or wait for other ranks. Of each run, the share of its window is taken of all of its GPU-hours.
  Money is given where each of these runs has a price in one currency.
population: all runs
columns:
  - {name: workload, title: Workload, unit: text}
  - {name: runs, title: Runs, unit: count}
  - {name: gpu_hours, title: GPU-hours, unit: GPU-h}
  - {name: idle_gpu_hours, title: Idle GPU-hours, unit: GPU-h}
  - {name: idle_share, title: Idle, unit: ratio}
  - {name: cost, title: Cost, unit: money}
  - {name: idle_cost, title: Cost of idle time, unit: money}
  - {name: currency, title: Currency, unit: text}
---*/
SELECT workload, count(*) AS runs, sum(gpu_hours) AS gpu_hours, sum(idle_gpu_hours) AS idle_gpu_hours,
    sum(idle_gpu_hours) / nullif(sum(gpu_hours) FILTER (WHERE idle_gpu_hours IS NOT NULL), 0) AS idle_share,
    sum_money(gpu_hours, price, currency) AS cost, sum_money(idle_gpu_hours, price, currency) AS idle_cost,
    shared_currency(price, currency) AS currency
FROM run_cost WHERE workload IS NOT NULL GROUP BY workload ORDER BY idle_gpu_hours DESC NULLS LAST, workload
