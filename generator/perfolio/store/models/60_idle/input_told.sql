/*---
about: >-
  Whether functions can tell which of them prepare input: samples see all functions, source files and names of data
  loaders tell the phase data; of ranges that a program marks without these none does.
columns:
  told: BOOLEAN; Whether they can
---*/
SELECT EXISTS (FROM trace_line WHERE clock IN ('running', 'elapsed'))
    OR EXISTS (FROM file)
    OR EXISTS (FROM frame WHERE phase = 'data') AS told
