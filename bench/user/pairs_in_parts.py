"""All pairs of 4,500 clouds, in one piece and in parts: time, processor time and memory of each command.

    python3 bench/user/pairs_in_parts.py [build/wordbreadth] [--parts 8] [--clouds 4500] [--permutations 200]
"""

import argparse
import json
import os
import random
import struct
import subprocess
import tempfile
import time
from pathlib import Path


def write_clouds(path: Path, clouds: int, rows: int, dimension: int) -> None:
    """A .safetensors file of clouds around random directions."""
    draw = random.Random(1)
    header, data = {}, bytearray()
    for number in range(clouds):
        spread = 0.5 + draw.random()
        centre = [draw.gauss(0, 1) for _ in range(dimension)]
        values = [c + spread * draw.gauss(0, 1) for _ in range(rows) for c in centre]
        begin = len(data)
        data += struct.pack(f"<{len(values)}f", *values)
        header[f"word{number:06d}"] = {"dtype": "F32", "shape": [rows, dimension], "data_offsets": [begin, len(data)]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


class Usage:
    """Of a command: seconds, seconds of processors, MiB at most."""

    def __init__(self, command: list[str], out: Path) -> None:
        start = time.monotonic()
        with open(out, "wb") as file:
            child = subprocess.Popen(command, stdout=file)
            _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        assert child.returncode == 0, command
        self.wall, self.cpu = time.monotonic() - start, used.ru_utime + used.ru_stime
        self.memory = used.ru_maxrss / 1024

    def show(self, what: str) -> None:
        print(f"{what:24} {self.wall:8.1f} s {self.cpu:10.1f} CPU s {self.memory:8.0f} MiB", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", nargs="?", default="build/wordbreadth")
    parser.add_argument("--parts", type=int, default=8)
    parser.add_argument("--clouds", type=int, default=4500)
    parser.add_argument("--permutations", type=int, default=200)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        write_clouds(place / "clouds.safetensors", given.clouds, 10, 16)
        call = [given.program, "pairs", str(place / "clouds.safetensors"), "--all"]
        call += ["--permutations", str(given.permutations)]
        one = Usage([*call, "--format", "tsv"], place / "one.tsv")
        one.show("one piece, as TSV")
        parts = []
        for number in range(1, given.parts + 1):
            part = [*call, "--part", f"{number}/{given.parts}", "--out", str(place / "parts")]
            parts.append(Usage(part, place / "log"))
        parts[0].show(f"part 1 of {given.parts}")
        tiles = sum(path.stat().st_size for path in (place / "parts").rglob("*.tile"))
        merge = Usage([given.program, "merge", str(place / "parts"), "--format", "tsv"], place / "merged.tsv")
        merge.show("merge, as TSV")
        cpu = sum(part.cpu for part in parts)
        print(f"{given.parts} parts: {cpu:.1f} CPU s, {tiles / 1e6:.0f} MB; with merge {cpu + merge.cpu:.1f} CPU s,", end=" ")
        print(f"{(cpu + merge.cpu) / one.cpu - 1:+.1%} of one piece")
        lines = sum(1 for _ in open(place / "merged.tsv")) - 1
        print(f"{lines} pairs, {(place / 'merged.tsv').stat().st_size / 1e6:.0f} MB of TSV")


if __name__ == "__main__":
    main()
