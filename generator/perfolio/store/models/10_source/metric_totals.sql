/*---
name: total
about: >-
  The true total of each metric of a run: context 0 at scope execution. A metric without a row is 0 or was not
  collected: see collected.
---*/
SELECT metric.measure AS name, summary.value
FROM metric JOIN summary ON summary.metric = metric.id
WHERE metric.scope = 'execution' AND metric.statistic = 'sum' AND metric.formula = '$$' AND summary.context = 0

/*---
name: profile_total
about: >-
  The total of each metric per profile: context 0 at scope execution.
---*/
SELECT value.profile, metric.measure AS name, value.value
FROM value JOIN metric ON metric.id = value.metric WHERE value.context = 0 AND metric.scope = 'execution'

/*---
name: cost
about: >-
  Cost per calling context, summed over profiles. Sum scope point only; execution is inclusive, lex_aware and
  function are exclusive.
---*/
SELECT summary.context, metric.measure AS name, metric.scope, summary.value
FROM summary JOIN metric ON metric.id = summary.metric WHERE metric.statistic = 'sum' AND metric.formula = '$$'

/*---
name: collected
about: >-
  Names of the metrics that the profile lists, whether or not a value was recorded.
---*/
SELECT DISTINCT measure AS name FROM metric

/*---
name: cpu_clock
about: >-
  By which clock CPU threads were sampled: running (CPU time, cycles: it stands still while the thread waits) or
  elapsed (also while it waits; so taken where the metrics do not tell).
value: true
---*/
SELECT CASE
    WHEN bool_or(name = 'elapsed_time') THEN 'elapsed'
    WHEN bool_or(is_cpu_event(name)) THEN 'running'
    ELSE 'elapsed'
END
FROM collected

/*---
name: charged
about: >-
  What each profile charges to functions, at scope function, in the time by which CPU threads were sampled
  (cpu_clock) [s].
---*/
SELECT value.profile, value.context, value.value
FROM value JOIN metric ON metric.id = value.metric
WHERE metric.scope = 'function' AND metric.statistic IS NULL
    AND metric.measure = CASE cpu_clock() WHEN 'running' THEN 'cpu_time' ELSE 'elapsed_time' END

/*---
name: cpu_event
about: >-
  The event by which CPU cost is ranked in a run: CPU time, else elapsed thread time, else cycles, else the
  largest event.
---*/
SELECT name, value, CASE name WHEN 'cpu_time' THEN 'CPU-s' WHEN 'elapsed_time' THEN 'thread-s' WHEN 'cost_share' THEN 'ratio'
    ELSE CASE WHEN is_clock(name) THEN 'CPU-ns' ELSE 'events' END END AS unit
FROM total
WHERE is_cpu_event(name)
QUALIFY row_number() OVER (
    ORDER BY CASE WHEN name = 'cpu_time' THEN 0 WHEN name = 'elapsed_time' THEN 1
        WHEN lower(name) LIKE '%cycles%' THEN 2 ELSE 3 END, value DESC, name
) = 1

/*---
name: cpu_event_of
about: >-
  Name of the event by which CPU cost is ranked in a run.
value: true
---*/
SELECT name FROM cpu_event

/*---
name: invariant
about: >-
  Three ways to the same total per metric: sum of scope point over contexts, context 0 at execution, sum over
  profiles; NULL where the profile has no such scope. difference is relative.
---*/
SELECT name, point_sum, execution, profile_sum,
    CASE WHEN greatest(abs(point_sum), abs(execution), abs(profile_sum)) > 0 THEN
        greatest(abs(point_sum - execution), abs(point_sum - profile_sum), abs(execution - profile_sum))
        / greatest(abs(point_sum), abs(execution), abs(profile_sum))
    ELSE 0 END AS difference
FROM (
    SELECT listed.name,
        CASE WHEN has_point THEN coalesce(point.value, 0) END AS point_sum,
        CASE WHEN has_execution THEN coalesce(total.value, 0) END AS execution,
        CASE WHEN has_profiles THEN coalesce(profiles.value, 0) END AS profile_sum
    FROM (
        SELECT measure, any_value(name) AS name,
            bool_or(scope = 'point' AND statistic = 'sum' AND formula = '$$') AS has_point,
            bool_or(scope = 'execution' AND statistic = 'sum' AND formula = '$$') AS has_execution,
            bool_or(scope = 'execution' AND statistic IS NULL) AS has_profiles
        FROM metric GROUP BY measure
    ) AS listed
    LEFT JOIN (
        SELECT name, fsum(value) AS value FROM cost WHERE scope = 'point' GROUP BY name
    ) AS point ON point.name = listed.measure
    LEFT JOIN total ON total.name = listed.measure
    LEFT JOIN (SELECT name, fsum(value) AS value FROM profile_total GROUP BY name) AS profiles ON profiles.name = listed.measure
    WHERE EXISTS (SELECT 1 FROM summary)
)
