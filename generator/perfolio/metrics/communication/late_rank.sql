/*---
title: Why the slowest rank is late
better: neither
definition: >-
  The rank with the least time in collectives, and its kernels other than collectives against the
  median of the other ranks: their time in all, the time that the same kernels take (least and most
  of one, of those that have 1 % of the time or more), and their launches; its delay as a share of
  the steady state. It is late by its kernels
  or, if that is more, by time without any; if all its kernels are longer alike (the ratios differ
  by up to a quarter of the whole), its device is slower; if they are not, or there are more of
  them, it has more work.
population: >-
  GPU operations of all streams of each rank in the steady state: iterations after the warm-up, or
  the GPU span where no iterations were found
needs: [gpu_trace, ranks]
source: communication.by_rank, communication.late_rank_kernels
caveat: >-
  Inputs that make every kernel longer in the same proportion cannot be told from a slower device.
empty: >-
  no kernel that communicates was seen in the steady state of two ranks or more
columns:
  - {name: rank, title: 'Rank', unit: id}
  - {name: kernels, title: 'Kernel time', unit: x}
  - {name: longer, title: 'Same kernels', unit: x}
  - {name: least, title: 'Least', unit: x}
  - {name: most, title: 'Most', unit: x}
  - {name: launches, title: 'Launches', unit: x}
  - {name: share, title: 'Delay', unit: ratio}
  - {name: because, title: 'Late by', unit: text}
  - {name: words, title: 'That is', unit: text}
---*/
WITH kernel AS (
    SELECT *, launches * duration AS own, duration / usual_duration AS longer,
        launches * duration / sum(launches * duration) OVER () AS share
    FROM late_rank_kernels
),
compared AS (
    SELECT sum(own) FILTER (WHERE longer IS NOT NULL) / sum(launches * usual_duration) AS longer,
        min(longer) FILTER (WHERE share >= 0.01) AS least, max(longer) FILTER (WHERE share >= 0.01) AS most,
        sum(launches) / sum(usual_launches) AS launches
    FROM kernel
),
usual AS (
    SELECT median(used.others) AS others, median(used.rest) AS rest
    FROM collectives_by_rank AS used
    JOIN late_rank AS late ON late.rank <> used.rank AND used.phase = 'steady state'
),
told AS (
    SELECT late.rank, late.others / nullif(usual.others, 0) AS kernels, compared.*,
        late.delay / nullif(late.length, 0) AS share,
        CASE
            WHEN greatest(late.others - usual.others, late.rest - usual.rest) < 0.01 * late.length THEN 'nothing'
            WHEN late.rest - usual.rest > late.others - usual.others THEN 'host'
            WHEN compared.longer > 1 AND late.others / usual.others < compared.longer * compared.longer
                AND compared.most - compared.least <= 0.25 * (compared.longer - 1) THEN 'device'
            ELSE 'work'
        END AS because
    FROM late_rank AS late JOIN usual ON usual.others IS NOT NULL CROSS JOIN compared
)
SELECT rank, kernels, longer, least, most, launches, share, because,
    CASE because
        WHEN 'nothing' THEN 'it is hardly late'
        WHEN 'host' THEN 'its host or its copies are late'
        WHEN 'device' THEN 'all alike, so most likely its GPU or clock'
        WHEN 'work' THEN 'it has more work'
    END AS words
FROM told
