"""Humanoids of 32 and of 20 joints: standing, pushed, falling, squatting and stepping."""

from __future__ import annotations

import math
from dataclasses import dataclass
from xml.etree import ElementTree

from frictionbench.models.mjcf import GROUND, LIMB, Model, add, controls, smooth, surface

Pose = dict[str, float]
SIDES = (("left", 1), ("right", -1))
BENT = 0.25   # rad, of thigh and shank to the vertical when it stands
DEEP = 0.85   # the same in a squat
RAISED = 0.45  # the same of a leg that is lifted


@dataclass(frozen=True)
class Build:
    """Size of a humanoid: everything in it is in proportion."""

    name: str
    title: str
    length: float   # of thigh and of shank, m
    mass: float     # kg
    full: bool      # has a neck, a torso that turns, wrists and grippers

    @property
    def scale(self) -> float:
        return self.length / 0.37

    @property
    def torque(self) -> float:
        """Of weight and leg length: what gains are in proportion to."""
        return self.mass / 80 * self.scale

    @property
    def hip(self) -> float:
        """Distance of a hip from the middle."""
        return 0.09 * self.scale

    @property
    def ankle(self) -> float:
        """Height of the ankle over the sole."""
        return 0.08 * self.scale

    def height(self, bend: float) -> float:
        """Of the pelvis over the ground."""
        return 2 * self.length * math.cos(bend) + self.ankle


BUILDS = (Build("humanoid32", "Humanoid of 32 joints, 1.7 m and 80 kg", 0.37, 80, True),
          Build("humanoid20", "Small humanoid of 20 joints, 0.6 m and 9 kg", 0.14, 9, False))


class Humanoid:
    """A model, with a position actuator for each joint and one that pushes the torso forwards."""

    def __init__(self, build: Build) -> None:
        self.build = build
        self.model = Model(build.name, build.title, "humanoid", step=0.002, mu=0.8)
        self.names: list[str] = []
        self.parts = 0.0
        self.geoms: list[ElementTree.Element] = []
        self.model.ground(**GROUND)
        self.pelvis = add(self.model.world, "body", name="pelvis", pos=(0, 0, build.height(0)))
        add(self.pelvis, "freejoint")
        self.geom(self.pelvis, 15, type="box", size=self.scaled(0.07, 0.11, 0.06), pos=self.scaled(0, 0, 0.04))
        self.trunk()
        for side, sign in SIDES:
            self.leg(side, sign)
        for geom in self.geoms:
            geom.set("mass", f"{float(geom.get('mass', 0)) * build.mass / self.parts:.6g}")
        actuators = self.model.section("actuator")
        add(actuators, "motor", name="push", site="chest", gear=(1, 0, 0, 0, 0, 0))
        self.names.append("push")
        self.keyframes()

    def scaled(self, *lengths: float) -> list[float]:
        """Lengths of the large build in this one."""
        return [length * self.build.scale for length in lengths]

    def geom(self, body: ElementTree.Element, mass: float, **attributes: object) -> None:
        """A part; masses are relative to each other."""
        self.parts += mass
        self.geoms.append(add(body, "geom", mass=mass, friction=surface(0.8), **LIMB, **attributes))

    def joint(self, body: ElementTree.Element, name: str, axis: str, gain: float, low: float, high: float) -> None:
        """A hinge with its actuator. Gains are those of the large build."""
        gain *= self.build.torque
        axes = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}
        add(body, "joint", name=name, axis=axes[axis], limited=True, range=(low, high), damping=gain / 40,
            armature=gain * 4e-5, frictionloss=gain * 1e-4)
        add(self.model.section("actuator"), "position", name=name, joint=name, kp=gain)
        self.names.append(name)

    def link(self, parent: ElementTree.Element, name: str, position: list[float]) -> ElementTree.Element:
        return add(parent, "body", name=name, pos=position)

    def trunk(self) -> None:
        torso = self.link(self.pelvis, "torso", self.scaled(0, 0, 0.12))
        if self.build.full:
            self.joint(torso, "torso_yaw", "z", 3000, -1.2, 1.2)
            self.joint(torso, "torso_pitch", "y", 4000, -0.3, 0.8)
        self.geom(torso, 25, type="box", size=self.scaled(0.09, 0.14, 0.18), pos=self.scaled(0, 0, 0.2))
        add(torso, "site", name="chest", pos=self.scaled(0, 0, 0.2))
        head = self.link(torso, "head", self.scaled(0, 0, 0.45))
        if self.build.full:
            self.joint(head, "neck_yaw", "z", 100, -1, 1)
            self.joint(head, "neck_pitch", "y", 100, -0.5, 0.7)
        self.geom(head, 3, type="sphere", size=self.scaled(0.1), pos=self.scaled(0, 0, 0.06))
        for side, sign in SIDES:
            self.arm(torso, side, sign)

    def arm(self, torso: ElementTree.Element, side: str, sign: int) -> None:
        upper = self.link(torso, f"{side}_upper_arm", self.scaled(0, 0.19 * sign, 0.32))
        self.joint(upper, f"{side}_shoulder_pitch", "y", 600, -2.5, 1.5)
        self.joint(upper, f"{side}_shoulder_roll", "x", 600, -2, 2)
        self.joint(upper, f"{side}_shoulder_yaw", "z", 300, -1.5, 1.5)
        self.geom(upper, 2.5, type="capsule", fromto=self.scaled(0, 0, -0.02, 0, 0, -0.26), size=self.scaled(0.045))
        lower = self.link(upper, f"{side}_forearm", self.scaled(0, 0, -0.29))
        self.joint(lower, f"{side}_elbow", "y", 300, -2.3, 0)
        self.geom(lower, 2, type="capsule", fromto=self.scaled(0, 0, -0.02, 0, 0, -0.22), size=self.scaled(0.04))
        if not self.build.full:
            return
        hand = self.link(lower, f"{side}_hand", self.scaled(0, 0, -0.25))
        for joint, axis in (("yaw", "z"), ("pitch", "y"), ("roll", "x")):
            self.joint(hand, f"{side}_wrist_{joint}", axis, 60, -1.2, 1.2)
        self.geom(hand, 1, type="box", size=self.scaled(0.02, 0.04, 0.04), pos=self.scaled(0, 0, -0.05))
        finger = self.link(hand, f"{side}_finger", self.scaled(0.02, 0, -0.08))
        self.joint(finger, f"{side}_gripper", "y", 20, -0.8, 0.8)
        self.geom(finger, 0.2, type="capsule", fromto=self.scaled(0, 0, 0, 0, 0, -0.07), size=self.scaled(0.012))

    def leg(self, side: str, sign: int) -> None:
        length = self.build.length
        thigh = self.link(self.pelvis, f"{side}_thigh", [0, self.build.hip * sign, 0])
        self.joint(thigh, f"{side}_hip_yaw", "z", 3000, -0.8, 0.8)
        self.joint(thigh, f"{side}_hip_roll", "x", 4000, -0.6, 0.6)
        self.joint(thigh, f"{side}_hip_pitch", "y", 4000, -2, 0.8)
        self.geom(thigh, 7, type="capsule", fromto=[0, 0, -0.1 * length, 0, 0, -0.9 * length], size=self.scaled(0.06))
        shank = self.link(thigh, f"{side}_shank", [0, 0, -length])
        self.joint(shank, f"{side}_knee", "y", 4000, 0, 2.4)
        self.geom(shank, 4, type="capsule", fromto=[0, 0, -0.1 * length, 0, 0, -0.85 * length], size=self.scaled(0.05))
        foot = self.link(shank, f"{side}_foot", [0, 0, -length])
        self.joint(foot, f"{side}_ankle_pitch", "y", 3000, -1.3, 0.8)
        self.joint(foot, f"{side}_ankle_roll", "x", 3000, -0.6, 0.6)
        self.geom(foot, 2, type="box", size=self.scaled(0.11, 0.06, 0.015),
                  pos=[*self.scaled(0.025, 0), -self.build.ankle + 0.015 * self.build.scale])

    def keyframes(self) -> None:
        """Standing, and standing askew in the air."""
        height, tilt = self.build.height(BENT), 0.2
        stand = self.pose(BENT, BENT, 0)
        keys = self.model.section("keyframe")
        joints = [stand.get(name, 0.0) for name in self.names if name != "push"]
        add(keys, "key", name="stand", qpos=[0.0, 0.0, height, 1.0, 0.0, 0.0, 0.0, *joints])
        fall = [math.cos(tilt / 2), math.sin(tilt / 2) * 0.6, math.sin(tilt / 2) * 0.8, 0.0]
        add(keys, "key", name="fall", qpos=[0.0, 0.0, height + 0.3 * self.build.scale, *fall, *joints],
            qvel=[0.5 * self.build.scale, 0.2 * self.build.scale, 0.0, 0.4, 1.0, 0.0] + [0.0] * len(joints))

    @staticmethod
    def pose(left: float, right: float, sway: float) -> Pose:
        """Feet flat and the trunk upright. \\param left, right bends of the legs \\param sway roll of legs, to the left."""
        pose: dict[str, float] = {}
        for side, bend in (("left", left), ("right", right)):
            pose |= {f"{side}_hip_pitch": -bend, f"{side}_knee": 2 * bend, f"{side}_ankle_pitch": -bend,
                     f"{side}_hip_roll": -sway, f"{side}_ankle_roll": sway,
                     f"{side}_shoulder_pitch": 0.1, f"{side}_elbow": -0.4}
        return pose

    def motion(self, phases: list[tuple[float, float, float, float]], comment: str) -> str:
        """A control file: (duration, left, right, sway) of the ends of phases, from standing."""
        rows, start, before = [(0.0, self.pose(BENT, BENT, 0))], 0.0, (BENT, BENT, 0.0)
        for seconds, *goal in phases:
            duration = seconds * math.sqrt(self.build.scale)  # a small body falls faster
            pieces = max(1, round(duration / 0.05))
            for piece in range(1, pieces + 1):
                state = [smooth(a, b, piece / pieces) for a, b in zip(before, goal)]
                rows.append((start + duration * piece / pieces, self.pose(*state)))
            start, before = start + duration, (goal[0], goal[1], goal[2])
        return controls(self.names, rows, comment)

    def files(self) -> dict[str, str]:
        """The model and its motions, by names of files."""
        name = self.build.name
        stand = self.pose(BENT, BENT, 0)
        weight = self.build.mass * 9.81
        pushed = [(0.0, stand), (0.3, stand), (0.301, stand | {"push": 0.125 * weight}), (0.45, stand | {"push": 0.125 * weight}),
                  (0.451, stand)]
        squat = (0.9, DEEP, DEEP, 0.0), (0.2, DEEP, DEEP, 0.0), (0.9, BENT, BENT, 0.0)
        sway = 1.05 * math.asin(self.build.hip / self.build.height(BENT))
        steps = []
        for left, right, lean in ((BENT, RAISED, sway), (RAISED, BENT, -sway)):
            steps += [(0.6, BENT, BENT, lean), (0.2, left, right, lean), (0.2, BENT, BENT, lean), (0.6, BENT, BENT, 0.0)]
        return {f"{name}.xml": self.model.written(),
                f"{name}-stand.txt": controls(self.names, [(0.0, stand)], "Stands."),
                f"{name}-push.txt": controls(self.names, pushed, "Stands, and is pushed by an eighth of its weight for 0.15 s."),
                f"{name}-squat.txt": self.motion([(0.2, BENT, BENT, 0.0), *squat, *squat], "Squats twice."),
                f"{name}-step.txt": self.motion(steps, "Lifts the right foot, then the left one.")}


def files() -> dict[str, str]:
    """Of both humanoids."""
    made: dict[str, str] = {}
    for build in BUILDS:
        made |= Humanoid(build).files()
    return made
