"""Tables for programs: --csv and --json of `summary`, `info` and `list`, and `export`."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import h5py

from program import DATASET, ROOT, ProgramTest, problem

LISTS_AND_OPEN_OBJECTS = ("solver.settings", "reported", "history", "time.rounds", "time.solve.values")


def read_csv(text: str) -> list[dict[str, str]]:
    """Rows by the names of the first line; all must be of its length."""
    lines = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert len(set(lines[0])) == len(lines[0]), lines[0]
    return [dict(zip(lines[0], line, strict=True)) for line in lines[1:]]


def value(field: str) -> Any:
    """What a field of CSV stands for. Texts are as they are."""
    try:
        return json.loads(field) if field else None
    except json.JSONDecodeError:
        return field


def look_up(item: Any, name: str) -> Any:
    """The member of a dotted name; None where there is none."""
    for part in name.split("."):
        item = item.get(part) if item is not None else None
    return item


class TablesTest(ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        self.problems = [problem("Stack-boxes2-local-8-00000"), problem("Disks2D-*")]
        self.document = self.run_document(*self.problems, "--solver", "ncp-pgs", "--solver", "ccp-admm",
                                          "--solver", "external(command=false)", "--max-iterations", 300, "--history")

    def both(self, *command: Any) -> list[dict[str, Any]]:
        """The rows of a command's --json, which must be those of its --csv."""
        rows = json.loads(self.program(*command, "--json").stdout)
        fields = read_csv(self.program(*command, "--csv").stdout)
        self.assertEqual(len(fields), len(rows))
        for row, of_csv in zip(rows, fields, strict=True):
            self.assertEqual(list(row), list(of_csv))
            for name, expected in row.items():
                found = of_csv[name] if isinstance(expected, str) and expected else value(of_csv[name])
                self.assertEqual(found, None if expected == "" else expected, name)
        return rows

    def test_summary(self) -> None:
        rows = self.both("summary", "results.json")
        self.assertEqual(len(rows), 3 * 3)
        medians = [record["time"]["solve"]["median"] for record in self.document["records"]
                   if record["solver"] == "ncp-pgs" and record["problem"].startswith("Stack")]
        row = next(row for row in rows if row["family"] == "Stack" and row["solver"] == "ncp-pgs")
        self.assertEqual((row["problems"], row["solved"]), (1, 1))
        self.assertAlmostEqual(row["time"], medians[0], places=15)
        self.assertEqual((row["file"], row["tolerance"]), ("results.json", 1e-6))
        text = self.program("summary", "results.json").stdout
        self.assertIn(" 1/1  100 ", text)
        for hidden in ("results.json", "creep"):
            self.assertNotIn(hidden, text)

    def test_summary_of_several_files_and_history(self) -> None:
        (self.folder / "copy.json").write_text(json.dumps(self.document), encoding="utf-8")
        one, both = self.both("summary", "copy.json"), self.both("summary", "results.json", "copy.json")
        self.assertEqual(both[9:], one)
        rows = self.both("summary", "results.json", "copy.json", "--history", "ncp-pgs", "--family", "Stack")
        self.assertEqual(rows, [row for row in both if row["solver"] == "ncp-pgs" and row["family"] == "Stack"])

    def test_info(self) -> None:
        rows = self.both("info", *self.problems)
        for row, expected in zip(rows, self.document["problems"], strict=True):
            for name, value in (expected.pop("data_set") or {}).items():
                self.assertEqual(row[f"data_set.{name}"], value)
            for name in expected.keys() - {"condition"}:  # asked for by `run --condition` only
                self.assertEqual(row[name], expected[name], name)
            self.assertGreater(row["condition"], 1)
            self.assertIsNone(row["solution.ncp.relative"])

    def test_info_of_states_and_texts(self) -> None:
        path = self.folder / "solved.hdf5"
        path.write_bytes(self.problems[0].read_bytes())
        document = self.solve_document(path, "--solver", "ncp-pgs", "--write-solution")
        with h5py.File(path, "r+") as file:
            del file["fclib_local/info/title"]
            file["fclib_local/info/title"] = 'a "title", of two\nlines'
        row, = self.both("info", path)
        residuals = document["records"][0]["verdict"]["ncp"]
        self.assertEqual(row["solution.ncp.relative"], residuals["relative"])
        self.assertEqual(row["solution.ncp.max"], residuals["max"])
        self.assertEqual(row["title"], 'a "title", of two\nlines')

    def test_list(self) -> None:
        for command in (["problems", DATASET], ["families", DATASET], ["solvers"], ["solvers", "ncp-pgs"]):
            with self.subTest(command=command):
                self.assertGreater(len(self.both("list", *command)), 0)
        self.assertEqual(self.program("list", "families", self.problems[0], "--csv").stdout,
                         f"family,problems\n{self.problems[0].parent.name},1\n")

    def test_export(self) -> None:
        rows = self.both("export", "results.json")
        document = self.document
        problems = {entry["id"]: entry for entry in document["problems"]}
        solvers = {entry["id"]: entry for entry in document["solvers"]}
        self.assertEqual(len(rows), len(document["records"]))
        for row, record in zip(rows, document["records"], strict=True):
            places = {"run": document["run"], "problem": problems[record["problem"]],
                      "solver": solvers[record["solver"]]}
            for name, found in row.items():
                first, _, rest = name.partition(".")
                if first in places:
                    self.assertEqual(found, look_up(places[first], rest), name)
                elif name not in ("file", "solved", "residual"):
                    self.assertEqual(found, look_up(record, name), name)
            self.assertEqual(row["solved"], record["solved"]["ncp"]["relative"])
            self.assertEqual(row["residual"], look_up(record, "verdict.ncp.relative"))
        self.assertTrue(any(row["history"] for row in rows))
        self.assertTrue(any(row["status"] == "error" and row["residual"] is None for row in rows))

    def test_export_has_every_value_of_the_schema(self) -> None:
        schema = json.loads((ROOT / "results" / "results.schema.json").read_text(encoding="utf-8"))["properties"]

        def names(members: dict[str, Any], prefix: str) -> list[str]:
            found = []
            for name, member in members.items():
                inside = member.get("properties")
                found += names(inside, f"{prefix}{name}.") if inside else [prefix + name]
            return found

        columns = self.program("export", "results.json").stdout.splitlines()[0].split(",")
        for part, prefix in (("problems", "problem."), ("solvers", "solver."), ("records", "")):
            expected = names(schema[part]["items"]["properties"], prefix)
            if not prefix:
                expected = [name for name in expected if name not in ("problem", "solver")]
            start = columns.index(expected[0])
            self.assertEqual(columns[start:start + len(expected)], expected)
        for name in LISTS_AND_OPEN_OBJECTS:
            self.assertIn(name, columns)

    def test_export_of_several_files(self) -> None:
        (self.folder / "copy.json").write_text(json.dumps(self.document), encoding="utf-8")
        one, both = self.both("export", "results.json"), self.both("export", "results.json", "copy.json")
        self.assertEqual(both[:6], one)
        self.assertEqual({row["file"] for row in both[6:]}, {"copy.json"})

    def test_output_of_export(self) -> None:
        text = self.program("export", "results.json").stdout
        self.assertEqual(self.program("export", "results.json", "--csv").stdout, text)
        self.assertEqual(self.program("export", "results.json", "--csv", "-o", "table.csv").stdout, "")
        self.assertEqual((self.folder / "table.csv").read_bytes().decode(), text)
        self.refused("export", "results.json", "-o", "table.csv", saying=["table.csv", "already exists", "--force"])
        self.program("export", "results.json", "-o", "table.csv", "--force", "--json")
        self.assertEqual(len(json.loads((self.folder / "table.csv").read_text(encoding="utf-8"))), 6)
        self.refused("export", "results.json", "-o", "results.json", "--force", saying=["is read by this command"])

    def test_one_form_at_a_time(self) -> None:
        for command in (["summary", "results.json"], ["export", "results.json"], ["info", *self.problems],
                        ["list", "solvers"], ["list", "problems", *self.problems]):
            with self.subTest(command=command):
                self.refused(*command, "--csv", "--json", saying=["--csv and --json", "only one"])

    def test_unreadable_problems_are_left_out(self) -> None:
        (self.folder / "bad.hdf5").write_bytes(b"no HDF5")
        for command in (["info"], ["list", "problems"]):
            for option in ("--csv", "--json"):
                with self.subTest(command=command, option=option):
                    finished = self.program(*command, "bad.hdf5", self.problems[0], option, code=1)
                    self.assertIn("bad.hdf5", finished.stderr)
                    rows = json.loads(finished.stdout) if option == "--json" else read_csv(finished.stdout)
                    self.assertEqual(len(rows), 1)
