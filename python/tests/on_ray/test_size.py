"""How many workers a cluster takes."""

from __future__ import annotations

import pytest

from wordbreadth._cluster import Size

G = 2**30
CPU = {"CPU": 8, "memory": 32 * G}
GPU = {"CPU": 32, "GPU": 4, "memory": 256 * G}


@pytest.mark.parametrize(
    ("nodes", "asked", "expected"),
    [
        ([CPU, CPU], {}, (2, 8, 0, G)),
        ([CPU, {"CPU": 2, "memory": 4 * G}], {}, (5, 2, 0, G)),
        ([CPU], {"cpus": 2}, (4, 2, 0, G)),
        ([CPU], {"cpus": 1, "memory": 10 * G}, (3, 1, 0, 10 * G)),
        ([CPU], {"memory": 100 * G}, (1, 8, 0, 32 * G)),  # the whole node, and what will be will be
        ([GPU, CPU], {}, (4, 8, 1, G)),
        ([GPU, GPU], {"memory": 100 * G}, (4, 8, 1, 100 * G)),
        ([GPU, CPU], {"gpu": False}, (5, 8, 0, G)),
        ([CPU, CPU], {"workers": 7}, (7, 8, 0, G)),
        ([{"memory": G}, CPU], {}, (1, 8, 0, G)),  # a head without a CPU
    ],
)
def test_workers_are_as_many_as_fit(nodes, asked, expected):
    size = Size.fitting(nodes, **{"gpu": True, "workers": None, "cpus": None, "memory": G} | asked)
    assert (size.workers, size.cpus, size.gpus, size.memory) == expected


def test_a_cluster_without_a_cpu_is_an_error():
    with pytest.raises(RuntimeError, match="no node with a CPU"):
        Size.fitting([{"memory": G}], gpu=True, workers=None, cpus=None, memory=G)
