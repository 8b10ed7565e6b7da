"""frictionbench-paper tables as a user calls it, and the papers' numbers that it puts beside measured ones."""

import re
import unittest
from pathlib import Path

from support import TemporaryFolderTest, made_up_document

from frictionbench.files import ResultsError
from frictionbench.papers import tables as paper_tables
from frictionbench.papers.numbers import OURS, papers, problem_choices, readings_of, setting, tables
from frictionbench.tables import Grid, Line, escape, latex, markdown

LINEAR4 = {"rho_update": "linear", "tau_inc": 4.0, "tau_dec": 4.0, "stop": "verified"}
SPECTRAL = {"rho_update": "spectral", "p_inc": 0.05, "p_dec": 0.05, "stop": "verified"}
COSTS = {
    "BoxesStack": {"linear": [0.02, 0.04, None], "spectral": [0.03, 0.03, 0.03]},
    "Chain": {"linear": [0.1, None, None], "spectral": [None, None, None]},
}


def document(costs=COSTS, settings={"linear": LINEAR4, "spectral": SPECTRAL}):
    made = made_up_document(costs)
    for solver in made["solvers"]:
        solver |= {"name": "ncp-admm", "settings": settings[solver["id"]]}
    return made


def rows(text):
    """Cells of the lines of a Markdown table."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


class PaperNumbers(unittest.TestCase):
    def test_tables_and_where_they_are_from(self):
        known = tables()
        self.assertEqual({id: table.source for id, table in known.items()},
                         {"s2": "[Carpentier24] Table II", "s3": "[Carpentier24] Table III", "s4": "[Carpentier24] Table IV"})
        self.assertEqual(set(papers()), {"s", "l", "d", "y"})
        for table in known.values():
            self.assertIn("From Compliant to Rigid", table.paper.title)
            self.assertEqual(list(table.rows), ["BoxesStack", "Chain", "Capsules"])

    def test_numbers_as_printed(self):
        known = tables()

        def cell(table, family, label):
            labels = [column.label for column in known[table].columns]
            return known[table].rows[family][labels.index(label)]

        self.assertEqual(cell("s2", "Chain", "problems"), "242")
        self.assertEqual(cell("s2", "Capsules", "degrees of freedom"), "[6:300]")
        self.assertEqual(cell("s3", "BoxesStack", "τ = 2"), "9.20 ± 2.48")
        self.assertEqual(cell("s3", "Chain", "τ = 8"), "33.7 ± 212.77")
        self.assertEqual(cell("s3", "Capsules", "p = 0.08"), "2.12 ± 1.01")
        self.assertEqual(cell("s4", "BoxesStack", "p = 0.05"), "1.55 ± 1.60")
        self.assertEqual(cell("s4", "Chain", "τ = 2"), "0.527 ± 0.417")
        self.assertEqual(cell("s4", "Capsules", "τ = 16"), "1.69 ± 1.20")

    def test_every_printed_mean_can_be_read(self):
        for id in ("s3", "s4"):
            means = [cell.split(" ± ") for cells in tables()[id].rows.values() for cell in cells]
            self.assertEqual(len(means), 21)
            self.assertTrue(all(float(mean) > 0 and float(deviation) > 0 for mean, deviation in means))

    def test_columns_are_settings_of_the_solver(self):
        columns = {column.label: column for column in tables()["s3"].columns}
        self.assertEqual(columns["τ = 8"].solver.settings, {"rho_update": "linear", "tau_inc": 8, "tau_dec": 8})
        self.assertEqual(str(columns["p = 0.01"].solver),
                         "ncp-admm(rho_update=spectral,p_inc=0.01,p_dec=0.01)")

    def test_problems(self):
        choices = problem_choices()
        self.assertEqual(choices["s_fclib"].families, ("BoxesStack", "Chain", "Capsules"))
        self.assertEqual(choices["s_fclib"].arguments, "--filter '^(BoxesStack|Chain|Capsules)/' --dimension 3")
        self.assertRegex("Stack/Stack-boxes15-mass_ratio10000-ball_mass1000-ball_speed2-global-61-00000",
                         choices["s_stack"].ids)
        self.assertNotRegex("BoxesStack/IllConditionedStack-boxes15", choices["s_stack"].ids)

    def test_readings(self):
        self.assertEqual(readings_of([]), [OURS])
        self.assertEqual([(reading.label, reading.settings) for reading in readings_of([("a", 1), ("b", 2)])],
                         [("ours", {"a": 1, "b": 2})])
        self.assertEqual([(reading.label, reading.settings) for reading in
                          readings_of([("a", 1), ("b", 2), ("a", 3)])],
                         [("a=1", {"a": 1, "b": 2}), ("a=3", {"a": 3, "b": 2})])

    def test_settings_of_the_command_line(self):
        self.assertEqual([setting(text) for text in ("tau=4", "stop=admm", "scaled=true")],
                         [("tau", 4), ("stop", "admm"), ("scaled", True)])
        for text in ("tau", "=4", "tau="):
            with self.assertRaisesRegex(ResultsError, "SETTING=VALUE"):
                setting(text)


class BadNumbers(TemporaryFolderTest):
    GOOD = (Path(paper_tables.__file__).parent / "numbers.toml").read_text(encoding="utf-8")

    def test_refused(self):
        for good, bad, words in (
            ('"9.20 ± 2.48", ', "", "6 numbers in 7 columns"),
            ("9.20 ± 2.48", "9.20 +- 2.48", "not a number as papers print them"),
            ('Chain = ["5.74', 'Chian = ["5.74', "rows of s3"),
            ('columns = "s_problems"', 'columns = "nothing"', "nothing"),
            ("[papers.s]", "[papers.s", "not a TOML file"),
            ('ids = "^(BoxesStack', 'ids = "^(BoxesStack(', "unterminated subpattern"),
        ):
            with self.subTest(bad):
                self.assertIn(good, self.GOOD)
                with self.assertRaisesRegex(ResultsError, re.escape(words)):
                    tables(self.write("numbers.toml", self.GOOD.replace(good, bad)))


class PaperTables(TemporaryFolderTest):
    def table(self, *arguments, made=None):
        results = self.write("results.json", made or document())
        return self.call_script(paper_tables, results, *arguments)

    def test_markdown(self):
        result = self.table("--table", "s3")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        cells = rows(result.stdout)
        self.assertEqual({len(row) for row in cells}, {9})
        self.assertEqual(len(cells), 2 + 3 * 4)
        header, stack = cells[0], {row[1]: row for row in cells[2:5]}
        linear4, spectral = header.index("linear, τ = 4"), header.index("spectral, p = 0.05")
        # The factorisations that made_up_document counts: 2 and 4 of what is solved, and 3 three times.
        self.assertEqual([stack[line][linear4] for line in ("[Carpentier24]", "ours", "solved")],
                         ["6.12 ± 1.75", "3.00 ± 1.41", "2/3"])
        self.assertEqual([stack[line][spectral] for line in ("[Carpentier24]", "ours", "solved")],
                         ["5.02 ± 2.40", "3.00 ± 0.00", "3/3"])

    def test_what_is_missing_is_said_and_not_invented(self):
        text = self.table("--table", "s3").stdout
        cells = rows(text)
        tau2 = cells[0].index("linear, τ = 2")
        self.assertEqual([cells[3][tau2], cells[4][tau2]], ["–", "–"])
        self.assertEqual([row[-2] for row in cells[6:9]], ["2.76 ± 1.65", "–", "0/3"])  # Chain: none solved
        self.assertEqual(cells[7][3], "10.0 ± –")  # one value has no deviation
        self.assertEqual(set(cells[11][2:]), {"–"})  # Capsules: no problems
        self.assertIn("no problem of Capsules", text)
        self.assertIn("`ncp-admm(rho_update=linear,tau_inc=16,tau_dec=16)`", text)

    def test_times_are_in_milliseconds_and_warnings_are_passed_on(self):
        text = self.table("--table", "s4").stdout
        self.assertEqual(rows(text)[3][3], "30.0 ± 14.1")
        self.assertIn("Warning of the run: the CPU frequency governor is not known.", text)

    def test_means_over_all(self):
        text = self.table("--table", "s3", "--over", "all").stdout
        self.assertEqual(rows(text)[3][3], "2.00 ± 2.00")  # the unsolved one counted no factorisation
        self.assertEqual(rows(text)[4][3], "2/3")
        self.assertIn("solved or not", text)

    def test_facts_of_problems(self):
        made = document()
        made["problems"][0] |= {"contacts": 5, "mu_min": 0.25}
        made["problems"][1] |= {"form": "global", "contacts": 99}  # not of the form that the paper takes
        cells = rows(self.table("--table", "s2", made=made).stdout)
        self.assertEqual(cells[3], ["", "ours", "2", "[5:8]", "–", "[0.25:0.7]"])

    def test_another_limit_than_the_papers(self):
        made = document()
        made["run"]["max_iterations"] = 100
        made["run"]["scale"] = "relative"
        text = self.table("--table", "s3", made=made).stdout
        self.assertIn("`max_iterations` is 100 here and 20000 in the paper", text)
        self.assertIn("`scale` is relative here and absolute in the paper", text)

    def test_which_of_two_solvers_is_meant(self):
        twins = {"linear": LINEAR4, "spectral": LINEAR4 | {"stop": "admm"}}
        made = document(settings=twins)
        self.assert_refused(self.table("--table", "s3", made=made), "linear, spectral", "--with SETTING=VALUE")
        result = self.table("--table", "s3", "--with", "stop=admm", made=made)
        self.assertEqual((result.returncode, rows(result.stdout)[3][3]), (0, "3.00 ± 0.00"))

    def test_lines_for_each_value_of_a_setting(self):
        twins = {"linear": LINEAR4, "spectral": LINEAR4 | {"stop": "admm"}}
        result = self.table("--table", "s3", "--with", "stop=verified", "--with", "stop=admm",
                            made=document(settings=twins))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual([(row[1], row[3]) for row in rows(result.stdout)[2:9]],
                         [("[Carpentier24]", "6.12 ± 1.75"), ("stop=verified", "3.00 ± 1.41"), ("stop=verified, solved", "2/3"),
                          ("stop=verified, solved, relative", "2/3"), ("stop=admm", "3.00 ± 0.00"),
                          ("stop=admm, solved", "3/3"), ("stop=admm, solved, relative", "3/3")])
        self.assertIn("Stop=verified and stop=admm: mean ± standard deviation", result.stdout)
        self.assertIn("–: the results have no stop=admm with τ = 2, τ = 8", result.stdout)

    def test_a_setting_that_no_solver_has(self):
        self.assert_refused(self.table("--table", "s3", "--with", "variant=rss2024"), "nothing of [Carpentier24] Table III",
                            "tau_inc=2,tau_dec=2,variant=rss2024")

    def test_several_documents(self):
        parts = [document({"BoxesStack": {name: COSTS["BoxesStack"][name]}}) for name in ("linear", "spectral")]
        paths = [self.write(f"{index}.json", part) for index, part in enumerate(parts)]
        result = self.call_script(paper_tables, *paths, "--table", "s3")
        self.assertEqual([rows(result.stdout)[3][index] for index in (3, 7)], ["3.00 ± 1.41", "3.00 ± 0.00"])

    def test_latex(self):
        result = self.table("--table", "s3", "--format", "latex", "-o", "s3.tex")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        text = (self.folder / "s3.tex").read_text(encoding="utf-8")
        self.assert_latex(text, columns=9)
        self.assertIn(r"\multicolumn{4}{c}{linear} & \multicolumn{3}{c}{spectral}", text)
        self.assertIn(r"9.20 $\pm$ 2.48", text)

    def test_latex_of_every_table(self):
        for id, columns in (("s2", 6), ("s4", 9)):
            self.assert_latex(self.table("--table", id, "--format", "latex").stdout, columns)

    def assert_latex(self, text, columns):
        """Environments and braces are closed, rules are in order, and every row has all columns."""
        begun = re.findall(r"\\begin\{(.+?)\}", text)
        self.assertEqual(begun, list(reversed(re.findall(r"\\end\{(.+?)\}", text))))
        unescaped = re.sub(r"\\[{}]", "", text)
        self.assertEqual(unescaped.count("{"), unescaped.count("}"))
        rules = re.findall(r"\\(top|mid|bottom)rule", text)
        self.assertEqual(rules, ["top"] + ["mid"] * 3 + ["bottom"])
        tabular = text.split(r"\toprule")[1].split(r"\bottomrule")[0]
        for row in re.findall(r"^(.*) \\\\$", tabular, re.MULTILINE):
            spans = sum(int(span) - 1 for span in re.findall(r"\\multicolumn\{(\d+)\}", row))
            self.assertEqual(len(row.split(" & ")) + spans, columns, row)
        self.assertTrue(text.isascii(), "a compiler without UTF-8 fonts must take it")

    def test_list(self):
        result = self.call_script(paper_tables, "--list")
        self.assertEqual(result.returncode, 0)
        for words in ("s3  [Carpentier24] Table III", "--tolerance 1e-6", "rho_update=linear,tau_inc=16,tau_dec=16"):
            self.assertIn(words, result.stdout)
        result = self.call_script(paper_tables, "--list", "--with", "variant=rss2024")
        self.assertIn('--solver "ncp-admm(rho_update=linear,tau_inc=16,tau_dec=16,variant=rss2024)"', result.stdout)

    def test_refused(self):
        self.assert_refused(self.call_script(paper_tables), "--table must be one of s2, s3, s4")
        self.assert_refused(self.table("--table", "s9"), "--table must be one of")
        self.assert_refused(self.table(), "--table must be one of")
        self.assert_refused(self.call_script(paper_tables, "--table", "s3"), "RESULTS is missing", "frictionbench run")
        self.assert_refused(self.call_script(paper_tables, "none.json", "--table", "s3"), "none.json", "No such file")
        self.assert_refused(self.table("--table", "s3", "--with", "stop"), "SETTING=VALUE")
        other = made_up_document({"Tower": {"pgs": [1]}})
        self.assert_refused(self.table("--table", "s3", made=other), "nothing of [Carpentier24] Table III", "frictionbench run")
        self.assert_refused(self.table("--table", "s3", "-o", "nowhere/a.md"), "nowhere/a.md")


class Text(unittest.TestCase):
    GRID = Grid("a_b", [("", "x"), ("", "50 %")], [("F_1", [Line("ours", ["1|2", "–"])])], ["`a --b`: c_d."])

    def test_markdown_bars_do_not_make_cells(self):
        self.assertIn(r"| **F_1** | ours | 1\|2 | – |", markdown(self.GRID))

    def test_latex_without_groups(self):
        text = latex(self.GRID)
        self.assertNotIn("cmidrule", text)
        self.assertIn(r"\begin{table}", text)  # few columns fit into one of a paper's
        self.assertIn(r"\emph{F\_1} & ours & 1\textbar{}2 & -- \\", text)
        self.assertIn(r"\texttt{a -{}-b}: c\_d.", text)

    def test_escape(self):
        self.assertEqual(escape("5 % & τ_1 ± {x}"), r"5 \% \& $\tau$\_1 $\pm$ \{x\}")


if __name__ == "__main__":
    unittest.main()
