/*---
about: >-
  From the first to the last of the steady iterations, and their number; one row, whose times are NULL where
  there are none [ns].
---*/
SELECT min(start) AS start, max(start + duration) AS stop, count(*) AS iterations FROM steady_iterations
