/*---
title: Calling contexts by CPU cost
better: lower
definition: >-
  Call paths whose last function spent the most itself, with the line of it that spent most.
population: >-
  call frames: scope function for exclusive, scope execution for inclusive; the first 30
needs: [cpu_event]
source: costs by scope
caveat: >-
  In the unit of the run's CPU event. The path is shortened: five frames, or three of
  Python and two of native code.
empty: no thread has a CPU cost
columns:
  - {name: context, title: 'Context', unit: id}
  - {name: path, title: 'Call path', unit: text}
  - {name: function, title: 'Function', unit: text}
  - {name: location, title: 'Hottest line', unit: text}
  - {name: exclusive, title: 'Exclusive', unit: "1"}
  - {name: inclusive, title: 'Inclusive', unit: "1"}
  - {name: exclusive_share, title: 'Exclusive share', unit: ratio}
  - {name: inclusive_share, title: 'Inclusive share', unit: ratio}
---*/
WITH top AS MATERIALIZED (
    SELECT * FROM cpu_frames
    WHERE exclusive > 0
    ORDER BY exclusive DESC, frame
    LIMIT 30
),
hottest_line AS (
    SELECT top.frame, arg_max(coalesce(parse_filename(file.path), '?') || ':' || coalesce(line.line, 0), cost.value) AS location
    FROM top
    JOIN enclosing_frame AS enclosing ON enclosing.frame = top.frame
    JOIN context AS line ON line.id = enclosing.context AND line.lexical_type = 'line'
    JOIN file ON file.id = line.file
    JOIN cost ON cost.context = line.id
    WHERE cost.scope = 'function' AND cost.name = cpu_event_of() AND line.line > 0
    GROUP BY top.frame
)
SELECT top.frame AS context, paths.path, top.name AS "function", hottest_line.location,
    top.exclusive, top.inclusive,
    top.exclusive / total_of(cpu_event_of()) AS exclusive_share,
    top.inclusive / total_of(cpu_event_of()) AS inclusive_share
FROM top
JOIN call_paths((SELECT list(frame) FROM top)) AS paths ON paths.frame = top.frame
LEFT JOIN hottest_line ON hottest_line.frame = top.frame
ORDER BY top.exclusive DESC, top.frame
