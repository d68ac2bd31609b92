"""The files of a generated package."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from masthead_client.generate.code import operations_module
from masthead_client.generate.operations import operations_in
from masthead_client.generate.synchronous import synchronous
from masthead_client.generate.types import types_module

_INIT = '''\
"""The typed clients of an instance. Made from its OpenAPI document; don't edit."""

from __future__ import annotations

from . import types
from .asynchronous import AsyncClient
from .synchronous import Client

__all__ = ["AsyncClient", "Client", "types"]
'''


def files_of(document: Mapping[str, Any]) -> dict[str, str]:
    """Return the content of each file of the package."""
    operations = list(operations_in(document))
    code = operations_module(operations, document["components"]["schemas"])
    return {
        "__init__.py": _INIT,
        "types.py": types_module(document, operations),
        "asynchronous.py": code,
        "synchronous.py": synchronous(code),
    }
