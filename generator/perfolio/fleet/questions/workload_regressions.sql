/*---
title: Workloads whose iterations take longer since a week
about: >-
  Median iteration before and after the week that tells both sides apart best, in the same precision and batch size, on the same hardware
  and number of GPUs; runs are held against runs with the same driver. Each side has five runs or more, in two weeks or more. It is told
  where the change is more than 5 % and five robust standard errors, more where runs are few. Runs after must also take longer, or shorter,
  than runs before in most pairs: times that jump between two values do not.
population: runs with steady iterations and a date
columns:
  - {name: workload, title: Workload, unit: text}
  - {name: hardware, title: Hardware, unit: text}
  - {name: gpus, title: GPUs, unit: count}
  - {name: since, title: Since the week of, unit: text}
  - {name: change, title: Change, unit: ratio}
  - {name: before, title: Median before, unit: s}
  - {name: after, title: Median after, unit: s}
  - {name: runs_before, title: Runs before, unit: count}
  - {name: runs_after, title: Runs after, unit: count}
  - {name: gpu_hours, title: GPU-hours since then, unit: GPU-h}
  - {name: errors, title: Standard errors, unit: '1'}
---*/
WITH given AS (
    SELECT hash(workload, "precision", batch_size, hardware, gpus) AS thing, workload, hardware, gpus, hash(thing, driver) AS alike,
        date_trunc('week', recorded) AS week, ln(iteration_ns) AS spent, gpu_hours AS hours
    FROM run WHERE recorded IS NOT NULL AND iteration_ns > 0
),
usual AS (SELECT thing, week, median(spent) AS spent FROM given GROUP BY thing, week),
kin AS (SELECT alike, median(given.spent - usual.spent) AS off FROM given JOIN usual USING (thing, week) GROUP BY alike),
weekly AS (SELECT thing, week, count(*) AS runs, median(spent - kin.off) AS off FROM given JOIN kin USING (alike) GROUP BY thing, week),
summed AS (
    SELECT thing, week, sum(weekly.runs) OVER below AS so_far, sum(weekly.runs) OVER everything - so_far AS left_runs,
        row_number() OVER below AS weeks, count(*) OVER everything - weeks AS left_weeks,
        sum(weekly.runs * off) OVER below AS sum_off,
        sum(weekly.runs * off) OVER everything - sum_off AS left_off
    FROM weekly WINDOW below AS (PARTITION BY thing ORDER BY week), everything AS (PARTITION BY thing)
),
chosen AS (
    SELECT thing, week AS last_before FROM summed WHERE so_far >= 3 AND left_runs >= 3
    QUALIFY row_number() OVER (
        PARTITION BY thing ORDER BY abs(sum_off / so_far - left_off / left_runs) * sqrt(so_far * left_runs) DESC, week
    ) = 1 AND weeks >= 2 AND left_weeks >= 2
),
ranked AS (
    SELECT given.*, chosen.last_before, rank() OVER (PARTITION BY alike ORDER BY spent)
        + (count(*) OVER (PARTITION BY alike, spent) - 1) / 2.0 AS place
    FROM given JOIN chosen USING (thing)
),
side AS (
    SELECT thing, min(week) FILTER (WHERE week > last_before) AS cut, count(*) FILTER (WHERE week <= last_before) AS runs_before,
        count(*) FILTER (WHERE week > last_before) AS runs_after, median(spent) FILTER (WHERE week <= last_before) AS before,
        median(spent) FILTER (WHERE week > last_before) AS after, mad(spent) FILTER (WHERE week <= last_before) AS mad_before,
        mad(spent) FILTER (WHERE week > last_before) AS mad_after, sum(hours) FILTER (WHERE week > last_before) AS hours,
        (sum(place) FILTER (WHERE week > last_before) - runs_after * (runs_after + 1) / 2.0) / (runs_before * runs_after) AS longer,
        (runs_before + runs_after + 1.0) / (12.0 * runs_before * runs_after) AS chance,
        1.0 * runs_before * runs_after / (runs_before + runs_after) AS weight
    FROM ranked GROUP BY thing, alike HAVING runs_before >= 3 AND runs_after >= 3
),
judged AS (
    SELECT thing, min(cut) AS cut, sum(runs_before)::BIGINT AS runs_before, sum(runs_after)::BIGINT AS runs_after,
        sum(weight * before) / sum(weight) AS before, sum(weight * after) / sum(weight) AS after, sum(hours) AS gpu_hours,
        abs(sum(weight * longer) / sum(weight) - 0.5) AS apart, sqrt(sum(weight * weight * chance)) / sum(weight) AS chance,
        1.2533 * greatest(1.4826 * sum(mad_before * runs_before + mad_after * runs_after) / sum(runs_before + runs_after), 0.005)
            / sqrt(sum(weight)) AS error
    FROM side GROUP BY thing HAVING sum(runs_before) >= 5 AND sum(runs_after) >= 5
)
SELECT workload, hardware, gpus, strftime(cut, '%Y-%m-%d') AS since, exp(after - before) - 1 AS change, exp(before) / 1e9 AS before,
    exp(after) / 1e9 AS after, runs_before, runs_after, gpu_hours, abs(after - before) / error AS errors
FROM judged JOIN (SELECT thing, any_value(workload) AS workload, any_value(hardware) AS hardware, any_value(gpus) AS gpus FROM given GROUP BY thing)
    USING (thing)
WHERE abs(after - before) > ln(1.05) AND abs(after - before) > 5 * (1 + 8.0 / (runs_before + runs_after)) * error
    AND apart > least(greatest(5 * chance, 0.2), 0.45)
ORDER BY change DESC, workload, hardware, gpus
