"""Parts of a job on a Ray cluster.

Ray places the workers and notices deaths. A part may run twice, or be continued by another worker: parts write whole
files and keep what is finished.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from wordbreadth._optional import needed

POLL = 0.5  # seconds between looks at how far the parts are

Report = Callable[[float], object]


class Worker:
    """A process on one of the nodes, with a GPU or some of the cores: an actor."""

    def __init__(self) -> None:
        self._done = 0.0

    def ready(self) -> None:
        """Returns once the process runs."""

    def progress(self) -> float:
        return self._done

    def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """``function(report, *arguments)``, where ``report`` takes the share done."""
        self._report(0.0)
        return function(self._report, *arguments)

    def _report(self, done: float) -> None:
        self._done = done


@dataclass(frozen=True)
class Size:
    """How many workers there are, and what each has: cores, GPUs, bytes of memory."""

    workers: int
    cpus: int
    gpus: int
    memory: int

    @classmethod
    def fitting(
        cls, nodes: Sequence[dict[str, float]], *, gpu: bool, workers: int | None, cpus: int | None, memory: int
    ) -> Size:
        """One worker per GPU or, where there is none, per share of cores: by default those of the smallest node.

        Fewer where memory is short. ``nodes`` has the resources of each node, as Ray names them; ``memory`` is what a
        worker needs. One that needs more than any node has gets the largest node to itself.
        """
        on_gpus = gpu and any(node.get("GPU", 0) >= 1 for node in nodes)
        nodes = [node for node in nodes if node.get("CPU", 0) >= 1 and (not on_gpus or node.get("GPU", 0) >= 1)]
        if not nodes:
            raise RuntimeError("the Ray cluster has no node with a CPU; `ray start` adds one")
        places = [int(node["GPU"]) if on_gpus else 1 for node in nodes]
        cpus = cpus or max(1, min(int(node["CPU"]) // place for node, place in zip(nodes, places, strict=True)))
        memory = int(min(memory, max(node.get("memory", 0) for node in nodes)))

        def most(node: dict[str, float], place: int) -> int:
            by_cpu = int(node["CPU"]) // cpus
            by_memory = int(node.get("memory", 0)) // memory if memory else by_cpu
            return min(by_cpu, by_memory, place) if on_gpus else min(by_cpu, by_memory)

        fit = sum(most(node, place) for node, place in zip(nodes, places, strict=True))
        return cls(workers or max(1, fit), cpus, int(on_gpus), memory)


class Cluster:
    """The workers of one job."""

    def __init__(self, size: Size, retries: int) -> None:
        self._ray = needed("ray", "ray")
        self._retries = retries
        self.size = size
        # Ray's own retries end while it has not yet noticed that a node is gone; a part goes to another worker instead.
        self._remote = self._ray.remote(Worker).options(
            num_cpus=size.cpus,
            num_gpus=size.gpus,
            memory=size.memory or None,
            max_concurrency=2,  # progress() while run() works
        )
        self._free: list[Any] = []
        self._busy: dict[Any, tuple[Any, int | None]] = {}  # calls under way: of which worker, for which part
        for _ in range(size.workers):
            self._start_worker()

    def run(self, function: Callable[..., Any], parts: Sequence[tuple], report: Report | None = None) -> list[Any]:
        """What ``function(report, *part)`` returns for each part, on whichever worker is free.

        Raises what a part raises. One whose worker dies is repeated by another.
        """
        waiting = list(range(len(parts)))[::-1]
        results: list[Any] = [None] * len(parts)
        deaths: Counter[int | None] = Counter()
        left = len(parts)
        looked = time.monotonic()
        while left:
            while waiting and self._free:
                worker, part = self._free.pop(), waiting.pop()
                self._busy[worker.run.remote(function, *parts[part])] = worker, part
            for call in self._ray.wait(list(self._busy), timeout=POLL)[0]:
                worker, part = self._busy.pop(call)
                try:
                    found = self._ray.get(call)
                except self._ray.exceptions.RayTaskError as error:
                    raise error.cause from None
                except self._ray.exceptions.RayActorError as error:
                    deaths[part] += 1
                    if deaths[part] > self._retries + (self.size.workers if part is None else 0):
                        raise _death(error, part, len(parts), deaths[part]) from None
                    self._replace(worker)
                    waiting += [] if part is None else [part]
                    continue
                self._free.append(worker)
                if part is not None:
                    results[part] = found
                    left -= 1
            if report and left and time.monotonic() - looked > POLL:
                report((len(parts) - left + self._under_way()) / len(parts))
                looked = time.monotonic()
        return results

    def close(self) -> None:
        for worker in [*self._free, *(worker for worker, _ in self._busy.values())]:
            self._end(worker)
        self._free, self._busy = [], {}

    def _start_worker(self) -> None:
        worker = self._remote.remote()
        self._busy[worker.ready.remote()] = worker, None  # which Ray answers once there is room

    def _replace(self, worker: Any) -> None:
        self._end(worker)  # which may live, on a node that cannot be reached
        self._start_worker()

    def _end(self, worker: Any) -> None:
        with suppress(Exception):
            self._ray.kill(worker)

    def _under_way(self) -> float:
        """How much is done of the parts under way, together."""
        asked = [worker.progress.remote() for worker, part in self._busy.values() if part is not None]
        done = 0.0
        for call in self._ray.wait(asked, num_returns=len(asked), timeout=POLL)[0] if asked else []:
            with suppress(self._ray.exceptions.RayError):
                done += self._ray.get(call)
        return done


def _death(error: Exception, part: int | None, parts: int, times: int) -> RuntimeError:
    what = "a worker could not be started" if part is None else f"part {part + 1} of {parts}: its worker died"
    return RuntimeError(f"{what}, {times} times; what is finished is kept: {str(error).splitlines()[0]}")


@contextmanager
def cluster(
    address: str | None, *, gpu: bool, workers: int | None, cpus: int | None, memory: int, retries: int
) -> Iterator[Cluster]:
    """Workers on the cluster at this address. A connection that is there is used, and stays."""
    ray = needed("ray", "ray")
    is_ours = not ray.is_initialized()
    if is_ours:
        ray.init(address=address, logging_level="warning", log_to_driver=False)
    try:
        nodes = [node["Resources"] for node in ray.nodes() if node["Alive"]]
        made = Cluster(Size.fitting(nodes, gpu=gpu, workers=workers, cpus=cpus, memory=memory), retries)
        try:
            yield made
        finally:
            made.close()
    finally:
        if is_ours:
            ray.shutdown()
