/*---
name: scaling_row
about: >-
  Rates of several runs by their GPUs, the mean of equal rows; `efficiency` is the rate of one GPU over that of the smallest run of the same
  series and unit [ratio], `speedup` the rate over its rate [x].
when: throughput_row
---*/
WITH mean AS (
    SELECT witness, coalesce(name, '') AS series, unit, gpus, avg(rate) AS rate FROM throughput_row GROUP BY ALL
),
first AS (
    SELECT witness, series, unit, min(gpus) AS gpus, arg_min(rate, gpus) AS rate, count(*) AS points FROM mean GROUP BY ALL
)
SELECT mean.witness, mean.series, mean.unit, mean.gpus, mean.rate, first.gpus AS first_gpus, first.points,
    mean.rate / first.rate AS speedup, (mean.rate / mean.gpus) / (first.rate / first.gpus) AS efficiency
FROM mean JOIN first ON first.witness = mean.witness AND first.series = mean.series AND first.unit = mean.unit
