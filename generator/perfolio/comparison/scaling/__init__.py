"""Runs of one program at several sizes: how well it scales, and what of its time it loses to that.

In:  run records of at least two sizes. Out: a `ScalingStudy`, and scaling.json.

    efficiency_factors  the times of a run whose ratios are POP's efficiencies
    run_sizes           runs by size; what is refused; whether the work of a rank stays
    lost_time           from size to size, rows that sum to what is lost
    speedup_fits        Amdahl's law and the Universal Scalability Law, with prediction intervals
    context_models      models of calling contexts in the form of Extra-P
    scaling_study       all of it, and its content as JSON
    scaling_tables      the study in words
    scaling_exports     files for Extra-P, and in the form of TALP
"""
