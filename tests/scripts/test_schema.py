"""results/results.schema.json: what it accepts and what it does not."""

import copy
import json
import unittest

from support import ROOT, full_document

import jsonschema

SCHEMA = json.loads((ROOT / "results" / "results.schema.json").read_text(encoding="utf-8"))
MISSING = object()

# Place in the document, and what to put there.
REJECTED = [
    ("schema", "benchmark-results"),
    ("schema_version", 1),
    ("records", MISSING),
    ("unreadable", None),
    ("run", MISSING),
    ("run.command", "frictionbench run"),
    ("run.started", "yesterday"),
    ("run.finished", None),
    ("run.criterion", "xcp"),
    ("run.criterion", "ncp_scaled"),
    ("run.scale", MISSING),
    ("run.tolerance", 0),
    ("run.tolerance", "1e-6"),
    ("run.time_limit", 0),
    ("run.memory_limit", -1),
    ("run.jobs", 0),
    ("run.shard", "0/4"),
    ("run.git.revision", ""),
    ("run.git.dirty", "no"),
    ("run.build.libraries.blas", MISSING),
    ("run.host.load_average", [0.1]),
    ("run.warnings", None),
    ("run.warm_start", "previous"),
    ("run.sequence", "yes"),
    ("problems.0.id", ""),
    ("problems.0.sha256", "0123"),
    ("problems.0.form", "both"),
    ("problems.0.dimension", 4),
    ("problems.0.contacts", -1),
    ("problems.0.contacts", 1.5),
    ("problems.0.mu_min", -0.1),
    ("problems.0.family", MISSING),
    ("solvers.0.model", "raisim"),
    ("solvers.0.settings", MISSING),
    ("solvers.0.settings.relaxation", [1.0]),
    ("records.0.start", "cold"),
    ("records.0.previous", ""),
    ("records.0.status", "solved"),
    ("records.0.status", None),
    ("records.0.stop_reason", "residual"),
    ("records.0.stage", MISSING),
    ("records.0.solved.ncp", None),
    ("records.0.solved.ncp.scaled", MISSING),
    ("records.0.solved.lcp", "yes"),
    ("records.0.verdict", {}),
    ("records.0.verdict.ncp.primal", -1e-9),
    ("records.0.verdict.ncp.worst_contact", -1),
    ("records.0.verdict.signorini", None),
    ("records.0.verdict.momentum", MISSING),
    ("records.0.reported.residual", "small"),
    ("records.0.reported", None),
    ("records.0.states.sliding", -1),
    ("records.0.iterations", -3),
    ("records.0.iterations", 2.5),
    ("records.0.work.factorizations", 3),
    ("records.0.work.factorizations.lu", -1),
    ("records.0.work.products", 0.5),
    ("records.0.work.sweeps", None),
    ("records.0.work.pivots", MISSING),
    ("records.0.work", None),
    ("records.0.time.read", -0.1),
    ("records.0.time.setup", MISSING),
    ("records.0.time.solve.samples", 0),
    ("records.0.time.solve.mad", None),
    ("records.0.memory_peak", 0.5),
    ("records.0.history", {}),
    ("records.1.history.0.penalty", MISSING),
    ("records.1.history.0.primal", -1),
    ("unreadable.0.reason", ""),
]

ACCEPTED = [
    ("run.shard", "3/8"),
    ("run.memory_limit", 2**33),
    ("run.git", {"revision": None, "dirty": None}),
    ("run.host.governor", "performance"),
    ("run.criterion", "native"),
    ("run.scale", "scaled"),
    ("run.added_later", {"anything": True}),
    ("run.warm_start", "solution"),
    ("run.sequence", True),
    ("records.0.start", "previous"),
    ("records.0.previous", "BoxesStack/pushed-box"),
    ("records.0.previous", None),
    ("records.0.verdict", None),
    ("records.0.work.cone_projections", 12),
    ("solvers.0.exact", None),
    ("records.0.time.solve", None),
    ("records.0.iterations", 3.0),  # an integer, as JSON has it
]


def changed(place: str, value: object) -> dict:
    document = copy.deepcopy(full_document())
    *way, last = [int(step) if step.isdigit() else step for step in place.split(".")]
    target = document
    for step in way:
        target = target[step]
    if value is MISSING:
        del target[last]
    else:
        target[last] = value
    return document


class Schema(unittest.TestCase):
    def setUp(self) -> None:
        self.validator = jsonschema.Draft202012Validator(SCHEMA)

    def test_is_a_schema(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)

    def test_accepts_a_full_document(self):
        self.assertEqual([error.message for error in self.validator.iter_errors(full_document())], [])

    def test_rejects(self):
        for place, value in REJECTED:
            shown = "missing" if value is MISSING else value
            with self.subTest(f"{place}: {shown}"):
                self.assertFalse(self.validator.is_valid(changed(place, value)))

    def test_accepts(self):
        for place, value in ACCEPTED:
            with self.subTest(f"{place}: {value}"):
                self.assertTrue(self.validator.is_valid(changed(place, value)))

    def test_every_member_of_a_record_is_required(self):
        for index, record in enumerate(full_document()["records"]):
            for name in record:
                with self.subTest(f"{index}.{name}"):
                    self.assertFalse(self.validator.is_valid(changed(f"records.{index}.{name}", MISSING)))


if __name__ == "__main__":
    unittest.main()
