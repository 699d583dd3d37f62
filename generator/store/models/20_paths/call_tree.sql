/*---
about: >-
  Call tree of a metric by function: calls of the same function by the same caller merged, lines and loops
  folded into their function, without nodes below 0.5 % of the total or deeper than 40 frames. left is where a
  node begins in the whole run; entry points have parent 0.
given: [metric_name]
---*/
WITH RECURSIVE frame AS MATERIALIZED (
    SELECT frame, caller, key, name, inclusive FROM frame_cost(metric_name) WHERE inclusive > 0
),
member AS (
    SELECT frame, frame AS node, CAST(0 AS UINTEGER) AS parent, 1 AS depth, name, inclusive
    FROM frame
    WHERE caller = 0
    UNION ALL
    SELECT frame.frame, min(frame.frame) OVER same, member.node, member.depth + 1, frame.name, frame.inclusive
    FROM member JOIN frame ON frame.caller = member.frame
    WHERE member.depth < 40
    WINDOW same AS (PARTITION BY member.node, frame.key)
    QUALIFY sum(frame.inclusive) OVER same >= 0.005 * total_of(metric_name)
),
node AS (
    SELECT node, parent, depth, any_value(name) AS name, sum(inclusive ORDER BY frame) AS inclusive
    FROM member
    GROUP BY node, parent, depth
),
placed AS (
    SELECT *, sum(inclusive) OVER (PARTITION BY parent ORDER BY inclusive DESC, node) - inclusive AS offset_in_parent
    FROM node
),
drawn AS (
    SELECT *, offset_in_parent AS offset_in_run FROM placed WHERE parent = 0
    UNION ALL
    SELECT placed.*, drawn.offset_in_run + placed.offset_in_parent
    FROM drawn JOIN placed ON placed.parent = drawn.node
)
SELECT node AS context, parent, depth, name, inclusive AS cost,
    inclusive / total_of(metric_name) AS share,
    offset_in_run / total_of(metric_name) AS "left"
FROM drawn
