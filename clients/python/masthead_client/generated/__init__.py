"""The typed clients of an instance. Made from its OpenAPI document; don't edit."""

from __future__ import annotations

from . import types
from .asynchronous import AsyncClient
from .synchronous import Client

__all__ = ["AsyncClient", "Client", "types"]
