/*---
title: Threads of OpenMP's pools
better: neither
definition: >-
  CPU threads other than the main thread that have cost in the code of an OpenMP library, and the share of
  the cost of all of them that is work: neither waiting nor a parallel runtime.
population: >-
  CPU threads of all ranks but the lowest-numbered of each, or of the run where there are no ranks; call frames,
  scope function. Threads with less than 1 % of the cost of the one with most do not count
needs: [cpu_event, profiles]
source: names of libraries; threads that work as for the metric balance.threads
caveat: >-
  With elapsed time, threads that sleep have cost as well.
empty: no thread but the main ones has cost in a library of OpenMP
columns:
  - {name: threads, title: 'Threads', unit: count}
  - {name: cost, title: 'CPU cost', unit: "1"}
  - {name: work, title: 'Share that is work', unit: ratio}
---*/
WITH main AS (
    SELECT profile FROM main_threads
),
spent AS (
    SELECT value.profile, sum(value.value) AS cost,
        coalesce(sum(value.value) FILTER (WHERE module.path IS NOT NULL), 0) AS openmp
    FROM value
    JOIN metric ON metric.id = value.metric
    JOIN profile ON profile."index" = value.profile AND profile.kind = 'CPU thread'
    JOIN frame ON frame.frame = value.context
    LEFT JOIN (
        SELECT DISTINCT path FROM module WHERE regexp_matches(parse_filename(path), '^lib(gomp|iomp5|omp)[^a-z]')
    ) AS module ON module.path = frame.module_path
    WHERE metric.measure = cpu_event_of() AND metric.scope = 'function' AND metric.statistic IS NULL
        AND value.profile NOT IN (FROM main)
    GROUP BY value.profile
),
pool AS (
    SELECT spent.profile, spent.cost FROM spent WHERE spent.openmp > 0 QUALIFY spent.cost >= 0.01 * max(spent.cost) OVER ()
)
SELECT count(*) AS threads, sum(pool.cost) AS cost, coalesce(sum(thread_work.work), 0) / sum(pool.cost) AS work
FROM pool
JOIN thread_work AS thread_work ON thread_work.profile = pool.profile
HAVING count(*) > 0
