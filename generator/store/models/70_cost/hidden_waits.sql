/*---
about: >-
  Elapsed time of samples that wait in functions to which the thread's profile charges nothing (around_inlined),
  right below a frame of Python: the profile charges it to that frame, or to one of Python that it calls [s].
---*/
WITH paid AS (
    SELECT DISTINCT charged.profile, around.code
    FROM charged
    JOIN around_inlined AS around ON around.frame = charged.context
    WHERE charged.value > 0
)
SELECT sample.profile, frame.caller, sum(sample.distance) / 1e9 AS spent
FROM sampled_frame AS sample
JOIN frame AS taken ON taken.frame = sample.frame AND taken.role = 'waiting'
JOIN around_inlined AS around ON around.frame = sample.frame
JOIN frame ON frame.frame = around.code
JOIN frame AS outer_one ON outer_one.frame = frame.caller AND outer_one.module_path = python_module()
WHERE NOT EXISTS (FROM paid WHERE paid.profile = sample.profile AND paid.code = around.code)
GROUP BY sample.profile, frame.caller
HAVING sum(sample.distance) > 0
