"""Help text, version and listings: what a newcomer looks at first."""

from __future__ import annotations

import json
import re

import h5py

from program import COMMANDS, DATASET, ROOT, ProgramTest, problem


def registered_names() -> set[str]:
    """The solvers that the sources define: each says its name where it says what it is."""
    names = set()
    for source in (ROOT / "solvers").glob("*/*.cpp"):
        names |= set(re.findall(r'\.name = "([^"]+)"', source.read_text(encoding="utf-8")))
    return names


class HelpTest(ProgramTest):
    def test_every_command_is_in_the_help_of_the_program(self) -> None:
        text = self.program("--help").stdout
        section = text.split("Subcommands:")[1].split("Examples:")[0]
        listed = re.findall(r"^  (\w+)  ", section, re.MULTILINE)
        self.assertEqual(sorted(listed), sorted(COMMANDS))

    def test_help_ends_well_and_shows_examples(self) -> None:
        scenes = re.findall(r"^(\w+)", self.program("generate", "--list").stdout, re.MULTILINE)
        self.assertIn("stack", scenes)
        asked = [[]] + [[command] for command in COMMANDS]
        asked += [["list", kind] for kind in ("solvers", "problems", "families", "sets", "schema")]
        asked += [["generate", scene] for scene in scenes] + [["simulate", "model"], ["simulate", "robot.xml"]]
        for command in asked:
            for option in ("--help", "-h"):
                with self.subTest(command=command, option=option):
                    finished = self.program(*command, option)
                    self.assertEqual(finished.stderr, "")
                    examples = finished.stdout.split("Examples:\n")[1]
                    # Of the command itself, not of the program at large.
                    self.assertIn(" ".join(["  frictionbench", *command[:1]]), examples)

    def test_options_in_examples_exist(self) -> None:
        for command in COMMANDS:
            options, examples = self.program(command, "--help").stdout.split("Examples:\n")
            if command == "list":
                options += self.program("list", "problems", "--help").stdout
            for line in examples.splitlines():
                if not line.startswith(f"  frictionbench {command}"):
                    continue
                scene = line.split()[2]
                if command in ("generate", "simulate") and not scene.startswith("-"):
                    options = self.program(command, scene, "--help").stdout
                # An explanation may follow after several blanks.
                used = re.findall(r"(?<= )(--?[a-z][\w-]*)", re.split(r" {3,}", line.strip())[0])
                for option in used:
                    with self.subTest(line=line, option=option):
                        self.assertRegex(options, rf"(^|[ ,]){option}\b")

    def test_version(self) -> None:
        version = re.search(r"project\(frictionbench VERSION ([\d.]+)",
                            (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")).group(1)
        self.assertEqual(self.program("--version").stdout, f"frictionbench {version}\n")


class ListTest(ProgramTest):
    def solvers(self, *names: str) -> list[dict]:
        return json.loads(self.program("list", "solvers", *names, "--json").stdout)

    def test_every_registered_solver_is_listed(self) -> None:
        names = [solver["name"] for solver in self.solvers()]
        self.assertEqual(names, sorted(registered_names()))
        text = self.program("list", "solvers").stdout
        for name in names:
            self.assertRegex(text, rf"(?m)^{name} ")

    def test_every_setting_of_a_solver_is_shown(self) -> None:
        for solver in self.solvers():
            text = self.program("list", "solvers", solver["name"]).stdout
            self.assertEqual(self.solvers(solver["name"]), [solver])
            self.assertTrue(solver["summary"] and solver["sources"])
            self.assertIn(solver["summary"], text)
            self.assertIn(solver["model"], text)
            for source in solver["sources"]:
                self.assertIn(source, text)
            for setting in solver["settings"]:
                with self.subTest(solver=solver["name"], setting=setting["name"]):
                    if setting["required"]:
                        self.assertIn(f"    {setting['name']}, required    {setting['type']}\n", text)
                        continue
                    entry = re.search(rf"(?m)^    {setting['name']} = (.*)\n        (.*)$", text)
                    self.assertIsNotNone(entry)
                    self.assertTrue(setting["help"] and setting["source"])
                    default = setting["default"]
                    # A default that is a real number is one in JSON too, 1.0; people read 1.
                    self.assertEqual(isinstance(default, float), setting["type"] == "number")
                    shown = default if isinstance(default, str) else json.dumps(default).removesuffix(".0")
                    self.assertEqual(entry.group(1).split()[0], shown)
                    self.assertEqual(entry.group(2), f"{setting['help']} [{setting['source']}]")
            for shorthand in solver["shorthands"]:
                self.assertIn(f"    {shorthand['name']}\n        {shorthand['help']}\n", text)

    def test_settings_of_the_list_are_those_of_the_document(self) -> None:
        for solver in self.solvers():
            if any(setting["required"] for setting in solver["settings"]):
                continue
            document = self.solve_document(problem("Stack-boxes2-local-8-00000"), "--solver", solver["name"],
                                           "--max-iterations", 1)
            told = {setting["name"]: setting["default"] for setting in solver["settings"]}
            self.assertEqual(document["solvers"][0]["settings"], told)
            self.assertEqual(document["solvers"][0]["model"], solver["model"])

    def test_problems_and_families(self) -> None:
        problems = json.loads(self.program("list", "problems", DATASET, "--json").stdout)
        families = json.loads(self.program("list", "families", DATASET, "--json").stdout)
        files = sorted(DATASET.glob("*/*.hdf5"))
        self.assertGreater(len(files), 40)
        self.assertEqual([item["path"] for item in problems], [str(file) for file in files])
        self.assertEqual([item["id"] for item in problems],
                         [f"{file.parent.name}/{file.stem}" for file in files])
        counts = {item["family"]: item["problems"] for item in families}
        for item in problems:
            counts[item["family"]] -= 1
        self.assertEqual(set(counts.values()), {0})

        text = self.program("list", "problems", DATASET).stdout
        for item in problems:
            self.assertRegex(text, rf"(?m)^{item['id']} +{item['form']} +{item['dimension']} +{item['contacts']}$")
        self.assertEqual({item["form"] for item in problems}, {"local", "global"})
        self.assertEqual({item["dimension"] for item in problems}, {2, 3})


class InfoTest(ProgramTest):
    def test_says_what_a_file_is(self) -> None:
        text = self.program("info", problem("Stack-boxes2-local-8-00000")).stdout
        for part in ("local, 3D", "8 contacts, 24 unknowns", "asymmetry", "diagonal", "rank", "condition", "mu"):
            self.assertIn(part, text)

    def test_says_what_a_stored_solution_is_worth(self) -> None:
        path = self.folder / "solved.hdf5"
        path.write_bytes(problem("Stack-boxes2-local-8-00000").read_bytes())
        document = self.solve_document(path, "--solver", "ncp-pgs", "--write-solution")
        residuals = document["records"][0]["verdict"]["ncp"]
        line = re.search(r"(?m)^  solution .*$", self.program("info", path).stdout).group()
        self.assertIn(f"ncp residual {residuals['relative']:.2e} (absolute {residuals['max']:.2e})", line)

    def test_every_line_below_a_file_is_indented(self) -> None:
        """A description of several lines must not look like the next file."""
        path = self.folder / "lines.hdf5"
        path.write_bytes(problem("Stack-boxes2-local-8-00000").read_bytes())
        with h5py.File(path, "r+") as file:
            info = file["fclib_local"].require_group("info")
            if "description" in info:
                del info["description"]
            info["description"] = "first line\nsecond line"
        first, *others = self.program("info", path).stdout.rstrip("\n").split("\n")
        self.assertEqual(first, str(path))
        for line in others:
            self.assertTrue(line.startswith("  "), line)
        self.assertTrue(any("second line" in line for line in others))
