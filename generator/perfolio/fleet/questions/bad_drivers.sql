/*---
title: Drivers with which iterations take longer
about: >-
  Median iteration with a version of the GPU driver, as a ratio to that with all other versions within two weeks, in each workload,
  precision, batch size, hardware and number of GPUs; then the median over these. Each side has eight runs or more there, and three hosts
  where hosts are known. A driver is slow where the ratio is more than 3 % and five standard errors, and its runs take longer in most pairs.
  Where hosts differ among themselves, the error is that of as many hosts. What was changed with the driver, within two weeks or on the same
  hosts, is not told apart.
population: runs with steady iterations whose driver is known
columns:
  - {name: driver, title: Driver, unit: text}
  - {name: workloads, title: Workloads compared, unit: count}
  - {name: runs, title: Runs with it, unit: count}
  - {name: others, title: Runs with others, unit: count}
  - {name: slower, title: Longer by, unit: ratio}
  - {name: low, title: 95 % interval from, unit: ratio}
  - {name: high, title: to, unit: ratio}
  - {name: gpu_hours, title: GPU-hours with it, unit: GPU-h}
  - {name: judgement, title: Judgement, unit: text}
---*/
WITH one AS (
    SELECT driver, workload, hash(workload, "precision", batch_size, hardware, gpus) AS alike, hosts[1] AS host, gpu_hours,
        coalesce(date_trunc('week', recorded), TIMESTAMP '1970-01-01')::DATE AS week, ln(iteration_ns) AS spent
    FROM run WHERE driver IS NOT NULL AND iteration_ns > 0
),
near AS (
    SELECT version.driver, place.alike, place.week, median(one.spent) FILTER (WHERE one.driver <> version.driver) AS usual
    FROM (SELECT DISTINCT alike, week FROM one) AS place CROSS JOIN (SELECT DISTINCT driver FROM one) AS version
    JOIN one ON one.alike = place.alike AND one.week BETWEEN place.week - 14 AND place.week + 14
    GROUP BY ALL HAVING usual IS NOT NULL AND count_if(one.driver = version.driver) > 0
),
compared AS (
    SELECT near.driver, one.workload, one.alike, one.driver = near.driver AS own, one.host, one.spent - near.usual AS spent
    FROM one JOIN near ON one.alike = near.alike AND one.week = near.week
),
ranked AS (
    SELECT *, rank() OVER (PARTITION BY driver, alike ORDER BY spent) + (count(*) OVER (PARTITION BY driver, alike, spent) - 1) / 2.0 AS place,
        row_number() OVER (PARTITION BY driver, alike, own, host) AS of_host, median(spent) OVER (PARTITION BY driver, alike, own, host) AS usual
    FROM compared
),
side AS (
    SELECT driver, workload, alike, own, count(*) AS runs, median(spent) AS middle, sum(place) AS places,
        greatest(1.4826 * mad(spent), 0.005, 1.4826 * coalesce(mad(usual) FILTER (WHERE of_host = 1 AND host IS NOT NULL), 0)
            * sqrt(count(*) / greatest(count(DISTINCT host), 1))) AS spread
    FROM ranked GROUP BY ALL HAVING count(*) >= 8 AND (count(host) = 0 OR count(DISTINCT host) >= 3)
),
pair AS (
    SELECT mine.driver, mine.workload, mine.runs, other.runs AS others, mine.middle - other.middle AS off,
        (mine.places - mine.runs * (mine.runs + 1) / 2.0) / (mine.runs * other.runs) AS longer,
        (mine.runs + other.runs + 1.0) / (12.0 * mine.runs * other.runs) AS chance,
        1.2533 * sqrt(mine.spread ** 2 / mine.runs + other.spread ** 2 / other.runs) AS error
    FROM side AS mine JOIN side AS other ON mine.driver = other.driver AND mine.own AND NOT other.own AND mine.alike = other.alike
),
judged AS (
    SELECT driver, count(DISTINCT workload) AS workloads, sum(runs) AS runs, sum(others) AS others, median(off) AS off, avg(longer) - 0.5 AS apart,
        sqrt(avg(chance) / count(*)) AS chance,
        CASE WHEN count(*) < 3 THEN sqrt(avg(error ** 2)) ELSE 1.2533 * sqrt(avg(error ** 2) / count(*)) END AS error
    FROM pair GROUP BY driver
),
every AS (SELECT driver, count(*) AS all_runs, sum(gpu_hours) AS gpu_hours FROM one GROUP BY driver)
SELECT driver, coalesce(workloads, 0) AS workloads, coalesce(runs, all_runs) AS runs, others, exp(off) - 1 AS slower,
    exp(off - 1.96 * error) - 1 AS low, exp(off + 1.96 * error) - 1 AS high, gpu_hours,
    CASE WHEN off IS NULL THEN 'too few like runs'
        WHEN off > ln(1.03) AND off > 5 * error AND apart > least(greatest(5 * chance, 0.2), 0.45) THEN 'slow' ELSE 'as others' END AS judgement
FROM every LEFT JOIN judged USING (driver) ORDER BY judgement = 'slow' DESC, slower DESC NULLS LAST, driver
