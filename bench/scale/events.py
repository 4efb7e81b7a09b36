"""A small discrete-event simulator: processes that wait, share resources and fail, and a clock that jumps from event to event.

A process is a generator. It yields a number, to wait that many seconds; (resource, amount), to wait until the resource has given it that
amount; or another process, to wait for its end. interrupt() raises Interrupted inside it, wherever it waits.
"""

import heapq
import itertools


class Interrupted(Exception):
    """The process was killed while it waited."""


class Shared:
    """Something that all who use it get equal shares of: `capacity` per second together, at most `most` each; `others` take part, too.

    Progress of one user is measured in virtual time, which is the same for all, so an event costs the logarithm of their number.
    """

    def __init__(self, capacity: float, most: float, others: float = 0.0):
        self.capacity, self.most, self.others = capacity, most, others
        self.users = {}  # process: virtual time at which it has its amount
        self.heap = []
        self.virtual, self.seen = 0.0, 0.0
        self.order = itertools.count()  # first come, first served

    def speed(self) -> float:
        return min(self.most, self.capacity / (len(self.users) + self.others)) if self.users else 0.0

    def advance(self, now: float):
        self.virtual += self.speed() * (now - self.seen)
        self.seen = now

    def add(self, now: float, process, amount: float):
        self.advance(now)
        self.users[process] = self.virtual + amount
        heapq.heappush(self.heap, (self.virtual + amount, next(self.order), process))

    def remove(self, now: float, process):
        self.advance(now)
        del self.users[process]

    def next(self):
        """(when, process) of the next one to have its amount, as things stand; None where there is nobody."""
        while self.heap and self.users.get(self.heap[0][2]) != self.heap[0][0]:
            heapq.heappop(self.heap)  # it was interrupted
        if not self.heap:
            return None
        return self.seen + max(0.0, self.heap[0][0] - self.virtual) / self.speed(), self.heap[0][2]


class Simulation:
    def __init__(self, resources=()):
        self.now = 0.0
        self.resources = list(resources)
        self.timed = []
        self.order = itertools.count(1)
        self.waits = {}  # process: the resource it uses, the number of its timed event, or the process it waits for
        self.waited_for = {}  # process: who waits for its end

    def start(self, process):
        self.resume(process)
        return process

    def resume(self, process, error=None):
        try:
            wish = process.throw(error) if error else next(process)
        except StopIteration:
            waiting = self.waited_for.pop(process, None)
            if waiting is not None and self.waits.pop(waiting, None):
                self.resume(waiting)
            return
        if isinstance(wish, tuple):
            resource, amount = wish
            resource.add(self.now, process, amount)
            self.waits[process] = resource
        elif isinstance(wish, (int, float)):
            number = next(self.order)
            heapq.heappush(self.timed, (self.now + wish, number, process))
            self.waits[process] = number
        else:
            self.waited_for[wish] = process
            self.waits[process] = wish

    def has_ended(self, process) -> bool:
        return process not in self.waits

    def interrupt(self, process):
        """Nothing where the process has ended."""
        waits = self.waits.pop(process, None)
        if waits is None:
            return
        if isinstance(waits, Shared):
            waits.remove(self.now, process)
        self.waited_for = {other: who for other, who in self.waited_for.items() if who is not process}
        self.resume(process, Interrupted())

    def run(self):
        """Until no process waits. Returns the time."""
        while event := self.next_event():
            when, resource, process = event
            self.now = when
            if resource:
                resource.remove(when, process)
            else:
                heapq.heappop(self.timed)
            del self.waits[process]
            self.resume(process)
        return self.now

    def next_event(self):
        while self.timed and self.waits.get(self.timed[0][2]) != self.timed[0][1]:
            heapq.heappop(self.timed)
        found = [(self.timed[0][0], None, self.timed[0][2])] if self.timed else []
        for resource in self.resources:
            if ahead := resource.next():
                found.append((ahead[0], resource, ahead[1]))
        return min(found, key=lambda event: event[0]) if found else None
