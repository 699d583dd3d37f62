/*---
title: Product kernels whose operations sizes tell
unit: ratio
better: higher
definition: >-
  Of the time of kernels that compute products, convolutions or attention, the share of those launched from an operator whose sizes tell
  its operations exactly. What is missing makes operations by sizes a lower bound.
population: kernels of the steady iterations, or of the run where there are none, over all GPUs
needs: [shapes, gpu_trace]
source: names of kernels, in the store's table kernel_pattern; sizes of arguments, in operation_pattern; traces
caveat: >-
  Kernels of a graph belong to no operator. Of packed sequences the lengths are not recorded, and of the backward pass of a convolution
  older versions of PyTorch do not record which gradients it computes: neither counts.
empty: no kernel computes products, convolutions or attention, by its name
---*/
SELECT told / whole AS value FROM product_cover WHERE whole > 0
