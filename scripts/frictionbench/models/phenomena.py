"""Single bodies whose motion is known: what sticks, slides, spins or jams."""

from __future__ import annotations

import math

from frictionbench.models.bodies import with_speed
from frictionbench.models.mjcf import Model, add, controls, turn, turned

COEFFICIENTS = (0.1, 0.3, 0.5, 0.7, 0.9)
DEGREES = (5, 15, 25, 35, 45)


def slope() -> Model:
    """Twenty-five cubes on ramps: one for each coefficient and angle."""
    model = Model("slope", "Cubes on ramps of 5 angles, with 5 coefficients of friction", "phenomena", step=0.002)
    model.room(500, 2000)
    half = 0.05
    for row, mu in enumerate(COEFFICIENTS):
        for column, degrees in enumerate(DEGREES):
            angle = math.radians(degrees)
            centre = (2.0 * column, 1.0 * row, 0.0)
            quat = turn((0, 1, 0), angle)
            name = f"mu{mu:g}_{degrees}".replace(".", "")
            add(model.world, "geom", name=f"ramp_{name}", type="box", size=(0.8, 0.2, 0.02), pos=centre, quat=quat,
                friction=(mu, 0, 0))
            over = 0.02 + half
            place = (centre[0] + over * math.sin(angle), centre[1], over * math.cos(angle))
            body = add(model.world, "body", name=name, pos=place, quat=quat)
            add(body, "freejoint")
            add(body, "geom", type="box", size=(half, half, half), mass=1, friction=(mu, 0, 0))
    return model


def pressed() -> dict[str, str]:
    """A cube that is pressed on a wall, less and less."""
    model = Model("pressed-cube", "A cube pressed on a wall", "phenomena", step=0.002, mu=0.5)
    quat = (math.sqrt(0.5), 0.0, -math.sqrt(0.5), 0.0)
    add(model.world, "geom", name="wall", type="plane", size=(2, 2, 1), pos=(0.1, 0, 0), quat=quat, friction=(0.5, 0, 0))
    body = model.free_body("cube", (0, 0, 1), type="box", size=(0.1, 0.1, 0.1), mass=1)
    add(body, "site", name="centre")
    add(model.section("actuator"), "motor", name="press", site="centre", gear=(1, 0, 0, 0, 0, 0))
    force = controls(["press"], [(0.0, {"press": 40.0}), (1.0, {"press": 0.0})],
                     "40 N, which become 0 within a second: the cube holds until mu F = m g, after 0.51 s.")
    return {"pressed-cube.xml": model.written(), "pressed-cube.txt": force}


def sliding() -> Model:
    """A cube that slides until friction has stopped it."""
    model = Model("sliding-cube", "A cube that slides", "phenomena", step=0.002, mu=0.3)
    model.ground()
    model.free_body("cube", (0, 0, 0.0999), type="box", size=(0.1, 0.1, 0.1), mass=1)
    return with_speed(model, {"cube": (2.0, 0.0, 0.0)})


def pinched() -> dict[str, str]:
    """A capsule between the ground and a plate that comes down, at an angle."""
    model = Model("pinched-capsule", "A capsule between the ground and a plate", "phenomena", step=0.002, mu=0.4)
    model.ground()
    capsule = model.free_body("capsule", (0, 0, 0.0499), type="capsule", size=(0.05, 0.1), mass=0.5)
    turned(capsule, turn((0, 1, 0), math.pi / 2))
    plate = add(model.world, "body", name="plate", pos=(0, 0, 0.125))
    add(plate, "joint", name="plate", type="slide", axis=(0, 0, 1), damping=5)
    add(plate, "geom", type="box", size=(0.3, 0.3, 0.02), mass=1, friction=(0.4, 0, 0), quat=turn((1, 0, 0), 0.02))
    add(model.section("actuator"), "motor", name="press", joint="plate", gear=-1)
    return {"pinched-capsule.xml": model.written(),
            "pinched-capsule.txt": controls(["press"], [(0.0, {"press": 0.0}), (0.5, {"press": 100.0})], "Presses, up to 100 N.")}


def disc() -> Model:
    """A disc that spins flat on the ground."""
    model = Model("spinning-disc", "A disc that spins on the ground", "phenomena", step=0.002, mu=0.3)
    model.ground()
    model.free_body("disc", (0, 0, 0.0099), type="cylinder", size=(0.1, 0.01), mass=1, condim=4)
    add(model.section("keyframe"), "key", name="start", qpos=(0.0, 0.0, 0.0099, 1.0, 0.0, 0.0, 0.0),
        qvel=(0.0, 0.0, 0.0, 0.0, 0.0, 20.0))
    return model


def painleve() -> Model:
    """A rod that slides with one end on the ground, steep enough that it may jam."""
    model = Model("painleve-rod", "A rod that slides on one end", "phenomena", step=0.0005, mu=1.8)
    model.ground()
    angle, half, radius = math.radians(50), 0.5, 0.01  # to the horizontal
    quat = turn((0, 1, 0), math.pi / 2 - angle)        # z of the rod at this angle to x, upwards
    height = half * math.sin(angle) + radius - 1e-4
    body = model.free_body("rod", (0, 0, height), type="capsule", size=(radius, half), mass=1)
    turned(body, quat)
    return with_speed(model, {"rod": (-3.0, 0.0, 0.0)})


def files() -> dict[str, str]:
    """Of all of them."""
    return {f"{model.name}.xml": model.written() for model in (slope(), sliding(), disc(), painleve())} | pressed() | pinched()
