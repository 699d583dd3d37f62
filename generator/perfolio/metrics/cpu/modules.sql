/*---
name: modules
title: CPU cost by module
better: lower
definition: >-
  CPU cost spent in the code of each executable and library, largest first. Where the Python unwinder was on,
  <logical python> has what is charged to functions of Python.
population: call frames, scope function
needs: [cpu_event]
source: costs by scope
caveat: >-
  In the unit of the run's CPU event: CPU-seconds, thread-seconds or events. The profile charges functions of Python with
  the interpreter that runs them and with a part of the compiled code of extensions that they call; by
  samples (time.modules) that is in modules of its own.
empty: no thread has a CPU cost
columns:
  - {name: module, title: 'Module', unit: text}
  - {name: time, title: 'CPU cost', unit: "1"}
  - {name: share, title: 'Share', unit: ratio}
---*/
SELECT coalesce(module_path, 'unknown module') AS module, sum(exclusive) AS "time",
    sum(exclusive) / total_of(cpu_event_of()) AS share
FROM cpu_frames
GROUP BY ALL
HAVING sum(exclusive) > 0
ORDER BY "time" DESC, module

/*---
name: engaged_modules
title: Elapsed thread time by module, without waits of helpers
better: lower
definition: >-
  Elapsed time spent in the code of each executable and library, largest first, less that in which threads
  other than main ones wait: helpers that have nothing to do sleep.
population: >-
  call frames of all entry points and profiles, scope function, without those of helper threads that wait (see the
  metric cpu.helpers_waiting)
needs: [elapsed_time, cpu_event, profiles]
source: measure elapsed_time; the model helpers_waiting
caveat: >-
  Known by name only, as for the waiting of main threads.
empty: no thread has elapsed time, or the profile has CPU time, in which waiting that sleeps has no cost
columns:
  - {name: module, title: 'Module', unit: text}
  - {name: time, title: 'Elapsed', unit: thread-s}
  - {name: share, title: 'Share', unit: ratio}
---*/
WITH waits AS (
    SELECT frame, sum(cost) AS cost FROM helpers_waiting GROUP BY frame
),
spent AS (
    SELECT coalesce(frame.module_path, 'unknown module') AS module, sum(cost.exclusive - coalesce(waits.cost, 0)) AS "time"
    FROM frame_cost AS cost
    JOIN frame ON frame.frame = cost.frame
    LEFT JOIN waits ON waits.frame = cost.frame
    WHERE cost.name = 'elapsed_time' AND cpu_event_of() = 'elapsed_time'
    GROUP BY ALL
)
SELECT module, "time", "time" / sum("time") OVER () AS share
FROM spent
WHERE "time" > 1e-12
ORDER BY "time" DESC, module

/*---
name: openmp_pool
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

/*---
name: threads
title: CPU cost by thread
better: lower
definition: CPU cost of each measured thread, largest first, with its share of the run's total.
population: profiles with a CPU cost, context 0 at scope execution; the first 1,000
needs: [cpu_event, profiles]
source: events of the CPU
caveat: >-
  In the unit of the run's CPU event: CPU-seconds, thread-seconds or events.
empty: no thread has a CPU cost
columns:
  - {name: profile, title: 'Profile', unit: id}
  - {name: label, title: 'Thread', unit: text}
  - {name: rank, title: 'Rank', unit: id}
  - {name: thread, title: 'Thread number', unit: id}
  - {name: time, title: 'CPU cost', unit: "1"}
  - {name: share, title: 'Share', unit: ratio}
---*/
SELECT profile."index" AS profile,
    concat_ws(' ', 'rank ' || profile.rank, coalesce('thread ' || profile.thread, 'profile ' || profile."index")) AS label,
    profile.rank, profile.thread, profile_total.value AS "time",
    profile_total.value / total_of(cpu_event_of()) AS share
FROM profile_total
JOIN profile ON profile."index" = profile_total.profile
WHERE profile_total.name = cpu_event_of() AND profile_total.value > 0
ORDER BY profile_total.value DESC, profile."index"
LIMIT 1000
