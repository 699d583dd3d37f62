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
compared AS (SELECT one.host, one.team, (one.idle - usual.idle) / usual.iteration AS off FROM one LEFT JOIN usual USING (alike)),
place AS (
    SELECT host, CASE WHEN count(DISTINCT coalesce(team, '')) = 1 THEN any_value(team) END AS pool, count(off) AS runs, count(*) AS all_runs,
        median(off) AS middle, 1.4826 * mad(off) AS spread
    FROM compared GROUP BY host
),
whole AS (
    SELECT pool, median(middle) AS centre, greatest(1.4826 * mad(middle), 0.005) AS deviation, median(spread) AS spread
    FROM place WHERE runs >= 8 GROUP BY pool HAVING pool IS NULL OR count(DISTINCT host) >= 3
),
judged AS (
    SELECT place.*, middle - centre AS off, 1.2533 * greatest(place.spread, whole.spread) / sqrt(runs) AS error, whole.deviation
    FROM place LEFT JOIN whole ON place.runs >= 8 AND place.pool IS NOT DISTINCT FROM whole.pool
)
SELECT host, runs, off AS slower, off - 1.96 * error AS low, off + 1.96 * error AS high,
    off / sqrt(deviation * deviation + error * error) AS deviations,
    CASE WHEN all_runs < 8 THEN 'too few runs' WHEN runs < 8 OR off IS NULL THEN 'too few like runs'
        WHEN off > 0.02 AND off > 5 * sqrt(deviation * deviation + error * error) THEN 'slow' ELSE 'as others' END AS judgement
FROM judged ORDER BY judgement = 'slow' DESC, slower DESC NULLS LAST, host
