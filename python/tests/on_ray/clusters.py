"""A Ray cluster of several nodes on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import ray
from ray.cluster_utils import Cluster


@contextmanager
def two_nodes(node: dict[str, Any]) -> Iterator[Cluster]:
    """A head without a CPU, so that no worker is on it, and two of these nodes; this process is connected to it."""
    cluster = Cluster(
        initialize_head=True,
        head_node_args={"num_cpus": 0, "object_store_memory": 2**27, "include_dashboard": False},
    )
    for _ in range(2):
        cluster.add_node(wait=False, **node)
    cluster.wait_for_nodes()
    ray.init(address=cluster.address, log_to_driver=False)
    yield cluster
    ray.shutdown()
    cluster.shutdown()
