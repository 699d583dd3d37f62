/*---
title: Call tree by GPU-operation time
better: neither
definition: >-
  GPU-operation time by function and caller, each with all that it called. A node begins at its
  left edge, as a share of the run, within its parent; callees stand in order of cost. Entry
  points have parent 0.
population: >-
  call frames, scope execution; calls of the same function by the same caller merged; without
  nodes below 0.1 % of the total or deeper than 40 frames
needs: [gpu_operation_time]
source: costs by scope
caveat: >-
  HPCToolkit does not see kernels launched by cuLaunchKernelEx, cudaLaunchKernelExC or CUDA
  graphs, which most library kernels use from compute capability 9 on (H100 and newer): there, a
  lower bound.
empty: the profile records no GPU operation
columns:
  - {name: context, title: 'Context', unit: id}
  - {name: parent, title: 'Parent', unit: id}
  - {name: depth, title: 'Depth', unit: count}
  - {name: name, title: 'Function', unit: text}
  - {name: time, title: 'GPU-operation time', unit: s}
  - {name: share, title: 'Share', unit: ratio}
  - {name: left, title: 'Left edge', unit: ratio}
  - {name: module, title: 'Module', unit: text}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
---*/
SELECT context, parent, depth, name, cost AS "time", share, "left", module, file, line
FROM call_tree('gpu_operation_time', 0.001, 40)
ORDER BY depth, "left", context
