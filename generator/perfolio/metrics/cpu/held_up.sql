/*---
title: Time in which code that works is held up, at most on the clock
unit: s
better: lower
definition: >-
  Wall time that would be gone at most if no sample of code that works came late. A late one may stand for no work at
  all, so all of its distance from the one before it counts: no more than the time that these distances of all
  threads cover together, and no more than what the thread with most samples in time leaves of the wall time.
population: >-
  trace points of CPU threads that work (at least 1 % of the work of their process's busiest one). A sample is late
  beyond 1.1 times the distance that one in twenty of its thread's samples of work is below (that distance is no more than
  a tenth above the one that one in a hundred of the run's is below), and with fewer than 20,
  as wherever that is less, beyond twice the median distance of all samples
needs: [elapsed_time, cpu_event, profiles, cpu_trace, host_samples]
source: >-
  traces; Amdahl's law for the union of time over threads. The run's longest chain of things that wait
  for one another still takes its parts that are on time
caveat: >-
  A thread that is held up and goes on before its next sample is due is not seen.
empty: no sample came late, or the profile has CPU time, which passes only while a thread runs
---*/
WITH thread AS (
    SELECT works.profile, coalesce(least(1.1 * punctual.distance, 2 * usual.distance), 2 * usual.distance) AS in_time
    FROM thread_work AS works
    CROSS JOIN (
        SELECT max(longest) / 10 AS distance FROM trace_line WHERE clock = 'elapsed' AND kind = 'CPU thread'
    ) AS usual
    LEFT JOIN punctual_distance AS punctual ON punctual.profile = works.profile AND punctual.role = 'working'
    WHERE works.works AND EXISTS (FROM sampled_frame)
),
late AS MATERIALIZED (
    SELECT point.profile, point.taken - point.distance AS begun, point.taken, point.distance
    FROM host_sample AS point
    JOIN thread ON thread.profile = point.profile AND point.distance > thread.in_time
    WHERE point.context IN (
        SELECT enclosing.context
        FROM enclosing_frame AS enclosing
        JOIN frame ON frame.frame = enclosing.frame AND frame.role = 'working'
    )
),
held AS (
    SELECT sum(greatest(taken - greatest(begun, coalesce(latest, begun)), 0)) / 1e9 AS together
    FROM (
        SELECT *, max(taken) OVER (ORDER BY begun, taken ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS latest
        FROM late
    )
),
busiest AS (
    SELECT max(sampled.distance - coalesce(held.distance, 0)) / 1e9 AS works
    FROM (
        SELECT sample.profile, sum(sample.distance) AS distance
        FROM sampled_frame AS sample
        JOIN thread ON thread.profile = sample.profile
        JOIN frame ON frame.frame = sample.frame AND frame.role = 'working'
        GROUP BY sample.profile
    ) AS sampled
    LEFT JOIN (SELECT profile, sum(distance) AS distance FROM late GROUP BY profile) AS held ON held.profile = sampled.profile
)
SELECT least(held.together, (span.stop - span.start) / 1e9 - coalesce(busiest.works, 0)) AS value
FROM held
CROSS JOIN busiest
JOIN cpu_trace_span AS span ON true
WHERE held.together > 0
