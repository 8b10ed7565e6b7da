"""What the page draws of the problems themselves: who touches whom, what contacts carry, and the spectrum of W."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy
import scipy.sparse
from scipy.sparse.csgraph import shortest_path

import frictionbench
from frictionbench.report.combine import Combined
from frictionbench.report.numbers import rounded

# What keeps the page small, and its pictures legible.
MOST_CONTACTS = 300
EDGES_OF_CONTACT = 6  # on average; those of the strongest coupling
SPECTRUM_POINTS = 100
COUPLED = 1e-9  # relative norm of a block of W; what is smaller is rounding
SIDE = 1000  # of the picture, whose coordinates are integers
# Whose impulses are drawn, if they solve the problem.
SOLVER, TOLERANCE, TIME_LIMIT = "ncp-hybrid", 1e-8, 2.0


def graphs_data(combined: Combined) -> dict[str, Any]:
    """The pictures of problems by their places, and why the others have none.

    Reads the problems' files, by the paths that the documents have, and needs the compiled part of the package. Raises
    ImportError if there is none.
    """
    graphs: dict[int, dict[str, Any]] = {}
    without: dict[int, str] = {}
    for place, problem in enumerate(combined.problems):
        found = graph_of(problem.facts)
        if isinstance(found, str):
            without[place] = found
        else:
            graphs[place] = found
    return {"of": graphs, "without": without, "solver": SOLVER, "tolerance": TOLERANCE}


def graph_of(facts: dict[str, Any]) -> dict[str, Any] | str:
    """The picture of a problem, or why there is none; `facts` is its entry in a results document."""
    if not facts["contacts"]:
        return "It has no contact."
    if facts["contacts"] > MOST_CONTACTS:
        return f"Drawn are problems of up to {MOST_CONTACTS} contacts; this one has {facts['contacts']}."
    if not Path(facts["path"]).is_file():
        return f"{facts['path']} is not there: frictionbench-report looks for it from the folder that it is called in."
    problem = frictionbench.read(facts["path"])
    if problem.sha256 != facts["sha256"]:
        return f"{facts['path']} is another file than that of the run: its SHA-256 is {problem.sha256}."
    coupling = contact_coupling(problem.W, problem.starts[:facts["contacts"] + 1])
    places = layout(coupling)
    edges, left_out = strongest_edges(coupling)
    answer = frictionbench.solve(problem, SOLVER, tolerance=TOLERANCE, time_limit=TIME_LIMIT)
    normal = None
    if answer.solved:
        impulses = numpy.ravel(answer.impulses)[problem.starts[:facts["contacts"]]]
        normal = [rounded(float(value), 3) for value in impulses]
    return {"x": places[:, 0].tolist(), "y": places[:, 1].tolist(), "edges": edges.ravel().tolist(), "left_out": left_out,
            "impulse": normal, **spectrum(problem.W)}


def contact_coupling(W: scipy.sparse.csr_matrix, starts: numpy.ndarray) -> scipy.sparse.csr_matrix:
    """|W_ij| / (|W_ii| |W_jj|)^(1/2) of contacts i and j by Frobenius norms, symmetric, 0 on the diagonal.

    `starts` are the first rows of the contacts, and the end of the last one; other blocks of the problem are left out.
    """
    entries = W.tocoo()
    inside = (entries.row < starts[-1]) & (entries.col < starts[-1])
    row, column = (numpy.searchsorted(starts, index[inside], side="right") - 1 for index in (entries.row, entries.col))
    contacts = len(starts) - 1
    norms = scipy.sparse.csr_matrix((entries.data[inside] ** 2, (row, column)), shape=(contacts, contacts)).sqrt()
    own = norms.diagonal()
    scale = scipy.sparse.diags(numpy.divide(1, numpy.sqrt(own), out=numpy.zeros(contacts), where=own > 0))
    relative = scale @ norms @ scale
    relative = relative.maximum(relative.T)
    relative.setdiag(0)
    relative.data[relative.data < COUPLED] = 0
    relative.eliminate_zeros()
    return relative.tocsr()


def layout(coupling: scipy.sparse.csr_matrix) -> numpy.ndarray:
    """Places in the plane, (contacts, 2): classical scaling of the distances along the graph, where strong coupling is near.

    W. S. Torgerson, Multidimensional scaling: I. Theory and method, Psychometrika 17 (1952). Parts that nothing connects
    stand beside one another.
    """
    contacts = coupling.shape[0]
    if contacts < 2:
        return numpy.full((contacts, 2), SIDE // 2)
    lengths = coupling.copy()
    lengths.data = 1.2 - numpy.minimum(lengths.data, 1)
    distances = shortest_path(lengths, directed=False)
    connected = numpy.isfinite(distances)
    distances[~connected] = 1.5 * max(distances[connected].max(), 1)
    squares = distances**2
    means = squares.mean(axis=0)
    values, vectors = numpy.linalg.eigh((means[:, None] + means - squares - means.mean()) / 2)
    places = vectors[:, [-1, -2]] * numpy.sqrt(numpy.maximum(values[[-1, -2]], 0))
    # An eigenvector has no sign of its own: the largest entry is positive, so that the same file has the same picture.
    largest = numpy.abs(places).argmax(axis=0)
    places *= numpy.where(places[largest, [0, 1]] < 0, -1, 1)
    places -= places.min(axis=0)
    return numpy.rint(places * SIDE / max(places.max(), 1e-12)).astype(int)


def strongest_edges(coupling: scipy.sparse.csr_matrix) -> tuple[numpy.ndarray, int]:
    """Pairs of coupled contacts, (edges, 2), at most EDGES_OF_CONTACT a contact; and how many others there are."""
    upper = scipy.sparse.triu(coupling, format="coo")
    most = EDGES_OF_CONTACT * coupling.shape[0]
    strongest = numpy.sort(numpy.argsort(-upper.data, kind="stable")[:most])
    return numpy.column_stack((upper.row, upper.col))[strongest], max(0, upper.nnz - most)


def spectrum(W: scipy.sparse.csr_matrix) -> dict[str, Any]:
    """Eigenvalues of the symmetric part of W, the largest first, without those that are zero up to rounding; of many, some.

    `place` counts them from 1; `rank` is how many there are, of `unknowns`.
    """
    values = numpy.linalg.eigvalsh((W + W.T).toarray() / 2)[::-1]
    values = values[values > max(values[0], 0) * len(values) * numpy.finfo(float).eps]
    kept = numpy.unique(numpy.linspace(0, len(values) - 1, SPECTRUM_POINTS).round().astype(int))[:len(values)]
    return {"spectrum": {"place": [int(k) + 1 for k in kept], "value": [rounded(float(values[k]), 3) for k in kept]},
            "rank": len(values), "unknowns": W.shape[0]}
