/*---
about: >-
  Regions of a call tree that has statistics over ranks in place of values of each (kind of profile: ranks): how many ranks entered
  it, and the least, mean and largest elapsed time of a rank, with all that is below where is_inclusive. The mean is over all
  ranks. No row where ranks were recorded each for themselves.
when: FROM profile WHERE kind = 'ranks'
columns:
  frame: UINTEGER; The region, a call frame [id]
  caller: UINTEGER; What is around it [id]
  name: VARCHAR; What it is called [text]
  is_inclusive: BOOLEAN; Whether times hold what is below it
  entered: DOUBLE?; Ranks that entered it, where that is told [count]
  least: DOUBLE?; Of ranks that entered it [s]
  mean: DOUBLE?; Over all ranks [s]
  largest: DOUBLE?; Of ranks that entered it [s]
  does: >-
    VARCHAR; computing (no call of MPI and no wait is in it, nor below where is_inclusive), mpi (it is called by MPI or is a call of it),
    waiting, or both [text]
---*/
WITH RECURSIVE told AS (
    SELECT summary.context AS frame, metric.scope = 'execution' AS is_inclusive,
        max(value) FILTER (WHERE metric.formula = '1') AS entered, max(value) FILTER (WHERE metric.statistic = 'min') AS least,
        max(value) FILTER (WHERE metric.statistic = 'mean') AS mean, max(value) FILTER (WHERE metric.statistic = 'max') AS largest
    FROM summary JOIN metric ON metric.id = summary.metric
    WHERE metric.measure = 'elapsed_time' AND (metric.statistic <> 'sum' OR metric.formula = '1')
    GROUP BY summary.context, metric.scope
),
listed AS (
    SELECT frame.frame, frame.caller, frame.name, told.* EXCLUDE (frame)
    FROM told JOIN frame ON frame.frame = told.frame
    WHERE told.is_inclusive = (SELECT bool_or(is_inclusive) FROM told)
),
idle AS (SELECT frame FROM mpi_frame UNION SELECT frame FROM waiting_frame),
around AS (
    SELECT listed.frame, listed.caller FROM listed JOIN idle ON idle.frame = listed.frame
    UNION
    SELECT listed.frame, listed.caller FROM around JOIN listed ON listed.frame = around.caller
)
SELECT frame, caller, name, is_inclusive, entered, least, mean, largest,
    CASE WHEN frame IN (SELECT frame FROM mpi_frame) THEN 'mpi' WHEN frame IN (SELECT frame FROM idle) THEN 'waiting'
        WHEN is_inclusive AND frame IN (SELECT frame FROM around) THEN 'both' ELSE 'computing' END AS does
FROM listed
