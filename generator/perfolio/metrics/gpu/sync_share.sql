/*---
title: Waiting for the GPU at least, share of wall time
unit: ratio
better: lower
definition: >-
  Time that one host thread waited for the GPU, at least, as a share of wall time: the thread with the
  most of it. The larger of what HPCToolkit counts in synchronisation calls and what samples show in calls
  that wait for a GPU: synchronisation, and copies to the host where the calling code copies nothing else.
population: profiles of host threads, context 0 at scope execution; wall time and samples from the trace
needs: [gpu_operations, cpu_trace]
source: measure synchronisation_time and traces; the models gpu_wait and reading_frames
caveat: >-
  HPCToolkit gives a lower bound, as it records no synchronisation on NVIDIA devices, and samples of CPU time see only
  a wait that spins.
empty: the trace has no length
---*/
SELECT greatest((
    SELECT coalesce(max(profile_total.value), 0) FROM profile_total WHERE name = 'synchronisation_time'
) / nullif((span.stop - span.start) / 1e9, 0), coalesce((
    SELECT max(spent)
    FROM (
        SELECT sum(cpu_time.duration) AS spent
        FROM cpu_time
        JOIN enclosing_frame AS enclosing ON enclosing.context = cpu_time.context
        JOIN frame AS roles ON roles.frame = enclosing.frame AND roles.role = 'gpu wait'
        GROUP BY cpu_time.profile
    )
) / nullif(span.stop - span.start, 0), 0)) AS value
FROM cpu_trace_span AS span
