"""What the benchmarks share: where things are, how the machine is described, running ours, and tables.

A script in a folder of bench/ finds it by `sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))`.
"""

import argparse
import array
import datetime
import importlib.metadata
import importlib.util
import json
import math
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench" / "results"
MODEL = ROOT / "build" / "models" / "all-minilm-l6-v2"  # tools/model.sh


# ---- running ours


def arguments(description, program, target, rounds=None):
    """A parser with the options that all have."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(program), type=lambda path: require(path, target))
    parser.add_argument("--results", default=RESULTS, type=pathlib.Path, help="folder to write to")
    if rounds:
        parser.add_argument("--rounds", default=rounds, type=int)
    return parser


def program(name, builds=("build",)):
    """build/bench/NAME, in the first of the builds that has it."""
    paths = [ROOT / build / "bench" / name for build in builds]
    return next(filter(pathlib.Path.exists, paths), paths[0])


def gpu_program(name):
    return program(name, ("build/cuda", "build"))


def require(path, target):
    """The absolute path of a program that `make TARGET` builds."""
    path = pathlib.Path(path).resolve()
    if not path.exists():
        raise SystemExit(f"{path} does not exist: run `make {target}`, which builds it")
    return path


def output_of(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout
    except OSError:
        return ""


def json_of(command, environment=None):
    """What a program of ours prints."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True, env=environment)
    if done.returncode != 0:
        raise SystemExit(f"{command[0]} failed with status {done.returncode}")
    return json.loads(done.stdout)


def cublas_environment():
    """The environment, and torch's cuBLAS in it where there may be no other."""
    folders = [os.environ.get("LD_LIBRARY_PATH")]
    torch = importlib.util.find_spec("torch")
    if torch:
        packages = pathlib.Path(torch.origin).resolve().parent.parent
        folders += sorted({str(path.parent) for path in packages.glob("nvidia/*/lib/libcublas.so.*")})
    return {**os.environ, "LD_LIBRARY_PATH": ":".join(filter(None, folders))}


def write_tokens(sentences, path):
    """For the programs that time the encoder: of each sentence its length, then its ids."""
    numbers = array.array("i", (number for sentence in sentences for number in (len(sentence), *sentence)))
    path.write_bytes(numbers.tobytes())


def disagreement(ours, theirs, permutations, tolerance):
    """Where two differ by more than chance, and more than `tolerance` in p; None where none do."""
    for mine, other in zip(ours, theirs):
        error = math.sqrt(2 * mine["p"] * (1 - mine["p"]) / permutations)
        if abs(mine["T"] - other["T"]) > 1e-4 or abs(mine["p"] - other["p"]) > 5 * error + tolerance:
            return f"wordbreadth finds {mine}, torch {other}"
    return None


def require_agreement(case, ours, theirs, permutations, tolerance):
    """A race between programs that answer differently would mean nothing."""
    difference = disagreement(ours, theirs, permutations, tolerance)
    if difference:
        raise SystemExit(f"{case}: {difference}")


def seconds_of(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


# ---- the machine


def machine(versions=None, **more):
    """For results: the machine, the commit, and the versions of what was compared."""
    return {
        "cpu": cpu_model(),
        "cores": cores(),
        "system": platform.platform(),
        "date": datetime.date.today().isoformat(),
        "commit": commit(),
        **more,
        "versions": {"python": platform.python_version(), **(versions or {})},
    }


def gpu_machine():
    fields = output_of("nvidia-smi", "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader", "--id=0")
    names = [field.strip() for field in fields.strip().split(",")] + ["unknown"] * 3
    return {"gpu": names[0] or "unknown", "driver": names[1], "memory": names[2], "cuda": cuda_version()}


def cuda_version():
    """Of the compiler, or else the newest that the driver knows."""
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    found = re.search(r"release ([\d.]+)", output_of(nvcc, "--version"))
    found = found or re.search(r"CUDA Version: ([\d.]+)", output_of("nvidia-smi"))
    return found[1] if found else "unknown"


def versions(*packages):
    """Of those that are installed. None is loaded."""
    found = {package: importlib.util.find_spec(package) for package in packages}
    return {package: importlib.metadata.version(package) for package in packages if found[package]}


def cores():
    return len(os.sched_getaffinity(0))


def cpu_model():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or "unknown"


def commit():
    return output_of("git", "-C", str(ROOT), "describe", "--always", "--dirty", "--exclude=*").strip() or "unknown"


def cores_busy():
    """How many cores work for other processes, measured over half a second."""

    def idle_and_total():
        ticks = [int(field) for field in pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
        return ticks[3] + ticks[4], sum(ticks)

    idle, total = idle_and_total()
    time.sleep(0.5)
    idle_later, total_later = idle_and_total()
    return os.cpu_count() * (1 - (idle_later - idle) / max(1, total_later - total))


# ---- tables


def number(value):
    """Three digits or so; a dash where there is none."""
    if value is None:
        return "-"
    digits = 0 if value >= 100 else 1 if value >= 10 else 2 if value >= 1 else 3
    return f"{value:,.{digits}f}"


def markdown_table(head, rows):
    lines = [" | ".join(head), " | ".join(["---"] + ["---:"] * (len(head) - 1)), *(" | ".join(row) for row in rows)]
    return "\n".join(f"| {line} |" for line in lines)


def versions_line(host):
    return ", ".join(f"{name} {version}" for name, version in host["versions"].items())


def write_results(folder, name, text, data, show=True):
    """NAME.md to read, NAME.json with every round; prints the text, too, if it should."""
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.md").write_text(text, encoding="utf-8")
    (folder / f"{name}.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    if show:
        print(text)


def progress(text):
    print(text, file=sys.stderr, flush=True)
