#!/usr/bin/env python3
"""A solver for frictionbench in numpy: r <- P_K(r - rho (u + (mu |u_T|, 0, 0))), u = W r + q (de Saxcé, Uzawa)."""
import json
import sys
import time

import numpy as np


def array(request, name):
    place = request["arrays"][name]
    return np.fromfile(request["file"], place["type"], place["count"], offset=place["offset"])


def on_cone(x, mu):  # rows (N, T...), projected on |x_T| <= mu x_N
    normal, tangent = x[:, 0], np.linalg.norm(x[:, 1:], axis=1)
    new = np.where(tangent <= mu * normal, normal, np.maximum(0, (normal + mu * tangent) / (1 + mu * mu)))
    scale = np.minimum(1, mu * new / np.maximum(tangent, 1e-300))
    return np.column_stack([new, scale[:, None] * x[:, 1:]])


def solve(request):
    q, mu, r = (array(request, name) for name in ("q", "mu", "r"))
    W = np.zeros((q.size, q.size))
    rows = np.repeat(np.arange(q.size), np.diff(array(request, "W.indptr")))
    W[rows, array(request, "W.indices")] = array(request, "W.data")
    r, q = r.reshape(mu.size, -1), q.reshape(mu.size, -1)
    rho = 1 / np.linalg.norm(W, 2)
    impulse_unit, velocity_unit = array(request, "impulse_unit"), array(request, "velocity_unit")
    end = time.monotonic() + (request["time_limit"] or float("inf"))
    status = "max_iterations"
    for iteration in range(1, request["max_iterations"] + 1):
        u = (W @ r.ravel()).reshape(r.shape) + q
        u[:, 0] += mu * np.linalg.norm(u[:, 1:], axis=1)
        primal = np.linalg.norm(r - on_cone(r, mu), axis=1) * impulse_unit
        dual = np.linalg.norm(on_cone(-u, mu), axis=1) * velocity_unit
        product = np.abs(np.sum(r * u, axis=1)) * impulse_unit * velocity_unit
        if max(primal.max(), dual.max(), product.max()) <= request["tolerance"]:
            status = "converged"
        elif time.monotonic() > end:
            status = "time_limit"
        if status != "max_iterations":
            break
        r = on_cone(r - rho * u, mu)
    with open(request["file"], "r+b") as block:
        block.seek(request["arrays"]["r"]["offset"])
        block.write(r.astype("float64").tobytes())
    return {"status": status, "iterations": iteration, "counters": {"products": iteration}}


for line in sys.stdin:
    request = json.loads(line)
    answer = {"protocol": "frictionbench-solver", "version": 1} if "protocol" in request else solve(request)
    print(json.dumps({"id": request["id"], **answer}), flush=True)
