/*---
title: Calls that wait for a GPU
better: lower
definition: >-
  Calls of the GPU's runtime that return only when a GPU has done something, by the line of the program, or
  of a package of Python, that makes them: their CPU cost with all that they call, largest first.
population: call frames of all entry points and profiles, scope function; the first 10
needs: [cpu_event, gpu_operations]
source: the store's macros is_gpu_wait and reading_frames
caveat: >-
  In the unit of the run's CPU event. With CPUTIME only waiting that spins has a cost.
empty: no sample lies in a call that waits for a GPU
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: called_file, title: 'Called in', unit: text}
  - {name: called_line, title: 'Called at line', unit: id}
  - {name: cost, title: 'CPU cost', unit: "1"}
  - {name: share, title: 'Share of all cost', unit: ratio}
  - {name: of_waits, title: 'Share of these calls', unit: ratio}
---*/
WITH spent AS MATERIALIZED (
    SELECT waits_in, sum(exclusive) AS cost
    FROM cpu_frames($run)
    WHERE role = 'gpu wait' AND exclusive > 0
    GROUP BY waits_in
)
SELECT short_name(frames.name) AS "function", place.file AS called_file, place.line AS called_line,
    sum(spent.cost) AS cost, sum(spent.cost) / total_of($run, cpu_event_of($run)) AS share,
    sum(spent.cost) / (SELECT sum(cost) FROM spent) AS of_waits
FROM spent
JOIN frames($run) AS frames ON frames.frame = spent.waits_in
LEFT JOIN source_places($run, (SELECT list(waits_in) FROM spent)) AS place ON place.context = spent.waits_in
GROUP BY ALL
ORDER BY cost DESC, "function", called_file, called_line
LIMIT 10
