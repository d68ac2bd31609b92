"""Requests to any address: the answer is JSON, has a declared status and no internals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import webtest
from hypothesis import given, settings
from hypothesis import strategies as st

from masthead.http.endpoints import Endpoint
from masthead.http.permissions import PUBLIC, SIGNED_IN
from masthead.instance import Instance
from masthead.testing import Client, Desk

BAD_IDS = [
    "0",
    "-1",
    "007",
    "1e3",
    "1.0",
    str(2**63),
    "9" * 3000,
    "١",
    "\x00",
    "1\x00",
    "x",
    " 1",
    "1\n",
]
ODD_TEXTS = [
    "\x00",
    "a\x00b",
    "\n",
    "ä",
    "%",
    "%2e%2e",
    "..",
    "'",
    "\\",
    "\ufeff",
    "😀",
    "x" * 3000,
    "1",
]
JUNK = [{}, {"Authorization": "Bearer junk"}, {"Authorization": "Bearer a.b.c"}]
BOUNDED = settings(derandomize=True, max_examples=60, database=None)


@pytest.fixture
def endpoints(instance: Instance) -> list[Endpoint]:
    return instance.endpoints


def ask(client: Client, method: str, path: str, query: str = "", **options: Any) -> Any:
    """Send a request with any path and query, in the form in which a server passes them on."""
    request = webtest.TestRequest.blank("/", client.extra_environ)
    request.method = method
    request.environ["PATH_INFO"] = path.encode().decode("latin-1")
    request.environ["QUERY_STRING"] = query
    return client.do_request(request, **options)


def addresses(path: str, odd_ids: list[str], odd_texts: list[str]) -> Iterator[str]:
    """Return addresses of a pattern with one odd placeholder; the others are the id 1."""
    for odd in re.finditer(r"\{([^}:]*)[^}]*\}", path):
        before, after = (
            re.sub(r"\{[^}]*\}", "1", part) for part in (path[: odd.start()], path[odd.end() :])
        )
        is_id = odd[1] == "id" or odd[1].endswith("_id")
        yield from (before + text + after for text in (odd_ids if is_id else odd_texts))


@pytest.mark.slow
def test_no_part_of_a_path_causes_a_server_error(app: Client, endpoints: list[Endpoint]) -> None:
    admin = app.as_role("admin")
    for endpoint in endpoints:
        for address in addresses(endpoint.path, BAD_IDS, []):
            ask(admin, endpoint.method, address, status=404)
        for address in addresses(endpoint.path, [], ODD_TEXTS):
            assert ask(admin, endpoint.method, address, status="*").status_int < 500


def test_a_trailing_slash_makes_another_address(app: Client, endpoints: list[Endpoint]) -> None:
    admin = app.as_role("admin")
    for endpoint in endpoints:
        ask(admin, endpoint.method, re.sub(r"\{[^}]*\}", "1", endpoint.path) + "/", status=404)


def test_a_method_that_an_address_lacks_is_404(app: Client, endpoints: list[Endpoint]) -> None:
    admin = app.as_role("admin")
    shapes = {(e.method, re.sub(r"\{[^}]*\}", "1", e.path)) for e in endpoints}
    for _, path in shapes:
        for method in ("GET", "POST", "PUT", "DELETE", "PATCH"):
            taken = any(
                m == method and _fits(p, path) for m, p in {(e.method, e.path) for e in endpoints}
            )
            if not taken:
                assert ask(admin, method, path, status=404).json == {"error": "Not found"}


def _fits(pattern: str, path: str) -> bool:
    return re.fullmatch(re.sub(r"\{[^}]*\}", "[^/]+", pattern), path) is not None


def test_head_works_wherever_get_does(app: Client, endpoints: list[Endpoint]) -> None:
    admin = app.as_role("admin")
    for endpoint in endpoints:
        if endpoint.method == "GET":
            path = re.sub(r"\{[^}]*\}", "4096", endpoint.path)
            get = ask(admin, "GET", path, status="*")
            head = ask(admin, "HEAD", path, status="*")
            assert (head.status, head.headers.get("ETag")) == (get.status, get.headers.get("ETag"))


def test_options_is_answered_everywhere(app: Client, endpoints: list[Endpoint]) -> None:
    for endpoint in endpoints:
        ask(app, "OPTIONS", endpoint.path, status=200)


def test_every_endpoint_is_closed_unless_it_is_declared_public(
    app: Client, endpoints: list[Endpoint], make_user: Any
) -> None:
    nobody = app.as_user(make_user(role=None))
    for endpoint in endpoints:
        if endpoint.permission == PUBLIC:
            continue
        path = re.sub(r"\{[^}]*\}", "4096", endpoint.path)
        for headers in JUNK:
            app.request(path, method=endpoint.method, headers=headers, status=401)
        if endpoint.permission != SIGNED_IN:
            nobody.request(path, method=endpoint.method, status=403)


def test_public_endpoints_need_no_token(app: Client, endpoints: list[Endpoint]) -> None:
    for endpoint in endpoints:
        if endpoint.permission == PUBLIC and endpoint.name != "auth.login":
            path = re.sub(r"\{[^}]*\}", "4096", endpoint.path)
            assert app.request(path, method=endpoint.method, status="*").status_int not in (
                401,
                403,
            )


@BOUNDED
@given(data=st.data())
def test_no_query_causes_a_server_error(
    app: Client, endpoints: list[Endpoint], data: st.DataObject
) -> None:
    admin = app.as_role("admin")
    lists = [e for e in endpoints if e.method == "GET" and e.parameters.children]
    endpoint = data.draw(st.sampled_from(lists))
    name = data.draw(st.sampled_from([p.name for p in endpoint.parameters]) | st.text(max_size=5))
    value = data.draw(
        st.sampled_from(
            ["", "%00", "%0A", "%C3%A4", "1", "-1", "1e9", "true", "9" * 400, "%EF%BB%BF"]
        )
        | st.text("%0123456789abcdefghijklmnopqrstuvwxyz&=;+'\"*()-", max_size=12)
    )
    ascii_name = name.encode("ascii", "ignore").decode()

    answer = ask(
        admin, "GET", re.sub(r"\{[^}]*\}", "1", endpoint.path), f"{ascii_name}={value}", status="*"
    )

    assert answer.status_int in (200, 400, 404, *endpoint.refuses)


def test_a_tag_filter_takes_any_text(app: Client) -> None:
    desk = Desk(app, "news").as_role("editor")
    desk.create_public(title="Shown")

    assert desk.public_list(tag="none") == []
    for odd in ("'", "ä", "a\nb", "%", "x" * 199, "1 OR 1=1"):
        assert desk.public_list(tag=odd) == []
    assert "tag" in desk.public_list(tag="\x00", status=400)["error"]
