/*---
about: >-
  Blame for idle time between GPU operations: of steady iterations where there are any, else of the whole
  run. Gaps shorter than the period of samples are blamed on nobody unless 20 samples were taken in them.
---*/
-- Start-up is longer than most iterations, and another program: what it does says nothing of what recurs.
-- A gap shorter than the period of samples has a sample now and then, which stands for all gaps of like length: a few
-- samples would put tens of milliseconds on whatever function they hit.
FROM blame
WHERE period <> 'before' AND (steady OR NOT EXISTS (FROM steady_iterations))
QUALIFY NOT coalesce(octave < floor(log2(launch_period())), false)
    OR sum(samples) FILTER (WHERE octave < floor(log2(launch_period()))) OVER () >= 20
