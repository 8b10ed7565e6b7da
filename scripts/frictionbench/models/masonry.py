"""Arches, vaults and domes of dry stones."""

from __future__ import annotations

import math
from collections.abc import Callable

from frictionbench.models.mjcf import Model, add

Point = tuple[float, float, float]
Range = tuple[float, float]
INNER, OUTER = 0.9, 1.1  # radii, m


class Masonry:
    """Stones that are convex hulls of eight corners, on the ground."""

    def __init__(self, name: str, what: str, mu: float) -> None:
        self.model = Model(name, what, "masonry", step=0.001, mu=mu)
        self.model.room(600, 2400)
        option = self.model.root.find("option")
        assert option is not None
        add(option, "flag", multiccd="enable")  # several points where faces meet
        self.model.ground()
        self.stones = 0

    def stone(self, surface: Callable[[float, float, float], Point], first: Range, second: Range) -> None:
        """A stone between two values of each of the two parameters of a surface and two radii."""
        corners = [surface(radius, a, b) for radius in (INNER, OUTER) for a in first for b in second]
        centre = tuple(sum(corner[k] for corner in corners) / 8 for k in range(3))
        name = f"stone{self.stones}"
        self.stones += 1
        vertices = [corner[k] - centre[k] for corner in corners for k in range(3)]
        add(self.model.section("asset"), "mesh", name=name, vertex=vertices)
        self.model.free_body(name, centre, type="mesh", mesh=name, density=2000, margin=0.001)


def cylinder(radius: float, angle: float, y: float) -> Point:
    return -radius * math.cos(angle), y, radius * math.sin(angle)


def sphere(radius: float, latitude: float, longitude: float) -> Point:
    level = radius * math.cos(latitude)
    return level * math.cos(longitude), level * math.sin(longitude), radius * math.sin(latitude)


def barrel(name: str, what: str, rings: int) -> Model:
    """A half cylinder of rings of fifteen stones; the joints of every other ring are in the middle of its neighbours' stones."""
    masonry, count, width = Masonry(name, what, 0.7), 15, 0.3
    for ring in range(rings):
        shift = 0.5 if ring % 2 else 0.0
        joints = [0.0, *(math.pi * (k + shift) / count for k in range(0 if shift else 1, count)), math.pi]
        for low, high in zip(joints, joints[1:]):
            masonry.stone(cylinder, (low, high), (width * (ring - rings / 2), width * (ring + 1 - rings / 2)))
    return masonry.model


def dome() -> Model:
    """A hemisphere of five rings of stones, open at the top."""
    masonry = Masonry("dome", "Dome of 60 stones in 5 rings, open at the top", 0.7)
    for ring in range(5):
        low, high = (math.radians(14.0 * level) for level in (ring, ring + 1))
        for k in range(12):
            begin, end = (2 * math.pi * (k + 0.5 * (ring % 2) + side) / 12 for side in (0, 1))
            masonry.stone(sphere, (low, high), (begin, end))
    return masonry.model


def files() -> dict[str, str]:
    """Of all of them."""
    models = (barrel("arch", "Arch of 15 stones", 1), barrel("vault", "Barrel vault of 3 rings", 3), dome())
    return {f"{model.name}.xml": model.written() for model in models}
