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
    """Writes a new file; an existing one is not touched (FileExistsError). Nothing is written if something
    is missing, or has another size than the rest (ValueError).

    mu: a coefficient of friction for each contact. W and q, or M, H, f and w: arrays, or sparse matrices
    of SciPy. sets: of the rows behind the contacts, first "equality(1)" for each row of a joint, then
    "interval(0,inf)" for a limit; `frictionbench list sets` has all. compliance: the diagonal of R in
    u = (W + R) r + q. impulse r, and velocity v of M v = H r + f: what the solver ended with. bodies: two
    bodies and a feature for each contact and each set.
    """
    is_local, is_global = ([x is not None for x in form] for form in ((W, q), (M, H, f, w)))
    if not (all(is_local) and not any(is_global) or all(is_global) and not any(is_local)):
        raise ValueError("expected W and q, or M, H, f and w")
    lines = ["frictionbench problem 1"]
    for name, text in (("title", title), ("description", description)):
        if text:
            lines.append(f"{name} {' '.join(text.split())}")
    mu = np.ravel(mu)
    m, n = (np.size(q), 0) if all(is_local) else (np.size(w), np.size(f))
    others = m - dimension * len(mu)
    if dimension not in (2, 3) or others < len(sets) or (others and not len(sets)):
        raise ValueError(f"{'q' if all(is_local) else 'w'} has {m} rows, but dimension is {dimension}, mu has "
                         f"{len(mu)} entries, and sets {len(sets)}")
    if bodies is not None and len(bodies) != len(mu) + len(sets):
        raise ValueError(f"bodies has {len(bodies)} entries, expected {len(mu) + len(sets)} (contacts and sets)")
    lines += [f"dimension {dimension}", f"contacts {len(mu)}"]
    lines += [f"sets {len(sets)}", *sets] if len(sets) else []

    def numbers(name, values, size):
        if values is None:
            return
        values = np.ravel(values).astype(float).tolist()
        if len(values) != size:
            argument = {"r": "impulse", "v": "velocity"}.get(name, name)
            raise ValueError(f"{argument} has {len(values)} entries, expected {size}")
        lines.extend([f"{name} {len(values)}", *map(repr, values)])

    def entries(name, matrix, shape):
        if matrix is None:
            return
        if np.shape(matrix) != shape:
            raise ValueError(f"{name} has the shape {np.shape(matrix)}, expected {shape}")
        if hasattr(matrix, "tocoo"):
            coo = matrix.tocoo()
            row, col, value = coo.row, coo.col, coo.data
        else:
            row, col = np.nonzero(matrix)
            value = np.asarray(matrix)[row, col]
        triplets = zip(row.tolist(), col.tolist(), value.astype(float).tolist())
        lines.append(f"{name} {len(row)}")
        lines.extend(f"{i} {j} {x!r}" for i, j, x in triplets)

    for name, matrix, shape in (("W", W, (m, m)), ("M", M, (n, n)), ("H", H, (n, m))):
        entries(name, matrix, shape)
    for name, values, size in (("mu", mu, len(mu)), ("q", q, m), ("f", f, n), ("w", w, m),
                               ("compliance", compliance, m), ("r", impulse, m),
                               ("v", velocity if all(is_global) else None, n)):
        numbers(name, values, size)
    if bodies is not None:
        lines.append(f"bodies {len(bodies)}")
        lines.extend(f"{first} {second} {feature}" for first, second, feature in bodies)
    with open(path, "x", encoding="utf-8") as file:
        file.write("\n".join([*lines, "end", ""]))
