"""Support for tests of Masthead and its plugins: databases, clients and reusable tests."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from masthead.db import Database
    from masthead.db.rolling.checking import migration_problems
    from masthead.testing.client import Client
    from masthead.testing.clock import Clock
    from masthead.testing.contract import ContentTypeContract
    from masthead.testing.desk import Desk
    from masthead.testing.http_server import HttpServer, Received, Reply
    from masthead.testing.plugin_contract import PluginContract
    from masthead.testing.resource_contract import ResourceContract
    from masthead.testing.schema import schema_differences

__all__ = [
    "Client",
    "Clock",
    "ContentTypeContract",
    "Database",
    "Desk",
    "HttpServer",
    "PluginContract",
    "Received",
    "Reply",
    "ResourceContract",
    "migration_problems",
    "schema_differences",
]

_MODULES = {
    "Client": "masthead.testing.client",
    "Clock": "masthead.testing.clock",
    "ContentTypeContract": "masthead.testing.contract",
    "Database": "masthead.db",
    "Desk": "masthead.testing.desk",
    "HttpServer": "masthead.testing.http_server",
    "PluginContract": "masthead.testing.plugin_contract",
    "Received": "masthead.testing.http_server",
    "Reply": "masthead.testing.http_server",
    "ResourceContract": "masthead.testing.resource_contract",
    "migration_problems": "masthead.db.rolling.checking",
    "schema_differences": "masthead.testing.schema",
}

_CONTRACTS = (
    "plugin",
    "endpoint",
    "transfer",
    "migration",
    "address",
    "approver",
    "preview",
    "time",
)
pytest.register_assert_rewrite(
    "masthead.testing.contract",
    *(f"masthead.testing.{name}_contract" for name in _CONTRACTS),
)


def __getattr__(name: str) -> Any:
    """Import exported names on first use, because pytest loads this module before coverage."""
    if name in _MODULES:
        return getattr(import_module(_MODULES[name]), name)
    raise AttributeError(name)
