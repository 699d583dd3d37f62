/*---
title: Hosts on which GPUs idle longer than on others
about: >-
  Idle time of an iteration on a GPU of the host, less the median of like runs, as a part of their median iteration. Like runs have the same
  workload, precision, batch size, hardware, number of GPUs, driver, week and first rank on the host. So uneven stages and long sequences
  blame no host. Of each host the median over its runs counts. It is slow where that is more than 2 % and five robust deviations above the
  median host. Judged are hosts with eight runs or more that have like runs on three hosts or more. Hosts on which one team alone
  runs are held against each other, where these are three or more. A deviation is at least 0.5 %. Time that
  waits for other ranks is left out.
population: runs with steady iterations, on each host that is known
columns:
  - {name: host, title: Host, unit: text, private: host}
  - {name: runs, title: Like runs, unit: count}
  - {name: slower, title: Longer by, unit: ratio}
  - {name: low, title: 95 % interval from, unit: ratio}
  - {name: high, title: to, unit: ratio}
  - {name: deviations, title: Robust deviations, unit: '1'}
  - {name: judgement, title: Judgement, unit: text}
---*/
WITH one AS (
    SELECT gpu.host, any_value(run.team) AS team, any_value(run.iteration_ns) AS iteration,
        avg(gpu.idle_ns / run.iterations * greatest(run.ranks, 1) / run.lanes) AS idle,
        hash(any_value(run.workload), any_value(run.precision), any_value(run.batch_size), any_value(run.hardware), any_value(run.gpus),
            any_value(run.driver), any_value(date_trunc('week', run.recorded)), min(gpu.rank)) AS alike
    FROM gpu JOIN run USING (run)
    WHERE gpu.host IS NOT NULL AND run.iterations > 0 AND run.lanes > 0 AND run.iteration_ns > 0 AND run.basis = 'iteration'
    GROUP BY gpu.run, gpu.host
),
usual AS (
    SELECT alike, median(idle) AS idle, median(iteration) AS iteration FROM one GROUP BY alike HAVING count(DISTINCT host) >= 3
),
compared AS (
    SELECT one.host, one.team, NULL AS gpu, (one.idle - usual.idle) / usual.iteration AS off FROM one LEFT JOIN usual USING (alike)
)
SELECT host, runs, off AS slower, low, high, deviations, judgement
FROM judge_places('compared', 0.02) ORDER BY judgement = 'slow' DESC, slower DESC NULLS LAST, host
