/*---
title: GPUs that compute slower than others
about: >-
  Kernel time of an iteration on each GPU, as a ratio to the median of like runs: those of the same workload, precision, batch size,
  hardware, number of GPUs, driver, week and rank. So an uneven stage of a pipeline or a long sequence blames no GPU. Of each GPU the median
  over its runs counts, and it is slow where that is more than 2 % and five robust deviations above the median GPU. Judged are GPUs with
  eight runs or more that have like runs on three hosts or more. Hosts on which one team alone runs are held against each other, where these
  are three or more. A deviation is at least 0.5 %. A GPU is called by its place among those of
  the run on its host, from 0 on.
population: ranks of runs with steady iterations whose host is known
columns:
  - {name: host, title: Host, unit: text, private: host}
  - {name: gpu, title: GPU, unit: id}
  - {name: runs, title: Like runs, unit: count}
  - {name: slower, title: Slower by, unit: ratio}
  - {name: low, title: 95 % interval from, unit: ratio}
  - {name: high, title: to, unit: ratio}
  - {name: deviations, title: Robust deviations, unit: '1'}
  - {name: judgement, title: Judgement, unit: text}
---*/
WITH one AS (
    SELECT gpu.host, run.team, row_number() OVER (PARTITION BY gpu.run, gpu.host ORDER BY gpu.rank) - 1 AS gpu,
        ln(gpu.kernel_ns / run.iterations) AS spent,
        hash(run.workload, run.precision, run.batch_size, run.hardware, run.gpus, run.driver, date_trunc('week', run.recorded), gpu.rank) AS alike
    FROM gpu JOIN run USING (run) WHERE gpu.host IS NOT NULL AND gpu.kernel_ns > 0 AND run.iterations > 0 AND run.basis = 'iteration'
),
usual AS (SELECT alike, median(spent) AS spent FROM one GROUP BY alike HAVING count(DISTINCT host) >= 3),
compared AS (SELECT one.host, one.team, one.gpu, one.spent - usual.spent AS off FROM one LEFT JOIN usual USING (alike))
SELECT host, gpu, runs, exp(off) - 1 AS slower, exp(low) - 1 AS low, exp(high) - 1 AS high, deviations, judgement
FROM judge_places('compared', ln(1.02)) ORDER BY judgement = 'slow' DESC, slower DESC NULLS LAST, host, gpu
