/*---
title: Waiting of main threads
unit: ratio
better: lower
definition: >-
  Share of the elapsed time that samples of main threads carry that was spent in libraries of parallel runtimes
  (OpenMP, MPI and its transports), in what MPI's libraries call, and in calls that wait. Helper threads, which wait most of
  the time by design, do not count.
population: >-
  the lowest-numbered CPU thread of each rank, or of the run where there are no ranks; call frames,
  scope function
needs: ["REALTIME (sec)", cpu_event, profiles]
source: >-
  Names of libraries and functions, listed in the store's macro is_waiting. The interval is the 95 %
  Wilson interval, where a trace tells the number of samples (cpu_sample_number)
caveat: >-
  Known by name only: waiting in a runtime that the list lacks is not counted, and work that a
  runtime does itself, such as moving messages, is.
empty: the profile has CPU time, in which waiting that sleeps has no cost
---*/
WITH main AS (
    FROM main_threads($run)
),
cost AS (
    SELECT value.context, sum(value.value) AS cost
    FROM value
    JOIN main ON main.profile = value.profile
    JOIN metric ON metric.run = $run AND metric.id = value.metric
    WHERE value.run = $run AND metric.name = 'REALTIME (sec)' AND metric.scope = 'function'
    GROUP BY value.context
)
SELECT value, binomial_low(value * n, n) AS low, binomial_high(value * n, n) AS high, n
FROM (
    SELECT coalesce(sum(cost) FILTER (WHERE roles.role = 'waiting'), 0) / sum(cost) AS value,
        cpu_sample_number($run, (SELECT list(profile) FROM main)) AS n
    FROM cost
    JOIN frame_roles($run) AS roles ON roles.frame = cost.context
    WHERE cpu_event_of($run) = 'REALTIME (sec)'
    HAVING sum(cost) > 0
)
