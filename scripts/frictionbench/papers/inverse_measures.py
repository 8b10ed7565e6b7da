"""What the inverse and the forward dynamics of an arm at a wall give, step by step, for frictionbench-paper inverse."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Sequence

import numpy as np

import frictionbench
from frictionbench.files import ResultsError
from frictionbench.papers.planar_arm import ARM, DURATION, LOWEST, MU, WALL, Step

RHO, TOLERANCE, LIMIT = 1e-8, 1e-6, 100  # ρ and ε_abs of [Carpentier24] V-D; the program's default limit
RHOS = (1e-8, 1e-6, 1e-4, 1e-2, 1.0)
COUNTS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)  # iteration limits


def dividing(duration: float) -> Callable[[str], float]:
    """Reads a time step: raises ValueError for anything but a whole part of the duration."""
    def time_step(text: str) -> float:
        value = float(text)
        parts = duration / value if value > 0 else 0.0
        if round(parts) < 1 or abs(parts - round(parts)) > 1e-6:
            raise ValueError(text)
        return value
    return time_step


class Program:
    """`frictionbench` on one time step after the other, its files in a folder that is overwritten."""

    def __init__(self, program: str, folder: Path) -> None:
        self.program, self.folder = program, folder

    def call(self, *arguments: Any) -> tuple[int, str]:
        """Exit code, 0 or 1, and standard output. Raises ResultsError for any other end."""
        try:
            done = subprocess.run([self.program, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                                  check=False)
        except OSError as failure:
            raise ResultsError(f"{self.program}: {failure.strerror}") from None
        if done.returncode not in (0, 1):
            raise ResultsError(f"{self.program} {arguments[0]}: {done.stderr.strip().removeprefix('error: ')}")
        return done.returncode, done.stdout

    def numbers(self, name: str, values: Sequence[float] | np.ndarray) -> str:
        (self.folder / name).write_text("".join(f"{value!r}\n" for value in map(float, values)), encoding="utf-8")
        return name

    def inverse(self, step: Step, start: np.ndarray, model: str, rho: float = RHO, limit: int = LIMIT) -> dict[str, Any]:
        """What `frictionbench inverse --json` prints for the wanted velocity, r as an array. It reads μ alone from the file."""
        step.problem(np.zeros(3)).write(self.folder / "step.hdf5", force=True)
        code, printed = self.call(
            "inverse", "step.hdf5", "--velocity", self.numbers("u.txt", step.velocity(step.wanted)), "--start",
            self.numbers("start.txt", start), "--json", "--model", model, "--rho", rho, "--tolerance", TOLERANCE,
            "--max-iterations", limit)
        found = json.loads(printed)
        if found["converged"] != (code == 0):
            raise ResultsError(f"inverse: exit code {code}, but \"converged\": {found['converged']}")
        return found | {"r": np.array(found["r"])}


def forward_dynamics(step: Step, torque: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Impulse, and velocity at the end of the step, with this torque. Raises ResultsError if it is not solved."""
    answer = frictionbench.solve(step.problem(torque), "ncp-hybrid", tolerance=1e-10)
    if not answer.solved:
        raise ResultsError(f"forward dynamics at {step.t:g} s: not solved")
    return answer.impulses.ravel(), answer.generalized_velocity


@dataclass(frozen=True)
class Moment:
    """What is measured at one step of the motion: answers of the inverse, and impulse and velocity of the forward dynamics."""

    step: Step
    found: dict[str, Any]  # NCP, from the wanted normal force
    warm: dict[str, dict[str, Any]]  # by model: from the answer to the step before
    forward: np.ndarray
    reached: np.ndarray  # joint velocity

    def impulse_difference(self) -> float:
        """Of forward and inverse, relative."""
        return float(np.linalg.norm(self.forward - self.found["r"]) / np.linalg.norm(self.forward))

    def velocity_difference(self) -> float:
        return float(np.abs(self.reached - self.step.wanted).max())


def motion(program: Program, time_step: float) -> list[Moment]:
    """The arm starts at rest and moves as the forward dynamics says."""
    moments: list[Moment] = []
    q, v = ARM.reach(np.array([WALL, LOWEST]), 0.0), np.zeros(3)
    starts: dict[str, np.ndarray] = {}
    for k in range(round(DURATION / time_step)):
        step = Step(k * time_step, time_step, q, v)
        found = program.inverse(step, step.start(), "ncp")
        warm = {model: program.inverse(step, starts.get(model, step.start()), model) for model in ("ncp", "ccp")}
        starts = {model: answer["r"] for model, answer in warm.items()}
        forward, reached = forward_dynamics(step, step.torque(found["r"]))
        moments.append(Moment(step, found, warm, forward, reached))
        q, v = q + time_step * reached, reached
    return moments


@dataclass(frozen=True)
class Growth:
    """Answers at one step with proximal parameter ρ: of the NCP, and of the CCP by iteration limit."""

    rho: float
    ncp: dict[str, Any]
    ccp: dict[int, dict[str, Any]]


def growth(program: Program, step: Step, rho: float) -> Growth:
    ccp = {count: program.inverse(step, step.start(), "ccp", rho, count) for count in COUNTS}
    return Growth(rho, program.inverse(step, step.start(), "ncp", rho), ccp)


def predicted_rate(step: Step, rho: float) -> float:
    """Of the normal impulse per iteration of the CCP once it is on the edge of the cone: μ |u_T| / (ρ (1 + μ²))."""
    return MU * abs(step.velocity(step.wanted)[1]) / (rho * (1 + MU**2))


def normal_error(step: Step, answer: dict[str, Any]) -> float:
    """Of the normal impulse, relative to what is wanted."""
    return abs(float(answer["r"][0] / step.wanted_impulse() - 1))


def norm(values: np.ndarray) -> float:
    return float(np.linalg.norm(values))
