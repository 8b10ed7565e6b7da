"""frictionbench-paper figures as a user calls it, and the numbers behind its figures."""

import re
import unittest
import xml.etree.ElementTree

from support import TemporaryFolderTest, made_up_document

from frictionbench.papers import figures as paper_figures
from frictionbench.plots.curves import (
    Selection, bodies, geometric_means, last_steps, mass_ratio_groups, mean_time, residuals, scenes, speedup,
)
from frictionbench.plots.panels import fit, residual_axes
from frictionbench.results import load

COSTS = {
    "Stack": {"pgs": [1, 4, 3, None], "admm": [2, 2, 1, 1]},
    "Chain": {"pgs": [None, 1], "admm": [1, 3]},
}
NAMES = {  # of the problems of COSTS, in their order
    "Stack": ["Stack-boxes2-local-8-00000", "Stack-boxes2-mass_ratio10-local-8-00000",
              "Stack-boxes2-mass_ratio1e+03-local-8-00000", "Stack-default-global-20-00000"],
    "Chain": ["gen-Chain-i000123-14-00100", "gen-Chain-i20000-21-00200"],
}


def document(history=False):
    """Two families: a stack of three mass ratios and one in global form, and two time steps of a chain."""
    made = made_up_document(COSTS)
    renamed = {f"{family}/{index}": f"{family}/{name}"
               for family, names in NAMES.items() for index, name in enumerate(names)}
    for problem in made["problems"]:
        problem["id"] = renamed[problem["id"]]
    made["problems"][3] |= {"form": "global", "dofs": 30, "contacts": 20}
    for record in made["records"]:
        record["problem"] = renamed[record["problem"]]
        rows = [{"iteration": k, "primal": 0, "dual": 10.0**-k, "complementarity": 2 * 10.0**-k, "penalty": None}
                for k in range(1, 9)]
        record["history"] = rows if history else None
    return made


class Numbers(TemporaryFolderTest):
    def selection(self, made=None):
        results = load(self.write("results.json", made or document()))
        return Selection(results, results.problems, results.solvers, results.criterion)

    def test_scenes(self):
        problems = self.selection().problems
        found = scenes(problems)
        self.assertEqual([(step, problem.id) for step, problem in found["Chain/gen-Chain"]],
                         [(100, "Chain/gen-Chain-i000123-14-00100"), (200, "Chain/gen-Chain-i20000-21-00200")])
        self.assertEqual([problem.id for problem in last_steps(problems)][-1], "Chain/gen-Chain-i20000-21-00200")
        self.assertEqual(scenes([]), {})

    def test_mass_ratios(self):
        groups = mass_ratio_groups(self.selection().problems)
        self.assertEqual([[ratio for ratio, _ in group] for group in groups.values()], [[1, 10, 1000]])

    def test_mean_time_counts_unsolved_problems(self):
        chosen = self.selection()
        stack = chosen.families()["Stack"]
        pgs, admm = chosen.solvers
        # What made_up_document writes for an unsolved pair took 0.8 s.
        found = mean_time(chosen, stack, pgs)
        self.assertAlmostEqual(found.seconds, (1 + 4 + 3 + 0.8) / 4)
        self.assertEqual((found.problems, found.solved), (4, 3))
        self.assertEqual(mean_time(chosen, stack, admm).seconds, 1.5)

    def test_mean_time_of_a_time_out_is_the_limit(self):
        made = document()
        record = made["records"][6]  # pgs on the last of the stacks
        record["status"] = "time_limit"
        record["time"] = {**record["time"], "solve": None}
        chosen = self.selection(made)
        stack = chosen.families()["Stack"]
        self.assertEqual(mean_time(chosen, stack, chosen.solvers[0]).seconds, (1 + 4 + 3 + 60) / 4)
        record["status"] = "crashed"  # then it is unknown
        chosen = self.selection(made)
        self.assertEqual(mean_time(chosen, stack, chosen.solvers[0]).problems, 3)

    def test_speedup_is_of_what_both_solved(self):
        chosen = self.selection()
        pgs, admm = chosen.solvers
        self.assertEqual([speedup(chosen, problem, admm, pgs) for problem in chosen.problems],
                         [0.5, 2, 3, None, None, 1 / 3])

    def test_bodies(self):
        problems = self.selection().problems
        self.assertIsNone(bodies(problems[0]))
        self.assertEqual(bodies(problems[3]), 5)
        plane = document()
        plane["problems"][3]["dimension"] = 2
        self.assertEqual(bodies(self.selection(plane).problems[3]), 10)

    def test_geometric_means(self):
        means = geometric_means([(2, 1.0), (2, 100.0), (1, 3.0)])
        self.assertEqual([x for x, _ in means], [1, 2])
        self.assertAlmostEqual(means[0][1], 3)
        self.assertAlmostEqual(means[1][1], 10)

    def test_residuals(self):
        rows = [{"iteration": k, "dual": 1 / (k + 1), "complementarity": None if k == 2 else 0.25}
                for k in range(0, 20001)]
        points = residuals(rows, ("dual", "complementarity"))
        self.assertEqual(points[:3], [(1, 0.5), (3, 0.25), (4, 0.25)])
        self.assertEqual(points[-1][0], 20000)
        self.assertLess(len(points), 1000)  # a file that a printer can take

    def test_fit(self):
        self.assertEqual(fit("short", 3, 7), "short")
        shown = fit("a title that is much too long for its panel", 1, 7)
        self.assertRegex(shown, "^a t.*…")
        self.assertLess(len(shown), 25)


class PaperFigures(TemporaryFolderTest):
    def draw(self, figure, *arguments, made=None):
        results = self.write("results.json", made or document(history=True))
        return self.call_script(paper_figures, results, "--figure", figure, "--force", *arguments)

    def texts(self, name):
        root = xml.etree.ElementTree.parse(self.folder / name).getroot()
        return ["".join(element.itertext()) for element in root.iter("{http://www.w3.org/2000/svg}text")]

    def test_every_figure_in_every_kind_and_width(self):
        expected = {
            "s4": {"dual", "complementarity", "Stack, 8 contacts"},
            "s5": {"Stack", "Chain", "75 % solved", "mean time of a solve (s)"},
            "s7": {"Stack (4)", "Chain (2)", "τ: solve time / best"},
            "l13": {"mass ratio", "absolute NCP criterion", "Stack, 8 contacts"},
            "l16": {"largest residual", "iteration"},
            "l17": {"Stack", "Chain", "50 % solved"},
            "d9": {"time step", "iterations", "time (ms)", "unsolved"},
            "d11": {"bodies", "contacts", "Stack"},
            "d12": {"speed-up", "contacts", "admm"},
        }
        drawable = [name for name, figure in paper_figures.FIGURES.items() if figure.draw]
        self.assertEqual(list(expected), drawable)
        for name, words in expected.items():
            for width, inches in (("column", 3.5), ("page", 7.16)):
                with self.subTest(name, width=width):
                    result = self.draw(name, "-o", "a.svg", "-o", "a.pdf", "--width", width, "--reference", "pgs")
                    self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
                    texts = self.texts("a.svg")
                    self.assertLessEqual(words, set(texts))
                    self.assertTrue(any(text.startswith(paper_figures.FIGURES[name].source) for text in texts))
                    svg = (self.folder / "a.svg").read_text(encoding="utf-8")
                    points = float(re.search(r'<svg [^>]*width="([\d.]+)pt"', svg)[1])
                    self.assertAlmostEqual(points, 72 * inches, delta=0.01)
                    pdf = (self.folder / "a.pdf").read_bytes()
                    self.assertTrue(pdf.startswith(b"%PDF") and pdf.rstrip().endswith(b"%%EOF"))
                    self.assertIn(b"/FontFile2", pdf)  # the font itself, as TrueType
                    self.assertNotIn(b"/Type3", pdf)

    def test_curves_are_told_apart_without_colour(self):
        self.assertEqual(self.draw("s7", "-o", "a.svg").returncode, 0)
        text = (self.folder / "a.svg").read_text(encoding="utf-8")
        dashed = re.findall(r"stroke-dasharray: ([\d., ]+)", text)
        self.assertTrue(dashed)
        self.assertIn("#0072b2", text)
        self.assertIn("#d55e00", text)

    def test_the_same_picture_is_the_same_file(self):
        for name in ("a.svg", "b.svg", "a.pdf", "b.pdf"):
            self.assertEqual(self.draw("s5", "-o", name).returncode, 0)
        for kind in ("svg", "pdf"):
            first, second = ((self.folder / f"{name}.{kind}").read_bytes() for name in "ab")
            self.assertEqual(first, second)

    def test_selection(self):
        self.assertEqual(self.draw("s5", "-o", "a.svg", "--problems", "^Chain", "--solvers", "admm").returncode, 0)
        texts = self.texts("a.svg")
        self.assertIn("Chain", texts)
        self.assertFalse({"Stack", "pgs"} & set(texts))

    def test_names_of_solvers(self):
        result = self.draw("s7", "-o", "a.svg", "--name", "ADMM (S)=admm", "--solvers", r"^ADMM \(S\)$")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("ADMM (S)", self.texts("a.svg"))
        self.assertFalse({"admm", "pgs"} & set(self.texts("a.svg")))
        # The name is not what makes a solver look as it does.
        self.assertIn("#d55e00", (self.folder / "a.svg").read_text(encoding="utf-8"))

    def test_names_that_cannot_be(self):
        self.assert_refused(self.draw("s7", "-o", "a.svg", "--name", "PGS"), "NAME=SOLVER")
        self.assert_refused(self.draw("s7", "-o", "a.svg", "--name", "PGS=sor"), "no solver 'sor'", "pgs, admm")
        self.assert_refused(self.draw("s7", "-o", "a.svg", "--name", "admm=pgs"), "one name")

    def test_png(self):
        self.assertEqual(self.draw("s7", "-o", "a.png").returncode, 0)
        picture = (self.folder / "a.png").read_bytes()
        self.assertTrue(picture.startswith(b"\x89PNG"))
        self.assertEqual(int.from_bytes(picture[16:20], "big"), 1432)  # 7.16 inches

    def test_tolerance_is_not_the_axis(self):
        """Also where no residual is below it."""
        axes = paper_figures.Figure().add_subplot()
        residual_axes(axes, {"pgs": [(1, 1.0), (10, 1e-3)]}, {"pgs": {}}, 1e-6)
        low, high = axes.get_ylim()
        self.assertAlmostEqual(low, 1e-7)
        self.assertAlmostEqual(high, 1)

    def test_what_records_do_not_hold_is_refused(self):
        plain = document()
        without = {
            "s4": ("no iteration history", "run --history"),
            "l16": ("no iteration history",),
        }
        for name, words in without.items():
            self.assert_refused(self.draw(name, "-o", "a.svg", made=plain), *words)
        self.assert_refused(self.draw("d10", "-o", "a.svg"), "[Castro22] Fig. 10", "cannot be drawn", "cost")
        chain = ("--problems", "^Chain")
        self.assert_refused(self.draw("l13", "-o", "a.svg", *chain), "mass_ratio")
        self.assert_refused(self.draw("d11", "-o", "a.svg", *chain), "global form")
        self.assert_refused(self.draw("d9", "-o", "a.svg", "--problems", "boxes2"), "no time steps of one scene")
        self.assert_refused(self.draw("d12", "-o", "a.svg"), "--reference", "pgs, admm")
        self.assert_refused(self.draw("d12", "-o", "a.svg", "--reference", "m|p"), "--reference")
        self.assertFalse((self.folder / "a.svg").exists())

    def test_list(self):
        result = self.call_script(paper_figures, "--list")
        self.assertEqual(result.returncode, 0)
        listed = re.findall(r"^(\w+) +\[(\w+)\] Fig. (\d+)", result.stdout, re.MULTILINE)
        letters = {"Carpentier24": "s", "LeLidec24": "l", "Castro22": "d"}
        self.assertEqual([name for name, _, _ in listed],
                         [f"{letters[paper]}{number}" for _, paper, number in listed])
        self.assertEqual(len(listed), 10)
        self.assertIn("cannot be drawn", result.stdout)

    def test_bad_command_lines(self):
        self.assert_refused(self.call_script(paper_figures), "--figure must be one of s4")
        self.assert_refused(self.draw("s7"), "-o")
        self.assert_refused(self.draw("s7", "-o", "a.gif"), "a.gif", ".svg, .png, .pdf")
        self.assert_refused(self.draw("s7", "-o", "a.svg", "--problems", "Tower"), "no problem", "Stack, Chain")
        self.assert_refused(self.draw("s7", "-o", "a.svg", "--solvers", "lemke"), "no solver", "pgs, admm")
        self.assert_refused(self.draw("s7", "-o", "nowhere/a.svg"), "nowhere/a.svg")


if __name__ == "__main__":
    unittest.main()
