/*---
title: Loading of input
better: lower
definition: >-
  Ranges in which batches of input are fetched, by their names: how many, their mean and their longest duration, what they take of the
  traced time, and how often one could run if nothing else did.
population: ranges of threads, the outermost of a name
needs: [operators]
source: names of ranges, in the store's table operator_pattern
caveat: >-
  Known by names only. Loaders of other processes work before a range begins: it is what the program waits for.
empty: no range of a known name fetches input
columns:
  - {name: range, title: 'Range', unit: text}
  - {name: calls, title: 'Calls', unit: count}
  - {name: mean, title: 'Mean time', unit: s}
  - {name: longest, title: 'Longest', unit: s}
  - {name: share, title: 'Of the traced time', unit: ratio}
  - {name: rate, title: 'Calls per second, alone', unit: Hz}
---*/
SELECT "range", calls, mean, longest, share, rate FROM named_range WHERE kind = 'loading'
ORDER BY calls * mean DESC, "range"
