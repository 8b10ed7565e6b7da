"""`run --config`: a run from a TOML file."""

from __future__ import annotations

from typing import Any

from program import ProgramTest, problem


class ConfigTest(ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        self.problem = problem("Stack-boxes2-local-8-00000")
        self.file = self.folder / "campaign.toml"

    def write(self, text: str) -> None:
        self.file.write_text(text, encoding="utf-8")

    def run_config(self, text: str, *arguments: Any) -> dict[str, Any]:
        self.write(f'problems = ["{self.problem}"]\nrepeat-time = 0\nquiet = true\n' + text)
        self.program("run", "--config", "campaign.toml", *arguments, "--force")
        return self.load("results.json")

    def solvers(self, document: dict[str, Any]) -> list[str]:
        return [solver["id"] for solver in document["solvers"]]

    def test_every_kind_of_value(self) -> None:
        document = self.run_config("""
# a list of several lines, with a comment and a comma at the end
solver = [
  "ncp-pgs",  # plain
  'ncp-admm(rho_update=linear,tau=4)',
]
exclude = "ncp-j*"
filter = "Stack # no comment"   # a text with a number sign: nothing has such a name
""".replace("Stack # no comment", "Stack[#-]") + """
tolerance = 1e-5
max-iterations = 1_000
time-limit = 30
memory-limit = "4G"
compliance = 1e-9
criterion = "ncp"
history = true
sequence = false
dimension = 3
""")
        self.assertEqual(self.solvers(document), ["ncp-pgs", "ncp-admm(rho_update=linear,tau=4)"])
        run = document["run"]
        self.assertEqual((run["tolerance"], run["max_iterations"], run["time_limit"], run["memory_limit"]),
                         (1e-5, 1000, 30, 4 << 30))
        self.assertEqual((float(run["compliance"]), run["history"], run["sequence"]), (1e-9, True, False))
        self.assertEqual(run["command"], ["frictionbench", "run", "--config", "campaign.toml", "--force"])

    def test_the_same_as_the_command_line(self) -> None:
        document = self.run_config('solver = "ncp-pgs"\ntolerance = 1e-7\n')
        typed = self.run_document(self.problem, "--solver", "ncp-pgs", "--tolerance", "1e-7")
        for name in document["run"].keys() - {"command", "started", "finished", "host", "warnings"}:
            self.assertEqual(document["run"][name], typed["run"][name], name)
        self.assertEqual(document["records"][0]["impulse_sha256"], typed["records"][0]["impulse_sha256"])

    def test_the_command_line_wins(self) -> None:
        text = 'solver = ["ncp-pgs", "ncp-nsgs"]\ntolerance = 1e-3\nmax-iterations = 77\n'
        document = self.run_config(text, "--solver", "ncp-admm", "--tolerance", "1e-7")
        self.assertEqual(self.solvers(document), ["ncp-admm"])
        self.assertEqual((document["run"]["tolerance"], document["run"]["max_iterations"]), (1e-7, 77))
        other = problem("Disks2D-*")
        document = self.run_config('solver = "ncp-pgs"\n', other)
        self.assertEqual([entry["path"] for entry in document["problems"]], [str(other)])

    def refused_with(self, text: str, *saying: str) -> None:
        with self.subTest(text=text):
            self.write(text)
            self.refused("run", self.problem, "--config", "campaign.toml", saying=["campaign.toml: ", *saying])

    def test_unknown_keys(self) -> None:
        self.refused_with("\ntolerence = 1\n", "line 2: ", "unknown option 'tolerence'", "did you mean tolerance?")
        self.refused_with("max_iterations = 1\n", "did you mean max-iterations?")
        self.refused_with('config = "other.toml"\n', "unknown option 'config'")
        self.refused_with("help = true\n", "unknown option 'help'")
        self.refused_with("[run]\ntolerance = 1e-3\n", "line 1: run: ", "no [section]")
        self.refused_with("run.tolerance = 1e-3\n", "run: ", "no [section]")

    def test_wrong_types(self) -> None:
        self.refused_with('seed = 1\ntolerance = "1e-6"\n', "line 2: tolerance: expected a number", "is a text")
        self.refused_with("max-iterations = 3.5\n", "line 1: max-iterations: expected a whole number", "decimal point")
        self.refused_with("tolerance = [1e-6]\n", "tolerance: expected a number", "is a list")
        self.refused_with('history = "yes"\n', "history: expected true or false", "is a text")
        self.refused_with("history = 1\n", "history: expected true or false", "is a whole number")
        self.refused_with("filter = 3\n", "filter: expected a text, in quotes", "is a whole number")
        self.refused_with('solver = [\n  "ncp-pgs",\n  3,\n]\n', "line 3: solver: expected a text", "or a list of them")
        self.refused_with("memory-limit = true\n", "memory-limit: expected a number, or a text", "true or false")
        self.refused_with("filter = 2026-01-01\n", "filter: expected a text", "is a date")
        self.refused_with('tolerance = {value = 1}\n', "tolerance: expected a number", "is a table")

    def test_wrong_types_of_what_the_command_line_overrides(self) -> None:
        self.write('tolerance = "1e-6"\n')
        self.refused("run", self.problem, "--config", "campaign.toml", "--tolerance", 1, saying=["tolerance: expected"])

    def test_wrong_values(self) -> None:
        self.refused_with("tolerance = -1\n", "line 1: tolerance: ", "'-1'", "> 0")
        self.refused_with('criterion = "npc"\n', "criterion: ", "'npc'", "ncp")
        self.refused_with("dimension = 4\n", "dimension: ", "'4'", "2, 3")
        self.refused_with('memory-limit = "4X"\n', "memory-limit: ", "'4X'")
        self.refused_with("max-iterations = 99999999999\n", "max-iterations: ", "99999999999")

    def test_what_is_not_toml(self) -> None:
        self.refused_with("tolerance 3\n", "line 1, column ", "not TOML")
        self.refused_with('a = 1\nfilter = "open\n', "line 2, column ", "not TOML")
        self.refused_with("tolerance = 1\ntolerance = 2\n", "line 2, column ", "not TOML")
        self.file.write_bytes(b"\xff\xfe\x00")
        self.refused("run", self.problem, "--config", "campaign.toml", saying=["campaign.toml: ", "not TOML"])

    def test_files_that_cannot_be_read(self) -> None:
        self.refused("run", self.problem, "--config", "nowhere.toml", saying=["nowhere.toml: cannot be opened"])
        self.refused("run", self.problem, "--config", self.folder, saying=[str(self.folder)])

    def test_problems_are_required_in_one_place(self) -> None:
        self.write("tolerance = 1\n")
        self.refused("run", "--config", "campaign.toml", saying=["PROBLEMS is required"])
        self.refused("run", saying=["PROBLEMS is required"])

    def test_the_example_of_the_help(self) -> None:
        help_text = self.program("run", "--help").stdout
        example = help_text.split("and the problems:\n")[1].split("A list on")[0]
        self.write(example.replace("datasets/default", str(self.problem)))
        self.assertIn("pairs", self.program("run", "--config", "campaign.toml", "--dry-run").stdout)
