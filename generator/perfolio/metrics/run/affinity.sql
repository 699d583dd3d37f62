/*---
title: CPUs that threads may use
better: neither
definition: >-
  For each host, on how many CPUs its threads may run at least and at most by their affinity, and how
  many threads that work were alive there at once, or how many there are where no trace tells (at least 1 % of the work
  of their process's busiest one). HPCToolkit puts CORE
  into a thread's identifiers only where the affinity mask has fewer than eight CPUs that are
  neighbours, and then the first one: so a thread may use that one, and no more than the six that
  follow. How many of these is not recorded.
population: CPU threads of hosts of which each thread has CORE among its identifiers
needs: [profiles, cpu_event]
source: "measures hpcrun/thread_data.c: hpcrun_thread_core_bindings"
caveat: >-
  The mask when the thread began; it may have been changed later. Hosts are told apart by their number
  (gethostid), which is the same on hosts that make it from a loopback address.
empty: no host of which each thread may use fewer than eight CPUs that are neighbours
columns:
  - {name: node, title: 'Host', unit: id}
  - {name: least, title: 'CPUs at least', unit: count}
  - {name: cpus, title: 'CPUs at most', unit: count}
  - {name: threads, title: 'Threads that work at once', unit: count}
  - {name: ranks, title: 'Ranks', unit: count}
  - {name: short, title: 'Threads beyond the most CPUs', unit: count}
  - {name: may_lack, title: 'Threads beyond the fewest CPUs', unit: count}
---*/
WITH bound AS (
    SELECT profile.node, profile.rank, profile."index", thread.works,
        try_cast(nullif(regexp_extract(profile.identifier_tuple, '\bCORE (\d+)', 1), '') AS INTEGER) AS core
    FROM profile
    JOIN thread_work AS thread ON thread.profile = profile."index"
    WHERE profile.kind = 'CPU thread'
),
reached AS (
    SELECT node, count(DISTINCT cpu) AS cpus
    FROM (SELECT node, unnest(range(core, core + 7)) AS cpu FROM bound)
    GROUP BY node
),
crowd AS (
    SELECT bound.node, coalesce(any_value(alive.working), count(*) FILTER (WHERE bound.works)) AS threads
    FROM bound
    LEFT JOIN (SELECT node, max(working) AS working FROM alive WHERE NOT everywhere GROUP BY node) AS alive
        ON alive.node IS NOT DISTINCT FROM bound.node
    GROUP BY bound.node
)
SELECT bound.node, count(DISTINCT bound.core) AS least, any_value(reached.cpus) AS cpus, any_value(crowd.threads) AS threads,
    count(DISTINCT bound.rank) AS ranks,
    greatest(any_value(crowd.threads) - any_value(reached.cpus), 0) AS short,
    greatest(any_value(crowd.threads) - count(DISTINCT bound.core), 0) AS may_lack
FROM bound
JOIN reached ON reached.node IS NOT DISTINCT FROM bound.node
JOIN crowd ON crowd.node IS NOT DISTINCT FROM bound.node
GROUP BY bound.node
HAVING bool_and(bound.core IS NOT NULL)
ORDER BY any_value(crowd.threads) DESC, bound.node
