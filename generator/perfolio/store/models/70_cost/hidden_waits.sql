/*---
about: >-
  Elapsed time of samples that wait in functions to which the thread's profile charges nothing (around_inlined),
  right below a frame of Python: the profile charges it to that frame, or to one of Python that it calls.
when: sampled_frame
columns:
  profile: INTEGER; CPU thread, index in table profile [id]
  caller: UINTEGER; The frame of Python [id]
  spent: DOUBLE; Time [s]
---*/
WITH waiting AS MATERIALIZED (
    SELECT sample.profile, around.code, frame.caller, sample.distance
    FROM sampled_frame AS sample
    JOIN frame AS taken ON taken.frame = sample.frame AND taken.role = 'waiting'
    JOIN around_inlined AS around ON around.frame = sample.frame
    JOIN frame ON frame.frame = around.code
    JOIN frame AS outer_one ON outer_one.frame = frame.caller AND outer_one.module_path = python_module()
),
paid AS (
    SELECT charged.profile, around.code
    FROM charged JOIN around_inlined AS around ON around.frame = charged.context
    WHERE charged.value > 0 AND around.code IN (SELECT code FROM waiting)
)
SELECT waiting.profile, waiting.caller, sum(waiting.distance) / 1e9 AS spent
FROM waiting
WHERE NOT EXISTS (FROM paid WHERE paid.profile = waiting.profile AND paid.code = waiting.code)
GROUP BY waiting.profile, waiting.caller HAVING sum(waiting.distance) > 0
