"""What is trained, a module for each model.

In:  sizes (`variant_options`). Out: `build(sizes)`, a `Task`: the network, its loss, its input.

To add one: a type of sizes in `variant_options`, a module here, a line in `training_task.BUILDERS`.
"""
