"""What problems cost solvers, as a table with one row per problem and one column per solver."""

from __future__ import annotations

import math
from typing import Sequence

import numpy
import pandas

from frictionbench.files import ResultsError
from frictionbench.profiles.performance import MEASURES
from frictionbench.results.document import FRICTION_CLASSES, SIZE_CLASSES, repeatable

HYPERSTATICITY_CLASSES = (("up to 1", 1.0), ("1 to 2", 2.0), ("2 to 4", 4.0), ("above 4", math.inf))
SLIDING_CLASSES = (("none", 0.0), ("up to 10 %", 0.1), ("10 to 50 %", 0.5), ("above 50 %", math.inf))
TARGETS = tuple(10.0 ** -digits for digits in range(2, 11))


def costs(rows: pandas.DataFrame, by: str = "time", accuracy: float | None = None,
          solver: str = "solver.id") -> pandas.DataFrame:
    """A measure of MEASURES, inf where a problem is not solved, from rows of `results.frame`.

    With an `accuracy`: matched accuracy, for each solver the cheapest run whose verdict meets it, whatever tolerance the
    run was asked for; `solver` then says what one solver is, e.g. "solver.name" if settings may differ as well.
    [J. J. Moré, S. M. Wild, Benchmarking derivative-free optimization algorithms, SIAM J. Optim. 20 (2009)] compare so.
    Raises ResultsError if rows are of several criteria, or without an accuracy if a pair has several records.
    """
    if len(rows[["run.criterion", "run.scale"]].drop_duplicates()) > 1:
        raise ResultsError("records under different criteria cannot be compared; `frictionbench rejudge` makes them comparable")
    good = rows["solved"] if accuracy is None else (rows["residual"] <= accuracy) & repeatable(rows["status"])
    name, floor = MEASURES[by]
    kinds = [column for column in rows.columns if column.startswith("work.factorizations.")]
    measured = rows[kinds].sum(axis=1) if by == "factorizations" else rows[name]
    found = rows[["problem.id", solver]].assign(
        cost=measured.astype(float).clip(lower=floor).where(good, math.inf))
    if accuracy is None and (again := found[["problem.id", solver]].duplicated()).any():
        problem, name = found.loc[again, ["problem.id", solver]].iloc[0]
        raise ResultsError(f"{name} has several records on {problem}; choose a run, or compare at an accuracy")
    table = found.groupby(["problem.id", solver], sort=False)["cost"].min().unstack()
    return table.reindex(index=rows["problem.id"].unique(), columns=rows[solver].unique())


def times_to_targets(rows: pandas.DataFrame, targets: Sequence[float] = TARGETS) -> pandas.DataFrame:
    """Seconds until the residual of a record's history first is at most each target: inf if never, NaN without a history.

    Histories have the solver's own residuals (the largest of primal, dual and complementarity), by iteration and without
    times, because recording takes time: all iterations of a solve are taken to last equally long. A row for each of
    `rows`; targets are columns.
    """
    found = []
    for history, count, seconds in rows[["history", "iterations", "time.solve.median"]].itertuples(index=False):
        if not history or pandas.isna(count) or pandas.isna(seconds):
            found.append([math.nan] * len(targets))
            continue
        reached = [(row["iteration"], max(values)) for row in history
                   if None not in (values := [row[name] for name in ("primal", "dual", "complementarity")])]
        found.append([seconds * min((k for k, residual in reached if residual <= target), default=math.inf) / max(count, 1)
                      for target in targets])
    return pandas.DataFrame(found, index=rows.index, columns=list(targets))


def strata(rows: pandas.DataFrame) -> pandas.DataFrame:
    """The class of each row's problem by contacts, hyperstaticity 3 n_c / n, largest mu, and the share that slides.

    What slides is that of the problem's first answer that is solved: answers of one problem differ little in it. NaN where
    the file or the records do not tell.
    """
    first = rows[rows["solved"]].drop_duplicates("problem.id").set_index("problem.id")
    share = first["states.sliding"].astype(float) / first["problem.contacts"]
    sliding = share.reindex(rows["problem.id"]).to_numpy()
    hyperstaticity = rows["problem.dimension"] * rows["problem.contacts"] / rows["problem.dofs"].astype(float)

    def classes(values: pandas.Series | numpy.ndarray, named: Sequence[tuple[str, float]]) -> pandas.Series:
        names, ends = zip(*named)
        return pandas.Series(pandas.cut(values, [-math.inf, *ends], labels=names), index=rows.index)

    return pandas.DataFrame({
        "size": classes(rows["problem.contacts"], SIZE_CLASSES),
        "hyperstaticity": classes(hyperstaticity, HYPERSTATICITY_CLASSES),
        "mu": classes(rows["problem.mu_max"].astype(float), FRICTION_CLASSES),
        "sliding": classes(sliding, SLIDING_CLASSES)})
