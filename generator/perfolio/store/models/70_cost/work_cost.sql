/*---
about: >-
  CPU cost of frames that work (frame.role), how much of it came late, for a lower bound of the sum, and how
  much is work: elapsed time that came late, as the samples tell it, is none (late_cost). Of work of Python,
  waits may be waiting, at most.
---*/
SELECT frame, key, owner, callee, exclusive AS spent, least(late, exclusive) AS late, exclusive - least(beyond, exclusive) AS work, waits
FROM cpu_frames WHERE role = 'working' AND exclusive > 0
