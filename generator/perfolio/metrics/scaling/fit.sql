/*---
title: What the scaling fits
better: neither
definition: >-
  The serial share of Amdahl's law, speed-up = 1 / (s + (1 - s) / n), and of Gustafson's, speed-up = n - s (n - 1), that fits the runs of a series by
  least squares of what each law is linear in; n is the GPUs over those of the smallest run. Errors are the largest relative distance of a run's
  speed-up from the law. The least of both errors tells which law describes the runs better.
population: series with at least three numbers of GPUs
needs: [throughput]
source: Amdahl (1967), Gustafson (1988); the tables
caveat: A fit of few runs is a description. Beyond the largest run it says little.
empty: no series has three numbers of GPUs
columns:
  - {name: series, title: 'Series', unit: text}
  - {name: runs, title: 'Runs', unit: count}
  - {name: amdahl, title: 'Serial share by Amdahl', unit: ratio}
  - {name: amdahl_error, title: 'Largest error by Amdahl', unit: ratio}
  - {name: amdahl_most, title: 'Speed-up at most', unit: x}
  - {name: gustafson, title: 'Serial share by Gustafson', unit: ratio}
  - {name: gustafson_error, title: 'Largest error by Gustafson', unit: ratio}
---*/
WITH
-- Amdahl: 1 / speed-up - 1 / n = s (1 - 1 / n). Gustafson: n - speed-up = s (n - 1). Both through the origin.
point AS (
    SELECT witness, series, unit, points, gpus / first_gpus AS n, speedup FROM scaling_row WHERE points >= 3
),
fitted AS (
    SELECT witness, series, unit, any_value(points) AS runs,
        least(greatest(sum((1 / speedup - 1 / n) * (1 - 1 / n)) / sum((1 - 1 / n) ** 2), 0), 1) AS amdahl,
        least(greatest(sum((n - speedup) * (n - 1)) / sum((n - 1) ** 2), 0), 1) AS gustafson
    FROM point GROUP BY witness, series, unit
)
SELECT if(fitted.series = '', any_value(witness.file), fitted.series) AS series, any_value(runs) AS runs, any_value(amdahl) AS amdahl,
    max(abs(1 / (amdahl + (1 - amdahl) / n) / speedup - 1)) AS amdahl_error, 1 / any_value(nullif(amdahl, 0)) AS amdahl_most,
    any_value(gustafson) AS gustafson, max(abs((n - gustafson * (n - 1)) / speedup - 1)) AS gustafson_error
FROM fitted JOIN point ON point.witness = fitted.witness AND point.series = fitted.series AND point.unit = fitted.unit
JOIN witness ON witness.id = fitted.witness
GROUP BY fitted.witness, fitted.series, fitted.unit
ORDER BY series, fitted.unit
