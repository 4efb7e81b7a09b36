"""Kills workers of a Ray cluster at random moments; the files must be those of runs without Ray, byte by byte.

    PYTHONPATH=build/python:python/tests build/ray-env/bin/python python/tests/on_ray/kills.py MODEL FILES...

A cluster of a head and two nodes, four workers of one core. Until there were as many kills, a store and its pairs are
made again and again.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import tempfile
import threading
import time
from pathlib import Path

from clusters import two_nodes
from stores import bytes_of, without_times

import wordbreadth as wb
import wordbreadth.ray

NODE = {"num_cpus": 2, "object_store_memory": 2**27, "memory": 8 * 2**30}
OPTIONS = {"corpus_format": "lines", "min_count": 200, "per_word": 100, "shard_tokens": 8000, "device": "cpu"}
MANY = 1000  # retries of a part


class Killer(threading.Thread):
    """Sends SIGKILL to a worker that runs a part, now and then, until there were enough."""

    def __init__(self, kills: int, chance: random.Random) -> None:
        super().__init__(daemon=True)
        self._chance = chance
        self.left, self.ended = kills, False

    def run(self) -> None:
        while self.left > 0 and not self.ended:
            time.sleep(self._chance.uniform(0.3, 3))
            busy = [int(path.parent.name) for path in Path("/proc").glob("[0-9]*/cmdline") if _is_busy(path)]
            if busy:
                os.kill(self._chance.choice(busy), signal.SIGKILL)
                self.left -= 1


def _is_busy(path: Path) -> bool:
    try:
        return path.read_bytes().startswith(b"ray::Worker.run")
    except OSError:  # it has ended
        return False


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    model, files = os.path.abspath(given.model), [os.path.abspath(file) for file in given.files]  # as stores name them
    with two_nodes(NODE), tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        alone = wb.extract(model, files, folder / "alone.store", progress=False, threads=1, **OPTIONS)
        expected = bytes_of(folder / "alone.store")
        tests = without_times(wb.pairs(alone, permutations=2000).to_dict())
        killer = Killer(given.kills, random.Random(given.seed))
        killer.start()
        begin, studies = time.monotonic(), 0
        workers = {"workers": 4, "cpus": 1, "retries": MANY, "progress": False}
        while killer.left > 0:
            at = folder / str(studies)
            wordbreadth.ray.extract(model, files, at / "store", **workers, **OPTIONS)
            assert bytes_of(at / "store") == expected, f"{at}: another store"
            found = wordbreadth.ray.pairs(alone, at / "pairs", permutations=2000, **workers)
            results = without_times(found.to_dict())
            assert results == tests, f"{at}: other {[name for name in tests if results.get(name) != tests[name]]}"
            studies += 1
            print(f"{given.kills - killer.left} kills, {studies} studies, {time.monotonic() - begin:.0f} s", flush=True)
        killer.ended = True
    print(f"{given.kills} kills: {studies} stores and tables of pairs as without Ray")


if __name__ == "__main__":
    main()
