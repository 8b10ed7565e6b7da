"""A Slurm of one node on the loopback interface, as whoever runs it: root in a container without systemd, or any user.

Everything it reads and writes is in one folder, and the daemons end with the process that started them.
"""

from __future__ import annotations

import contextlib
import getpass
import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

# Debian has the daemons where the PATH of users does not look.
SEARCH_PATH = os.environ.get("PATH", os.defpath) + ":/usr/sbin:/sbin"
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel", "sinfo")
READY_SECONDS = 60
STOP_SECONDS = 20

# No accounting, no cgroups: what a container without rights of its own allows. A credential's life is how
# long a requeued job waits, two minutes by default.
CONFIGURATION = """\
ClusterName=frictionbench
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=2
KillWait=5
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={processors} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


class SlurmError(RuntimeError):
    """Slurm did not do what it was asked to; the message ends with the daemons' logs."""


def missing_programs() -> list[str]:
    """What of Slurm and munge is not installed."""
    return [name for name in PROGRAMS if shutil.which(name, path=SEARCH_PATH) is None]


def free_ports(count: int) -> list[int]:
    """Ports on the loopback interface that no process listens on."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class SingleNodeSlurm:
    """A context in which Slurm runs: `environment` is what makes its commands find it."""

    def __init__(self) -> None:
        self.user = getpass.getuser()
        self.folder = Path(tempfile.mkdtemp(prefix="slurm-"))
        # munge wants others to be able to reach its socket, and not to be able to write next to it.
        self.folder.chmod(0o755)
        self.environment = {
            # What a surrounding Slurm job or a user's habits say of jobs is not for this one.
            **{name: value for name, value in os.environ.items()
               if not name.startswith(("SLURM", "SBATCH", "SQUEUE", "SINFO"))},
            "PATH": SEARCH_PATH,
            "SLURM_CONF": str(self.folder / "slurm.conf"),
        }
        self._daemons: dict[str, subprocess.Popen[bytes]] = {}  # in the order of their start

    def __enter__(self) -> SingleNodeSlurm:
        try:
            self._configure()
            self._start("munged", "--foreground", f"--socket={self.folder}/munge.socket",
                        f"--key-file={self.folder}/munge.key", f"--pid-file={self.folder}/munged.pid",
                        f"--seed-file={self.folder}/munged.seed")
            self._wait_until("munge answers", lambda: (self.folder / "munge.socket").exists())
            self._start("slurmctld", "-D", "-f", self.environment["SLURM_CONF"])
            self._start("slurmd", "-D", "-f", self.environment["SLURM_CONF"])
            self._wait_until("the node is idle", lambda: self._output("sinfo", "-h", "-o", "%T") == "idle")
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 where: TracebackType | None) -> None:
        self.stop()

    def wait_for_jobs(self, seconds: float) -> None:
        """Waits until no job is left, or raises a SlurmError with the queue and the logs."""
        self._wait_until("the queue is empty", lambda: self._output("squeue", "-h") == "", seconds)

    def logs(self) -> str:
        """The last lines of what the daemons wrote."""
        parts = []
        for path in sorted(self.folder.glob("*.log")):
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
            parts.append("\n".join([f"--- {path.name}", *lines[-40:]]))
        return "\n".join(parts)

    def stop(self) -> None:
        """Ends the jobs, then the daemons, the last started first, and removes the folder."""
        try:
            # Whatever was wrong before is what matters: a queue that does not empty is left behind.
            with contextlib.suppress(SlurmError):
                if self._daemons and not self._dead():
                    self._output("scancel", f"--user={self.user}")
                    self.wait_for_jobs(STOP_SECONDS)
        finally:
            for daemon in reversed(self._daemons.values()):
                self._end(daemon)
            shutil.rmtree(self.folder, ignore_errors=True)

    def _configure(self) -> None:
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        key = self.folder / "munge.key"
        key.touch(0o600)
        key.write_bytes(secrets.token_bytes(128))
        # The processors as Slurm counts them: a node that has fewer than it claims is not used.
        shown = subprocess.run(["slurmd", "-C"], env=self.environment, capture_output=True, text=True,
                               check=True).stdout
        controller_port, node_port = free_ports(2)
        Path(self.environment["SLURM_CONF"]).write_text(CONFIGURATION.format(
            host=socket.gethostname().split(".")[0], user=self.user, folder=self.folder,
            processors=shown.split(" CPUs=")[1].split()[0],
            controller_port=controller_port, node_port=node_port), encoding="utf-8")

    def _start(self, name: str, *arguments: str) -> None:
        # A test that is killed cannot tidy up: setpriv has the kernel end the daemons then.
        with open(self.folder / f"{name}.log", "wb") as log:
            self._daemons[name] = subprocess.Popen(
                ["setpriv", "--pdeathsig", "TERM", name, *arguments], env=self.environment,
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)

    @staticmethod
    def _end(daemon: subprocess.Popen[bytes]) -> None:
        daemon.send_signal(signal.SIGTERM)
        try:
            daemon.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            daemon.kill()
            daemon.wait()

    def _dead(self) -> list[str]:
        """The daemons that were started and have ended."""
        return [name for name, daemon in self._daemons.items() if daemon.poll() is not None]

    def _output(self, *command: str) -> str | None:
        """What a command of Slurm's prints; None where it fails, as it does while the daemons start."""
        finished = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=60,
                                  check=False)
        return finished.stdout.strip() if finished.returncode == 0 else None

    def _wait_until(self, what: str, holds: Callable[[], bool], seconds: float = READY_SECONDS) -> None:
        deadline = time.monotonic() + seconds
        while not holds():
            dead = self._dead()
            if dead or time.monotonic() > deadline:
                why = f"{', '.join(dead)} ended" if dead else f"not within {seconds:g} s"
                raise SlurmError(f"waiting until {what}: {why}\n{self._output('squeue')}\n{self.logs()}")
            time.sleep(0.2)
