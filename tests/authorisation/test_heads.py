"""The head of a request decides whether the server receives its body, for every endpoint."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from webtest import TestApp

from masthead import Endpoint, Instance
from masthead.http.environ import HEAD_ONLY, Handling
from masthead.http.routes import max_body
from masthead.testing import Client

Ask = Callable[..., int]


@pytest.fixture
def ask(app: Client) -> Ask:
    """Return a function that sends a head, as the server does, and returns the status."""
    # The client of the tests checks answers, and this one is none for a client.
    plain = TestApp(app.app, extra_environ={HEAD_ONLY: True})

    def send(endpoint: Endpoint, length: int, client: Client | None = None) -> int:
        headers = {"Content-Length": str(length)}
        if client is not None:
            headers["Authorization"] = f"Bearer {client.authorization[1]}"
        answer = plain.request(
            re.sub(r"{[^{}]*}", "1", endpoint.path),
            method=endpoint.method,
            headers=headers,
            status="*",
        )
        return int(answer.status_int)

    return send


def wrong(answers: dict[str, int], status: int) -> dict[str, int]:
    """Return the endpoints that answered with another status."""
    return {name: got for name, got in answers.items() if got != status}


def test_a_stranger_is_refused_by_every_closed_endpoint(
    ask: Ask, closed: Sequence[Endpoint]
) -> None:
    assert wrong({each.name: ask(each, 10**9) for each in closed}, 401) == {}


def test_a_user_without_the_permission_is_refused(
    ask: Ask, app: Client, make_user: Any, guarded: Sequence[Endpoint]
) -> None:
    nobody = app.as_user(make_user(role=None))

    assert wrong({each.name: ask(each, 10**9, nobody) for each in guarded}, 403) == {}


def test_a_body_beyond_the_limit_of_the_endpoint_is_refused(
    ask: Ask, app: Client, instance: Instance, endpoints: Sequence[Endpoint]
) -> None:
    admin = app.as_role("admin")
    limits = {each: max_body(each, instance.settings) for each in writing(endpoints)}

    assert wrong({e.name: ask(e, limit + 1, admin) for e, limit in limits.items()}, 400) == {}
    assert wrong({e.name: ask(e, limit, admin) for e, limit in limits.items()}, 100) == {}


def writing(endpoints: Sequence[Endpoint]) -> list[Endpoint]:
    """Return the endpoints that change something, without those that need another query or id."""
    return [each for each in endpoints if each.method != "GET"]


def test_an_address_without_an_endpoint_is_refused(ask: Ask, endpoints: Sequence[Endpoint]) -> None:
    nowhere = [
        dataclasses.replace(endpoints[0], name=f"{method} {path}", method=method, path=path)
        for method in ("POST", "PUT", "PATCH", "DELETE")
        for path in ("/", "/nowhere", "/api/staff/nowhere", "//api/contact")
    ]

    assert wrong({each.name: ask(each, 10) for each in nowhere}, 404) == {}


def test_the_server_chooses_pool_and_limit_by_the_endpoint(
    app: Client, instance: Instance, endpoints: Sequence[Endpoint]
) -> None:
    handling = app.app.handling
    for endpoint in endpoints:
        path = re.sub(r"{[^{}]*}", "1", endpoint.path)
        limit = max_body(endpoint, instance.settings)
        expected = Handling(endpoint.thread_pool, limit)
        assert handling(endpoint.method, path, "") == expected, endpoint.name
        if endpoint.method == "GET":
            assert handling("HEAD", path, "") == expected, endpoint.name
    assert handling("GET", "/nowhere", "").pool == "reads"
    assert handling("POST", "/nowhere/" + "x/" * 5_000, "").pool == "writes"


ASKS_A_PROVIDER = {
    *("oidc.login", "oidc.token", "oidc.logout", "oidc.backchannel_logout"),
    "oidc.link_person",
}
"""The endpoints of logins that may wait for the provider of single sign-on."""


def test_slow_endpoints_have_threads_of_their_own(endpoints: Sequence[Endpoint]) -> None:
    pools = {each.name: each.thread_pool for each in endpoints}
    hashing = {each.name for each in endpoints if sets_a_password(each)}

    assert hashing | ASKS_A_PROVIDER == {
        name for name, pool in pools.items() if pool == "passwords"
    }
    assert {e.name for e in endpoints if e.upload} == {n for n in pools if pools[n] == "uploads"}
    assert {e.name for e in endpoints if e.query_pool == "renditions"} == {"images.show"}
    assert pools["core.healthz"] == "main"
    assert pools["core.readyz"] == "readiness"
    assert {name for name, pool in pools.items() if pool == "readiness"} == {"core.readyz"}
    assert pools["core.status"] == "status"


def sets_a_password(endpoint: Endpoint) -> bool:
    """Whether an endpoint takes a password in its body, which it hashes."""
    names = {node.name for node in endpoint.body.children} if endpoint.body else set()
    return bool(names & {"password", "newPassword", "currentPassword"})
