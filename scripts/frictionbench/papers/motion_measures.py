"""The motion of a cube on a plane, by `frictionbench simulate` and in closed form, for frictionbench-paper motion."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Sequence

import numpy as np

from frictionbench.papers.inverse_measures import Program
from frictionbench.statistics import power_law

MASS, EDGE, MU, GRAVITY = 1.0, 0.2, 0.4, 9.81  # kg, m; [LeLidec24] Fig. 11
SPEED, DIRECTION = 1.0, 20.0  # m/s, degrees from the x axis
GROWTH, DURATION = 20.0, 1.0  # N/s, s; [LeLidec24] Fig. 11
LIMIT = MU * MASS * GRAVITY  # N
SLIDING_TIME = 0.4  # s
STEPS = (1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2)  # s, [LeLidec24] Fig. 15
TOLERANCE = 1e-8
# Models and solvers, in the order of legends. ADMM as in [Carpentier24], which is by the same authors.
ADMM = "ncp-admm(variant=rss2024)"
SOLVERS = {"NCP": "ncp-pgs", "NCP, ADMM": ADMM, "CCP": "ccp-admm", "LCP": "lcp-pgs", "RaiSim": "raisim"}


@dataclass(frozen=True)
class Motion:
    """What a simulation wrote, or what `kept` leaves of it."""

    document: dict[str, Any]

    def kept(self, steps: bool = True) -> dict[str, Any]:
        """What is used of the document, with or without what it says of its steps."""
        document = self.document
        return {
            "scene": {"time_step": self.time_step},
            "trajectory": [{"time": frame["time"], "bodies": [body[:3] for body in frame["bodies"][:1]],
                            "contacts": [{"impulse": contact["impulse"]} for contact in frame["contacts"]] if steps else []}
                           for frame in document["trajectory"]],
            "steps": [{name: step[name] for name in ("time", "kinetic_energy", "potential_energy")}
                      for step in document["steps"]] if steps else []}

    @property
    def time_step(self) -> float:
        return self.document["scene"]["time_step"]

    @cached_property
    def times(self) -> np.ndarray:
        return np.array([frame["time"] for frame in self.document["trajectory"]])

    @cached_property
    def positions(self) -> np.ndarray:
        """Of the cube's centre, frames x 3, m."""
        return np.array([frame["bodies"][0][:3] for frame in self.document["trajectory"]])

    @property
    def heights(self) -> np.ndarray:
        """Of its base over the plane, m."""
        return self.positions[:, 2] - EDGE / 2

    def _steps(self, name: str) -> np.ndarray:
        return np.array([step[name] for step in self.document["steps"]], dtype=float)

    @property
    def step_times(self) -> np.ndarray:
        """At the ends of the steps, s."""
        return self._steps("time")

    @property
    def energies(self) -> np.ndarray:
        """At the ends of the steps, of the cube on the plane 0 at rest, J."""
        return self._steps("kinetic_energy") + self._steps("potential_energy") - MASS * GRAVITY * EDGE / 2

    @property
    def speeds(self) -> np.ndarray:
        """At the ends of the steps, m/s."""
        return np.sqrt(2 * self._steps("kinetic_energy") / MASS)

    @cached_property
    def sideways(self) -> np.ndarray:
        """The forces across the motion, y, at the four corners, sorted in every frame; frames x 4, N. NaN where the cube
        touches with less."""
        rows = []
        for frame in self.document["trajectory"]:
            forces = sorted(contact["impulse"][1] / self.time_step for contact in frame["contacts"])
            rows.append(forces if len(forces) == 4 else [np.nan] * 4)
        return np.array(rows)


def simulate(program: Program, scene: Sequence[Any], solver: str, time_step: float, duration: float) -> Motion:
    """Frames are a hundredth of the duration apart, or a step if that is longer."""
    steps = round(duration / time_step)
    program.call("simulate", *scene, "--mu", MU, "--mass", MASS, "--edge", EDGE, "--gravity", GRAVITY,
                 "--time-step", repr(time_step), "--steps", steps, "--solver", solver, "--start", "cold",
                 "--tolerance", TOLERANCE, "--every", max(1, steps // 100), "-o", "motion.json", "--force")
    return Motion(json.loads((program.folder / "motion.json").read_text(encoding="utf-8")))


def slide(program: Program, solver: str, time_step: float) -> Motion:
    """[LeLidec24] Figs. 9 and 10, but not along an axis of the pyramid."""
    return simulate(program, ("sliding_box", "--speed", SPEED, "--direction", DIRECTION), solver, time_step, SLIDING_TIME)


def drag(program: Program, solver: str, time_step: float) -> Motion:
    """[LeLidec24] Figs. 11, 12 and 15."""
    return simulate(program, ("pushed_box", "--push", 0, "--push-growth", repr(GROWTH / LIMIT)), solver, time_step, DURATION)


# In closed form


def slid(times: np.ndarray) -> np.ndarray:
    """How far the sliding cube has come, m."""
    until_rest = np.minimum(times, SPEED / (MU * GRAVITY))
    return SPEED * until_rest - MU * GRAVITY * until_rest**2 / 2


def sliding_energy(times: np.ndarray) -> np.ndarray:
    """Of the sliding cube, J."""
    return MASS * np.maximum(SPEED - MU * GRAVITY * times, 0) ** 2 / 2


def dragged_speed(times: np.ndarray) -> np.ndarray:
    """Of the dragged cube, m/s: it moves when the force is beyond friction."""
    return GROWTH * np.maximum(times - LIMIT / GROWTH, 0) ** 2 / (2 * MASS)


def dragged(times: np.ndarray) -> np.ndarray:
    """How far the dragged cube has come, m."""
    return GROWTH * np.maximum(times - LIMIT / GROWTH, 0) ** 3 / (6 * MASS)


# Of motions


def path(motion: Motion) -> tuple[np.ndarray, np.ndarray]:
    """Along and across the initial velocity, m."""
    angle = np.radians(DIRECTION)
    along = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-np.sin(angle), np.cos(angle)])
    return motion.positions[:, :2] @ along, motion.positions[:, :2] @ across


def drag_error(motion: Motion) -> float:
    """The mean distance from the motion in closed form, m: [LeLidec24] IV-A sums it over time."""
    exact = np.zeros_like(motion.positions)
    exact[:, 0], exact[:, 2] = dragged(motion.times), EDGE / 2
    return float(np.mean(np.linalg.norm(motion.positions - exact, axis=1)))


def order(motions: Sequence[Motion]) -> float:
    """The exponent of the time step in drag_error(), least squares."""
    return power_law([motion.time_step for motion in motions], list(map(drag_error, motions)))[0]


def jam(motion: Motion, sticking: bool) -> float:
    """The largest force across the motion at a corner while the cube sticks, or slides, N."""
    start = LIMIT / GROWTH
    now = (motion.times > 0) & (motion.times < start - 0.01) if sticking else motion.times > start + 0.1
    forces = np.abs(motion.sideways[now])
    return float(np.nanmax(forces)) if np.isfinite(forces).any() else 0.0
