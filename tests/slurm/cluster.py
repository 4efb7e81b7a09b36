"""A Slurm of one node in a scratch folder: its own munge key, ports and state; nothing of the system's configuration is read or written.

    with Cluster(cpus=4) as cluster:
        cluster.run("sbatch", "--wait", "job.sh")

The daemons are Debian's slurmctld, slurmd and munged, as whoever runs this. They end with the block, whatever happens in it, and with
this process if that is killed. Where they cannot be started, Unavailable says why.
"""

import ctypes
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

NODE = "node"
PROGRAMS = ["munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol", "sinfo"]
PR_SET_PDEATHSIG = 1

# linuxproc and no cgroups: containers rarely let anyone make them. config_overrides: more processors than the machine may have. Jobs
# are killed and resubmitted here, so waiting times are as short as Slurm allows.
CONFIGURATION = """\
ClusterName=wordbreadth
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
MpiDefault=none
MailProg=/bin/true
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_min_interval=100000,bf_interval=5
ReturnToService=2
KillWait=2
MinJobAge=600
PropagateResourceLimits=NONE
NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=main Nodes={node} Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
"""


class Unavailable(Exception):
    """Slurm cannot be started here; the message says why."""


def free_ports(count: int) -> list:
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


def path_of_programs() -> str:
    return os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])


def ends_with_its_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Cluster:
    def __init__(self, cpus: int = 4):
        missing = [name for name in PROGRAMS if not shutil.which(name, path=path_of_programs())]
        if missing:
            raise Unavailable(f"Slurm is not installed: no {', '.join(missing)}")
        self.cpus = cpus
        self.daemons = []
        # Short: the name of a socket has 107 characters at most.
        self.folder = Path(tempfile.mkdtemp(prefix="wordbreadth-slurm-"))
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("SLURM_", "SBATCH_"))},
            "PATH": path_of_programs(),
            "SLURM_CONF": str(self.folder / "slurm.conf"),
        }

    def __enter__(self):
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # as the end of a block, too
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    # ---- daemons

    def start(self):
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        controller_port, node_port = free_ports(2)
        (self.folder / "slurm.conf").write_text(
            CONFIGURATION.format(
                controller_port=controller_port, node_port=node_port, user=self.user(), folder=self.folder, node=NODE,
                host=socket.gethostname().split(".")[0], cpus=self.cpus,
            )
        )
        self.daemon("munged", "--foreground", "--force", f"--socket={self.folder}/munge.socket", f"--key-file={key}",
                    f"--pid-file={self.folder}/munged.pid", f"--seed-file={self.folder}/munge.seed",
                    f"--log-file={self.folder}/munged.log")
        self.wait_for("munged's socket", (self.folder / "munge.socket").exists)
        self.daemon("slurmctld", "-D", "-c")
        self.daemon("slurmd", "-D", "-N", NODE)
        self.wait_for("the node to be idle", lambda: self.state_of_node() == "idle")

    @staticmethod
    def user() -> str:
        return pwd.getpwuid(os.getuid()).pw_name

    def daemon(self, name: str, *arguments: str):
        with open(self.folder / f"{name}.out", "wb") as out:
            self.daemons.append(
                subprocess.Popen([name, *arguments], env=self.environment, stdin=subprocess.DEVNULL, stdout=out,
                                 stderr=subprocess.STDOUT, cwd=self.folder, preexec_fn=ends_with_its_parent)
            )

    def state_of_node(self) -> str:
        found = subprocess.run(["sinfo", "--noheader", "--format=%T"], env=self.environment, capture_output=True, text=True)
        return found.stdout.strip()

    def wait_for(self, what: str, is_there, seconds: float = 30):
        until = time.monotonic() + seconds
        while not is_there():
            ended = [daemon for daemon in self.daemons if daemon.poll() is not None]
            if ended or time.monotonic() > until:
                raise Unavailable(f"waited for {what}; " + self.last_words())
            time.sleep(0.1)

    def last_words(self) -> str:
        """The last line of every daemon, for an error of one line."""
        found = []
        for daemon in self.daemons:
            name = daemon.args[0]
            lines = []
            for path in (self.folder / f"{name}.log", self.folder / f"{name}.out"):
                lines += path.read_text(errors="replace").splitlines() if path.exists() else []
            found.append(f"{name}: {lines[-1] if lines else 'says nothing'}")
        return "; ".join(found)

    def stop(self):
        if self.daemons:
            subprocess.run(["scancel", "--user", self.user(), "--signal=KILL", "--full"], env=self.environment,
                           capture_output=True, timeout=30, check=False)
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in self.daemons:
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        self.daemons = []
        for process in self.processes():
            kill(process)
        shutil.rmtree(self.folder, ignore_errors=True)

    # ---- jobs

    def processes(self, program: str = "") -> list:
        """The ids of running processes of this cluster: those that inherited its configuration. `program`: only of this name."""
        mark = f"SLURM_CONF={self.folder}/slurm.conf".encode()
        found = []
        for entry in Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and int(entry.name) != os.getpid() and mark in (entry / "environ").read_bytes().split(b"\0"):
                    if not program or (entry / "comm").read_text().strip() == program[:15]:
                        found.append(int(entry.name))
            except (OSError, ProcessLookupError):
                pass  # it ended, or is someone else's
        return found

    def call(self, *command: str, environment: dict | None = None, **options) -> subprocess.CompletedProcess:
        return subprocess.run(command, env={**self.environment, **(environment or {})}, capture_output=True, text=True, **options)

    def run(self, *command: str, **options) -> str:
        done = self.call(*command, **options)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, command))}: exit status {done.returncode}: {done.stdout}{done.stderr}")
        return done.stdout

    def waiting_and_running(self) -> list:
        """Of every task that has not ended: (job or job_task, state, reason)."""
        listing = self.run("squeue", "--noheader", "--array", "--format=%i|%T|%r")
        return [tuple(line.strip().split("|")) for line in listing.splitlines() if line.strip()]

    def wait_until_empty(self, seconds: float):
        until = time.monotonic() + seconds
        while queue := self.waiting_and_running():
            if time.monotonic() > until:
                raise RuntimeError(f"after {seconds:.0f} s still in the queue: {queue}; " + self.last_words())
            time.sleep(0.2)


def kill(process: int):
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        pass
