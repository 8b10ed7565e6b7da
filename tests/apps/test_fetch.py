"""Data sets that are downloaded: from a server that works, one that does not, and without any."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import unittest
from pathlib import Path
from typing import Any

from fault_server import FAULTS, Fault, FaultServer, pointer, seeded, sha256
from program import PROGRAM, Finished, ProgramTest, problem

PATIENT = ("--first-wait", 0.001, "--longest-wait", 0.02, "--stall-time", 0.2, "--retries", 12)


def contents(count: int, seed: int = 1) -> dict[str, bytes]:
    """Files of 1 to 20 kB by path, in three folders."""
    draw = random.Random(seed)
    return {f"Local/{'ABC'[k % 3]}/scene-i{k:05}-{10 ** (k % 4)}-{k}.hdf5": draw.randbytes(draw.randrange(1000, 20000))
            for k in range(count)}


class FetchTest(ProgramTest):
    """A test with a data set `test`, a cache of its own, and no way to any other server."""

    def setUp(self) -> None:
        super().setUp()
        self.sets, self.cache = self.folder / "sets", self.folder / "cache"
        self.sets.mkdir()
        os.environ.update(FRICTIONBENCH_DATASETS=str(self.sets), XDG_CACHE_HOME=str(self.cache), no_proxy="*")
        self.kept = self.cache / "frictionbench/datasets/test/7"

    def describe(self, files: dict[str, bytes], **members: Any) -> None:
        """Writes the description of the set `test`."""
        listed = [{"path": path, "bytes": len(content), "sha256": sha256(content)} for path, content in files.items()]
        text = {"name": "test", "version": "7", "title": "Files for a test", "files": listed, **members}
        (self.sets / "test.json").write_text(json.dumps(text), encoding="utf-8")

    def serve(self, files: dict[str, bytes], fault: Fault = lambda path, count: None) -> FaultServer:
        server = FaultServer(files, fault)
        self.addCleanup(server.close)
        self.describe(files, addresses=[server.address])
        return server

    def fetch(self, *arguments: Any, code: int | None = 0) -> Finished:
        return self.program("fetch", *(arguments or ("test",)), *PATIENT, code=code)

    def names(self, folder: Path | None = None) -> list[str]:
        """Of all files that have their final names."""
        folder = folder or self.kept
        return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*")
                      if path.is_file() and path.suffix != ".part")

    def check_contents(self, files: dict[str, bytes], folder: Path | None = None) -> None:
        """Every file that has its name is right."""
        folder = folder or self.kept
        for name in self.names(folder):
            self.assertEqual((folder / name).read_bytes(), files[name], name)


class FaultTest(FetchTest):
    def test_survives_a_thousand_faults(self) -> None:
        """Processes are killed, two fetch concurrently, and every kind of fault occurs; no file is ever wrong."""
        files = contents(320)
        server = self.serve(files, seeded(20, 0.93))
        draw = random.Random(3)
        rounds = 0
        while self.names() != sorted(files):
            rounds += 1
            self.assertLess(rounds, 200)
            fetchers = [subprocess.Popen([PROGRAM, "fetch", "test", "--quiet", *map(str, PATIENT)], cwd=self.folder,
                                         stderr=subprocess.DEVNULL) for _ in range(1 + rounds % 2)]
            if rounds <= 10:
                try:
                    fetchers[0].wait(draw.uniform(0.02, 0.5))
                except subprocess.TimeoutExpired:
                    fetchers[0].kill()
            for fetcher in fetchers:
                fetcher.wait(120)
            self.check_contents(files)
        self.assertGreaterEqual(sum(server.faults.values()), 1000, server.faults)
        self.assertEqual(sorted(server.faults), sorted(FAULTS))
        self.assertEqual(sorted(self.kept.rglob("*.part")), [])
        print(f"{sum(server.faults.values())} faults in {rounds} rounds: {dict(server.faults)}")

    def test_each_fault_alone(self) -> None:
        """One fault at the first request, and none later."""
        for kind in FAULTS:
            with self.subTest(kind=kind):
                shutil.rmtree(self.cache, ignore_errors=True)
                files = contents(1)
                server = self.serve(files, lambda path, count, kind=kind: kind if count == 0 else None)
                finished = self.fetch(code=None)
                self.assertEqual(server.faults, {kind: 1})
                if kind == "404":  # will not change
                    self.assertEqual(finished.returncode, 2)
                    self.assertIn("the server answered 404", finished.stderr)
                    self.assertEqual(self.names(), [])
                    self.fetch()
                self.assertEqual(self.names(), sorted(files))
                self.check_contents(files)

    def test_wrong_content_never_gets_the_name(self) -> None:
        for kind in ("corrupt", "page", "longer", "truncate"):
            with self.subTest(kind=kind):
                shutil.rmtree(self.cache, ignore_errors=True)
                self.serve(contents(2), lambda path, count, kind=kind: kind)
                finished = self.program("fetch", "test", *PATIENT[:-1], 1, code=2)
                self.assertEqual(self.names(), [])
                lines = [line for line in finished.stderr.splitlines() if line.startswith("error: ")]
                self.assertIn(len(lines), (1, 2), finished.stderr)  # the same reason is told once
                self.assertIn("SHA-256" if kind == "corrupt" else "bytes", lines[0])

    def test_waits_as_long_as_the_server_asks(self) -> None:
        files = contents(2)
        server = self.serve(files, lambda path, count: "429" if count == 0 else None)
        server.retry_after = 1
        self.program("fetch", "test", "--first-wait", 0, "--connections", 1)
        self.check_contents(files)
        self.assertEqual(server.faults, {"429": 2})
        for first, second in server.times.values():
            self.assertGreaterEqual(second - first, 1)

    def test_without_a_server(self) -> None:
        server = self.serve(contents(20))
        server.close()
        lines = [line for line in self.fetch(code=2).stderr.splitlines() if line.startswith("error: ")]
        self.assertEqual(len(lines), 1, lines)
        self.assertIn(" and 19 more: " + server.address, lines[0])
        self.assertNotRegex(lines[0], "after [0-9]+ m", "how long it tried differs from file to file")


class ContinueTest(FetchTest):
    def test_what_is_there_needs_no_space(self) -> None:
        """All but ten bytes of a file that is too large for any disk have arrived. The part is sparse, so it takes none."""
        files = contents(1)
        (path, content), = files.items()
        self.serve(files)
        description = json.loads((self.sets / "test.json").read_text(encoding="utf-8"))
        description["files"][0]["bytes"] = 8 * 2 ** 40
        (self.sets / "test.json").write_text(json.dumps(description), encoding="utf-8")
        self.assertIn("TB are needed", self.fetch(code=2).stderr)
        part = self.kept / f"{path}.part"
        part.parent.mkdir(parents=True)
        part.touch()
        os.truncate(part, 8 * 2 ** 40 - 10)
        self.assertNotIn("needed", self.fetch(code=2).stderr)

    def test_of_two_sets_one_came(self) -> None:
        self.serve(contents(1))
        description = json.loads((self.sets / "test.json").read_text(encoding="utf-8"))
        description["name"] = "gone"
        description["files"][0]["path"] = "not/there.hdf5"
        (self.sets / "gone.json").write_text(json.dumps(description), encoding="utf-8")
        self.fetch("test", "gone", code=1)

    def test_asks_only_for_what_is_missing(self) -> None:
        files = contents(1)
        (path, content), = files.items()
        server = self.serve(files)
        part = self.kept / f"{path}.part"
        part.parent.mkdir(parents=True)
        part.write_bytes(content[:700])
        self.fetch()
        self.assertEqual(server.requests, [(f"/{path}", "bytes=700-")])
        self.check_contents(files)

    def test_a_wrong_part_is_thrown_away(self) -> None:
        files = contents(1)
        (path, content), = files.items()
        for wrong in (b"x" * 700, b"x" * len(content), content + b"x"):
            with self.subTest(length=len(wrong)):
                shutil.rmtree(self.cache, ignore_errors=True)
                self.serve(files)
                part = self.kept / f"{path}.part"
                part.parent.mkdir(parents=True)
                part.write_bytes(wrong)
                self.fetch()
                self.assertEqual(self.names(), [path])
                self.check_contents(files)
                self.assertFalse(part.exists())

    def test_what_is_there_is_not_asked_for(self) -> None:
        files = contents(3)
        server = self.serve(files)
        self.assertIn("3 files fetched, 0 there already", self.fetch().stdout)
        asked = len(server.requests)
        self.assertIn("0 files fetched, 3 there already", self.fetch().stdout)
        self.assertEqual(len(server.requests), asked)

    def test_another_file_is_left_as_it_is(self) -> None:
        files = contents(2)
        self.serve(files)
        mine = self.folder / "mine" / next(iter(files))
        mine.parent.mkdir(parents=True)
        mine.write_text("mine", encoding="utf-8")
        finished = self.fetch("test", "--to", "mine", code=1)
        self.assertIn("is another file, which was left as it is", finished.stderr)
        self.assertEqual(mine.read_text(encoding="utf-8"), "mine")
        self.fetch("test", "--to", "mine", "--force")
        self.check_contents(files, self.folder / "mine")


class SourceTest(FetchTest):
    def test_mirrors_are_tried_in_turn(self) -> None:
        files = contents(4)
        first, second = self.serve(files, lambda path, count: "404"), self.serve(files)
        self.describe(files, addresses=[first.address + "/", second.address])
        self.fetch()
        self.check_contents(files)
        self.assertEqual((len(first.requests), len(second.requests)), (4, 4))

    def test_from_a_folder(self) -> None:
        files = {"a folder/with blanks & %41ä.hdf5": b"content", **contents(2)}
        self.describe(files, addresses=["http://127.0.0.1:1"])
        for path, content in files.items():
            target = self.folder / "my mirror" / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        self.fetch("test", "--from", "my mirror")
        self.assertEqual(self.names(), sorted(files))
        self.check_contents(files)
        next((self.folder / "my mirror").rglob("*A/*.hdf5")).unlink()
        shutil.rmtree(self.cache)
        self.fetch("test", "--from", "my mirror/", code=1)
        self.assertEqual(len(self.names()), 2)

    def test_paths_are_escaped(self) -> None:
        files = {"a folder/with blanks & %41ä?#.hdf5": b"content"}
        self.serve(files)
        self.fetch()
        self.check_contents(files)

    def test_pointers_of_git_lfs_are_followed(self) -> None:
        files = contents(3)
        server = self.serve({path: pointer(content) for path, content in files.items()},
                            lambda path, count: "truncate" if path.startswith("/lfs/") and count == 0 else None)
        server.objects = {sha256(content): content for content in files.values()}
        self.describe(files, addresses=[server.address], lfs=f"{server.address}/objects/batch")
        self.fetch()
        self.check_contents(files)
        self.assertEqual(self.names(), sorted(files))

    def test_waits_as_long_as_the_server_of_git_lfs_asks(self) -> None:
        files = contents(2)
        batch = "/objects/batch"
        server = self.serve({path: pointer(content) for path, content in files.items()},
                            lambda path, count: "429" if path == batch and count == 0 else None)
        server.retry_after = 1
        server.objects = {sha256(content): content for content in files.values()}
        self.describe(files, addresses=[server.address], lfs=server.address + batch)
        self.program("fetch", "test", "--first-wait", 0, "--connections", 1)
        self.check_contents(files)
        first, second, *_ = server.times[batch]
        self.assertGreaterEqual(second - first, 1)

    def test_pointers_that_lead_nowhere(self) -> None:
        files = contents(1)
        content, = files.values()
        for has, lfs, saying in ((content, False, "a pointer of Git LFS instead of the file"),
                                 (content, True, "no such object"),
                                 (b"other", True, "a pointer of Git LFS to another file")):
            with self.subTest(saying=saying):
                server = self.serve({path: pointer(has) for path in files})
                self.describe(files, addresses=[server.address],
                              **({"lfs": f"{server.address}/objects/batch"} if lfs else {}))
                self.assertIn(saying, self.fetch(code=2).stderr)
                self.assertEqual(self.names(), [])

    def test_other_protocols_are_refused(self) -> None:
        self.describe(contents(1))
        self.refused("fetch", "test", "--from", "ftp://example.org", saying=["--from", "ftp://example.org", "https://"])
        self.refused("fetch", "test", "--from", "nowhere", saying=["nowhere", "no such folder"])
        self.refused("fetch", "test", saying=["test: is not published", "--from"])


class ChoiceTest(FetchTest):
    def test_limit_takes_folders_in_turn(self) -> None:
        files = contents(9)
        self.serve(files)
        self.fetch("test", "--limit", 4)
        folders = [name.split("/")[1] for name in self.names()]
        self.assertEqual(folders, ["A", "A", "B", "C"])
        self.assertIn("0 files fetched, 2 there already", self.fetch("test", "--limit", 2).stdout)

    def test_size_classes(self) -> None:
        files = contents(8)
        self.serve(files)
        listed = [{"path": path, "bytes": len(content), "sha256": sha256(content),
                   **({"contacts": 10 ** (k % 4)} if k < 6 else {})} for k, (path, content) in enumerate(files.items())]
        description = json.loads((self.sets / "test.json").read_text(encoding="utf-8"))
        (self.sets / "test.json").write_text(json.dumps({**description, "files": listed}), encoding="utf-8")
        finished = self.fetch("test", "--size-class", "11-100", "--size-class", "101-1000")
        self.assertEqual(self.names(), sorted(name for k, name in enumerate(files) if k in (2, 3)))
        self.assertIn("test: left out 2 of 8 files whose names do not tell the number of contacts", finished.stderr)
        self.refused("fetch", "test", "--size-class", "1001-6000", "--quiet", saying=["no file is known"])
        self.refused("fetch", "test", "--size-class", "1-100", saying=["--size-class", "'1-100'", "11-100"])

    def test_parts_of_a_set(self) -> None:
        files = contents(6)
        server = self.serve(files)
        self.assertIn("2 files, ", self.fetch("test/Local/B/", "--dry-run").stdout)
        self.assertEqual(server.requests, [])
        self.fetch("test/Local/B", f"test/{sorted(files)[0]}")
        self.assertEqual(len(self.names()), 3)
        self.refused("fetch", "test/Local/D", saying=["unknown folder of the data set test 'Local/D'", "Local/A"])
        self.refused("fetch", "tset", saying=["unknown data set 'tset'", "test"])


class RunByNameTest(FetchTest):
    def test_run_says_how_to_get_what_is_missing(self) -> None:
        shipped = [problem("PushedBox2D-*-local-2-00000"), problem("Stack-boxes2-local-8-00000")]
        files = {f"Local/{path.parent.name}/{path.name}": path.read_bytes() for path in shipped}
        self.serve(files)
        self.refused("run", "test/Local", saying=["none of the 2 files", "`frictionbench fetch test/Local`"])
        self.refused("run", "test/Stack", saying=["test/Stack", "Local/Stack"])
        self.fetch("test/Local/Stack")
        self.assertEqual(json.loads(self.program("list", "problems", "test/Local/Stack", "--json").stdout)[0]["id"],
                         "Stack/" + shipped[1].stem)
        part = self.program("run", "test", "--solver", "ncp-pgs", "--repeat-time", 0, "-o", "part.json", code=0)
        self.assertIn("test: only 1 of 2 files are here; `frictionbench fetch test` downloads", part.stderr)
        self.fetch()
        document = self.run_document("test", "--solver", "ncp-pgs")
        self.assertEqual([entry["id"] for entry in document["problems"]],
                         ["PushedBox2D/" + shipped[0].stem, "Stack/" + shipped[1].stem])
        self.assertTrue(all(entry["path"].startswith(str(self.kept)) for entry in document["problems"]))
        self.program("solve", f"test/{list(files)[1]}", "--solver", "ncp-pgs")
        self.program("info", "test")

        (self.folder / "list.txt").write_text("test/Local/Stack\n", encoding="utf-8")
        self.assertEqual(len(self.run_document("@list.txt", "--solver", "ncp-pgs")["problems"]), 1)
        shutil.copytree(shipped[0].parent, self.folder / "test")
        self.assertGreater(len(self.run_document("test", "--solver", "ncp-pgs")["problems"]), 2, "a folder comes first")

    def test_results_name_the_set(self) -> None:
        one = problem("Stack-boxes2-local-8-00000")
        document = self.run_document(one, "--solver", "ncp-pgs")
        self.assertEqual(document["problems"][0]["data_set"]["name"], "default")
        changed = self.folder / "changed.hdf5"
        changed.write_bytes(one.read_bytes() + b" ")
        document = self.run_document(changed, "--solver", "ncp-pgs")
        self.assertIsNone(document["problems"][0]["data_set"])

    def test_kept_answers_are_judged_with_the_problem_of_the_set(self) -> None:
        """On another machine the cache is elsewhere."""
        one = problem("Stack-boxes2-local-8-00000")
        self.serve({one.name: one.read_bytes()})
        self.fetch()
        self.run_document("test", "--solver", "ncp-pgs", "--keep-impulses")
        text = (self.folder / "results.json").read_text(encoding="utf-8")
        (self.folder / "results.json").write_text(text.replace(str(self.kept), "/nowhere"), encoding="utf-8")
        self.program("rejudge", "results.json")


if __name__ == "__main__":
    unittest.main()
