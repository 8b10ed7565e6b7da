"""The verdict on an impulse once more, from the formulation alone: dense, slow and plain.

With u = W r + q, and everything contact by contact in the order (N, T1, T2) or (N, T):

    NCP   K ∋ r ⟂ û ∈ K*    K the friction cone, û = u + (mu ||u_T||, 0, 0)
    CCP   K ∋ r ⟂ u ∈ K*
    LCP   P ∋ r ⟂ ũ ∈ P*    P the pyramid |r_T1|, |r_T2| <= mu r_N, whose De Saxcé correction is its
                             support function: ũ = u + (mu ||u_T||_1, 0, 0)

`judge` also gives, for every number, the size of what was added up to get it: round-off is
proportional to that size and not to the number, which may have cancelled.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np


@dataclass
class Problem:
    W: np.ndarray
    q: np.ndarray
    mu: np.ndarray
    dimension: int
    W_size: np.ndarray  # entrywise size of the terms of W
    q_size: np.ndarray  # and of q


def read(path: Path | str) -> Problem:
    """A local problem as it is; a global one with W = H^T M^-1 H and q = H^T M^-1 f + w."""
    with h5py.File(path, "r") as file:
        group = file["fclib_local"] if "fclib_local" in file else file["fclib_global"]
        vector = {name: np.ravel(dataset[()]) for name, dataset in group["vectors"].items()}
        dimension = integer(group["spacedim"])
        if "W" in group:
            W, q = dense(group["W"]), vector["q"]
            W_size, q_size = np.abs(W), np.abs(q)
        else:
            M, H = dense(group["M"]), dense(group["H"])
            inverse = np.linalg.inv(M)
            W = H.T @ np.linalg.solve(M, H)
            q = H.T @ np.linalg.solve(M, vector["f"]) + vector["w"]
            W_size = np.abs(H.T) @ np.abs(inverse) @ np.abs(H)
            q_size = np.abs(H.T) @ np.abs(inverse) @ np.abs(vector["f"]) + np.abs(vector["w"])
    return Problem(W, q, vector["mu"], dimension, W_size, q_size)


def integer(dataset: h5py.Dataset) -> int:
    return int(np.ravel(dataset[()])[0])


def dense(group: h5py.Group) -> np.ndarray:
    """A sparse matrix of an FCLIB file: triplets for nz >= 0, else compressed columns or rows."""
    rows, cols, nz = (integer(group[name]) for name in ("m", "n", "nz"))
    p, i, x = (np.ravel(group[name][()]) for name in ("p", "i", "x"))
    if nz >= 0:  # in triplets, p holds columns
        row, col, value = i[:nz], p[:nz], x[:nz]
    else:
        outer = np.repeat(np.arange(len(p) - 1), np.diff(p))
        inner, value = i[: p[-1]], x[: p[-1]]
        row, col = (inner, outer) if nz == -1 else (outer, inner)
    matrix = np.zeros((rows, cols))
    np.add.at(matrix, (row, col), value)
    return matrix


def distance_to_cone(x: np.ndarray, mu: float) -> float:
    """To { ||x_T|| <= mu x_N }."""
    normal, tangent = x[0], np.linalg.norm(x[1:])
    if tangent <= mu * normal:
        return 0.0
    if mu * tangent <= -normal:  # nearest to the apex
        return float(np.hypot(normal, tangent))
    return float((tangent - mu * normal) / np.sqrt(1 + mu**2))


def distance_to_dual_cone(x: np.ndarray, mu: float) -> float:
    """To { mu ||x_T|| <= x_N }."""
    normal, tangent = x[0], np.linalg.norm(x[1:])
    if mu * tangent <= normal:
        return 0.0
    if tangent <= -mu * normal:
        return float(np.hypot(normal, tangent))
    return float((mu * tangent - normal) / np.sqrt(1 + mu**2))


def nearest_in_cone(x: np.ndarray, mu: float) -> np.ndarray:
    """Along the boundary ray on the side of x_T, unless x is inside or nearest to the apex."""
    if distance_to_cone(x, mu) == 0:
        return x
    tangent = np.linalg.norm(x[1:])
    ray = np.concatenate([[1], mu * x[1:] / tangent]) if tangent > 0 else np.eye(len(x))[0]
    return max(float(x @ ray), 0.0) / float(ray @ ray) * ray


def distance_to_pyramid(x: np.ndarray, mu: float) -> float:
    """To { |x_T1|, |x_T2| <= mu x_N }: to the nearest of the points that are best for one set of tight
    facets each."""
    candidates = []
    tangents = range(1, len(x))
    for count in range(len(x)):
        for tight in itertools.combinations(tangents, count):
            normal = (x[0] + mu * sum(abs(x[k]) for k in tight)) / (1 + count * mu**2)
            candidates.append(max(normal, 0.0))
    points = [np.concatenate([[n], np.clip(x[1:], -mu * n, mu * n)]) for n in candidates]
    return min(float(np.linalg.norm(x - point)) for point in points)


def distance_to_dual_pyramid(x: np.ndarray, mu: float) -> float:
    """To { mu (|x_T1| + |x_T2|) <= x_N }, by mirror images to the corner where 0 <= x_T2 <= x_T1."""
    lengths = sorted(np.abs(x[1:]), reverse=True)
    apart = 0.0  # what is lost by setting tangents to zero, squared
    for count in range(len(lengths), 0, -1):
        excess = mu * sum(lengths[:count]) - x[0]
        step = excess / (1 + count * mu**2)
        if excess <= 0:
            return float(np.sqrt(apart))
        if lengths[count - 1] >= mu * step:  # the foot on this facet belongs to the set
            return float(np.sqrt(apart + excess**2 / (1 + count * mu**2)))
        apart += lengths[count - 1] ** 2  # nearest where this tangent is zero
    return float(np.sqrt(apart + min(x[0], 0.0) ** 2))


def judge(problem: Problem, impulse: np.ndarray) -> tuple[dict[str, float], dict[str, float]]:
    """Every number of the verdict, and for each the size that its round-off is relative to."""
    d = problem.dimension
    r = impulse.reshape(-1, d)
    u = (problem.W @ impulse + problem.q).reshape(-1, d)
    terms = (problem.W_size @ np.abs(impulse) + problem.q_size).reshape(-1, d)
    slip = np.linalg.norm(u[:, 1:], axis=1)
    mu = problem.mu
    normal = np.eye(d)[0]
    modified = u + np.outer(mu * slip, normal)
    pyramidal = u + np.outer(mu * np.abs(u[:, 1:]).sum(axis=1), normal)

    U = float(np.max(np.abs(problem.q), initial=0)) or 1.0
    mean_diagonal = float(np.mean(np.diag(problem.W))) if problem.q.size else 0.0
    F = U / (mean_diagonal if mean_diagonal > 0 else 1.0)

    w, island_speed = velocity_scales(problem)
    r_size = np.linalg.norm(r, axis=1)
    u_size = np.linalg.norm(terms, axis=1) * (1 + mu)
    largest = lambda values: float(np.max(values, initial=0))  # noqa: E731
    primal_size, dual_size, product_size = largest(r_size), largest(u_size), largest(r_size * u_size)
    scaled_size = max(primal_size / F, dual_size / U, product_size / (F * U))

    def relative(primal: np.ndarray, dual: np.ndarray, product: np.ndarray) -> float:
        return largest([w * primal / island_speed, dual / island_speed, w * product / island_speed**2])

    values: dict[str, float] = {"F": F, "U": U}
    sizes: dict[str, float] = {"F": F, "U": U}
    for model, velocity, to_set, to_dual in (
        ("ncp", modified, distance_to_cone, distance_to_dual_cone),
        ("ccp", u, distance_to_cone, distance_to_dual_cone),
        ("lcp", pyramidal, distance_to_pyramid, distance_to_dual_pyramid),
    ):
        parts = [np.array([to_set(x, m) for x, m in zip(r, mu)]), np.array([to_dual(x, m) for x, m in zip(velocity, mu)]),
                 np.array([abs(a @ b) for a, b in zip(r, velocity)])]
        primal, dual, product = map(largest, parts)
        values |= {f"{model}.primal": primal, f"{model}.dual": dual, f"{model}.complementarity": product,
                   f"{model}.max": max(primal, dual, product), f"{model}.relative": relative(*parts),
                   f"{model}.scaled": max(primal / F, dual / U, product / (F * U))}
        sizes |= {f"{model}.primal": primal_size, f"{model}.dual": dual_size,
                  f"{model}.complementarity": product_size,
                  f"{model}.max": max(primal_size, dual_size, product_size), f"{model}.scaled": scaled_size,
                  f"{model}.relative": relative(r_size, u_size, r_size * u_size)}

    misfit = [x - nearest_in_cone(x - v, m) for x, v, m in zip(r, modified, mu)]
    q_norm = max(1.0, float(np.linalg.norm(problem.q)))
    values |= {
        "natural_map": float(np.linalg.norm(misfit)) / q_norm,
        "signorini.product": largest(np.abs(r[:, 0] * u[:, 0])),
        "signorini.velocity": largest(-u[:, 0]),
        "signorini.impulse": largest(-r[:, 0]),
        "dissipation": largest(np.abs(np.sum(r[:, 1:] * u[:, 1:], axis=1) + mu * r[:, 0] * slip)),
        "impulse_norm": float(np.linalg.norm(impulse)),
    }
    sizes |= {
        "natural_map": float(np.linalg.norm(r_size + u_size)) / q_norm,
        "signorini.product": product_size,
        "signorini.velocity": dual_size,
        "signorini.impulse": primal_size,
        "dissipation": product_size,
        "impulse_norm": values["impulse_norm"],
    }
    return values, sizes


def velocity_scales(problem: Problem) -> tuple[np.ndarray, np.ndarray]:
    """Of each contact w, what its own unit impulse does to its velocity, and U, the speed of its island."""
    d, contacts = problem.dimension, len(problem.mu)
    w = np.diag(problem.W).reshape(contacts, d).mean(axis=1) if contacts else np.zeros(0)
    w = np.where(w > 0, w, w[w > 0].mean() if (w > 0).any() else 1.0)
    speed = np.abs(problem.q).reshape(contacts, d).max(axis=1) if contacts else np.zeros(0)
    touch = np.abs(problem.W.reshape(contacts, d, contacts, d)).max(axis=(1, 3)) > 0 if contacts else np.zeros((0, 0))
    island = np.arange(contacts)  # the smallest contact that is reached from each
    touch = touch | touch.T | np.eye(contacts, dtype=bool)
    for _ in range(contacts):
        nearer = np.array([island[row].min() for row in touch], dtype=int)
        if (nearer == island).all():
            break
        island = nearer
    U = np.array([speed[island == island[i]].max() for i in range(contacts)])
    return w, np.maximum(U, 1e-3 * speed.max(initial=0)) if speed.any() else np.ones(contacts)


def of_record(record: dict) -> dict[str, float]:
    """The same numbers from a record of a results document."""
    verdict = record["verdict"]
    values = {f"{model}.{name}": verdict[model][name] for model in ("ncp", "ccp", "lcp")
              for name in ("primal", "dual", "complementarity", "max", "scaled", "relative")}
    values |= {f"signorini.{name}": value for name, value in verdict["signorini"].items()}
    return values | {"natural_map": verdict["natural_map"], "dissipation": verdict["dissipation"],
                     "impulse_norm": record["impulse_norm"],
                     "F": verdict["scale"]["impulse"], "U": verdict["scale"]["velocity"]}


def disagreements(said: dict[str, float], values: dict[str, float], sizes: dict[str, float],
                  relative: float = 1e-12) -> list[str]:
    """A line for each number that is not the same to `relative` of its size."""
    return [f"{name}: {said[name]!r} is not {value!r} (off by {abs(said[name] - value) / sizes[name]:.1e})"
            for name, value in values.items() if not abs(said[name] - value) <= relative * sizes[name]]
