"""An answer to a contact problem: velocities, states of its contacts, and how friction opposes slip."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import h5py
import numpy as np
from scipy.sparse import csr_matrix

from frictionbench.files import ResultsError

COMPRESSED_ROWS = -2  # as `nz` of an FCLIB file says it
TIME_STEP = re.compile(r" steps of (\S+) s;")  # in the description that `frictionbench generate` writes

# Of the units of a problem: what is taken for nothing in an answer that is accurate to about 1e-8.
NO_IMPULSE = 1e-6
NO_SLIP = 1e-4


@dataclass(frozen=True)
class ScaledProblem:
    """A 3D problem in local form, u = W r + q, with the units that make its residuals numbers.

    Shapes: W (m, m), q (m), mu (contacts), with m = 3 contacts and components in the order N, T1, T2.
    """

    W: np.ndarray
    q: np.ndarray
    mu: np.ndarray
    time_step: float | None  # seconds; None where the file does not tell

    @property
    def velocity(self) -> float:
        """U = ||q||_inf, the unit of velocities in the scaled criterion."""
        return float(np.abs(self.q).max(initial=0)) or 1.0

    @property
    def impulse(self) -> float:
        """F = U / mean_i(trace(W_ii) / 3), the unit of impulses in the scaled criterion."""
        return self.velocity / float(np.diag(self.W).mean())


def read_problem(path: Path) -> ScaledProblem:
    """Reads what `frictionbench generate` writes. Raises ResultsError for any other file."""
    try:
        with h5py.File(path, "r") as file:
            group = file["fclib_local"]
            W, vectors = group["W"], group["vectors"]
            if int(group["spacedim"][0]) != 3 or int(W["nz"][0]) != COMPRESSED_ROWS:
                raise KeyError("a 3D problem with W in compressed rows")
            shape = int(W["m"][0]), int(W["n"][0])
            matrix = csr_matrix((W["x"][:], W["i"][:], W["p"][:]), shape).toarray()
            description = bytes(np.ravel(group["info/description"][()])[0]).decode("utf-8")
            step = TIME_STEP.search(description)
            return ScaledProblem(matrix, vectors["q"][:], vectors["mu"][:], float(step[1]) if step else None)
    except OSError as failure:
        raise ResultsError(f"{path}: {failure}") from None
    except (KeyError, TypeError, ValueError, IndexError) as failure:
        raise ResultsError(f"{path}: not a local problem as `frictionbench generate` writes it ({failure})"
                           ) from None


@dataclass(frozen=True)
class Answer:
    """An impulse and what follows from it; arrays have one row per contact."""

    problem: ScaledProblem
    model: str  # lcp: pyramids |r_T1|, |r_T2| <= mu r_N; anything else: cones ||r_T|| <= mu r_N
    r: np.ndarray  # (contacts, 3)

    @cached_property
    def u(self) -> np.ndarray:
        return (self.problem.W @ self.r.ravel() + self.problem.q).reshape(-1, 3)

    @property
    def slip(self) -> np.ndarray:
        """||u_T|| of every contact."""
        return np.linalg.norm(self.u[:, 1:], axis=1)

    @property
    def loaded(self) -> np.ndarray:
        """Which contacts carry an impulse."""
        return self.r[:, 0] > NO_IMPULSE * self.problem.impulse

    @property
    def sliding(self) -> np.ndarray:
        return self.loaded & (self.slip > NO_SLIP * self.problem.velocity)

    @property
    def sticks(self) -> bool:
        """Whether every contact carries an impulse and sticks."""
        return bool(np.all(self.loaded & ~self.sliding))

    def friction_angles(self) -> np.ndarray:
        """Between the friction impulse and the opposite of the slip at each sliding contact, degrees."""
        return np.array([angle(-self.r[i, 1:], self.u[i, 1:]) for i in np.flatnonzero(self.sliding)])

    def total_friction_angle(self) -> float:
        """The same of the sum of friction impulses and the mean slip; NaN if nothing slides."""
        if not self.sliding.any():
            return float("nan")
        return angle(-self.r[:, 1:].sum(axis=0), self.u[:, 1:].mean(axis=0))

    def raisim_angles(self) -> np.ndarray:
        """Between the slip and the direction that [LeLidec24] (24) has for it at each sliding contact, degrees.

        [LeLidec24] (24): u_T is opposite to r_T + mu^2 r_N W_NT / W_NN.
        """
        found = []
        for i in np.flatnonzero(self.sliding):
            block = self.problem.W[3 * i:3 * i + 3, 3 * i:3 * i + 3]
            turned = self.r[i, 1:] + self.problem.mu[i] ** 2 * self.r[i, 0] * block[0, 1:] / block[0, 0]
            found.append(angle(-turned, self.u[i, 1:]))
        return np.array(found)

    def take_off_errors(self) -> np.ndarray:
        """|u_N - mu ||u_T||| / (mu ||u_T||) at each sliding contact, [LeLidec24] (19)."""
        predicted = (self.problem.mu * self.slip)[self.sliding]
        return np.abs(self.u[self.sliding, 0] - predicted) / predicted


def angle(a: np.ndarray, b: np.ndarray) -> float:
    """Between two vectors of the plane, degrees."""
    return float(np.degrees(abs(np.arctan2(a[0] * b[1] - a[1] * b[0], a @ b))))
