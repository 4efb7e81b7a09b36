"""Session: a device, its threads, and the clouds kept there between calls."""

from __future__ import annotations

from types import TracebackType
from typing import Any, NamedTuple

import numpy as np

from wordbreadth import _arrays, _core
from wordbreadth._clouds import wanted_pairs
from wordbreadth._options import options, thread_count
from wordbreadth._results import PairResults


class CloudHandle(NamedTuple):
    """A cloud of one session."""

    id: int
    name: str


class Session:
    """Keeps a device and clouds between calls: what a call has made for a cloud serves the next.

    Results are those of :func:`test` and :func:`pairs`, bit for bit. Several threads may use one session; their calls
    run one after another. Arrays are read where they are and must not change while the session keeps them.

    Parameters
    ----------
    device, threads, instruction_set
        Where to run: see :func:`devices`.

    Examples
    --------
    >>> with wb.Session() as session:
    ...     for word in ("bank", "tree", "thing"):
    ...         bank = session.add(store.cloud(word), name=word)
    ...     session.test("bank", "tree").ratio > 1, len(session.pairs())
    (True, 3)
    """

    def __init__(self, device: str = "auto", threads: int | None = None, instruction_set: str | None = None) -> None:
        self._session = _core.Session(device, thread_count(threads), instruction_set or "")
        self._clouds: dict[str, CloudHandle] = {}
        self._added = 0

    def add(self, x: Any, *, name: str | None = None, blocks: Any = None) -> CloudHandle:
        """Keeps a cloud. Calls take what is returned, or the name."""
        self._added += 1
        name = f"cloud {self._added}" if name is None else name
        if name in self._clouds:
            raise ValueError(f"{name}: is in this session already; remove it, or give another name")
        handle = CloudHandle(self._session.add(_arrays.cloud(x, name, blocks)), name)
        self._clouds[name] = handle
        return handle

    def remove(self, cloud: CloudHandle | str) -> None:
        """Lets go of a cloud and of everything made for it."""
        found = self._find(cloud)
        self._session.remove(found.id)
        del self._clouds[found.name]

    def test(self, x: CloudHandle | str, y: CloudHandle | str, **test_options: Any) -> _core.TestResult:
        """As wordbreadth.test(), with its options but for those of arrays, device and threads."""
        return self._session.test(self._find(x).id, self._find(y).id, self._options(test_options))

    def pairs(self, pairs: Any = "all", *, adjust: str = "bh", **test_options: Any) -> PairResults:
        """As wordbreadth.pairs(), of the clouds of this session."""
        chosen = self._options(test_options)
        if not isinstance(pairs, str):
            pairs = [tuple(one.name if isinstance(one, CloudHandle) else one for one in pair) for pair in pairs]
        names, indices = wanted_pairs(list(self._clouds), pairs)
        ids = np.array([self._clouds[name].id for name in names], dtype=np.uint64)
        return PairResults(self._session.pairs(ids[indices.astype(np.intp)], adjust, chosen))

    def breadth(self, cloud: CloudHandle | str) -> _core.Breadth:
        return self._session.breadth(self._find(cloud).id)

    @property
    def device(self) -> str:
        """The device and the instruction set in use: "cpu (avx512)"."""
        return self._session.device

    @property
    def names(self) -> list[str]:
        return list(self._clouds)

    def close(self) -> None:
        """Lets go of the device and of all clouds."""
        self._clouds.clear()
        self._session.close()

    def __len__(self) -> int:
        return len(self._clouds)

    def __contains__(self, cloud: object) -> bool:
        return cloud in self._clouds or cloud in self._clouds.values()

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        try:
            device = self.device
        except (ValueError, RuntimeError):
            return "<wordbreadth.Session, closed>"
        return f"<wordbreadth.Session on {device}: {len(self)} cloud{'' if len(self) == 1 else 's'}>"

    def _find(self, cloud: CloudHandle | str) -> CloudHandle:
        if isinstance(cloud, CloudHandle):
            return cloud
        if cloud not in self._clouds:
            hint = _core.suggestion(str(cloud), list(self._clouds))
            raise ValueError(f"{cloud}: is not in this session{hint}")
        return self._clouds[cloud]

    @staticmethod
    def _options(given: dict[str, Any]) -> _core.Options:
        for name in ("device", "threads", "instruction_set"):
            if name in given:
                raise TypeError(f"{name}: is the session's; give it to Session()")
        return options(**given)
