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
    SELECT caller, fsum(spent) AS spent FROM hidden_waits GROUP BY caller
),
late AS (
    SELECT frame, fsum(late) AS late, fsum(beyond) AS beyond FROM late_cost GROUP BY frame
)
SELECT spent.frame, spent.exclusive, spent.inclusive, coalesce(late.late, 0) AS late, coalesce(late.beyond, 0) AS beyond,
    CASE WHEN frame.role = 'working' AND frame.module_path = python_module() THEN
        least(spent.exclusive - least(coalesce(late.beyond, 0), spent.exclusive), coalesce(below.spent, 0) + coalesce(beside.spent, 0))
        ELSE 0 END AS waits
FROM frame_cost AS spent
JOIN frame ON frame.frame = spent.frame
LEFT JOIN hidden AS below ON below.caller = spent.frame
LEFT JOIN hidden AS beside ON beside.caller = frame.caller
LEFT JOIN late ON late.frame = spent.frame
WHERE spent.name = cpu_event_of()
