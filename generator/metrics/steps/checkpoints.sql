/*---
title: Writing of checkpoints
better: lower
definition: >-
  Ranges in which checkpoints are written, by their names: how many, their mean and their longest duration, what they take of the traced
  time, and how often one could run if nothing else did.
population: ranges of threads, the outermost of a name
needs: [operators]
source: names of ranges, in the store's table operator_pattern
caveat: >-
  Known by names only. Loaders of other processes work before a range begins: it is what the program waits for. Sizes of files are not
  recorded.
empty: no range of a known name writes a checkpoint
columns:
  - {name: range, title: 'Range', unit: text}
  - {name: calls, title: 'Calls', unit: count}
  - {name: mean, title: 'Mean time', unit: s}
  - {name: longest, title: 'Longest', unit: s}
  - {name: share, title: 'Of the traced time', unit: ratio}
  - {name: rate, title: 'Calls per second, alone', unit: Hz}
---*/
WITH told AS (
    SELECT own.id, left(regexp_replace(own.name, '#.*$|[0-9]+', '', 'g'), 60) AS name, own.profile, own.start, own.duration, own.parent
    FROM host_range AS own
    WHERE EXISTS (FROM operator_pattern AS pattern WHERE pattern.kind = 'checkpoint' AND regexp_matches(own.name, pattern.pattern))
)
SELECT told.name AS range, count(*) AS calls, avg(told.duration) / 1e9 AS mean, max(told.duration) / 1e9 AS longest,
    sum(told.duration) / any_value(span.stop - span.start) AS share, 1e9 / nullif(avg(told.duration), 0) AS rate
FROM told CROSS JOIN traced_span AS span
WHERE (told.parent IS NULL OR told.parent NOT IN (SELECT id FROM told)) AND span.stop > span.start
GROUP BY told.name
ORDER BY sum(told.duration) DESC, told.name
