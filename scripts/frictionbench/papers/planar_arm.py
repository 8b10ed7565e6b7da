"""An arm of rods in a vertical plane, and time steps in which its tip slides up and down a wall."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

import frictionbench

GRAVITY = 9.81  # m/s^2, along -y


@dataclass(frozen=True)
class PlanarArm:
    """Slender rods, each joined to the end of the one before, the first to the origin.

    Joint angles q are relative: rod i is at the angle θ_i = q_1 + ... + q_i from the x axis. The equation of motion is
    M(q) dv/dt + h(q, v) = τ + Jᵀ f, with the torques τ of the joints and a force f on the tip.
    """

    lengths: tuple[float, ...]  # m
    masses: tuple[float, ...]  # kg

    @property
    def _inertia(self) -> np.ndarray:
        """a, of the kinetic energy Σ a_ij cos(θ_i - θ_j) θ'_i θ'_j / 2.

        Rod k has its centre at Σ_i s_ki (cos θ_i, sin θ_i), with s_ki = l_i for i < k, l_k / 2 for i = k, and 0 beyond.
        """
        shares = self._centre_shares
        own = np.diag([mass * length**2 / 12 for mass, length in zip(self.masses, self.lengths)])
        return shares.T @ np.diag(self.masses) @ shares + own

    @property
    def _centre_shares(self) -> np.ndarray:
        joints = len(self.lengths)
        return (np.tri(joints, k=-1) + np.eye(joints) / 2) * np.array(self.lengths)

    @property
    def _sums(self) -> np.ndarray:
        """C, of θ = C q."""
        return np.tri(len(self.lengths))

    def mass(self, q: np.ndarray) -> np.ndarray:
        """M(q)"""
        angles = self._sums @ q
        return self._sums.T @ (self._inertia * np.cos(np.subtract.outer(angles, angles))) @ self._sums

    def bias(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """h(q, v): centrifugal and Coriolis terms, and gravity. Lagrange's equations in θ, carried over to q."""
        angles, rates = self._sums @ q, self._sums @ v
        centrifugal = (self._inertia * np.sin(np.subtract.outer(angles, angles))) @ rates**2
        gravity = GRAVITY * (np.array(self.masses) @ self._centre_shares) * np.cos(angles)
        return self._sums.T @ (centrifugal + gravity)

    def energy(self, q: np.ndarray, v: np.ndarray) -> float:
        """Kinetic and potential, J."""
        heights = self._centre_shares @ np.sin(self._sums @ q)
        return float(v @ self.mass(q) @ v / 2 + GRAVITY * np.array(self.masses) @ heights)

    def joints(self, q: np.ndarray) -> np.ndarray:
        """Positions (x, y) of the joints and, last, of the tip: a row each."""
        angles = self._sums @ q
        rods = np.array(self.lengths)[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
        return np.vstack([np.zeros(2), np.cumsum(rods, axis=0)])

    def tip(self, q: np.ndarray) -> np.ndarray:
        return self.joints(q)[-1]

    def tip_jacobian(self, q: np.ndarray) -> np.ndarray:
        """J, 2 x n: the velocity (x', y') of the tip is J v."""
        angles = self._sums @ q
        return np.vstack([-np.sin(angles), np.cos(angles)]) * np.array(self.lengths) @ self._sums

    def reach(self, tip: np.ndarray, angle: float) -> np.ndarray:
        """Of three rods: q with the tip at this place, the last rod at this angle, and the elbow above.

        Raises ValueError where the first two rods are too short.
        """
        first, second, last = self.lengths
        x, y = tip - last * np.array([np.cos(angle), np.sin(angle)])
        cosine = (x**2 + y**2 - first**2 - second**2) / (2 * first * second)
        if abs(cosine) > 1:
            raise ValueError(f"the tip cannot be at {tip[0]:g}, {tip[1]:g}")
        elbow = -np.arccos(cosine)
        shoulder = np.arctan2(y, x) - np.arctan2(second * np.sin(elbow), first + second * np.cos(elbow))
        return np.array([shoulder, elbow, angle - shoulder - elbow])


# What it is to do

ARM = PlanarArm(lengths=(0.45, 0.4, 0.15), masses=(8.0, 4.0, 1.0))
WALL, LOWEST, STROKE = 0.6, 0.1, 0.2  # m: x of the wall; the tip goes from y = LOWEST up by STROKE and back
DURATION = 1.0  # s, of the motion
MU = 0.5
NORMAL_FORCE, CHANGE = 20.0, 5.0  # N: the wanted normal force, and how far it swings about that


def wanted_height(t: float) -> float:
    return LOWEST + STROKE * (1 - math.cos(2 * math.pi * t / DURATION)) / 2


def wanted_normal_force(t: float) -> float:
    return NORMAL_FORCE + CHANGE * math.sin(4 * math.pi * t / DURATION)


@dataclass(frozen=True)
class Step:
    """A time step of length h from the state q, v, and the joint velocity that is wanted at its end.

    The contact velocity is u = Hᵀ v + w, normal first, with w_N = (distance from the wall) / h: a tip with u_N = 0 ends
    the step on the wall, up to the curvature of its path, so that errors of earlier steps do not add up.
    """

    t: float
    h: float
    q: np.ndarray
    v: np.ndarray

    @cached_property
    def H(self) -> np.ndarray:
        x, y = ARM.tip_jacobian(self.q)
        return np.column_stack([-x, y])  # the normal points from the wall to the arm

    @cached_property
    def w(self) -> np.ndarray:
        return np.array([(WALL - ARM.tip(self.q)[0]) / self.h, 0])

    @cached_property
    def M(self) -> np.ndarray:
        return ARM.mass(self.q)

    @cached_property
    def wanted(self) -> np.ndarray:
        """v_ref: u_N = 0, the tip at its wanted height at the end of the step, and the hand level."""
        slide = (wanted_height(self.t + self.h) - ARM.tip(self.q)[1]) / self.h
        level = np.ones(3)
        return np.linalg.solve(np.vstack([self.H.T, level]), [-self.w[0], slide, -self.q.sum() / self.h])

    def velocity(self, v: np.ndarray) -> np.ndarray:
        return self.H.T @ v + self.w

    def wanted_impulse(self) -> float:
        """Normal impulse."""
        return self.h * wanted_normal_force(self.t)

    def start(self) -> np.ndarray:
        """An impulse along the normal whose projection on the sliding ray (1, ∓μ) has the wanted normal component."""
        return np.array([(1 + MU**2) * self.wanted_impulse(), 0])

    def torque(self, r: np.ndarray) -> np.ndarray:
        """τ that with the impulse r gives the wanted velocity: [Carpentier24] Alg. 2, line 5."""
        return (self.M @ (self.wanted - self.v) - self.H @ r) / self.h + ARM.bias(self.q, self.v)

    def contact_torque(self, r: np.ndarray) -> np.ndarray:
        return self.H @ r / self.h

    def force(self, torque: np.ndarray) -> np.ndarray:
        """f of the global form M v = H r + f."""
        return self.M @ self.v + self.h * (torque - ARM.bias(self.q, self.v))

    def problem(self, torque: np.ndarray) -> Any:
        """The step with this torque, in global form."""
        return frictionbench.Problem(M=self.M, H=self.H, f=self.force(torque), w=self.w, mu=[MU], dimension=2)
