/*---
title: Time in the profiler's libraries, share of wall time
unit: ratio
better: lower
definition: >-
  Share of the wall time in which launching threads were sampled within the libraries by which
  HPCToolkit measures the GPU: the calling path goes through NVIDIA's CUPTI or NVPerf, or the sample is
  in the code of AMD's rocprofiler or roctracer.
population: >-
  CPU threads that launch GPU operations, each sample for as long as it stands for; threads at
  once count together; of several ranks the mean
needs: [cpu_trace, gpu_trace, launching]
source: HPCToolkit's traces; names of the libraries
caveat: >-
  By samples, and without an interval. The profiler costs more than that: samples are lost, other threads and
  HPCToolkit's own code are left out, and so is the time in which PC sampling lets the GPU run nothing.
  time.main_thread has the main thread's part alone, by the stretches between its samples, with an interval.
empty: no thread that launches GPU operations was sampled within CUPTI or its like
---*/
SELECT nullif(sum(held.stop - held.start), 0) / (SELECT stop - start FROM cpu_trace_span WHERE run = $run)
    / (SELECT count(DISTINCT coalesce(profile.rank, 0)) FROM trace_line AS line
        JOIN profile ON profile.run = $run AND profile."index" = line.profile
        WHERE line.run = $run AND line.launching) AS value
FROM launching_interval($run) AS held
WHERE held.context IN (SELECT context FROM profiler_contexts($run))
