"""`frictionbench-paper tables --document admm`: the whole text about [Carpentier24], section V-C."""

import unittest

from paper_admm_support import COSTS, PAPERS_ADMM, PGS, admm_document, before_variants
from support import TemporaryFolderTest, factorizations

from frictionbench.papers import tables as paper_tables
from frictionbench.papers.admm import (
    ADMM as DEFAULT, PAPERS_ADMM as PUBLISHED, PGS as GAUSS_SEIDEL, comparison, median_cells, provenance, shares_within,
)
from frictionbench.papers.numbers import tables
from frictionbench.results import load, load_runs
from frictionbench.results.circumstances import circumstances


def section(text, heading):
    """What stands below a heading, up to the next one."""
    return text.split(f"\n## {heading}\n")[1].split("\n## ")[0]


def rows(text):
    """Cells of the lines of a Markdown table by (family, label), without its two header lines."""
    lines = [[cell.strip() for cell in line.strip("|").split("|")]
             for line in text.splitlines() if line.startswith("|")]
    found, family = {}, ""
    for line in lines[2:]:
        family = line[0].strip("*") or family
        found[family, line[1]] = line[2:]
    return found


class Document(TemporaryFolderTest):
    def document(self, *made, arguments=()):
        paths = [self.write(f"{index}.json", one) for index, one in enumerate(made)]
        return self.call_script(paper_tables, *paths, "--document", "admm", *arguments)

    def text(self, *made):
        result = self.document(*(made or (admm_document(), admm_document(1e-8))))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout

    def test_both_variants_beside_the_paper(self):
        text = self.text()
        found = rows(section(text, "Cholesky factorisations"))
        spectral = 5  # the column of p = 0.05
        self.assertEqual([found["BoxesStack", label][spectral] for label in
                          ("[Carpentier24]", "ADMM (S)", "ADMM (S), solved", "ADMM", "ADMM, solved")],
                         ["5.02 ± 2.40", "3.00 ± 1.41", "2/3", "2.00 ± 1.00", "3/3"])
        self.assertEqual(found["BoxesStack", "ADMM (S)"][0], "4.00 ± 1.00")  # tau = 2
        self.assertEqual(found["BoxesStack", "ADMM"][0], "–")
        self.assertIn("the results have no ADMM with τ = 2, τ = 4", text)
        self.assertEqual(rows(section(text, "Time"))["Chain", "ADMM"][spectral], "40.0 ± 28.3")

    def test_medians(self):
        found = rows(section(self.text(), "Medians"))
        # Of what made_up_document counts: costs in s, ten times as many iterations.
        self.assertEqual(found["BoxesStack", f"`{PAPERS_ADMM}`"], ["2/3", "2/3", "0", "3", "2", "14", "30.0"])
        self.assertEqual(found["Chain", f"`{PGS}`"][0], "2/2")

    def test_median_updates_of_a_solver_that_factorises_nothing(self):
        made = admm_document()
        for record in made["records"]:
            record["work"] = {**record["work"], "factorizations": factorizations(0)}
        results = load(self.write("a.json", made))
        self.assertEqual(median_cells(results, results.problems, results.solvers[0])[3:5], ["0", "0"])

    def test_solved_at_every_tolerance(self):
        harder = {family: {solver: costs[:-1] + [None] for solver, costs in by_solver.items()}
                  for family, by_solver in COSTS.items()}
        text = self.text(admm_document(), admm_document(1e-8, harder))
        header = [line for line in section(text, "Solved").splitlines() if line.startswith("|")][0]
        self.assertEqual(header, "|  |  | tolerance 1e-6, ADMM | tolerance 1e-6, ADMM (S) | tolerance 1e-6, PGS | "
                                 "tolerance 1e-8, ADMM | tolerance 1e-8, ADMM (S) | tolerance 1e-8, PGS |")
        found = rows(section(text, "Solved"))
        self.assertEqual(found["BoxesStack", "solved"], ["3/3", "2/3", "2/3", "2/3", "2/3", "2/3"])
        self.assertEqual(found["Chain", "solved"], ["2/2", "2/2", "2/2", "1/2", "1/2", "1/2"])

    def test_profiles_and_what_they_say(self):
        text = section(self.text(), "Performance profiles at τ = 2")
        found = rows(text)
        self.assertEqual(found["BoxesStack", "ADMM and PGS"][:2], ["100.0 %", "0.0 %"])
        # Without the default solver, the published one and PGS are each other's best time.
        self.assertEqual(found["Chain", "ADMM (S) and PGS"][:2], ["0.0 %", "100.0 %"])
        self.assertEqual(found["Chain", "ADMM and PGS"][:2], ["50.0 %", "100.0 %"])  # twice is within 2
        self.assertIn("* Tolerance 1e-6: the profile of ADMM is above that of PGS in BoxesStack; "
                      "it is not in Chain (50.0 % against 100.0 %).", text)

    def test_sentences(self):
        def say(**shares):
            return comparison(DEFAULT, 1e-6, shares).removeprefix("Tolerance 1e-6: the profile of ADMM is ")

        self.assertEqual(say(A=(0.5, 0.4), B=(1, 0)), "above that of PGS in every family.")
        self.assertEqual(say(A=(0.5, 0.5)), "not above that of PGS in any family: A (50.0 % against 50.0 %).")
        self.assertEqual(say(A=(1, 0), B=(1, 0), C=(0, 1), D=(0, 0)),
                         "above that of PGS in A and B; it is not in C (0.0 % against 100.0 %) "
                         "and D (0.0 % against 0.0 %).")

    def test_profiles_are_over_what_both_were_run_on(self):
        made = admm_document()
        made["records"] = [record for record in made["records"]
                           if (record["problem"], record["solver"]) != ("Chain/1", PGS)]
        results = load(self.write("a.json", made))
        self.assertEqual(shares_within(results, DEFAULT, GAUSS_SEIDEL)["Chain"], (1, 1))
        made["solvers"] = [solver for solver in made["solvers"] if solver["id"] != PAPERS_ADMM]
        made["records"] = [record for record in made["records"] if record["solver"] != PAPERS_ADMM]
        results = load(self.write("a.json", made))
        self.assertEqual(shares_within(results, PUBLISHED, GAUSS_SEIDEL), {})

    def test_documents_of_before_variants(self):
        text = self.text(before_variants(admm_document()))
        found = rows(section(text, "Cholesky factorisations"))
        self.assertEqual([found["BoxesStack", label][5] for label in ("[Carpentier24]", "ours", "solved")],
                         ["5.02 ± 2.40", "3.00 ± 1.41", "2/3"])
        self.assertNotIn("rss2024", text)
        self.assertNotIn("ADMM (S)", text)

    def test_circumstances(self):
        made = admm_document()
        made["run"] |= {"git": {"revision": None, "dirty": None}, "time_limit": None}
        made["unreadable"] = [{"path": "a.hdf5", "reason": "not HDF5"}]
        text = section(self.text(made), "How it was measured")
        for words in ("Example CPU @ 2.00GHz, 2 logical processors, Linux 6.1.0", "GNU 12.2.0 `-O3 -DNDEBUG`",
                      "eigen 3.4.0", "built outside a checkout", "5 problems, 4 solvers, criterion ncp (absolute)",
                      "times are of 1 cold sample to 3 samples per solve",
                      "at most 20000 iterations per solve, 1 at a time", "files that could not be read: 1.",
                      "warning of the run: the CPU frequency governor is not known"):
            self.assertIn(words, text)
        text = section(self.text(), "How it was measured")
        self.assertIn("revision 0123456789ab.", text)
        self.assertIn("20000 iterations and 60 s per solve", text)
        self.assertEqual(text.count("Example CPU"), 1)  # two runs on one machine

    def test_documents_read_as_one_are_told_apart(self):
        others = admm_document()
        others["run"] = {**others["run"], "git": {"revision": "fedcba9876543210", "dirty": True}}
        for part, ours in ((made := admm_document(), True), (others, False)):
            part["solvers"] = [solver for solver in part["solvers"] if (solver["id"] == PGS) == ours]
            part["records"] = [record for record in part["records"] if (record["solver"] == PGS) == ours]
        said = circumstances(load_runs([self.write("a.json", made), self.write("b.json", others)]))
        self.assertEqual([line.partition(" problems, ")[0] for line in said if " problems, " in line],
                         ["Tolerance 1e-6, revision 0123456789ab: 5",
                          "Tolerance 1e-6, revision fedcba987654 with uncommitted changes: 5"])

    def test_whose_problems_they_are(self):
        table = tables()["s2"]
        made = admm_document()
        said = provenance(load(self.write("a.json", made)), table)
        self.assertIn("Here are 3 BoxesStack, 2 Chain and 0 Capsules problems; the paper has 255, 242 and 249.", said)
        self.assertIn("they are not the paper's set", said)
        for problem in made["problems"][:2]:
            old, problem["id"] = problem["id"], problem["id"].replace("/", "/gen-drop-")
            for record in made["records"]:
                if record["problem"] == old:
                    record["problem"] = problem["id"]
        said = provenance(load(self.write("a.json", made)), table)
        self.assertIn("2 of these 5 files are named `gen…`", said)

    def with_own_test(self):
        """The document with a solver that ends by the paper's test, and claims what is not solved, too."""
        made = admm_document()
        twin = {**made["solvers"][1], "id": "twin", "settings": made["solvers"][1]["settings"] | {"stop": "admm"}}
        made["solvers"].append(twin)
        made["records"] += [{**record, "solver": "twin", "stop_reason": "admm_residuals"}
                            for record in made["records"] if record["solver"] == PAPERS_ADMM]
        return made

    def test_the_papers_own_stopping_test(self):
        text = self.text(self.with_own_test())
        found = rows(section(text, "Cholesky factorisations"))
        spectral = 5
        self.assertEqual([found["BoxesStack", f"ADMM (S){line}"][spectral] for line in
                          (", solved", ", own test", ", own test, claimed", ", own test, of these refuted")],
                         ["2/3", "2.00 ± 2.00", "3/3", "1/3"])
        self.assertIn("(`stop=admm`)", text)

    def test_what_relative_residuals_say(self):
        made = admm_document()
        for record in made["records"]:
            record["solved"] = {**record["solved"], "ncp": {**record["solved"]["ncp"], "relative": False}}
        text = self.text(made)
        self.assertEqual(rows(section(text, "Cholesky factorisations"))["BoxesStack", "ADMM, solved, relative"][5], "0/3")
        self.assertEqual(rows(section(text, "Solved"))["BoxesStack", "relative"], ["0/3"] * 3)
        found = rows(section(text, "Performance profiles at τ = 2"))
        self.assertEqual(found["BoxesStack", "ADMM and PGS, relative"], ["0.0 %", "0.0 %"])

    def test_why_a_profile_is_below(self):
        text = section(self.text(), "Performance profiles at τ = 2")
        self.assertRegex(text, r"Tolerance 1e-6, Chain: ADMM solves 2 of 2, by \S+ sweeps, \S+ products and 4 "
                               r"factorisations; PGS solves 2 of 2, by .* Where both solve, the median times are 40 ms of "
                               r"ADMM and 15 ms of PGS\.")

    def test_a_chosen_reading(self):
        made = self.with_own_test()
        result = self.document(made, arguments=("--with", "stop=verified"))
        self.assertEqual(result.returncode, 0)
        found = rows(section(result.stdout, "Cholesky factorisations"))
        self.assertEqual(found["BoxesStack", "ours"][5], "3.00 ± 1.41")

    def test_output(self):
        path = self.write("a.json", admm_document())
        result = self.call_script(paper_tables, path, "--document", "admm", "-o", "admm-tables.md")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        text = (self.folder / "admm-tables.md").read_text(encoding="utf-8")
        self.assertTrue(text.startswith("# ADMM on the FCLIB problems of [Carpentier24], section V-C\n"))

    def test_refused(self):
        self.assert_refused(self.document(), "RESULTS is missing", "frictionbench-paper run admm")
        self.assert_refused(self.document(admm_document(1e-8)), "no run at the tolerance of [Carpentier24] Table III")
        slower = admm_document()
        slower["run"] = {**slower["run"], "time_limit": 5}
        self.assert_refused(self.document(admm_document(), slower), "runs at one tolerance differ")
        other = admm_document()
        other["records"][0] = other["records"][0] | {"iterations": 12345}
        self.assert_refused(self.document(admm_document(), other), "has another record in")
        self.assert_refused(self.document(admm_document(), arguments=("--format", "latex")),
                            "--document implies", "Markdown")
        self.assert_refused(self.document(admm_document(), arguments=("--table", "s3")),
                            "--document implies", "all tables")


if __name__ == "__main__":
    unittest.main()
