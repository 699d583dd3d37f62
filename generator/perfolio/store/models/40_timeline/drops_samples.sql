/*---
about: >-
  Whether the profiler drops samples of threads that launch GPU operations while they run: three in four of
  their stretches of a period and a half or more are a whole number of periods (timer_gaps), of which waits
  alone are half at most.
value: true
---*/
-- Where most stretches of two periods or more are whole numbers of them, the profiler drops samples while threads run, of some
-- code most: there a sample stands for all that passed since the thread's last one, as on the main thread (main_stretch), less
-- a period for each sample of other threads. Where a stretch is a wait, it is that of what comes after.
SELECT coalesce(avg(CAST(gap.whole AS INTEGER)) >= 0.75, false)
FROM timer_gaps AS gap JOIN trace_line AS line ON line.profile = gap.profile AND line.launching WHERE gap.gap > 1.5 * line.longest
