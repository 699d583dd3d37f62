/*---
name: budget
title: What can be saved, by rank
better: neither
definition: >-
  What bounds of steps are held against, by rank and by when: the time in which its GPUs run collective operations and nothing
  beside them (communication alone), other kernels alone (kernels alone), copies and no kernel (copies alone), and nothing (idle),
  each the mean over the GPUs of the rank; and the time in which the host thread that waits most is in calls that wait for a GPU (host waits).
population: >-
  GPU operations of all streams and the time between them, without gaps that PC sampling may have made; calls that were recorded
needs: [gpu_trace]
source: traces; the models gpu_cell and host_waits
columns:
  - {name: rank, title: 'Rank', unit: id}
  - {name: period, title: 'When', unit: text}
  - {name: part, title: 'Part', unit: text}
  - {name: time, title: 'Time', unit: s}
---*/
WITH cell AS (
    SELECT coalesce(gpu.rank, 0) AS rank, cell.period, CASE WHEN state = 'collective' THEN 'communication alone'
            WHEN state = 'kernel' THEN 'kernels alone' WHEN state = 'idle' THEN 'idle' ELSE 'copies alone' END AS part, cell.ns
    FROM gpu_cell AS cell JOIN gpu_device AS gpu ON gpu.device = cell.device
    WHERE state NOT IN ('both', 'kernel and collective', 'other') AND class <> 'sampling'
),
own AS (SELECT coalesce(rank, 0) AS rank, count(*) AS gpus FROM gpu_device GROUP BY ALL)
SELECT cell.rank, cell.period, cell.part, sum(cell.ns) / any_value(own.gpus) / 1e9 AS "time"
FROM cell JOIN own ON own.rank = cell.rank
GROUP BY ALL
UNION ALL
SELECT rank, period, 'host waits', max(ns) / 1e9 FROM host_waits GROUP BY ALL
ORDER BY rank, period, part
