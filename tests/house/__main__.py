"""Print the figures of the house beside their budgets and targets: `make house`.

Ends with 1 where a figure breaks its budget.
"""

from __future__ import annotations

import sys
from statistics import median

from tests.house.figures import ADDITIONS, FIGURES, addition_costs, load_budgets


def main() -> int:
    """Print, and say whether each budget is kept."""
    budgets, broken = load_budgets(), 0
    lines = [f"{'figure':42}{'now':>12}{'budget':>12}{'target':>12}"]
    for name, figure in FIGURES.items():
        value, budget = figure(), budgets[name]
        complaint = budget.complaint(value)
        broken += bool(complaint)
        numbers = f"{value:12,.1f}{budget.limit:12,.0f}{budget.target:12,.0f}"
        lines.append(f"{name:42}{numbers}{'  ' if complaint else ''}{complaint}")
    lines += ["", "files of the last ten commits that added one: median, and each"]
    for kind in ADDITIONS:
        costs = addition_costs(kind)
        said = f"{median(costs):.1f}: {', '.join(map(str, costs))}" if costs else "none"
        lines.append(f"  {kind:12}{said}")
    sys.stdout.write("\n".join(lines) + "\n")
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main())
