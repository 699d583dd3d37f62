/*---
about: >-
  Call tree by function, of GPU operations and of the run's CPU event (event): calls of the same function by
  the same caller merged, lines and loops folded into their function, without nodes below 0.1 % of the total
  or deeper than 40 frames. left is where a node begins in the whole run; entry points have parent 0.
---*/
WITH RECURSIVE spent AS MATERIALIZED (
    SELECT cost.name AS event, total_of(cost.name) AS whole, frame.frame, frame.caller, frame.key, frame.name, cost.inclusive
    FROM frame_cost AS cost JOIN frame ON frame.frame = cost.frame
    WHERE cost.inclusive > 0 AND cost.name IN ('gpu_operation_time', cpu_event_of())
),
member AS (
    SELECT event, whole, frame, frame AS node, CAST(0 AS UINTEGER) AS parent, 1 AS depth, name, inclusive
    FROM spent WHERE caller = 0
    UNION ALL
    SELECT spent.event, spent.whole, spent.frame, min(spent.frame) OVER same, member.node, member.depth + 1, spent.name, spent.inclusive
    FROM member JOIN spent ON spent.caller = member.frame AND spent.event = member.event
    WHERE member.depth < 40
    WINDOW same AS (PARTITION BY member.event, member.node, spent.key)
    QUALIFY sum(spent.inclusive) OVER same >= 0.001 * spent.whole
),
node AS (
    SELECT event, whole, node, parent, depth, any_value(name) AS name, sum(inclusive ORDER BY frame) AS inclusive
    FROM member GROUP BY event, whole, node, parent, depth
),
placed AS (
    SELECT *, sum(inclusive) OVER (PARTITION BY event, parent ORDER BY inclusive DESC, node) - inclusive AS begin FROM node
),
drawn AS (
    SELECT *, begin AS begin_in_run FROM placed WHERE parent = 0
    UNION ALL
    SELECT placed.*, drawn.begin_in_run + placed.begin
    FROM drawn JOIN placed ON placed.event = drawn.event AND placed.parent = drawn.node
)
SELECT event, node AS context, parent, depth, name, inclusive AS cost, inclusive / whole AS share, begin_in_run / whole AS "left"
FROM drawn
