/*---
title: Writing of checkpoints
better: lower
definition: >-
  Ranges in which checkpoints are written, by their names: how many, their mean and their longest duration, what they take of the traced
  time, how often one could run if nothing else did, and the rate of writing where profile.toml gives workload.checkpoint_bytes.
population: ranges of threads, the outermost of a name
needs: [operators]
source: names of ranges, in the store's table operator_pattern
caveat: >-
  Known by names only. The rate is that of one checkpoint of that size in each range; what goes on being written after a range ends is not seen.
empty: no range of a known name writes a checkpoint
columns:
  - {name: range, title: 'Range', unit: text}
  - {name: calls, title: 'Calls', unit: count}
  - {name: mean, title: 'Mean time', unit: s}
  - {name: longest, title: 'Longest', unit: s}
  - {name: share, title: 'Of the traced time', unit: ratio}
  - {name: rate, title: 'Calls per second, alone', unit: Hz}
  - {name: written, title: 'Written', unit: B/s}
---*/
SELECT "range", calls, mean, longest, share, rate, size.bytes / mean AS written
FROM named_range
LEFT JOIN (SELECT TRY_CAST(value AS DOUBLE) AS bytes FROM setting WHERE key = 'workload.checkpoint_bytes') AS size ON size.bytes > 0
WHERE kind = 'checkpoint'
ORDER BY calls * mean DESC, "range"
