/*---
title: Ranks that were recorded
better: neither
definition: >-
  Different ranks among the profiles, how many the whole run has where the profile says so, how many are missing, and on which ranks a
  figure of each of them holds, in words. Where a profile has all ranks together, none is missing.
population: ranks of table profile
needs: []
source: the profile's own tables
columns:
  - {name: ranks, title: 'Recorded', unit: count}
  - {name: whole, title: 'Of the whole run', unit: count}
  - {name: missing, title: 'Missing', unit: count}
  - {name: words, title: 'In words', unit: text}
---*/
SELECT seen.ranks, told.whole,
    CASE WHEN told.whole > 0 THEN if(seen.together, 0, greatest(told.whole - seen.ranks, 0)) END AS missing,
    CASE
        WHEN seen.together THEN 'all ranks together'
        WHEN seen.ranks = 0 THEN 'the process recorded'
        WHEN seen.ranks < told.whole AND seen.ranks = 1 THEN 'the rank recorded (1 of ' || told.whole || ' ranks)'
        WHEN seen.ranks < told.whole THEN 'each rank recorded (' || seen.ranks || ' of ' || told.whole || ' ranks)'
        WHEN seen.ranks = 1 THEN 'the rank recorded'
        WHEN seen.ranks >= told.whole THEN 'each of ' || seen.ranks || ' ranks'
        ELSE 'every rank recorded'
    END AS words
FROM (SELECT count(DISTINCT rank) AS ranks, coalesce(bool_or(kind = 'ranks'), false) AS together FROM profile) AS seen
LEFT JOIN (SELECT max(CAST(value AS BIGINT)) AS whole FROM setting WHERE key = 'run.ranks' HAVING count(*) > 0) AS told ON true
