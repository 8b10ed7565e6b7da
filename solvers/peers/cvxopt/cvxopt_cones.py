"""The CCP as a cone program for CVXOPT's coneqp: README.md.

min x.P x / 2 + q.x over (mu r_N, r_T) in second-order cones, with P = W; r_N >= 0 alone, and r_T left out, where
there is no friction, as a cone without an interior is nothing for an interior-point method.
"""
import sys
import time

import cvxopt
import numpy as np
from cvxopt import misc, solvers
from protocol import Refusal, serve

MOST_CONTACTS = 1500  # dense
TIGHTER = 1e-3  # of the row `tight`
tight = "--tight" in sys.argv


class OutOfTime(Exception):
    pass


def solve(problem):
    if problem.contacts > MOST_CONTACTS:
        raise Refusal(f"dense: at most {MOST_CONTACTS} contacts")
    dimension, rubs = problem.dimension, problem.mu > 0
    rows = np.arange(dimension * problem.contacts).reshape(problem.contacts, dimension)
    x = np.concatenate([rows[~rubs, 0], rows[rubs].ravel()])  # the unknowns: cones of numbers, then second-order ones
    factor = np.ones(rows.shape)
    factor[rubs, 0] = problem.mu[rubs]
    dims = {"l": int(np.count_nonzero(~rubs)), "q": [dimension] * int(np.count_nonzero(rubs)), "s": []}
    P = cvxopt.matrix(problem.W[np.ix_(x, x)])
    q = cvxopt.matrix(problem.q[x])
    G = cvxopt.spdiag(cvxopt.matrix(-factor.ravel()[x]))
    factorize = misc.kkt_chol(G, dims, cvxopt.spmatrix([], [], [], (0, x.size)))

    def kkt_solver(scaling):
        if time.monotonic() > problem.end:
            raise OutOfTime
        return factorize(scaling, P)

    tolerance = problem.tolerance * (TIGHTER if tight else 1)
    solvers.options.update(show_progress=False, maxiters=problem.max_iterations, abstol=tolerance, reltol=tolerance,
                           feastol=tolerance)
    try:
        found = solvers.coneqp(P, q, G, cvxopt.matrix(0.0, (x.size, 1)), dims, kktsolver=kkt_solver)
    except OutOfTime:
        return {"status": "time_limit"}
    except (ArithmeticError, ValueError) as error:
        return {"status": "error", "message": f"CVXOPT: {error}"}
    r = np.zeros(rows.size)
    r[x] = np.array(found["x"]).ravel()
    problem.write(r)
    status = "converged"
    if found["status"] != "optimal":
        status = "max_iterations" if found["iterations"] >= problem.max_iterations else "stalled"
    measured = ("gap", "relative gap", "primal infeasibility", "dual infeasibility")
    return {"status": status, "iterations": found["iterations"],
            "counters": {name: found[name] for name in measured if found[name] is not None}}


serve(solve)
