"""Bodies in heaps, walls, towers, chains and vaults."""

from __future__ import annotations

import math
import random

from frictionbench.models.mjcf import Model, add, surface, turn, turned

Point = tuple[float, float, float]


def stack() -> Model:
    """Fifteen cubes, the lightest at the bottom, hit by a ball."""
    model = Model("stack", "Stack of 15 cubes of 1 to 1e4 kg, hit by a ball of 1e3 kg", "stack", step=0.002)
    model.room(500, 2000)
    model.ground()
    half = 0.1
    for k in range(15):
        model.free_body(f"cube{k}", (0, 0, half + 2 * half * k), type="box", size=(half, half, half), mass=10 ** (4 * k / 14))
    model.free_body("ball", (-1.5, 0, 1.5), type="sphere", size=0.15, mass=1000)
    return with_speed(model, {"ball": (6.0, 0.0, 1.0)})


def with_speed(model: Model, speeds: dict[str, Point], name: str = "start") -> Model:
    """Adds a keyframe in which some free bodies have a speed."""
    places: list[float] = []
    velocities: list[float] = []
    for body in model.world.findall("body"):
        joint = body.find("freejoint")
        if joint is None:
            continue
        places += [float(each) for each in body.get("pos", "0 0 0").split()]
        places += [float(each) for each in body.get("quat", "1 0 0 0").split()]
        velocities += [*speeds.get(body.get("name", ""), (0.0, 0.0, 0.0)), 0.0, 0.0, 0.0]
    add(model.section("keyframe"), "key", name=name, qpos=places, qvel=velocities)
    return model


def wall() -> Model:
    """Bricks in running bond, hit by a ball."""
    model = Model("wall", "Wall of 44 bricks, hit by a ball", "wall", step=0.002, mu=0.6)
    model.room(500, 2000)
    model.ground()
    width, depth, height = 0.1, 0.06, 0.04  # halves
    for row in range(8):
        shift = width if row % 2 else 0
        for column in range(6 - row % 2):
            place = (2 * width * column + shift - 5 * width, 0, height * (2 * row + 1))
            model.free_body(f"brick{row}_{column}", place, type="box", size=(width - 5e-4, depth, height), mass=3)
    model.free_body("ball", (0.05, -1, 0.45), type="sphere", size=0.1, mass=10)
    return with_speed(model, {"ball": (0.0, 6.0, 0.5)})


def box_of(model: Model, half: float, height: float) -> None:
    """Four walls around the origin."""
    for k, (x, y) in enumerate(((1, 0), (-1, 0), (0, 1), (0, -1))):
        size = (0.05, half + 0.1, height / 2) if x else (half + 0.1, 0.05, height / 2)
        add(model.world, "geom", name=f"side{k}", type="box", size=size, pos=((half + 0.05) * x, (half + 0.05) * y, height / 2),
            friction=surface(model.mu))


def heap(name: str, count: int, what: str, **geom: object) -> Model:
    """Like bodies at random angles that fall into a box."""
    model = Model(name, f"{what} fall into a box", "heaps", step=0.002)
    model.room(600, 2400)
    model.ground()
    box_of(model, 0.35, 0.8)
    numbers = random.Random(1)
    for k in range(count):
        layer, place = divmod(k, 9)
        position = (0.22 * (place % 3 - 1), 0.22 * (place // 3 - 1), 0.15 + 0.16 * layer)
        axis = [numbers.gauss(0, 1) for _ in range(3)]
        length = math.sqrt(sum(each * each for each in axis))
        body = model.free_body(f"body{k}", position, density=1000, **geom)
        turned(body, turn([each / length for each in axis], numbers.uniform(0, math.pi)))
    return model


def kapla() -> Model:
    """A tower of planks, two per layer, crosswise."""
    model = Model("kapla", "Tower of 40 planks, two per layer", "kapla", step=0.002, mu=0.6)
    model.room(500, 2000)
    model.ground()
    length, width, height = 0.06, 0.012, 0.004  # halves
    for layer in range(20):
        for side in (-1, 1):
            along_x = layer % 2 == 0
            offset = side * (length - width)
            place = (0, offset, height * (2 * layer + 1)) if along_x else (offset, 0, height * (2 * layer + 1))
            size = (length, width, height) if along_x else (width, length, height)
            model.free_body(f"plank{layer}_{(side + 1) // 2}", place, type="box", size=size, density=600)
    return model


def clutter(walls: bool) -> Model:
    """Balls and boxes in turn, in four columns that fall together."""
    name = "clutter-walls" if walls else "clutter"
    model = Model(name, f"Balls and boxes in four columns{' between walls' if walls else ''}", "clutter", step=0.002)
    model.room(400, 1600)
    model.ground()
    if walls:
        box_of(model, 0.14, 0.6)
    for column in range(4):
        for k in range(10):
            x, y = 0.06 * (2 * (column % 2) - 1), 0.06 * (2 * (column // 2) - 1)
            place = (x + 0.002 * (k % 3), y - 0.002 * (k % 4), 0.05 + 0.11 * k)
            shape = {"type": "sphere", "size": 0.05} if (k + column) % 2 else {"type": "box", "size": (0.05, 0.05, 0.05)}
            model.free_body(f"body{column}_{k}", place, density=1000, **shape)
    return model


def linked(model: Model, names: list[str], pairs: list[tuple[int, int]], anchor: Point) -> None:
    """Ball joints between bodies: the anchor is in the frame of the first."""
    for first, second in pairs:
        add(model.section("equality"), "connect", body1=names[first], body2=names[second], anchor=anchor)


def hanging_chain() -> Model:
    """Links of a chain that swings against a post."""
    model = Model("hanging-chain", "Chain of 12 links that swings against a post", "chains", step=0.002)
    model.room(300, 1000)
    model.ground()
    add(model.world, "geom", name="post", type="cylinder", size=(0.05, 0.5), pos=(0.25, 0, 1.2),
        quat=turn((1, 0, 0), math.pi / 2), friction=surface(0.5))
    half, names = 0.06, []
    for k in range(12):
        body = model.free_body(f"link{k}", (half * (2 * k + 1), 0, 1.9), type="capsule", size=(0.02, half - 0.025),
                               mass=0.2 if k < 11 else 2)
        turned(body, turn((0, 1, 0), math.pi / 2))
        names.append(f"link{k}")
    # In the frame of a link z is along the chain.
    add(model.section("equality"), "connect", body1=names[0], anchor=(0, 0, -half))
    linked(model, names, [(k, k + 1) for k in range(11)], (0, 0, half))
    return model


def long_chain() -> Model:
    """A hundred links that fall on the ground."""
    model = Model("long-chain", "Chain of 100 links that falls", "chains", step=0.002)
    model.room(500, 2000)
    model.ground()
    names = []
    for k in range(100):
        body = model.free_body(f"link{k}", (0.08 * (k - 49.5), 0, 0.3), type="capsule", size=(0.015, 0.02), mass=0.1)
        turned(body, turn((0, 1, 0), math.pi / 2))
        names.append(f"link{k}")
    linked(model, names, [(k, k + 1) for k in range(99)], (0, 0, 0.04))
    return model


def ring() -> Model:
    """A closed chain that stands on edge and collapses."""
    model = Model("ring", "Ring of 24 links, a closed loop", "chains", step=0.002)
    model.room(500, 2000)
    model.ground()
    count, half = 24, 0.04
    radius, names = half / math.sin(math.pi / count), []
    middle = radius * math.cos(math.pi / count)  # of a link, from the centre of the polygon
    for k in range(count):
        angle = 2 * math.pi * k / count
        place = (middle * math.sin(angle), 0, radius + 0.03 - middle * math.cos(angle))
        body = model.free_body(f"link{k}", place, type="capsule", size=(0.015, half - 0.02), mass=0.1)
        # z of the link along the ring: the direction (cos, 0, sin) of the angle.
        turned(body, turn((0, 1, 0), math.pi / 2 - angle))
        names.append(f"link{k}")
    linked(model, names, [(k, (k + 1) % count) for k in range(count)], (0, 0, half))
    return model


def net() -> Model:
    """Knots in a square grid, tied at distances by their threads' ends, that fall on a ball."""
    model = Model("net", "Net of 7 x 7 knots that falls on a ball", "chains", step=0.002)
    model.room(500, 3000)
    model.ground()
    add(model.world, "geom", name="ball", type="sphere", size=0.15, pos=(0.01, 0.02, 0.15), friction=surface(0.5))
    side, pitch = 7, 0.08
    for row in range(side):
        for column in range(side):
            place = (pitch * (column - 3), pitch * (row - 3), 0.34)
            model.free_body(f"knot{row}_{column}", place, type="sphere", size=0.015, mass=0.02)
    threads = [(f"knot{r}_{c}", f"knot{r}_{c + 1}", (pitch / 2, 0.0, 0)) for r in range(side) for c in range(side - 1)]
    threads += [(f"knot{r}_{c}", f"knot{r + 1}_{c}", (0.0, pitch / 2, 0)) for r in range(side - 1) for c in range(side)]
    for first, second, anchor in threads:
        add(model.section("equality"), "connect", body1=first, body2=second, anchor=anchor)
    return model


def files() -> dict[str, str]:
    """Of all of them."""
    models = [stack(), wall(), kapla(), clutter(False), clutter(True), hanging_chain(), long_chain(), ring(), net(),
              heap("capsules", 100, "A hundred capsules", type="capsule", size=(0.04, 0.05)),
              heap("boxes", 50, "Fifty boxes", type="box", size=(0.05, 0.04, 0.03))]
    return {f"{model.name}.xml": model.written() for model in models}
