"""scripts/setup.sh on simulated machines: a PATH of stand-ins for the system's programs."""

import os
import re
import subprocess
import unittest

from support import ROOT, SCRIPTS, TemporaryFolderTest


def sections() -> dict[str, list[str]]:
    """The packages of apt-packages.txt by section."""
    found: dict[str, list[str]] = {}
    for line in (SCRIPTS / "apt-packages.txt").read_text(encoding="utf-8").splitlines():
        name = line.partition("#")[0].strip()
        if name.startswith("["):
            found[name.strip("[]")] = packages = []
        elif name:
            packages.append(name)
    return found


SECTIONS = sections()
BENCH = SECTIONS["bench"]
PACKAGES = [name for names in SECTIONS.values() for name in names]
INSTALL = "apt-get install -y --no-install-recommends"


class Setup(TemporaryFolderTest):
    def setUp(self) -> None:
        super().setUp()
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        self.log = self.folder / "log"
        self.log.touch()
        for tool in ("dirname", "cat", "env", "bash"):
            (self.bin / tool).symlink_to(f"/usr/bin/{tool}")

    def stand_in(self, name: str, script: str) -> None:
        path = self.bin / name
        path.write_text(f"#!/bin/bash\n{script}\n", encoding="utf-8")
        path.chmod(0o755)

    def machine(self, *, user: int, missing: list[str], sudo: str | None = None, apt_get: str = "true") -> None:
        """A Debian machine. `sudo` is run for `sudo -n true`; the log shows what was run."""
        there = "".join(f"{name} installed\\n" for name in PACKAGES if name not in missing)
        removed = "".join(f"{name} config-files\\n" for name in missing[:1])
        self.stand_in("dpkg-query", f"printf '{there}{removed}'; exit {1 if missing else 0}")
        self.stand_in("id", f"echo {user}")
        self.stand_in("apt-get", f'echo "apt-get [$DEBIAN_FRONTEND] $*" >>"{self.log}"; {apt_get}')
        if sudo is not None:
            self.stand_in("sudo", f'echo "sudo $*" >>"{self.log}"; [[ $1 == -n ]] && shift; '
                                  f'if [[ $* == true ]]; then {sudo}; else exec "$@"; fi')

    def setup_sh(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([SCRIPTS / "setup.sh", *arguments], env={"PATH": str(self.bin)}, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, cwd=self.folder, check=False)

    def calls(self) -> list[str]:
        return self.log.read_text(encoding="utf-8").splitlines()

    def assert_line_to_run(self, result, packages, prefix=""):
        self.assertNotEqual(result.returncode, 0)
        error, line = result.stderr.splitlines()
        self.assertTrue(error.startswith("error: "), error)
        self.assertEqual(line, f"{prefix}apt-get update && {prefix}{INSTALL} {' '.join(packages)}")
        return error

    def test_nothing_missing_does_nothing(self):
        self.machine(user=1000, missing=[], sudo="false")
        result = self.setup_sh()
        self.assertEqual(result.stdout, f"setup: all {len(BENCH)} packages are installed\n")
        self.assertEqual((result.returncode, result.stderr, self.calls()), (0, "", []))
        result = self.setup_sh("--quiet")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))

    def test_root_installs_what_is_missing(self):
        self.machine(user=0, missing=["cmake", "libfmt-dev"])
        result = self.setup_sh()
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        update, install = self.calls()
        self.assertRegex(update, r"^apt-get \[noninteractive\] .* update$")
        self.assertRegex(install, rf"^apt-get \[noninteractive\] .* {INSTALL[8:]} cmake libfmt-dev$")

    def test_packages_of_papers_peers_and_tests_only_if_asked(self):
        self.machine(user=0, missing=["slurm-wlm", "python3-h5py", "libbullet-dev"])
        self.assertEqual((self.setup_sh().returncode, self.calls()), (0, []))
        self.assertEqual(self.setup_sh("--papers").returncode, 0)
        self.assertRegex(self.calls()[-1], rf"{INSTALL[8:]} python3-h5py$")
        self.assertEqual(self.setup_sh("--peers").returncode, 0)
        self.assertRegex(self.calls()[-1], rf"{INSTALL[8:]} libbullet-dev$")
        self.assertEqual(self.setup_sh("--tests", "--quiet").returncode, 0)
        self.assertRegex(self.calls()[-1], rf"{INSTALL[8:]} python3-h5py slurm-wlm libbullet-dev$")

    def test_others_install_through_sudo(self):
        self.machine(user=1000, missing=["cmake"], sudo="true")
        self.assertEqual(self.setup_sh().returncode, 0)
        calls = self.calls()
        self.assertEqual(calls[0], "sudo -n true")
        self.assertTrue(calls[1].startswith("sudo -n env "), calls)
        self.assertRegex(calls[-1], r"^apt-get \[noninteractive\] .* cmake$")

    def test_no_sudo(self):
        self.machine(user=1000, missing=["cmake", "git"])
        error = self.assert_line_to_run(self.setup_sh(), ["cmake", "git"])
        self.assertIn("root", error)
        self.assertEqual(self.calls(), [])

    def test_sudo_that_asks_for_a_password_without_a_terminal(self):
        self.machine(user=1000, missing=["cmake"], sudo="false")
        error = self.assert_line_to_run(self.setup_sh(), ["cmake"], prefix="sudo ")
        self.assertIn("password", error)
        self.assertEqual(self.calls(), ["sudo -n true"])

    def test_not_a_debian_like_system(self):
        self.stand_in("id", "echo 0")
        error = self.assert_line_to_run(self.setup_sh(), BENCH)
        self.assertIn("not a Debian-like system", error)

    def test_apt_get_fails(self):
        self.machine(user=0, missing=["cmake"], apt_get="[[ $* != *update* ]] || exit 100")
        self.assertIn("update failed", self.assert_line_to_run(self.setup_sh(), ["cmake"]))
        self.machine(user=0, missing=["cmake"], apt_get="[[ $* != *install* ]] || exit 100")
        self.assertIn("install failed", self.assert_line_to_run(self.setup_sh(), ["cmake"]))

    def test_help_and_unknown_arguments(self):
        self.assertIn("usage: scripts/setup.sh", self.setup_sh("--help").stdout)
        result = self.setup_sh("--fast")
        self.assertEqual(result.returncode, 2)
        self.assertIn("--fast", result.stderr)


class Packages(unittest.TestCase):
    def test_sections(self):
        self.assertEqual(list(SECTIONS), ["bench", "papers", "tests", "peers"])
        for daemon_or_tool_of_tests in ("slurm-wlm", "munge", "chromium", "libgtest-dev", "libbenchmark-dev"):
            self.assertIn(daemon_or_tool_of_tests, SECTIONS["tests"])

    def test_names_are_valid_and_occur_once(self):
        self.assertEqual(len(PACKAGES), len(set(PACKAGES)))
        for name in PACKAGES:
            self.assertRegex(name, r"^[a-z0-9][a-z0-9.+-]+$")

    def test_ci_runs_the_tests_and_nothing_else(self):
        lines = [line for line in (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()
                 if not re.match(r"\s*(#|$)", line)]
        self.assertEqual(len(lines), 1)
        self.assertIn("scripts/test.sh", lines[0])
        self.assertTrue(os.access(ROOT / ".ci/run", os.X_OK))


if __name__ == "__main__":
    unittest.main()
