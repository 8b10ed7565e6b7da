"""Solvers in programs of their own: what they are sent, what is recorded, and that bad ones spoil their records only."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import h5py
import numpy
from program import ROOT, ProgramTest, problem

EXAMPLE = ROOT / "solvers" / "external" / "examples" / "numpy_uzawa.py"
LOCAL, GLOBAL = (problem(name) for name in ("Stack-boxes2-local-8-00000", "Stack-boxes1-global-4-00000"))

# What the programs below begin with. Each appends a line to `starts`, answers the greeting, and lets `answer` answer
# problems.
COMMON = """
import json, os, subprocess, sys, time

with open("starts", "a") as starts:
    print(os.getpid(), file=starts)

def say(**members):
    print(json.dumps(members), flush=True)

def unsolved(request):
    say(id=request["id"], status="stalled")

def serve(answer):
    for line in sys.stdin:
        request = json.loads(line)
        if "protocol" in request:
            say(id=request["id"], protocol="frictionbench-solver", version=1)
        else:
            answer(request)
"""


class ExternalTest(ProgramTest):
    def spec(self, name: str, body: str, *settings: str) -> str:
        """A solver of this name, whose program begins with COMMON."""
        (self.folder / f"{name}.py").write_text(COMMON + body, encoding="utf-8")
        return f"external({','.join((f'''command='/usr/bin/python3 {name}.py' ''', f'name={name}', *settings))})"

    def records(self, *arguments: Any) -> list[dict[str, Any]]:
        return self.run_document(*arguments, "--time-limit", 2)["records"]

    def starts(self) -> list[int]:
        """Process ids of the programs that were started."""
        path = self.folder / "starts"
        return [int(line) for line in path.read_text(encoding="utf-8").split()] if path.exists() else []

    def test_the_example_solves_problems(self) -> None:
        document = self.run_document(LOCAL, GLOBAL, "--tolerance", 1e-4, "--solver",
                                     f"external(command='/usr/bin/python3 \"{EXAMPLE}\"',name=uzawa)")
        self.assertEqual([(s["id"], s["name"], s["model"]) for s in document["solvers"]], [("uzawa", "uzawa", "ncp")])
        self.assertIn("numpy_uzawa.py", document["solvers"][0]["settings"]["command"])
        for record in document["records"]:
            self.assertEqual(record["status"], "converged", record["message"])
            self.assertGreater(record["iterations"], 1)
            self.assertEqual(record["reported"]["products"], record["iterations"])
        self.assertIn("uzawa", self.program("summary", "results.json").stdout)

    def test_the_program_starts_once_for_a_run(self) -> None:
        spec = self.spec("once", "serve(unsolved)\n")
        self.program("run", LOCAL, GLOBAL, "--solver", spec, "--solver", "ncp-pgs", "--repeat-time", 0.05, "--quiet")
        records = self.load("results.json")["records"]
        self.assertEqual([record["status"] for record in records if record["solver"] == "once"], ["stalled"] * 2)
        self.assertGreater(records[0]["time"]["solve"]["samples"], 1)
        self.assertEqual(len(self.starts()), 1)

    def test_it_is_sent_the_problem(self) -> None:
        spec = self.spec("copy", """
def keep(request):
    with open(request["file"], "rb") as block, open(f"{request['contacts']}.bin", "wb") as copy:
        copy.write(block.read())
    with open(f"{request['contacts']}.json", "w") as copy:
        json.dump(request, copy)
    say(id=request["id"], status="stalled", message="seen", iterations=7, solve_time=0.25, counters={"looks": 2})
serve(keep)
""", "model=ccp")
        records = self.records(LOCAL, GLOBAL, "--tolerance", 1e-5, "--max-iterations", 9, "--solver", spec)
        for record in records:
            self.assertEqual((record["message"], record["iterations"]), ("seen", 7))
            self.assertEqual(record["reported"], {"looks": 2, "solve_time": 0.25})

        def sent(contacts: int) -> tuple[dict[str, Any], dict[str, numpy.ndarray]]:
            request = json.loads((self.folder / f"{contacts}.json").read_text(encoding="utf-8"))
            block = (self.folder / f"{contacts}.bin").read_bytes()
            return request, {name: numpy.frombuffer(block, a["type"], a["count"], a["offset"])
                             for name, a in request["arrays"].items()}

        request, arrays = sent(8)
        self.assertEqual((request["model"], request["dimension"], request["tolerance"], request["max_iterations"]),
                         ("ccp", 3, 1e-5, 9))
        self.assertTrue(0 < request["time_limit"] <= 2)
        with h5py.File(LOCAL) as file:
            local = file["fclib_local"]
            for name, path in (("W.indptr", "W/p"), ("W.indices", "W/i"), ("W.data", "W/x"), ("q", "vectors/q"),
                               ("mu", "vectors/mu")):
                numpy.testing.assert_array_equal(arrays[name], numpy.ravel(local[path]), name)
        for name in ("r", "R", "compliance"):
            numpy.testing.assert_array_equal(arrays[name], numpy.zeros(24), name)
        self.assertTrue(numpy.all(arrays["impulse_unit"] > 0) and len(arrays["velocity_unit"]) == 8)
        self.assertNotIn("f", arrays)

        _, arrays = sent(4)
        with h5py.File(GLOBAL) as file:
            vectors = file["fclib_global/vectors"]
            numpy.testing.assert_array_equal(arrays["f"], numpy.ravel(vectors["f"]))
            numpy.testing.assert_array_equal(arrays["w"], numpy.ravel(vectors["w"]))
        self.assertEqual((len(arrays["M.indptr"]), len(arrays["H.indptr"])), (7, 7))

    def test_a_bad_answer_spoils_one_record(self) -> None:
        """The program misbehaves at the problem of 8 contacts, which comes second, and is sound at the other two."""
        bad = {
            "exits": ("sys.exit('out of ideas')", "error", "ended without an answer: out of ideas"),
            "dies": ("os.kill(os.getpid(), 9)", "error", "ended without an answer"),
            "prints": ("print('hello', flush=True)", "error", "wrote 'hello' to its standard output"),
            "floods": ("while True: sys.stdout.write('x' * 65536)", "error", "a line without an end"),
            "mistakes": ("say(id=-1, status='converged')", "error", "answered request"),
            "boasts": ("say(id=request['id'], status='perfect')", "error", "'perfect'"),
            "mumbles": ("say(id=request['id'])", "error", "status"),
            "many": ("say(id=request['id'], status='stalled', iterations='many')", "error", "iterations = \"many\""),
            "counts": ("say(id=request['id'], status='stalled', counters={'a': 'b'})", "error", "not a number"),
            "hangs": ("time.sleep(100)", "time_limit", "did not answer in time"),
            "cuts": ("os.truncate(request['file'], 8); unsolved(request)", "error", "file of the problem has become shorter"),
            "lies": ("say(id=request['id'], status='converged')", "wrong", "reported convergence"),
        }
        other = problem("Stack-boxes1-local-4-00000")
        for name, (deed, status, message) in bad.items():
            with self.subTest(name):
                spec = self.spec(name, f"def answer(request):\n    if request['contacts'] != 8:\n"
                                       f"        return unsolved(request)\n    {deed}\nserve(answer)\n")
                records = self.records(GLOBAL, LOCAL, other, "--solver", spec)
                found = {record["problem"]: record for record in records}
                spoilt = found.pop(f"Stack/{LOCAL.stem}")
                self.assertEqual(spoilt["status"], status, spoilt["message"])
                self.assertIn(message, spoilt["message"])
                self.assertEqual([record["status"] for record in found.values()], ["stalled"] * 2)

    def test_an_impulse_that_is_not_a_number_is_judged(self) -> None:
        spec = self.spec("nan", """
import struct
def answer(request):
    place = request["arrays"]["r"]
    with open(request["file"], "r+b") as block:
        block.seek(place["offset"])
        block.write(struct.pack(f"{place['count']}d", *[float("nan")] * place["count"]))
    say(id=request["id"], status="converged")
serve(answer)
""")
        record, = self.records(LOCAL, "--solver", spec)
        self.assertEqual(record["status"], "wrong")
        self.assertFalse(record["solved"]["ncp"]["relative"])

    def test_a_softer_model_of_its_own(self) -> None:
        """A program that cannot solve anything but says that contacts are as soft as 1e-3."""
        spec = self.spec("soft", """
import struct
def answer(request):
    place = request["arrays"]["compliance"]
    with open(request["file"], "r+b") as block:
        block.seek(place["offset"])
        block.write(struct.pack(f"{place['count']}d", *[1e-3] * place["count"]))
    unsolved(request)
serve(answer)
""")
        record, = self.records(LOCAL, "--solver", spec)
        own = record["own_model"]
        self.assertEqual((own["compliance_min"], own["compliance_max"], own["gap"]), (1e-3, 1e-3, 0))  # of no impulse

    def test_a_program_that_does_not_start(self) -> None:
        for spec, message in [
            ("external(command='/no/such/program',name=absent)", "/no/such/program"),
            (self.spec("silent", "time.sleep(100)\n", "start_limit=0.3"), "did not answer in time"),
            (self.spec("rude", "print('Hello!', flush=True); time.sleep(100)\n"), "wrote 'Hello!'"),
            (self.spec("old", "say(id=1, protocol='frictionbench-solver', version=0); time.sleep(9)\n"), "greeting"),
            (self.spec("typed", "say(id=1, protocol='frictionbench-solver', version='1'); time.sleep(9)\n"), "greeting"),
            (self.spec("mute", "say(id=1); time.sleep(9)\n"), "greeting"),
        ]:
            with self.subTest(spec):
                for record in self.records(LOCAL, GLOBAL, "--solver", spec):
                    self.assertEqual(record["status"], "error")
                    self.assertIn(message, record["message"])

    def test_a_program_that_never_starts_is_not_waited_for_again_and_again(self) -> None:
        spec = self.spec("silent", "time.sleep(100)\n", "start_limit=0.5")
        files = sorted(LOCAL.parent.glob("*.hdf5"))
        records = self.records(*files, "--solver", spec)
        self.assertGreater(len(records), 10)
        self.assertEqual({record["status"] for record in records}, {"error"})
        self.assertEqual(len(self.starts()), 3)

    def test_an_idle_program_ends_by_itself(self) -> None:
        spec = self.spec("tidy", """
serve(unsolved)
with open("ended", "w") as ended:
    ended.write("tidied up")
""")
        self.records(LOCAL, "--solver", spec)
        self.assertEqual((self.folder / "ended").read_text(), "tidied up")

    def test_nothing_is_left_running(self) -> None:
        spec = self.spec("forks", """
with open("starts", "a") as starts:
    print(subprocess.Popen(["sleep", "1000"]).pid, file=starts)
serve(unsolved)
""")
        self.records(LOCAL, "--solver", spec)
        for process in self.starts():
            for _ in range(100):
                if not Path(f"/proc/{process}").exists():
                    break
                time.sleep(0.05)
            self.assertFalse(Path(f"/proc/{process}").exists(), process)
        self.assertEqual(len(self.starts()), 2)

    def test_each_processor_has_a_program_of_its_own(self) -> None:
        if len(os.sched_getaffinity(0)) < 2:
            self.skipTest("one processor")
        spec = self.spec("pinned", """
def answer(request):
    time.sleep(0.3)
    say(id=request["id"], status="stalled", counters={"processors": len(os.sched_getaffinity(0))})
serve(answer)
""")
        records = self.records(LOCAL, GLOBAL, "--jobs", 2, "--solver", spec)
        self.assertEqual([record["reported"]["processors"] for record in records], [1, 1])
        self.assertEqual(len(self.starts()), 2)

    def test_the_memory_limit_is_kept(self) -> None:
        spec = self.spec("greedy", """
def answer(request):
    try:
        bytearray(2 * 1024**3)
    except MemoryError:
        say(id=request["id"], status="error", message="no memory")
        return
    unsolved(request)
serve(answer)
""")
        record, = self.records(LOCAL, "--memory-limit", "1G", "--solver", spec)
        # The second is all that some sanitizers can still print.
        if any(sign in (record["message"] or "") for sign in ("AddressSanitizer", "Failed to mmap")):
            self.skipTest("the address sanitizer needs all of the address space")
        self.assertEqual((record["status"], record["message"]), ("error", "no memory"))

    def test_specifications(self) -> None:
        document = self.run_document(LOCAL, "--solver", "external(command='exit 3; # it''s nothing, (really)')")
        id = document["solvers"][0]["id"]
        self.assertEqual(id, "external(command='exit 3; # it''s nothing, (really)')")
        self.assertEqual(self.run_document(LOCAL, "--solver", id)["solvers"], document["solvers"])
        self.refused("run", LOCAL, "--solver", "external", "--force", saying=["command is missing"])
        self.refused("run", LOCAL, "--solver", "external(command='exit)", "--force", saying=["quotes", "do not match"])
        self.refused("run", LOCAL, "--solver", "external(command=a,name=x)", "--solver",
                     "external(command=b,name=x)", "--force", saying=["two would have the id 'x'"])
        self.refused("run", LOCAL, "--solver", "external(command=a,name=ncp-pgs)", "--force",
                     saying=["name = 'ncp-pgs' is that of a registered solver"])
        self.refused("run", LOCAL, "--solver", "external(command=a,name='a b')", "--force", saying=["must consist of"])
        self.assertIn("command, required", self.program("list", "solvers", "external").stdout)
