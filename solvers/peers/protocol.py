"""What the peers in Python share: the lines of solvers/external/README.md, and a problem in units of its own."""
import json
import sys
import time

import numpy as np


class Refusal(Exception):
    """A problem that a solver does not take: why."""


class Problem:
    """u = W r + q in units where trace(W_ii) = dimension for each contact and max |q| = 1; W symmetrised. The same
    problem as asked, because cones do not change with the unit of a contact; except for the part of W that is not symmetric."""

    def __init__(self, request):
        self.request = request
        self.dimension, self.contacts = request["dimension"], request["contacts"]
        self.tolerance, self.max_iterations = request["tolerance"], request["max_iterations"]
        self.end = time.monotonic() + (request["time_limit"] or float("inf"))
        self.mu, q = self.array("mu"), self.array("q")
        W = np.zeros((q.size, q.size))
        rows = np.repeat(np.arange(q.size), np.diff(self.array("W.indptr")))
        W[rows, self.array("W.indices")] = self.array("W.data")
        size = np.diag(W).reshape(self.contacts, -1).mean(axis=1)
        positive = size[size > 0]
        size[size <= 0] = positive.mean() if positive.size else 1
        self.unit = np.repeat(1 / np.sqrt(size), self.dimension)
        self.W = self.unit[:, None] * (W + W.T) / 2 * self.unit
        self.velocity = np.abs(self.unit * q).max(initial=0) or 1
        self.q = self.unit * q / self.velocity

    def array(self, name):
        place = self.request["arrays"][name]
        return np.fromfile(self.request["file"], place["type"], place["count"], offset=place["offset"])

    def write(self, r):
        """The answer, in these units."""
        with open(self.request["file"], "r+b") as block:
            block.seek(self.request["arrays"]["r"]["offset"])
            block.write((self.velocity * self.unit * r).astype("float64").tobytes())


def serve(solve):
    """Answers each request with solve(Problem), an object of the protocol, until standard input ends."""
    for line in sys.stdin:
        request = json.loads(line)
        if "protocol" in request:
            answer = {"protocol": "frictionbench-solver", "version": 1}
        elif request["contacts"] == 0:
            answer = {"status": "converged"}
        else:
            try:
                answer = solve(Problem(request))
            except Refusal as refusal:
                answer = {"status": "refused", "message": str(refusal)}
        print(json.dumps({"id": request["id"], **answer}), flush=True)
