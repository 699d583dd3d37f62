/*---
about: >-
  When threads that launch GPU operations ran: see cpu_interval [ns].
---*/
SELECT held.profile, held.context, held.taken, held.start, held.stop
FROM cpu_interval AS held JOIN trace_line AS line ON line.profile = held.profile AND line.launching
