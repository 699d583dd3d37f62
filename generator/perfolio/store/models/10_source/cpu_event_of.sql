/*---
about: >-
  Name of the event by which CPU cost is ranked in a run.
value: true
---*/
SELECT name FROM cpu_event
