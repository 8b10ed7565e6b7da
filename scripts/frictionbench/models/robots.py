"""A quadruped, a biped with closed loops, a hand that holds something, an arm on a wall."""

from __future__ import annotations

import math
import random
from xml.etree import ElementTree

from frictionbench.models.mjcf import GROUND, LIMB, Model, add, controls, surface

GRIPPING = {"contype": "2", "conaffinity": "0"}  # touches what is held
AXES = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}


class Actuated:
    """A model with a position actuator for each joint that has one."""

    def __init__(self, model: Model, gain: float) -> None:
        self.model, self.gain = model, gain
        self.names: list[str] = []

    def joint(self, body: ElementTree.Element, name: str, axis: str, low: float, high: float, *, gain: float = 1,
              actuated: bool = True, sign: int = 1) -> None:
        """A hinge. \\param gain of its actuator, in units of that of the model."""
        gain *= self.gain
        add(body, "joint", name=name, axis=[sign * each for each in AXES[axis]], limited=True, range=(low, high),
            damping=gain / 40 if actuated else gain / 4000, armature=gain * 1e-4 if actuated else 0)
        if actuated:
            add(self.model.section("actuator"), "position", name=name, joint=name, kp=gain)
            self.names.append(name)


def quadruped(bumpy: bool, mu: float) -> dict[str, str]:
    """Twelve joints; trots in place. As Solo-12: 2.5 kg, legs of 0.32 m."""
    name = f"quadruped-{'bumpy' if bumpy else 'flat'}{'' if mu > 0.5 else '-slippery'}"
    ground = "bumpy" if bumpy else "flat"
    model = Model(name, f"Quadruped of 12 joints on {ground} ground, mu {mu}", "quadruped", step=0.001, mu=mu)
    model.ground(**GROUND)
    if bumpy:
        numbers = random.Random(1)
        for k in range(150):
            radius = numbers.uniform(0.05, 0.15)
            place = numbers.uniform(-0.5, 0.5), numbers.uniform(-0.4, 0.4), numbers.uniform(0.003, 0.012) - radius
            add(model.world, "geom", name=f"bump{k}", type="sphere", size=radius, pos=place, friction=surface(mu), **GROUND)
    robot, bend = Actuated(model, 20), 0.7
    height = 0.32 * math.cos(bend) + 0.016
    trunk = add(model.world, "body", name="trunk", pos=(0, 0, height))
    add(trunk, "freejoint")
    add(trunk, "geom", type="box", size=(0.2, 0.1, 0.03), mass=1.3, **LIMB)
    angles = []
    for leg, x, y in (("front_left", 1, 1), ("front_right", 1, -1), ("hind_left", -1, 1), ("hind_right", -1, -1)):
        hip = add(trunk, "body", name=f"{leg}_hip", pos=(0.19 * x, 0.1 * y, 0))
        robot.joint(hip, f"{leg}_roll", "x", -0.8, 0.8)
        add(hip, "geom", type="sphere", size=0.03, mass=0.1, **LIMB)
        thigh = add(hip, "body", name=f"{leg}_thigh", pos=(0, 0.04 * y, 0))
        robot.joint(thigh, f"{leg}_hip", "y", -1.5, 1.5)
        add(thigh, "geom", type="capsule", fromto=(0, 0, 0, 0, 0, -0.16), size=0.015, mass=0.14, **LIMB)
        shank = add(thigh, "body", name=f"{leg}_shank", pos=(0, 0, -0.16))
        robot.joint(shank, f"{leg}_knee", "y", -2.6, 2.6)
        add(shank, "geom", type="capsule", fromto=(0, 0, 0, 0, 0, -0.15), size=0.01, mass=0.04, **LIMB)
        add(shank, "geom", type="sphere", pos=(0, 0, -0.16), size=0.016, mass=0.02, friction=surface(mu), **LIMB)
        angles += [0.0, bend, -2 * bend]
    lift = 0.03 if bumpy else 0.0
    add(model.section("keyframe"), "key", name="stand", qpos=[0.0, 0.0, height + lift, 1.0, 0.0, 0.0, 0.0, *angles])

    def pose(lifted: tuple[str, ...], more: float) -> dict[str, float]:
        told: dict[str, float] = {}
        for leg in ("front_left", "front_right", "hind_left", "hind_right"):
            angle = bend + (more if leg in lifted else 0)
            told |= {f"{leg}_hip": angle, f"{leg}_knee": -2 * angle}
        return told

    rows, time = [(0.0, pose((), 0)), (0.2, pose((), 0))], 0.2
    for step in range(8):
        pair = ("front_left", "hind_right") if step % 2 == 0 else ("front_right", "hind_left")
        rows += [(time + 0.08, pose(pair, 0.35)), (time + 0.16, pose((), 0))]
        time += 0.16
    made = {f"{name}.xml": model.written()}
    if not bumpy and mu > 0.5:
        made["quadruped-stand.txt"] = controls(robot.names, rows[:1], "Stands.")
        made["quadruped-trot.txt"] = controls(robot.names, rows, "Lifts the feet of each diagonal in turn.")
    return made


def biped() -> dict[str, str]:
    """Cranks on thighs turn knees, and cranks on shanks turn feet, by rods: four closed loops."""
    model = Model("biped", "Biped with four closed loops", "biped", step=0.001, mu=0.8)
    model.ground(**GROUND)
    robot, bend, length, crank = Actuated(model, 2000), 0.3, 0.4, 0.06
    ankle, hip = 0.06, 0.09
    height = 2 * length * math.cos(bend) + ankle
    pelvis = add(model.world, "body", name="pelvis", pos=(0, 0, height))
    add(pelvis, "freejoint")
    add(pelvis, "geom", type="box", size=(0.08, 0.12, 0.12), pos=(0, 0, 0.1), mass=15, **LIMB)
    tell: dict[str, float] = {}
    angles: list[float] = []
    for side, sign in (("left", 1), ("right", -1)):
        hub = add(pelvis, "body", name=f"{side}_hip", pos=(0, hip * sign, 0))
        robot.joint(hub, f"{side}_yaw", "z", -0.5, 0.5)
        add(hub, "geom", type="sphere", size=0.04, mass=1, **LIMB)
        thigh = add(hub, "body", name=f"{side}_thigh", pos=(0, 0, 0))
        robot.joint(thigh, f"{side}_roll", "x", -0.5, 0.5)
        robot.joint(thigh, f"{side}_pitch", "y", -1.5, 1)
        add(thigh, "geom", type="capsule", fromto=(0, 0, -0.05, 0, 0, -0.35), size=0.04, mass=3, **LIMB)
        # A parallelogram: crank and shank turn by the same angle.
        arm = add(thigh, "body", name=f"{side}_knee_crank", pos=(0, 0, 0))
        robot.joint(arm, f"{side}_knee_crank", "y", -0.2, 2)
        end = (-crank * math.cos(0.7), 0.0, -crank * math.sin(0.7))  # at right angles to the rod where the knee is bent by 0.7
        add(arm, "geom", type="capsule", fromto=(0.0, 0.0, 0.0, *end), size=0.012, mass=0.3, contype=0, conaffinity=0)
        rod = add(arm, "body", name=f"{side}_knee_rod", pos=end)
        robot.joint(rod, f"{side}_knee_rod", "y", -2.5, 2.5, actuated=False)
        add(rod, "geom", type="capsule", fromto=(0, 0, 0, 0, 0, -length), size=0.008, mass=0.3, contype=0, conaffinity=0)
        shank = add(thigh, "body", name=f"{side}_shank", pos=(0, 0, -length))
        robot.joint(shank, f"{side}_knee", "y", -0.2, 2, actuated=False)
        add(shank, "geom", type="capsule", fromto=(0, 0, 0, 0, 0, -0.35), size=0.03, mass=1.5, **LIMB)
        lower = add(shank, "body", name=f"{side}_ankle_crank", pos=(0, 0, 0))
        robot.joint(lower, f"{side}_ankle_crank", "y", -1.2, 0.8)
        add(lower, "geom", type="capsule", fromto=(0, 0, 0, -crank, 0, 0), size=0.012, mass=0.2, contype=0, conaffinity=0)
        thin = add(lower, "body", name=f"{side}_ankle_rod", pos=(-crank, 0, 0))
        robot.joint(thin, f"{side}_ankle_rod", "y", -2, 2, actuated=False)
        add(thin, "geom", type="capsule", fromto=(0, 0, 0, 0, 0, -length), size=0.006, mass=0.15, contype=0, conaffinity=0)
        foot = add(shank, "body", name=f"{side}_foot", pos=(0, 0, -length))
        robot.joint(foot, f"{side}_ankle", "y", -1.2, 0.8, actuated=False)
        add(foot, "geom", type="box", size=(0.12, 0.05, 0.015), pos=(0.02, 0, 0.015 - ankle), mass=0.8,
            friction=surface(0.8), **LIMB)
        for loop, driven in (("knee", "shank"), ("ankle", "foot")):
            add(model.section("equality"), "connect", name=f"{side}_{loop}_loop", body1=f"{side}_{loop}_rod",
                body2=f"{side}_{driven}", anchor=(0, 0, -length), solref=(0.004, 1), solimp=(0.99, 0.999, 0.001))
        angles += [0, 0, -bend, 2 * bend, -2 * bend, 2 * bend, -bend, bend, -bend]
        tell |= {f"{side}_pitch": -bend, f"{side}_knee_crank": 2 * bend, f"{side}_ankle_crank": -bend}
    add(model.section("keyframe"), "key", name="stand", qpos=[0.0, 0.0, height, 1.0, 0.0, 0.0, 0.0, *map(float, angles)])

    def squat(angle: float) -> dict[str, float]:
        told: dict[str, float] = {}
        for side in ("left", "right"):
            told |= {f"{side}_pitch": -angle, f"{side}_knee_crank": 2 * angle, f"{side}_ankle_crank": -angle}
        return told

    rows = [(0.0, tell)]
    rows += [(0.2 + 0.1 * k, squat(bend + 0.2 * (1 - math.cos(2 * math.pi * k / 20)))) for k in range(41)]
    return {"biped.xml": model.written(),
            "biped-squat.txt": controls(robot.names, rows, "Squats twice; cranks turn knees and feet.")}


def hand(held: str) -> dict[str, str]:
    """Sixteen joints: three fingers and a thumb, on a palm that looks up."""
    model = Model(f"hand-{held}", f"Hand of 16 joints that holds a {held}", "hand", step=0.001, mu=0.8)
    robot = Actuated(model, 1.5)
    friction = (0.8, 0.01, 0.001)
    palm = add(model.world, "body", name="palm", pos=(0, 0, 0.1))
    add(palm, "geom", type="box", size=(0.05, 0.06, 0.01), friction=friction, **GRIPPING)
    told = {}
    for finger, x, y in (("index", 1, 0.04), ("middle", 1, 0.0), ("ring", 1, -0.04), ("thumb", -1, 0.0)):
        parent, position = palm, (0.055 * x, y, 0.005)
        base = add(parent, "body", name=f"{finger}_base", pos=position)
        robot.joint(base, f"{finger}_spread", "x", -0.4, 0.4)
        add(base, "geom", type="sphere", size=0.008, mass=0.02, contype=0, conaffinity=0)
        parent, position = base, (0, 0, 0)
        for k, (link, length) in enumerate((("proximal", 0.045), ("middle", 0.03), ("distal", 0.025))):
            body = add(parent, "body", name=f"{finger}_{link}", pos=position)
            robot.joint(body, f"{finger}_{link}", "y", -0.3, 1.6, sign=-x)
            add(body, "geom", type="capsule", fromto=(0, 0, 0, 0, 0, length), size=0.008, mass=0.03, friction=friction,
                condim=4 if k == 2 else 3, **GRIPPING)
            parent, position = body, (0, 0, length)
            told[f"{finger}_{link}"] = (0.45, 0.35, 0.3)[k]
    body = add(model.world, "body", name=held, pos=(0, 0, 0.1 + 0.01 + 0.03))
    add(body, "freejoint")
    size: object = (0.03, 0.03, 0.03) if held == "cube" else 0.03
    shape = {"type": "box" if held == "cube" else "sphere", "size": size}
    add(body, "geom", mass=0.1, friction=friction, condim=4 if held == "cube" else 6, contype=0, conaffinity=2, **shape)
    harder = {name: value * 1.3 for name, value in told.items()}
    rows: list[tuple[float, dict[str, float]]] = [(0.0, {}), (0.4, told), (0.8, told), (1.0, harder), (1.2, told)]
    made = {f"hand-{held}.xml": model.written()}
    if held == "cube":
        made["hand-grip.txt"] = controls(robot.names, rows, "Closes, and grips harder for a moment.")
    return made


def arm() -> dict[str, str]:
    """Six joints; its tip slides down a wall."""
    model = Model("arm", "Arm of 6 joints whose tip is on a wall", "arm", step=0.001, mu=0.4)
    robot = Actuated(model, 2000)
    add(model.world, "geom", name="wall", type="plane", size=(2, 2, 1), pos=(0.7, 0, 0),
        quat=(math.sqrt(0.5), 0.0, -math.sqrt(0.5), 0.0), friction=surface(0.4), **GROUND)
    parent, position = model.world, (0.0, 0.0, 0.0)
    links = (("base", "z", 0.15, 0.06, 6, 1.0), ("shoulder", "y", 0.4, 0.05, 5, 1.0), ("elbow", "y", 0.35, 0.04, 3, 1.0),
             ("roll", "z", 0.06, 0.035, 1, 0.3), ("pitch", "y", 0.06, 0.03, 1, 0.3), ("yaw", "x", 0.05, 0.025, 0.5, 0.3))
    for name, axis, length, radius, mass, gain in links:
        body = add(parent, "body", name=name, pos=position)
        robot.joint(body, name, axis, -3, 3, gain=gain)
        add(body, "geom", type="capsule", fromto=(0, 0, 0, 0, 0, length), size=radius, mass=mass, contype=0, conaffinity=0)
        parent, position = body, (0.0, 0.0, length)
    add(parent, "geom", name="tip", type="sphere", pos=(0, 0, 0.06), size=0.02, mass=0.1, friction=surface(0.4), **LIMB)

    def reach(x: float, z: float) -> dict[str, float]:
        """Angles that put the wrist at (x, z), with the last links towards the wall."""
        first, second = 0.4, 0.35
        dx, dz = x - 0.17, z - 0.15
        distance = math.hypot(dx, dz)
        elbow = math.acos((distance**2 - first**2 - second**2) / (2 * first * second))
        inner = math.acos((first**2 + distance**2 - second**2) / (2 * first * distance))
        shoulder = math.atan2(dx, dz) - inner
        return {"shoulder": shoulder, "elbow": elbow, "pitch": math.pi / 2 - shoulder - elbow}

    start = reach(0.66, 0.45)
    rows = [(0.0, start), (0.3, reach(0.685, 0.45))]
    rows += [(0.3 + 0.05 * k, reach(0.685, 0.45 - 0.2 * math.sin(math.pi * k / 20))) for k in range(1, 21)]
    order = [start.get(name, 0.0) for name in robot.names]
    add(model.section("keyframe"), "key", name="ready", qpos=order)
    return {"arm.xml": model.written(),
            "arm-wipe.txt": controls(robot.names, rows, "Presses its tip against the wall, and moves it down and up.")}


def files() -> dict[str, str]:
    """Of all robots."""
    made: dict[str, str] = {}
    for bumpy in (False, True):
        for mu in (0.9, 0.3):
            made |= quadruped(bumpy, mu)
    return made | biped() | hand("cube") | hand("ball") | arm()
