"""One whole process: how long it took, on how many cores, and how much memory it had."""

import dataclasses
import os
import subprocess
import tempfile
import threading
import time


@dataclasses.dataclass
class Run:
    seconds: float  # from the start of the process until it is gone
    processor: float  # seconds of all cores together
    memory: int  # the most that it had at once, in bytes; with pages of mapped files that it touched
    messages: str  # standard error
    failure: str = ""
    stopped: bool = False  # at the limit, which is no failure


def run(command, output, limit, environment=None, cores=None):
    """Its standard output goes into the file `output`. It is killed after `limit` seconds.

    The memory is at least that of this process, which it starts as a copy of: numpy and torch have no place here.
    """
    command = [str(word) for word in command]
    if cores:
        environment = {**(environment or os.environ), "OMP_NUM_THREADS": str(cores)}
        command = ["taskset", "-c", ",".join(map(str, sorted(os.sched_getaffinity(0))[:cores])), *command]
    with open(output, "wb") as out, tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=out, stderr=errors, env=environment)
        end = threading.Timer(min(limit, threading.TIMEOUT_MAX), process.kill)
        end.start()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        end.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        messages = errors.read().decode(errors="replace")
    done = Run(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, messages)
    done.stopped = process.returncode != 0 and seconds >= limit
    if process.returncode != 0 and not done.stopped:
        last = (messages.strip().splitlines() or ["no message"])[-1]
        done.failure = f"status {process.returncode}: {last}"
    return done
