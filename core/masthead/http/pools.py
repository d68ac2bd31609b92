"""The pools of threads in which ``masthead serve`` answers requests."""

from __future__ import annotations

from typing import Literal, get_args

Pool = Literal[
    "main", "readiness", "status", "reads", "writes", "uploads", "passwords", "renditions"
]
"""The name of a pool. ``main`` is the thread that serves all connections: a view in it may not
wait, for example for the database. The other pools have threads of their own, so that one kind of
request never takes the threads of another."""

POOLS: tuple[Pool, ...] = get_args(Pool)
