"""frictionbench-data open-problems: what is open, what comes off the list, and which attempt is kept."""

import unittest

from support import TemporaryFolderTest, made_up_document

from frictionbench.files import ResultsError
from frictionbench.results import load, open_problems


class OpenProblems(TemporaryFolderTest):
    def results(self, name, costs, residual):
        """Results of one family; every unsolved record has this residual."""
        document = made_up_document({"Soup": costs})
        for index, problem in enumerate(document["problems"]):
            problem["sha256"] = f"{index:064x}"
        model, scale = document["run"]["criterion"], document["run"]["scale"]
        for record in document["records"]:
            if not record["solved"][model][scale]:
                verdict = record["verdict"] or {}
                record["verdict"] = {**verdict, model: {**verdict.get(model, {}), scale: residual, "max": residual}}
        return load(self.write(name, document))

    def test_open_is_what_no_solver_solves(self):
        run = self.results("a.json", {"a": [0.1, None, None], "b": [None, 0.2, None]}, 0.5)
        entries = open_problems.updated([], [run])
        self.assertEqual([entry.problem for entry in entries], ["Soup/2"])
        self.assertEqual(entries[0].reached, 0.5)
        self.assertEqual(entries[0].contacts, run.problems[2].facts["contacts"])

    def test_the_smallest_residual_is_kept(self):
        near = self.results("near.json", {"near": [None]}, 1e-3)
        far = self.results("far.json", {"far": [None]}, 1)
        for runs in ([near, far], [far, near]):
            entries = open_problems.updated([], runs)
            self.assertEqual([(entry.solver, entry.residual) for entry in entries], [("near", "1.00e-03")])

    def test_a_record_without_an_answer_is_the_last_resort(self):
        none = self.results("none.json", {"a": [None]}, None)
        none.records["Soup/0", "a"]["verdict"] = None
        entries = open_problems.updated([], [none])
        self.assertEqual(entries[0].residual, "")
        entries = open_problems.updated(entries, [self.results("some.json", {"b": [None]}, 1e9)])
        self.assertEqual(entries[0].solver, "b")

    def test_solved_once_is_off_the_list_for_good(self):
        known = open_problems.updated([], [self.results("old.json", {"a": [None, None]}, 0.5)])
        solved = self.results("new.json", {"b": [0.3, None]}, 0.7)
        left = open_problems.updated(known, [solved])
        self.assertEqual([(entry.problem, entry.solver) for entry in left], [("Soup/1", "a")])
        tighter = self.results("tighter.json", {"b": [0.3, None]}, 0.7)
        tighter.document["run"]["tolerance"] = 1e-12
        self.assertEqual(len(open_problems.updated(known, [tighter])), 3, "another tolerance, another list")

    def test_what_is_not_repeatable_solves_nothing(self):
        run = self.results("a.json", {"a": [0.1]}, None)
        self.assertEqual(open_problems.updated([], [run]), [])
        run.records["Soup/0", "a"]["status"] = "not_repeatable"
        self.assertEqual([entry.residual for entry in open_problems.updated([], [run])], [""])

    def test_what_is_solved_more_accurately_is_solved(self):
        known = open_problems.updated([], [self.results("old.json", {"a": [None, None]}, 0.5)])
        tighter = self.results("tighter.json", {"b": [None, None]}, 1e-7)
        tighter.document["run"]["tolerance"] = 1e-12
        left = open_problems.updated(known, [tighter])
        self.assertEqual([(entry.problem, entry.tolerance, entry.residual) for entry in left],
                         [("Soup/0", "1e-12", "1.00e-07"), ("Soup/1", "1e-12", "1.00e-07")])

    def test_what_just_misses_the_tolerance_is_open(self):
        for residual, left in ((1.000001e-6, ["1.01e-06"]), (0.999999e-6, [])):
            entries = open_problems.updated([], [self.results("a.json", {"a": [None]}, residual)])
            self.assertEqual([entry.residual for entry in entries], left)

    def test_a_list_that_was_written_is_read_again(self):
        entries = open_problems.updated([], [self.results("a.json", {"a, b": [None]}, 0.5)])
        path = self.write("open.csv", open_problems.text_of(entries))
        self.assertEqual(open_problems.read_list(path), entries)
        with self.assertRaisesRegex(ResultsError, "bad.csv: not a list of open problems; its first line must be"):
            open_problems.read_list(self.write("bad.csv", "problem,contacts\nx,1\n"))
        done = self.call_script(open_problems, self.folder / "a.json", "--list", path)
        self.assertEqual((done.returncode, done.stdout), (0, path.read_text(encoding="utf-8")), done.stderr)

    def test_other_problems_are_refused(self):
        run = self.results("a.json", {"a": [None]}, 0.5)
        run.document["run"]["compliance"] = "1e-3"
        with self.assertRaisesRegex(ResultsError, "--compliance, which makes other problems"):
            open_problems.updated([], [run])

    def test_the_list_of_the_project_is_one(self):
        entries = open_problems.read_list(open_problems.LIST)
        self.assertTrue(all(entry.reached > float(entry.tolerance) for entry in entries))


if __name__ == "__main__":
    unittest.main()
