/*---
title: CPU threads alive at once
unit: count
better: neither
definition: Largest number of CPU threads that were alive at one time, running or waiting.
population: CPU threads of the trace, each from its first trace point to its last one
needs: [cpu_trace]
source: traces; the model alive
---*/
SELECT max(threads) AS value FROM alive WHERE everywhere
