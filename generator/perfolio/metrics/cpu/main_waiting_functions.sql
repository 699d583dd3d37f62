/*---
title: Functions in which main threads wait
better: lower
definition: >-
  Functions of parallel runtimes and calls that wait in which main threads spent elapsed time, largest first.
  Called in names the line of the program, or of a package of Python, that calls it,
  where one line has half of its time or more.
population: >-
  the lowest-numbered CPU thread of each process; call frames,
  scope function; the first 10
needs: [elapsed_time, cpu_event, profiles]
source: names of libraries and functions, listed in the model is_waiting
caveat: >-
  Known by name only, as for the waiting of main threads.
empty: no function waits on a main thread, or the profile has CPU time, in which waiting that sleeps has no cost
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: module, title: 'Module', unit: text}
  - {name: time, title: 'Elapsed on main threads', unit: thread-s}
  - {name: share, title: 'Share of their time', unit: ratio}
  - {name: called_file, title: 'Called in', unit: text}
  - {name: called_line, title: 'Called at line', unit: id}
---*/
WITH main AS (
    FROM main_threads
),
spent AS (
    SELECT frames.key, frames.frame, frames.name, frames.module_path, roles.role, sum(value.value) AS amount
    FROM value
    JOIN main ON main.profile = value.profile
    JOIN metric ON metric.id = value.metric
    JOIN frame AS frames ON frames.frame = value.context
    JOIN frame AS roles ON roles.frame = value.context
    WHERE metric.measure = 'elapsed_time' AND metric.scope = 'function'
    GROUP BY ALL
),
waiting AS (
    SELECT key, frame, amount, name, module_path FROM spent WHERE cpu_event_of() = 'elapsed_time' AND role = 'waiting' AND amount > 0
),
top AS (
    SELECT key, any_value(name) AS "function", any_value(module_path) AS module, sum(amount) AS "time",
        sum(amount) / (SELECT sum(amount) FROM spent) AS share
    FROM waiting
    GROUP BY key
    ORDER BY "time" DESC, key
    LIMIT 10
),
place AS (
    FROM calling_lines((
        SELECT list({'key': waiting.key, 'frame': waiting.frame, 'cost': waiting.amount, 'whole': top."time"})
        FROM waiting JOIN top ON top.key = waiting.key
    ))
)
SELECT top."function", top.module, top."time", top.share, place.file AS called_file, place.line AS called_line
FROM top
LEFT JOIN place ON place.key = top.key
ORDER BY top."time" DESC, top.key
