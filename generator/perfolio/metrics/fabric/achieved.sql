/*---
title: Collectives of the run against the test
better: neither
definition: >-
  Collectives of the trace by operation, ranks and size: the fastest and the median time of one on any rank, and the time that the
  test's bandwidth at the next larger size, else at its largest, allows for as many bytes; the ratio of that to the fastest.
population: collectives of the trace with a known size, of operations and numbers of ranks that were tested; the first 100 by time
needs: [collective_tests, collectives]
source: traces; logs of nccl-tests and rccl-tests
caveat: >-
  A collective in a run waits for the last rank, so its median says nothing of the link: the fastest one waited least. The test ran alone.
empty: no collective of the trace has an operation and a number of ranks that was tested
columns:
  - {name: operation, title: 'Operation', unit: text}
  - {name: ranks, title: 'Ranks', unit: count}
  - {name: bytes, title: 'Size', unit: B}
  - {name: number, title: 'Number', unit: count}
  - {name: fastest, title: 'Fastest', unit: s}
  - {name: typical, title: 'Median', unit: s}
  - {name: tested, title: 'By the test', unit: s}
  - {name: share, title: 'Test of fastest', unit: ratio}
---*/
WITH ran AS (   -- allreduce, all_reduce and _allgather_base: without ornaments they are one
    SELECT regexp_replace(regexp_replace(lower(name), '^(_|nccl|rccl)+', ''), '(_base|_v|_coalesced|_into_tensor|_tensor|[_ ]|single)', '', 'g')
        AS operation,
        ranks, bytes, count(*) AS number, min(duration) / 1e9 AS fastest, median(duration) / 1e9 AS typical,
        sum(duration) AS spent
    FROM collective WHERE bytes > 0 AND ranks > 1 AND duration > 0 GROUP BY ALL
),
tested AS (
    SELECT replace(test.operation, '_', '') AS operation, test.ranks, own.bytes, max(own.algorithm_bandwidth) AS bandwidth
    FROM collective_row AS own JOIN collective_block AS test ON test.witness = own.witness AND test.block = own.block
    WHERE own.algorithm_bandwidth > 0 GROUP BY ALL
),
matched AS (
    SELECT ran.operation, ran.ranks, ran.bytes, any_value(ran.number) AS number, any_value(ran.fastest) AS fastest, any_value(ran.typical) AS typical,
        any_value(ran.spent) AS spent,
        coalesce(
            arg_min(tested.bandwidth, tested.bytes) FILTER (WHERE tested.bytes >= ran.bytes), arg_max(tested.bandwidth, tested.bytes)
        ) AS bandwidth
    FROM ran JOIN tested ON tested.operation = ran.operation AND tested.ranks = ran.ranks
    GROUP BY ran.operation, ran.ranks, ran.bytes
)
SELECT operation, ranks, bytes, number, fastest, typical, bytes / bandwidth AS tested, bytes / bandwidth / fastest AS share
FROM matched
ORDER BY spent DESC, operation, ranks, bytes
LIMIT 100
