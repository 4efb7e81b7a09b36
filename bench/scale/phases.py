"""Parts of a job on workers: what a queue does with an array of tasks that start, do one piece of work after the other, and are killed.

A worker takes the next part, starts, does the part's pieces (shards, tiles, files) that are not done yet, and takes another. What it
writes goes to storage that all share, while it does the next piece. Killed, it loses the piece it was at; its part goes back to the
queue and the worker returns after a delay.
"""

import random
from collections import deque
from dataclasses import dataclass, field

from events import Interrupted, Shared, Simulation


@dataclass
class Conditions:
    """Of the machines: times in seconds, rates per second."""

    workers: int
    parts_per_worker: float = 1  # parts / workers
    cores: float = float("inf")  # that all workers share: of one machine; a worker uses at most one
    others: float = 0.0  # processes that these cores have to run besides
    bandwidth: float = float("inf")  # of the storage, bytes
    link: float = float("inf")  # of one worker to it
    hours_between_failures: float = float("inf")  # of one worker
    back_after: float = 0.0  # from a failure to the part's next start: queue and node
    slow_share: float = 0.0  # of workers
    slow_factor: float = 1.0  # how much longer these take
    seed: int = 1


@dataclass
class Phase:
    """What is to be done: times of a whole, undisturbed worker."""

    pieces: list  # seconds of each
    start: float = 0.0  # seconds before a part's first piece
    start_bytes: float = 0.0  # read before that, by every part
    piece_bytes: float = 0.0  # written, or read, with each
    pool: list = field(default_factory=list)  # measured spread: factors, one drawn for each piece


@dataclass
class Outcome:
    seconds: float = 0.0
    busy: float = 0.0  # worker seconds in pieces that ended
    lost: float = 0.0  # worker seconds in starts and pieces that were killed
    failures: int = 0
    bytes_moved: float = 0.0


def divided(count: int, parts: int) -> list:
    """Consecutive ranges of as equal a size as can be."""
    return [range(count * part // parts, count * (part + 1) // parts) for part in range(parts)]


class Run:
    def __init__(self, phase: Phase, conditions: Conditions):
        self.phase, self.conditions = phase, conditions
        self.random = random.Random(conditions.seed)
        self.times = [seconds * (self.random.choice(phase.pool) if phase.pool else 1.0) for seconds in phase.pieces]
        self.cores = Shared(conditions.cores, 1.0, conditions.others)
        self.storage = Shared(conditions.bandwidth, conditions.link)
        self.simulation = Simulation([self.cores, self.storage])
        parts = min(len(phase.pieces), max(1, round(conditions.workers * conditions.parts_per_worker)))
        self.queue = deque(deque(part) for part in divided(len(phase.pieces), parts))
        self.outcome = Outcome()
        self.last = 0.0

    def run(self) -> Outcome:
        for _ in range(min(self.conditions.workers, len(self.queue))):
            slow = self.random.random() < self.conditions.slow_share
            worker = self.simulation.start(self.worker(self.conditions.slow_factor if slow else 1.0))
            if self.conditions.hours_between_failures < float("inf"):
                self.simulation.start(self.failures(worker))
        self.simulation.run()
        self.outcome.seconds = self.last
        return self.outcome

    def failures(self, worker):
        """Kills a worker at random moments for as long as it works."""
        while True:
            yield self.random.expovariate(1 / (3600 * self.conditions.hours_between_failures))
            if self.simulation.has_ended(worker):
                return
            self.simulation.interrupt(worker)

    def worker(self, factor: float):
        while self.queue:
            part = self.queue.popleft()
            try:
                yield from self.work(part, factor)
            except Interrupted:
                self.outcome.failures += 1
                yield from self.away()
                self.queue.append(part)  # resubmitted

    def away(self):
        """Failures of a worker that is not there yet are none."""
        until = self.simulation.now + self.conditions.back_after
        while self.simulation.now < until:
            try:
                yield until - self.simulation.now
            except Interrupted:
                pass

    def work(self, part: deque, factor: float):
        """Takes from `part` what is done. A piece counts once it is written; the one before it is written meanwhile."""
        begun = self.simulation.now
        written = None
        try:
            if self.phase.start_bytes > 0:
                self.outcome.bytes_moved += self.phase.start_bytes
                yield self.storage, self.phase.start_bytes
            yield self.cores, self.phase.start * factor
            for piece in list(part):
                begun = self.simulation.now
                yield self.cores, self.times[piece] * factor
                self.outcome.busy += self.simulation.now - begun
                if written and not self.simulation.has_ended(written):
                    yield written
                written = self.simulation.start(self.writing(part))
            if written and not self.simulation.has_ended(written):
                yield written
        except Interrupted:
            self.outcome.lost += self.simulation.now - begun
            if written:
                self.simulation.interrupt(written)
            raise

    def writing(self, part: deque):
        try:
            if self.phase.piece_bytes > 0:
                self.outcome.bytes_moved += self.phase.piece_bytes
                yield self.storage, self.phase.piece_bytes
            part.popleft()
            self.last = self.simulation.now
        except Interrupted:
            pass


def simulate(phase: Phase, conditions: Conditions) -> Outcome:
    return Run(phase, conditions).run()
