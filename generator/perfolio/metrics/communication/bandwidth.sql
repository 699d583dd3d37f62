/*---
title: Collectives by size
better: higher
definition: >-
  Collectives of each operation, size, type and number of ranks: how many, their median and least duration, and the
  bytes per second of the fastest one: of its message (algorithm bandwidth), and of what passes each link (bus
  bandwidth, 2(n-1)/n of it for an all-reduce, (n-1)/n for an all-gather, reduce-scatter and all-to-all, else as it is).
population: collectives of which the tool recorded what was asked of them, on all ranks that were recorded; the first 60 by time
needs: [collectives]
source: arguments, begin and end of each collective; the factors are those of nccl-tests
caveat: A collective also runs while it waits for a rank that is late, so the fastest one tells most of the link.
empty: no collective has its arguments
columns:
  - {name: operation, title: 'Operation', unit: text}
  - {name: bytes, title: 'Message', unit: B}
  - {name: type, title: 'Type', unit: text}
  - {name: ranks, title: 'Ranks', unit: count}
  - {name: collectives, title: 'Collectives', unit: count}
  - {name: median, title: 'Median', unit: s}
  - {name: least, title: 'Least', unit: s}
  - {name: algorithm, title: 'Algorithm bandwidth', unit: B/s}
  - {name: bus, title: 'Bus bandwidth', unit: B/s}
---*/
SELECT name AS operation, bytes, "type", ranks, count(*) AS collectives, median(duration) / 1e9 AS median, min(duration) / 1e9 AS least,
    bytes / nullif(min(duration) / 1e9, 0) AS algorithm,
    bytes / nullif(min(duration) / 1e9, 0) * CASE
        WHEN regexp_matches(name, '(?i)all_?reduce') THEN 2 * (ranks - 1) / ranks
        WHEN regexp_matches(name, '(?i)all_?gather|reduce_?scatter|all_?to_?all') THEN (ranks - 1) / ranks
        ELSE 1 END AS bus
FROM collective GROUP BY name, bytes, "type", ranks ORDER BY sum(duration) DESC, operation, bytes LIMIT 60
