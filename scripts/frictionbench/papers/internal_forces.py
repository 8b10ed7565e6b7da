"""Internal forces of an answer: what its impulses have beyond the smallest that do the same."""

from __future__ import annotations

import numpy as np
from scipy.linalg import null_space
from scipy.optimize import minimize

from frictionbench.files import ResultsError
from frictionbench.papers.contact_answers import Answer

ROUNDING = 1e-7  # of the largest impulse: how far outside its cone the smallest may end


def excess(answer: Answer) -> float:
    """||r|| / least_norm - 1; 0 where no contact carries an impulse."""
    least = least_norm(answer)
    return float(np.linalg.norm(answer.r) / least - 1) if least > 0 else 0.0


def least_norm(answer: Answer) -> float:
    """The norm of the smallest impulse that gives the same velocities and is an answer like this one.

    [LeLidec24], section II, calls internal forces what deviates from it. Contacts without impulse stay without;
    those that slide keep the direction of their impulse, which the velocity decides; those that stick
    are free in their cone or pyramid. What is left is a strictly convex problem.
    Raises ResultsError if it is not solved.
    """
    sticking = answer.loaded & ~answer.sliding
    columns = free_directions(answer, sticking)
    if columns.shape[1] == 0:
        return 0.0
    start = columns.T @ answer.r.ravel()
    scale = np.abs(start).max()
    start /= scale
    unseen = null_space(answer.problem.W @ columns, rcond=1e-9)  # moves that no velocity notices
    by_contact = columns.reshape(-1, 3, columns.shape[1])
    normals, held = by_contact[answer.sliding, 0], by_contact[sticking]
    mu = answer.problem.mu[sticking]

    def room(coordinates: np.ndarray) -> np.ndarray:
        """Not negative where the impulse is one that the contacts allow."""
        normal, first, second = np.moveaxis(held @ coordinates, -1, 0)
        if answer.model == "lcp":
            inside = [mu * normal + sign * tangent for tangent in (first, second) for sign in (1, -1)]
        else:
            inside = [normal, (mu * normal) ** 2 - first**2 - second**2]
        return np.concatenate([normals @ coordinates, *inside])

    # Columns are orthonormal, so that an impulse has the norm of its coordinates.
    least = start - unseen @ (unseen.T @ start)
    if (room(least) < 0).any():
        for precision in (1e-14, 1e-10):  # the line search of SLSQP gives up where rounding hides the descent
            found = minimize(lambda z: 0.5 * np.sum((start + unseen @ z) ** 2), np.zeros(unseen.shape[1]),
                             jac=lambda z: unseen.T @ (start + unseen @ z), method="SLSQP",
                             constraints={"type": "ineq", "fun": lambda z: room(start + unseen @ z)},
                             options={"ftol": precision, "maxiter": 1000})
            if found.success:
                break
        least = start + unseen @ found.x
        if not found.success or (room(least) < -ROUNDING).any():
            contacts = len(answer.r)
            raise ResultsError(f"the least impulse of {contacts} contacts was not found: {found.message}")
    return float(scale * np.linalg.norm(least))


def free_directions(answer: Answer, sticking: np.ndarray) -> np.ndarray:
    """Orthonormal columns (3 contacts, k): what the impulse may be combined of."""
    columns = []
    for i in np.flatnonzero(answer.loaded):
        directions = np.eye(3) if sticking[i] else (answer.r[i] / np.linalg.norm(answer.r[i]))[None]
        for direction in directions:
            column = np.zeros_like(answer.r)
            column[i] = direction
            columns.append(column.ravel())
    return np.reshape(columns, (len(columns), answer.r.size)).T
