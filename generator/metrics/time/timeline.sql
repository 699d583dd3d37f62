/*---
title: Timeline
better: neither
definition: >-
  Share of each of 400 equal parts of the run in which each GPU stream or CPU thread is busy.
population: >-
  trace lines: all GPU streams and CPU threads by busy time, the first 24 of each
needs: [trace]
source: HPCToolkit's traces
caveat: >-
  A sample of CPU time stands for one period of it, and no thread runs for longer than its CPU
  time where the profile tells it; by samples of elapsed time, waiting counts as well.
empty: no trace line is ever busy
columns:
  - {name: line, title: 'Line', unit: text}
  - {name: kind, title: 'Kind', unit: text}
  - {name: bin, title: 'Bin', unit: id}
  - {name: start, title: 'Start', unit: s}
  - {name: stop, title: 'End', unit: s}
  - {name: busy, title: 'Busy', unit: ratio}
---*/
WITH picked AS (
    SELECT profile, kind FROM trace_line_busy($run)
    QUALIFY row_number() OVER (PARTITION BY kind ORDER BY busy DESC, profile) <= 24 AND busy > 0
),
bin AS (
    SELECT profile, bin // 3 AS bin, sum(busy) AS busy FROM trace_bin WHERE run = $run GROUP BY profile, bin // 3
)
SELECT line_label($run, picked.profile) AS line, picked.kind, slot.bin,
    (slot.start - span.start) / 1e9 AS start, (slot.stop - span.start) / 1e9 AS stop,
    coalesce(bin.busy, 0) / (slot.stop - slot.start) AS busy
FROM picked
CROSS JOIN (SELECT start, stop FROM traced_span WHERE run = $run) AS span
CROSS JOIN run_bins($run, 400) AS slot
LEFT JOIN bin ON bin.profile = picked.profile AND bin.bin = slot.bin
ORDER BY picked.kind DESC, picked.profile, slot.bin
