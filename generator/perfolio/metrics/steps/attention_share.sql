/*---
title: Steps' time in attention by single operators
unit: ratio
better: lower
definition: >-
  Time in operators of attention that no kernel of its own does: batched products, softmax, masks, what has
  the softmax's sizes, and what reorders values, as a share of the steps: that part of steps.parts.
population: steps of main threads, complete ones that are no warm-up; 95 % interval over steps
needs: [steps, operators]
source: begin and end of operators; the store's tables phase_pattern and operator_pattern
caveat: >-
  All reordering counts where such a softmax runs, so the share is rather too high than too low.
empty: no main thread marked a step
---*/
SELECT value, low, high, n FROM host_step_share WHERE part = 'attention'
