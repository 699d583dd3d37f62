/*---
about: >-
  The phase of the program in which some frames run, and the function that tells it: see table frame.
given: [targets]
---*/
SELECT frame AS target, phase, phase_by AS name FROM frame WHERE phase IS NOT NULL AND frame IN (SELECT unnest(targets))
