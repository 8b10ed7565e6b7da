"""The verdict on an impulse from its definition alone, in plain Python: slow, and the same to the last bit everywhere.

Nothing is shared with the C++ program. Sums are exactly rounded (math.fsum), square roots are those of IEEE 754, and
no other function is used whose last digit a library may choose. Distances to the pyramid come from trying every set
of tight facets. lib/frictionbench/README.md, "The verdict", has the formulas.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Sequence

Vector = list[float]

AT_REST = 10  # relative tolerances: impulse of a separated contact, velocity of a sticking one
INSIDE = 1 - 1e-3  # of mu r_N: friction of a contact that cannot slide
WELL_INSIDE = 0.95  # of mu r_N: friction of a contact that must not creep
LOADED = 1e-2  # of U_i: what w_i r_N of a loaded contact is at least
SLOWEST = 1e-3  # of the largest free velocity: the least that an island is measured by


def dot(a: Sequence[float], b: Sequence[float]) -> float:
    return math.fsum(x * y for x, y in zip(a, b))


def norm(a: Sequence[float]) -> float:
    return math.sqrt(dot(a, a))


@dataclass(frozen=True)
class Problem:
    """u = W r + R r + q, components contact by contact, the normal first."""

    dimension: int
    mu: Vector
    W: list[Vector]  # dense, without the compliance
    q: Vector
    compliance: Vector | None  # the diagonal of R; None for rigid contacts

    def velocity(self, r: Vector) -> Vector:
        R = self.compliance or [0.0] * len(r)
        return [math.fsum([*(w * x for w, x in zip(row, r)), R[k] * r[k], self.q[k]]) for k, row in enumerate(self.W)]

    def of_contact(self, values: Sequence, contact: int) -> list:
        return list(values[self.dimension * contact:self.dimension * (contact + 1)])

    def diagonal(self) -> Vector:
        R = self.compliance or [0.0] * len(self.q)
        return [self.W[k][k] + R[k] for k in range(len(self.q))]

    def islands(self) -> list[int]:
        """The island of every contact, by the smallest contact in it."""
        contacts = len(self.mu)
        island = list(range(contacts))
        for i, j in itertools.product(range(contacts), repeat=2):
            if any(value != 0 for row in self.of_contact(self.W, i) for value in self.of_contact(row, j)):
                low, high = sorted((island[i], island[j]))
                island = [low if number == high else number for number in island]
        return island

    def contact_scales(self) -> tuple[Vector, Vector]:
        """w_i, the velocity that a unit impulse causes at its own contact, and U_i, the speed of its island."""
        contacts = range(len(self.mu))
        diagonal = self.diagonal()
        w = [math.fsum(self.of_contact(diagonal, i)) / self.dimension for i in contacts]
        positive = [value for value in w if value > 0]
        mean = math.fsum(positive) / len(positive) if positive else 1.0
        speed = [max(abs(value) for value in self.of_contact(self.q, i)) for i in contacts]
        island = self.islands()
        largest = max(speed, default=0.0)
        U = [max(max(speed[j] for j in contacts if island[j] == island[i]), SLOWEST * largest) for i in contacts]
        return [value if value > 0 else mean for value in w], [value if largest > 0 else 1.0 for value in U]

    def problem_scale(self) -> tuple[float, float]:
        """F and U of the scaled criterion."""
        if not self.q:
            return 1.0, 1.0
        U = max(abs(value) for value in self.q) or 1.0
        mean = math.fsum(self.diagonal()) / len(self.q)
        return U / (mean if mean > 0 else 1.0), U


def in_cone(x: Vector, mu: float) -> Vector:
    """The nearest point of { ||x_T|| <= mu x_N }."""
    tangent = norm(x[1:])
    if x[0] >= 0 and tangent <= mu * x[0]:
        return x
    if mu * tangent <= -x[0]:
        return [0.0] * len(x)
    normal = (x[0] + mu * tangent) / (1 + mu * mu)
    return [normal, *(mu * normal * value / tangent for value in x[1:])]


def in_pyramid(x: Vector, mu: float) -> Vector:
    """The nearest point of { |x_T1|, |x_T2| <= mu x_N }.

    Of the feet of x on the linear spans of all faces, those that lie inside compete. The nearest is the one from
    which x lies in no direction of an edge, (1, +-mu, +-mu); comparing distances would cancel where x is far or near.
    """
    edges = [[1.0, *(sign * mu for sign in signs)] for signs in itertools.product((-1, 1), repeat=len(x) - 1)]
    found = [[0.0] * len(x)]
    for signs in itertools.product((-1, 0, 1), repeat=len(x) - 1):
        tight = sum(abs(sign) for sign in signs)
        normal = (x[0] + mu * math.fsum(s * t for s, t in zip(signs, x[1:]))) / (1 + tight * mu * mu)
        point = [normal, *(s * mu * normal if s else t for s, t in zip(signs, x[1:]))]
        if normal >= 0 and all(abs(t) <= mu * normal for t in point[1:]):
            found.append(point)
    return min(found, key=lambda point: max(dot([a - b for a, b in zip(x, point)], edge) for edge in edges))


def residuals(problem: Problem, r: Vector, velocities: Sequence[Vector], nearest) -> dict[str, float]:
    """Distances to K and to K^*, of which the second is the size of the nearest point of K to -v (Moreau)."""
    w, U = problem.contact_scales()
    F, V = problem.problem_scale()
    parts = []
    for i, mu in enumerate(problem.mu):
        impulse, v = problem.of_contact(r, i), velocities[i]
        parts.append((norm([a - b for a, b in zip(impulse, nearest(impulse, mu))]),
                      norm(nearest([-value for value in v], mu)), abs(dot(impulse, v))))
    primal, dual, product = (max(column) for column in zip(*parts)) if parts else (0.0, 0.0, 0.0)
    relative = [max(w[i] * a / U[i], b / U[i], w[i] * c / (U[i] * U[i])) for i, (a, b, c) in enumerate(parts)]
    return {"primal": primal, "dual": dual, "complementarity": product, "max": max(primal, dual, product),
            "relative": max(relative, default=0.0), "scaled": max(primal / F, dual / V, product / (F * V))}


def verdict(problem: Problem, r: Vector, tolerance: float) -> dict:
    """Every number of the verdict; of an impulse that is not finite only what every criterion must refuse."""
    if not all(map(math.isfinite, r)):
        return {model: {"max": None, "relative": None} for model in ("ncp", "ccp", "lcp")}
    contacts = range(len(problem.mu))
    impulses = [problem.of_contact(r, i) for i in contacts]
    u = [problem.of_contact(problem.velocity(r), i) for i in contacts]
    slip = [norm(v[1:]) for v in u]
    modified = [[v[0] + problem.mu[i] * slip[i], *v[1:]] for i, v in enumerate(u)]
    pyramidal = [[v[0] + problem.mu[i] * math.fsum(map(abs, v[1:])), *v[1:]] for i, v in enumerate(u)]

    misfit: Vector = []
    for i, impulse in enumerate(impulses):
        target = in_cone([a - b for a, b in zip(impulse, modified[i])], problem.mu[i])
        misfit += [a - b for a, b in zip(impulse, target)]
    return {
        "ncp": residuals(problem, r, modified, in_cone),
        "ccp": residuals(problem, r, u, in_cone),
        "lcp": residuals(problem, r, pyramidal, in_pyramid),
        "natural_map": norm(misfit) / max(1.0, norm(problem.q)),
        "signorini": {"product": max((abs(x[0] * v[0]) for x, v in zip(impulses, u)), default=0.0),
                      "velocity": max((max(-v[0], 0.0) for v in u), default=0.0),
                      "impulse": max((max(-x[0], 0.0) for x in impulses), default=0.0)},
        "dissipation": max((abs(dot(x[1:], v[1:]) + problem.mu[i] * x[0] * slip[i])
                            for i, (x, v) in enumerate(zip(impulses, u))), default=0.0),
        **behaviour(problem, impulses, u, tolerance),
    }


def behaviour(problem: Problem, impulses: Sequence[Vector], u: Sequence[Vector], tolerance: float) -> dict:
    """States, creep and lift."""
    w, U = problem.contact_scales()
    states = dict.fromkeys(("sticking", "sliding", "separated"), 0)
    creep = lift = 0.0
    for i, (x, v) in enumerate(zip(impulses, u)):
        friction, slip, limit = norm(x[1:]), norm(v[1:]), problem.mu[i] * x[0]
        if w[i] * x[0] <= AT_REST * tolerance * U[i]:
            states["separated"] += 1
        elif friction < INSIDE * limit or slip <= AT_REST * tolerance * U[i]:
            states["sticking"] += 1
        else:
            states["sliding"] += 1
        if w[i] * x[0] >= LOADED * U[i]:
            lift = max(lift, v[0])
            if friction <= WELL_INSIDE * limit:
                creep = max(creep, slip)
    return {"states": states, "creep": creep, "lift": lift}
