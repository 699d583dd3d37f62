/*---
title: Waiting of main threads
unit: ratio
better: lower
definition: >-
  Share of the elapsed time that samples of main threads carry that was spent in libraries of parallel runtimes
  (OpenMP, MPI and its transports), in what MPI's libraries call, and in calls that wait. Helper threads, which wait most of
  the time by design, do not count.
population: >-
  the lowest-numbered CPU thread of each process; call frames,
  scope function
needs: [elapsed_time, cpu_event, profiles]
source: >-
  Names of libraries and functions, listed in the model is_waiting. The interval is the 95 % Wilson
  interval, where a trace tells the number of samples (thread_samples). It reaches to that of the
  share with waits that Python calls and the profile charges to Python: the time of samples, as far as
  Python's functions have so much, that wait in functions without a cost right below one of Python
  (hidden_waits)
caveat: >-
  Known by name only: waiting in a runtime that the list lacks is not counted, and work that a
  runtime does itself, such as moving messages, is.
empty: the profile has CPU time, in which waiting that sleeps has no cost
---*/
WITH main AS (
    FROM main_threads
),
spent AS (
    SELECT value.context, sum(value.value) AS cost
    FROM value
    JOIN main ON main.profile = value.profile
    JOIN metric ON metric.id = value.metric
    WHERE metric.measure = 'elapsed_time' AND metric.scope = 'function'
    GROUP BY value.context
),
hidden AS (
    SELECT sum(spent) AS spent FROM hidden_waits JOIN main USING (profile)
)
SELECT value, binomial_low(value * n, n) AS low, binomial_high((value + more) * n, n) AS high, n,
    CASE WHEN more > 0 THEN '95 % interval, widened by waits charged to Python:' END AS "interval"
FROM (
    SELECT coalesce(sum(cost) FILTER (WHERE frame.role = 'waiting'), 0) / sum(cost) AS value,
        least(
            coalesce((SELECT spent FROM hidden), 0),
            coalesce(sum(cost) FILTER (WHERE frame.role = 'working' AND frame.module_path = python_module()), 0)
        ) / sum(cost) AS more,
        (
            SELECT equal_samples(sum(total), sum(squares))
            FROM thread_samples
            WHERE profile IN (SELECT profile FROM main)
        ) AS n
    FROM spent
    JOIN frame ON frame.frame = spent.context
    WHERE cpu_event_of() = 'elapsed_time'
    HAVING sum(cost) > 0
)
