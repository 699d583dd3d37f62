/*---
about: >-
  CPU cost of call frames, in the event by which it is ranked in a run (cpu_event).
when: summary
columns:
  frame: UINTEGER; Call frame [id]
  exclusive: DOUBLE; Spent in the frame itself
  inclusive: DOUBLE; Spent in the frame and in all that it called
  late: DOUBLE; What came late, of all threads, for a lower bound of the sum (late_cost)
  beyond: "DOUBLE; What came late, of all threads, as the samples tell it: no work (late_cost)"
  waits: >-
    DOUBLE; How much of what is spent in a frame of Python is waiting, at most: as much as samples wait unseen
    by the profile below the frame or its caller (hidden_waits)
---*/
-- Where the trace has a sample in code that a function of Python calls, right below that function's caller or
-- the function itself, the profile may charge it to the function.
WITH hidden AS (
    SELECT caller, sum(spent ORDER BY profile) AS spent FROM hidden_waits GROUP BY caller
)
SELECT cost.frame, cost.exclusive, cost.inclusive, coalesce(late.late, 0), coalesce(late.beyond, 0),
    CASE WHEN frame.role = 'working' AND frame.module_path = python_module() THEN
        least(cost.exclusive - least(coalesce(late.beyond, 0), cost.exclusive), coalesce(below.spent, 0) + coalesce(beside.spent, 0)) ELSE 0 END
FROM frame_cost(cpu_event_of()) AS cost
JOIN frame ON frame.frame = cost.frame
LEFT JOIN hidden AS below ON below.caller = cost.frame
LEFT JOIN hidden AS beside ON beside.caller = frame.caller
LEFT JOIN (
    SELECT frame, sum(late ORDER BY profile) AS late, sum(beyond ORDER BY profile) AS beyond FROM late_cost GROUP BY frame
) AS late ON late.frame = cost.frame
