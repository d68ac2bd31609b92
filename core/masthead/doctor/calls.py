"""Calls of a running server by ``masthead doctor``, which proves that it has the secrets."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import urlencode, urlsplit

import colander

from masthead.doctor.views import proof_of
from masthead.http.endpoints import Endpoint
from masthead.instance import Instance

_SECONDS = 8.0
_MOST_BYTES = 1 << 20


class CallError(Exception):
    """The server can't be reached, or answers something else."""


@dataclass(frozen=True)
class Answer:
    """The answer of a server, with all fields of the endpoint."""

    own: str
    """The address of this machine in the connection."""
    body: dict[str, Any]


def call_server(
    instance: Instance, url: str, endpoint: Endpoint, headers: Mapping[str, str]
) -> Answer:
    """Call an endpoint that requires a proof.

    :param url: the address of the server, with a path if it has one.
    :raises CallError: if the server can't be reached, or answers something else.
    :raises StartError: if the secrets of this instance can't be read.
    """
    parts = urlsplit(url)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=_SECONDS)
    try:
        connection.connect()
        own = str(connection.sock.getsockname()[0])
        query = urlencode({"proof": proof_of(instance, endpoint)})
        connection.request(
            "GET", f"{parts.path.rstrip('/')}{endpoint.path}?{query}", headers=headers
        )
        answer = connection.getresponse()
        content = answer.read(_MOST_BYTES)
        if answer.status != 200:
            hint = "; it is an instance with other secrets, or another clock"
            raise CallError(f"it answers {answer.status}{hint if answer.status == 403 else ''}")
        body = json.loads(content)
    except (OSError, HTTPException, ValueError) as error:
        raise CallError(str(error) or type(error).__name__) from error
    finally:
        connection.close()
    assert isinstance(endpoint.returns, colander.SchemaNode)
    expected = {field.name for field in endpoint.returns.children}
    if not (isinstance(body, dict) and expected <= body.keys()):
        raise CallError("it answers something else")
    return Answer(own, body)
