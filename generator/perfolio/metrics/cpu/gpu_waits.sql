/*---
title: Calls that wait for a GPU
better: lower
definition: >-
  Calls of the GPU's runtime that return only when a GPU has done something, by the line of the program, or
  of a package of Python, that makes them: their CPU cost with all that they call, largest first. Where packages of
  Python lie in between, in which of their functions: the innermost one, one of PyTorch's optimisers before others. Where
  operators are recorded, the outermost one around the call.
population: call frames of all entry points and profiles, scope function; the first 10
needs: [cpu_event, gpu_operations]
source: the models gpu_wait and reading_frames
caveat: >-
  In the unit of the run's CPU event. With CPUTIME only waiting that spins has a cost.
empty: no sample lies in a call that waits for a GPU
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: called_file, title: 'Called in', unit: text}
  - {name: called_line, title: 'Called at line', unit: id}
  - {name: within, title: 'Within', unit: text}
  - {name: within_file, title: 'File of what it is within', unit: text}
  - {name: operator, title: 'Operator', unit: text}
  - {name: cost, title: 'CPU cost', unit: "1"}
  - {name: share, title: 'Share of all cost', unit: ratio}
  - {name: of_waits, title: 'Share of these calls', unit: ratio}
---*/
WITH RECURSIVE spent AS MATERIALIZED (
    SELECT waits_in, sum(exclusive) AS cost
    FROM cpu_frames
    WHERE role = 'gpu wait' AND exclusive > 0
    GROUP BY waits_in
),
package AS MATERIALIZED (
    SELECT frame.frame, frame.caller, short_name(frame.name) AS name, source_path(file.path) AS file, frame.python,
        frame.python AND NOT is_own(file.path, frame.module_path) AS installed
    FROM frame
    LEFT JOIN "function" AS defined ON defined.id = frame."function"
    LEFT JOIN file ON file.id = defined.file
),
around AS (
    SELECT spent.waits_in, package.caller AS frame, 1 AS steps
    FROM spent JOIN package ON package.frame = spent.waits_in
    UNION ALL
    SELECT around.waits_in, package.caller, around.steps + 1
    FROM around JOIN package ON package.frame = around.frame
    WHERE package.installed OR NOT package.python
),
within AS (
    SELECT around.waits_in,
        arg_min(
            {'name': package.name, 'file': package.file}, (NOT contains(package.file, 'torch/optim/'), around.steps)
        ) AS nearest
    FROM around JOIN package ON package.frame = around.frame
    WHERE package.installed AND package.file IS NOT NULL
    GROUP BY around.waits_in
),
operator AS (
    SELECT around.waits_in, arg_max(package.name, around.steps) AS name
    FROM around JOIN package ON package.frame = around.frame
    WHERE around.frame IN (SELECT context FROM host_range WHERE kind = 'operator')
    GROUP BY around.waits_in
)
SELECT short_name(frames.name) AS "function", place.file AS called_file, place.line AS called_line,
    nearest.name || ' (' || parse_filename(nearest.file) || ')' AS within, nearest.file AS within_file, operator.name AS operator,
    sum(spent.cost) AS cost, sum(spent.cost) / total_of(cpu_event_of()) AS share,
    sum(spent.cost) / (SELECT sum(cost) FROM spent) AS of_waits
FROM spent
JOIN frame AS frames ON frames.frame = spent.waits_in
LEFT JOIN source_place AS place ON place.context = spent.waits_in
LEFT JOIN within ON within.waits_in = spent.waits_in
LEFT JOIN operator ON operator.waits_in = spent.waits_in
GROUP BY ALL
ORDER BY cost DESC, "function", called_file, called_line, within, operator
LIMIT 10
