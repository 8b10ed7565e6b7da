"""Writes datasets/conformance/vectors.json: small problems, impulses, and every number of their verdict."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path
from typing import Any, Iterator

from frictionbench.checkout import ROOT
from frictionbench.command_line import ArgumentParser
from frictionbench.conformance.judge import Problem, Vector, verdict
from frictionbench.files import check_outputs, write_text

DESCRIPTION = """\
Writes small contact problems with impulses and the expected residuals, for any program that judges impulses to test
itself against. The numbers follow from the definitions alone (scripts/frictionbench/conformance/judge.py)
and are the same on every machine. datasets/conformance/README.md describes the file.
"""
VECTORS = ROOT / "datasets/conformance/vectors.json"
SEED = 20240515
TOLERANCE = 1e-6  # of the states
DIGITS = 3  # decimals of what is drawn, so that the file stays small


class Draw:
    """Numbers with few digits. Python's generator of uniform numbers is the same in every version."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def number(self, low: float, high: float) -> float:
        return round(low + (high - low) * self.random.random(), DIGITS)

    def vector(self, count: int, size: float = 1.0) -> Vector:
        return [self.number(-size, size) for _ in range(count)]

    def delassus(self, size: int, rank: int | None = None) -> list[Vector]:
        """Symmetric and positive semi-definite up to the rounding of its entries."""
        factor = [self.vector(rank or size + 1) for _ in range(size)]
        return [[round(math.fsum(a * b for a, b in zip(x, y)), DIGITS) for y in factor] for x in factor]

    def impulse(self, dimension: int, mu: float, kind: str) -> Vector:
        normal = self.number(0.5, 2)
        share = {"inside": 0.5, "edge": 1.0, "outside": 1.6}.get(kind, 0.0)
        direction = self.direction(dimension - 1)
        if kind == "pull":
            normal = -normal
        if kind == "none":
            normal = 0.0
        return [normal, *(share * mu * abs(normal) * value for value in direction)]

    def direction(self, size: int) -> Vector:
        """A unit vector with rational entries, so that its length is exactly 1 except for rounding."""
        if size == 1:
            return [1.0 if self.random.random() < 0.5 else -1.0]
        a, b = self.random.choice([(0.6, 0.8), (0.8, -0.6), (-0.28, 0.96), (-0.96, -0.28), (1.0, 0.0), (0.0, -1.0)])
        return [a, b]


def add(a: Vector, b: Vector) -> Vector:
    return [x + y for x, y in zip(a, b)]


def blocks(parts: list[list[Vector]]) -> list[Vector]:
    """Matrices on the diagonal of one."""
    size = sum(map(len, parts))
    joined, before = [], 0
    for part in parts:
        joined += [[0.0] * before + row + [0.0] * (size - before - len(row)) for row in part]
        before += len(part)
    return joined


def with_answer(draw: Draw, dimension: int, mu: Vector, W: list[Vector], kinds: list[str],
                compliance: Vector | None = None) -> tuple[Problem, Vector]:
    """A problem and its answer, with contacts of these states."""
    r: Vector = []
    u: Vector = []
    for coefficient, kind in zip(mu, kinds):
        if kind == "separated":
            r += [0.0] * dimension
            u += [draw.number(1, 2), *draw.vector(dimension - 1, 0.5)]
        elif kind == "sticking":
            r += draw.impulse(dimension, coefficient, "inside")
            u += [0.0] * dimension
        else:
            direction, speed, normal = draw.direction(dimension - 1), draw.number(0.5, 1), draw.number(0.5, 2)
            r += [normal, *(-coefficient * normal * value for value in direction)]
            u += [0.0, *(speed * value for value in direction)]
    free = Problem(dimension, mu, W, [0.0] * len(r), compliance)
    return Problem(dimension, mu, W, [a - b for a, b in zip(u, free.velocity(r))], compliance), r


def vectors() -> Iterator[tuple[str, Problem, Vector]]:
    """(what it tests, problem, impulse)"""
    draw = Draw(SEED)
    kinds = ("none", "inside", "edge", "outside", "pull")
    for dimension in (2, 3):
        yield f"no contacts, {dimension}D", Problem(dimension, [], [], [], None), []
        for contacts in (1, 2, 3, 4):
            for kind in kinds:
                yield f"random, impulses: {kind}, {dimension}D", *random_problem(draw, dimension, contacts, kind)
        yield from answers(draw, dimension)
        yield from special_matrices(draw, dimension)
        yield from compliant(draw, dimension)
        yield from islands(draw, dimension)
        yield from not_finite(draw, dimension)


def random_problem(draw: Draw, dimension: int, contacts: int, kind: str) -> tuple[Problem, Vector]:
    mu = [draw.number(0.2, 1) for _ in range(contacts)]
    size = dimension * contacts
    r = [component for value in mu for component in draw.impulse(dimension, value, kind)]
    return Problem(dimension, mu, draw.delassus(size), draw.vector(size), None), r


def answers(draw: Draw, dimension: int) -> Iterator[tuple[str, Problem, Vector]]:
    """Exact answers with contacts of every state, and the same a little off."""
    states = ("separated", "sticking", "sliding")
    for chosen in (*((state,) for state in states), ("separated", "sticking"), ("sticking", "sliding"), states):
        mu = [draw.number(0.2, 1) for _ in chosen]
        problem, r = with_answer(draw, dimension, mu, draw.delassus(dimension * len(mu)), list(chosen))
        name = f"answer: {', '.join(chosen)}, {dimension}D"
        yield name, problem, r
        for size in (1e-9, 1e-4, 1e-1):
            yield f"{name}, off by {size:g}", problem, add(r, [size * value for value in draw.vector(len(r))])
    # Sticking contacts that move: what compliant models do.
    for speed in (1e-3, 0.25):
        mu = [0.5, 0.5]
        problem, r = with_answer(draw, dimension, mu, draw.delassus(2 * dimension), ["sticking", "sliding"])
        moved = add(problem.q, [speed, speed] + [0.0] * (len(r) - 2))
        yield f"creep and lift of {speed:g}, {dimension}D", Problem(dimension, mu, problem.W, moved, None), r


def special_matrices(draw: Draw, dimension: int) -> Iterator[tuple[str, Problem, Vector]]:
    for kind in ("none", "inside", "pull"):
        for mu in ([0.0, 0.0], [0.0, 0.7]):
            _, r = random_problem(draw, dimension, 2, kind)
            r = [value if k % dimension == 0 else 0.5 * value for k, value in enumerate(r)]
            yield (f"frictionless contacts, impulses: {kind}, {dimension}D",
                   Problem(dimension, mu, draw.delassus(2 * dimension), draw.vector(2 * dimension), None), r)
    for kind in ("inside", "edge", "outside"):
        problem, r = random_problem(draw, dimension, 3, kind)
        W = [[round(value + draw.number(-0.2, 0.2), DIGITS) for value in row] for row in problem.W]
        yield f"asymmetric W, impulses: {kind}, {dimension}D", Problem(dimension, problem.mu, W, problem.q, None), r
        W = draw.delassus(3 * dimension, rank=2)
        yield f"singular W, impulses: {kind}, {dimension}D", Problem(dimension, problem.mu, W, problem.q, None), r
        zero = [[0.0] * dimension for _ in range(dimension)]
        W = blocks([draw.delassus(dimension), zero, draw.delassus(dimension)])
        yield f"a zero block, impulses: {kind}, {dimension}D", Problem(dimension, problem.mu, W, problem.q, None), r
        yield (f"W = 0, impulses: {kind}, {dimension}D",
               Problem(dimension, problem.mu, blocks([zero] * 3), problem.q, None), r)
        yield (f"q = 0, impulses: {kind}, {dimension}D",
               Problem(dimension, problem.mu, problem.W, [0.0] * len(r), None), r)
        for unit in (1e-6, 1e6):
            yield (f"units of {unit:g}, impulses: {kind}, {dimension}D",
                   Problem(dimension, problem.mu, [[unit * value for value in row] for row in problem.W],
                           [unit * value for value in problem.q], None), r)


def compliant(draw: Draw, dimension: int) -> Iterator[tuple[str, Problem, Vector]]:
    for contacts in (1, 3):
        for kind in ("inside", "edge", "outside"):
            problem, r = random_problem(draw, dimension, contacts, kind)
            for name, R in (("equal", [0.125] * len(r)), ("by component", [draw.number(0, 1) for _ in r])):
                yield (f"compliance, {name}, impulses: {kind}, {dimension}D",
                       Problem(dimension, problem.mu, problem.W, problem.q, R), r)
    R = [draw.number(0, 1) for _ in range(3 * dimension)]
    problem, r = with_answer(draw, dimension, [0.5, 0.3, 0.8], draw.delassus(3 * dimension),
                             ["separated", "sticking", "sliding"], R)
    yield f"compliance, answer, {dimension}D", problem, r


def islands(draw: Draw, dimension: int) -> Iterator[tuple[str, Problem, Vector]]:
    """A fast island and a slow one: below 1e-3 of the fast one, the slow one is measured by that."""
    for speed in (1.0, 1e-2, 1e-5):
        for kind in ("inside", "edge"):
            problem, r = random_problem(draw, dimension, 3, kind)
            W = blocks([draw.delassus(dimension), draw.delassus(2 * dimension)])
            q = problem.q[:dimension] + [speed * value for value in problem.q[dimension:]]
            slow = r[:dimension] + [speed * value for value in r[dimension:]]
            yield (f"an island of speed {speed:g}, impulses: {kind}, {dimension}D",
                   Problem(dimension, problem.mu, W, q, None), slow)


def not_finite(draw: Draw, dimension: int) -> Iterator[tuple[str, Problem, Vector]]:
    for value in (math.nan, math.inf, -math.inf):
        for place in (0, dimension, 2 * dimension - 1):
            problem, r = random_problem(draw, dimension, 2, "inside")
            yield f"{value} in r, {dimension}D", problem, r[:place] + [value] + r[place + 1:]


def entry(name: str, problem: Problem, r: Vector) -> dict[str, Any]:
    """One vector as the file has it. Numbers that JSON does not have are text."""
    return {
        "tests": name,
        "problem": {"dimension": problem.dimension, "mu": problem.mu, "W": problem.W, "q": problem.q,
                    "compliance": problem.compliance},
        "r": [value if math.isfinite(value) else str(value) for value in r],
        "expected": verdict(problem, r, TOLERANCE),
    }


def text() -> str:
    """The whole file: a line per vector."""
    lines = [json.dumps({"id": f"{number:03}", **entry(*vector)}) for number, vector in enumerate(vectors(), 1)]
    head = json.dumps({"schema": "frictionbench-conformance", "schema_version": 1, "tolerance": TOLERANCE})
    return f"{head[:-1]}, \"vectors\": [\n" + ",\n".join(lines) + "\n]}\n"


def main(words: list[str] | None = None) -> int:
    parser = ArgumentParser("frictionbench-data conformance", DESCRIPTION)
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, default=VECTORS,
                        help=f"default: {VECTORS.name}, which is brought up to date")
    parser.add_force()
    arguments = parser.parse_args(words)
    check_outputs([arguments.output], arguments.force or arguments.output == VECTORS)
    write_text(text(), arguments.output)
    return 0
