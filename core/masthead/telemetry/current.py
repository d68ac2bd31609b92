"""The request that a thread answers, for the lines of the log and for nothing else."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

REQUEST: ContextVar[dict[str, Any] | None] = ContextVar("masthead_request", default=None)
"""The WSGI environ of the request; None outside of a request."""
