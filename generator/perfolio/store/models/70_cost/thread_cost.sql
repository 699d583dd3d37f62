/*---
about: >-
  CPU cost of each CPU thread that works.
when: value
columns:
  profile: INTEGER; CPU thread, index in table profile [id]
  work: >-
    DOUBLE; Cost without waiting, without a GPU's runtime and without what came late (late_cost.beyond), in the
    run's CPU event
  waits: >-
    DOUBLE; How much of that is waiting that the profile charges to functions of Python, at most: as much as the
    thread's samples wait unseen by its profile below a frame of Python or its caller (hidden_waits)
---*/
WITH spent AS (
    SELECT value.profile, value.context, value.value - least(coalesce(late.beyond, 0), value.value) AS work,
        CASE WHEN frame.module_path = python_module() THEN coalesce(below.spent, 0) + coalesce(beside.spent, 0) ELSE 0 END AS waits
    FROM value
    JOIN metric ON metric.id = value.metric
    JOIN frame ON frame.frame = value.context AND frame.role = 'working'
    LEFT JOIN late_cost AS late ON late.profile = value.profile AND late.frame = value.context
    LEFT JOIN hidden_waits AS below ON below.profile = value.profile AND below.caller = value.context
    LEFT JOIN hidden_waits AS beside ON beside.profile = value.profile AND beside.caller = frame.caller
    WHERE metric.measure = cpu_event_of() AND metric.scope = 'function'
)
SELECT spent.profile, fsum(spent.work) AS work,
    least(fsum(least(spent.work, spent.waits)), coalesce(any_value(seen.spent), 0)) AS waits
FROM spent
LEFT JOIN (SELECT profile, fsum(spent) AS spent FROM hidden_waits GROUP BY profile) AS seen ON seen.profile = spent.profile
GROUP BY spent.profile
