/*---
name: path_frames
about: >-
  The frames of the calling paths of given frames, from the frame itself (step 0) outwards.
given: [targets]
---*/
WITH RECURSIVE frame AS MATERIALIZED (SELECT frame, caller, key, name, lexical_type, python FROM frame),
path AS (
    SELECT frame AS target, 0 AS step, * FROM frame WHERE frame IN (SELECT unnest(targets))
    UNION ALL
    SELECT path.target, path.step + 1, frame.* FROM path JOIN frame ON frame.frame = path.caller
)
FROM path

/*---
name: call_paths
about: >-
  Readable call path of each given frame, outermost first: the last five frames, or the last three Python frames
  and the last two of native code, always with the last caller in native code that has a name and is not
  OpenMP's.
given: [targets]
---*/
WITH RECURSIVE path AS (
    SELECT target, target AS frame, 0 AS step FROM (SELECT unnest(targets) AS target)
    UNION ALL
    SELECT path.target, frame.caller, path.step + 1 FROM path JOIN frame ON frame.frame = path.frame
),
walk AS (
    SELECT path.target, path.step, short_name(frame.name) AS name, frame.python,
        frame.name NOT LIKE '0x%' AND frame.name NOT LIKE '<%' AND frame.lexical_type NOT IN ('instruction', 'entry')
            AND NOT regexp_matches(coalesce(frame.module_path, ''), '/lib(i|g)?omp[-.\w]*$') AS named
    FROM path JOIN frame ON frame.frame = path.frame
),
ranked AS (
    SELECT *,
        row_number() OVER (PARTITION BY target ORDER BY python DESC, step) AS python_rank,
        step = min(step) FILTER (WHERE named AND NOT python AND step > 0) OVER (PARTITION BY target) AS nearest_named,
        bool_or(python) OVER (PARTITION BY target) AS has_python
    FROM walk
),
kept AS (
    SELECT *, lead(step) OVER (PARTITION BY target ORDER BY step) AS next_step
    FROM ranked
    WHERE step < CASE WHEN has_python THEN 2 ELSE 5 END
        OR nearest_named OR (python AND python_rank <= 3)
)
SELECT target AS frame,
    string_agg(CASE WHEN next_step > step + 1 THEN '… > ' ELSE '' END || name, ' > ' ORDER BY step DESC) AS path
FROM kept GROUP BY target

/*---
name: outermost_frames
about: >-
  Frames of the given keys (120 at most) that lie in no other frame of the same key: inclusive cost summed over
  them counts recursion once.
given: [keys]
---*/
WITH RECURSIVE bit AS (
    SELECT key, CAST(1 AS HUGEINT) << CAST(position - 1 AS INTEGER) AS mask
    FROM (SELECT unnest(keys) AS key, generate_subscripts(keys, 1) AS position)
),
frame AS MATERIALIZED (
    SELECT frames.frame, frames.caller, frames.key, coalesce(bit.mask, 0) AS mask
    FROM frame AS frames LEFT JOIN bit ON bit.key = frames.key
),
walk AS (
    SELECT frame, key, mask, mask AS seen, mask <> 0 AS outermost FROM frame WHERE caller = 0
    UNION ALL
    SELECT frame.frame, frame.key, frame.mask, walk.seen | frame.mask,
        frame.mask <> 0 AND (walk.seen & frame.mask) = 0
    FROM walk JOIN frame ON frame.caller = walk.frame
)
SELECT frame, key FROM walk WHERE outermost

/*---
name: functions_on_paths
about: >-
  Costs (a list of frame and spent) by function: inclusive once for each function on the calling path (entry
  points are none), exclusive for the innermost Python function, or the innermost function where there is none.
given: [costs]
---*/
WITH RECURSIVE spent AS MATERIALIZED (SELECT unnest(costs, recursive := true)),
called AS MATERIALIZED (SELECT frame, caller, key, lexical_type, python FROM frame),
path AS (
    SELECT frame AS target, 0 AS step, * FROM called WHERE frame IN (SELECT frame FROM spent)
    UNION ALL
    SELECT path.target, path.step + 1, called.* FROM path JOIN called ON called.frame = path.caller
),
reached AS (
    SELECT target, key, bool_or(rank = 1) AS own, min(frame) AS frame
    FROM (
        SELECT target, key, frame, row_number() OVER (PARTITION BY target ORDER BY python DESC, step) AS rank
        FROM path WHERE lexical_type <> 'entry' OR step = 0
    )
    GROUP BY target, key
),
by_function AS (
    SELECT reached.key, min(reached.frame) AS frame, sum(spent.spent) AS inclusive,
        coalesce(sum(spent.spent) FILTER (WHERE reached.own), 0) AS exclusive
    FROM reached JOIN spent ON spent.frame = reached.target GROUP BY reached.key
)
SELECT by_function.key, frames.name, frames.lexical_type,
    source_path(coalesce(file.path, frames.called_file)) AS file,
    CASE WHEN source_path(file.path) IS NOT NULL THEN nullif(defined.line, 0) END AS line,
    by_function.inclusive, by_function.exclusive
FROM by_function
JOIN frame AS frames ON frames.frame = by_function.frame
LEFT JOIN function AS defined ON defined.id = frames.function
LEFT JOIN file ON file.id = defined.file

/*---
name: call_tree
about: >-
  Call tree by function of a cost (spent): calls of the same function by the same caller merged, lines and loops folded into their function,
  without nodes below a part (least) of the total or deeper than so many frames (deepest). left is where a node begins; entry points have parent 0.
given: [spent, least, deepest]
---*/
WITH RECURSIVE spending AS MATERIALIZED (
    SELECT total_of(cost.name) AS whole, frame.frame, frame.caller, frame.key, frame.name, cost.inclusive
    FROM frame_cost AS cost JOIN frame ON frame.frame = cost.frame
    WHERE cost.inclusive > 0 AND cost.name = spent
),
member AS (
    SELECT whole, frame, frame AS node, CAST(0 AS UINTEGER) AS parent, 1 AS depth, name, inclusive
    FROM spending WHERE caller = 0
    UNION ALL
    SELECT spending.whole, spending.frame, min(spending.frame) OVER same, member.node, member.depth + 1, spending.name, spending.inclusive
    FROM member JOIN spending ON spending.caller = member.frame WHERE member.depth < deepest
    WINDOW same AS (PARTITION BY member.node, spending.key)
    QUALIFY sum(spending.inclusive) OVER same >= least * spending.whole
),
node AS (
    SELECT whole, node, parent, depth, any_value(name) AS name, sum(inclusive ORDER BY frame) AS inclusive
    FROM member GROUP BY whole, node, parent, depth
),
placed AS (
    SELECT *, sum(inclusive) OVER (PARTITION BY parent ORDER BY inclusive DESC, node) - inclusive AS begin FROM node
),
drawn AS (
    SELECT *, begin AS begin_in_run FROM placed WHERE parent = 0
    UNION ALL
    SELECT placed.*, drawn.begin_in_run + placed.begin FROM drawn JOIN placed ON placed.parent = drawn.node
)
SELECT drawn.node AS context, drawn.parent, drawn.depth, drawn.name, drawn.inclusive AS cost, drawn.whole,
    drawn.inclusive / drawn.whole AS share, drawn.begin_in_run / drawn.whole AS "left", regexp_extract(frame.module_path, '[^/]*$') AS module,
    coalesce(file.path, frame.called_file) AS file, if(file.path IS NOT NULL, code.line, frame.called_line) AS line
FROM drawn
LEFT JOIN frame ON frame.frame = drawn.node LEFT JOIN "function" AS code ON code.id = frame.function LEFT JOIN file ON file.id = code.file
