"""Leaves a contact problem in a text file that `frictionbench convert` reads; needs NumPy only.

For simulators: copy this file and call dump() at a step that fails. To replay the step:

    frictionbench convert step42.txt -o step42.hdf5
    frictionbench solve step42.hdf5 --solver ncp-hybrid

u = W r + q, or M v = H r + f with u = H^T v + w. Rows come contact by contact, the normal first,
(N, T1, T2) or (N, T) in 2D, with r_N >= 0 pushing the bodies apart; then the rows of `sets`, if any.
Part of frictionbench. SPDX-License-Identifier: BSD-3-Clause
"""
import numpy as np


def dump(path, mu, W=None, q=None, M=None, H=None, f=None, w=None, dimension=3, sets=(), compliance=None,
         impulse=None, velocity=None, bodies=None, title="", description=""):
    """Writes a new file; an existing one is not touched (FileExistsError).

    mu: a coefficient of friction for each contact. W and q, or M, H, f and w: arrays, or sparse matrices
    of SciPy. sets: of the rows behind the contacts, first "equality(1)" for each row of a joint, then
    "interval(0,inf)" for a limit; `frictionbench list sets` has all. compliance: the diagonal of R in
    u = (W + R) r + q. impulse r, velocity v: what the solver ended with. bodies: two bodies and a feature
    for each contact and each set.
    """
    lines = ["frictionbench problem 1"]
    for name, text in (("title", title), ("description", description)):
        if text:
            lines.append(f"{name} {' '.join(text.split())}")
    mu = np.ravel(mu)
    lines += [f"dimension {dimension}", f"contacts {len(mu)}"]
    lines += [f"sets {len(sets)}", *sets] if len(sets) else []

    def numbers(name, values):
        if values is not None:
            values = np.ravel(values).astype(float).tolist()
            lines.extend([f"{name} {len(values)}", *map(repr, values)])

    def entries(name, matrix):
        if matrix is None:
            return
        if hasattr(matrix, "tocoo"):
            coo = matrix.tocoo()
            row, col, value = coo.row, coo.col, coo.data
        else:
            row, col = np.nonzero(matrix)
            value = np.asarray(matrix)[row, col]
        triplets = zip(row.tolist(), col.tolist(), value.astype(float).tolist())
        lines.append(f"{name} {len(row)}")
        lines.extend(f"{i} {j} {x!r}" for i, j, x in triplets)

    for name, matrix in (("W", W), ("M", M), ("H", H)):
        entries(name, matrix)
    for name, values in (("mu", mu), ("q", q), ("f", f), ("w", w), ("compliance", compliance), ("r", impulse),
                         ("v", velocity)):
        numbers(name, values)
    if bodies is not None:
        lines.append(f"bodies {len(bodies)}")
        lines.extend(f"{first} {second} {feature}" for first, second, feature in bodies)
    with open(path, "x", encoding="utf-8") as file:
        file.write("\n".join([*lines, "end", ""]))
