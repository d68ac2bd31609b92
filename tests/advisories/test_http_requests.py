"""Reports about HTTP above the connection: addresses, hosts, methods, ranges, caches, CORS."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from masthead import Endpoint, Instance
from masthead.http.permissions import PUBLIC
from masthead.testing import Client, Desk

EVIL = "evil.example"


@pytest.fixture
def public_paths(instance: Instance) -> list[str]:
    """Return the public addresses without variable parts."""
    return [e.path for e in _public(instance) if "{" not in e.path]


def _public(instance: Instance) -> Iterator[Endpoint]:
    return (e for e in instance.endpoints if (e.method, e.permission) == ("GET", PUBLIC))


def test_cve_2018_14574_no_path_redirects(app: Client) -> None:
    """CVE-2018-14574 (Django): a path with two slashes and without the last one redirected away."""
    for path in [f"//{EVIL}", f"//{EVIL}/..", f"/\\{EVIL}", f"/%2f%2f{EVIL}", f"/%5c%5c{EVIL}"]:
        answer = app.get("/", extra_environ={"PATH_INFO": path}, status="4*")

        assert "Location" not in answer.headers


def test_cve_2024_42353_no_answer_names_another_host(app: Client, public_paths: list[str]) -> None:
    """CVE-2024-42353 (WebOb): a Location that begins with two slashes became another host."""
    answers = [app.get(f"{path}?next=//{EVIL}", status="*") for path in public_paths]

    assert not any("Location" in answer.headers for answer in answers)
    assert not any(EVIL in f"{answer.headers}{answer.text}" for answer in answers)


def test_cve_2023_34247_no_parameter_redirects(app: Client) -> None:
    """CVE-2023-34247 (Keystone): the parameter "from" of the login led to any host."""
    for name in ["next", "redirect", "from", "returnUrl", "url", "continue"]:
        body = {"username": "ada", "password": "wrong", name: f"https://{EVIL}/"}

        answer = app.post_json(f"/api/auth/login?{name}=https://{EVIL}/", body, status=401)

        assert "Location" not in answer.headers


@pytest.mark.slow
@pytest.mark.parametrize(
    "headers",
    [
        {"Host": EVIL},
        {"Host": f"localhost:80@{EVIL}"},
        {"X-Forwarded-Host": EVIL},
        {"Forwarded": f"host={EVIL};proto=https"},
        {"X-Original-Host": EVIL, "X-Host": EVIL, "X-Forwarded-Server": EVIL},
    ],
    ids="+".join,
)
def test_cve_2012_4520_no_answer_repeats_the_host(
    app: Client, news: Desk, public_paths: list[str], headers: dict[str, str]
) -> None:
    """CVE-2012-4520 (Django): absolute addresses contained the Host header of the client."""
    news.create_public()

    for path in public_paths:
        answer = app.get(f"{path}?limit=1", headers=headers, status="*")
        assert EVIL not in f"{answer.headers}{answer.text}", path


def test_cve_2018_14773_no_header_replaces_the_path(app: Client) -> None:
    """CVE-2018-14773 (Symfony, Drupal): X-Original-URL replaced the path behind a cache."""
    for header in ["X-Original-URL", "X-Rewrite-URL", "X-Forwarded-Prefix", "X-Original-URI"]:
        about = app.get("/api/about").body

        assert app.get("/api/about", headers={header: "/api/staff/users"}).body == about
        app.get("/api/staff/users", headers={header: "/api/about"}, status=401)


def test_cve_2025_29927_no_header_skips_the_authentication(app: Client) -> None:
    """CVE-2025-29927 (Next.js): an internal header of the framework switched off all checks."""
    names = ["x-middleware-subrequest", "X-Forwarded-User", "Remote-User", "X-Remote-User"]
    internal = ["masthead.user", "Masthead-User", "X-Masthead-User", "repoze.who.identity"]

    for name in names + internal:
        for value in ("admin", "1", "middleware:middleware:middleware:middleware:middleware"):
            app.get("/api/staff/users", headers={name: value}, status=401)


def test_cve_2019_10913_no_header_replaces_the_method(news: Desk, app: Client) -> None:
    """CVE-2019-10913 (Symfony): an override of the method was used unchecked."""
    for header in ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override", "_method"]:
        item = news.create()
        path = f"/api/staff/news/{item['id']}"

        news.client.get(f"{path}?_method=DELETE", headers={header: "DELETE"})
        news.client.post_json(path, {"_method": "DELETE"}, headers={header: "DELETE"}, status=404)
        assert news.show(item["id"])["title"] == item["title"]
        app.post_json("/api/about", {}, headers={header: "GET"}, status=404)


def test_cve_2003_1567_no_method_echoes_the_request(app: Client) -> None:
    """CVE-2003-1567 (IIS): TRACK returned the request with the credentials in its headers."""
    headers = {"Authorization": "Bearer secret-of-ada"}

    answer = app.request("/api/about", method="TRACE", headers=headers, status=404)

    assert "secret-of-ada" not in f"{answer.headers}{answer.text}"


def test_cve_2010_0738_head_is_no_way_around_the_permission(
    app: Client, instance: Instance
) -> None:
    """CVE-2010-0738 (JBoss): a method that the rules didn't name, HEAD, was not checked at all."""
    for endpoint in instance.endpoints:
        if endpoint.method == "GET" and endpoint.permission != PUBLIC:
            app.head(endpoint.path.replace("{", "").replace("}", ""), status=[401, 404])


def test_cve_2024_25124_cors_never_allows_credentials(app: Client) -> None:
    """CVE-2024-25124 (Fiber): every origin was allowed to send requests with credentials."""
    for origin in [f"https://{EVIL}", "null", "http://localhost", "file://"]:
        headers = {"Origin": origin, "Access-Control-Request-Method": "PUT"}

        for answer in (app.get("/api/news", headers=headers), app.options("/api/news", headers)):
            assert answer.headers["Access-Control-Allow-Origin"] == "*"
            assert "Access-Control-Allow-Credentials" not in answer.headers


def test_cve_2019_9787_no_cookie_authenticates(app: Client, editor: Client) -> None:
    """CVE-2019-9787 (WordPress): another website sent requests with the cookie of an editor."""
    token = editor.authorization[1]

    for name in ("token", "session", "Authorization", "access_token", "jwt"):
        app.get("/api/staff/news", headers={"Cookie": f"{name}={token}"}, status=401)
    login = app.post_json("/api/auth/login", {"username": "a", "password": "b"}, status=401)
    assert "Set-Cookie" not in login.headers


def test_cve_2024_28238_no_token_in_an_address_authenticates(app: Client, editor: Client) -> None:
    """CVE-2024-28238 (Directus): tokens were sent in the address, and so were in many logs."""
    token = editor.authorization[1]

    for name in ("token", "access_token", "jwt", "authorization", "key"):
        app.get(f"/api/staff/news?{name}={token}", status=401)


def test_cve_2023_40587_a_nul_in_a_path_finds_nothing(app: Client) -> None:
    """CVE-2023-40587 (Pyramid): a path with a NUL led to a file outside of the static folder."""
    for path in (
        "/api/about\0",
        "/\0/index.html",
        "/api/images/\0../auth.secret",
        "/api/news/a\0b",
    ):
        app.get("/", extra_environ={"PATH_INFO": path}, status=404)


def test_cve_2025_1094_broken_utf_8_reaches_no_query(app: Client) -> None:
    """CVE-2025-1094 (PostgreSQL): quoting of invalid UTF-8 left a way to inject SQL."""
    for text in ["%ff", "%c0%af", "%ed%a0%80", "a%80", "%f5%80%80%80"]:
        assert app.get(f"/api/news?search={text}", status=400).json == {
            "error": "The query is not UTF-8"
        }
        app.get(f"/api/news/{text}", status=404)


def test_cve_2021_23336_a_semicolon_separates_nothing(app: Client, news: Desk) -> None:
    """CVE-2021-23336 (CPython): caches and Python disagreed whether ";" separates parameters."""
    news.create_public()

    assert len(app.get("/api/news?a=1;limit=0;offset=5").json) == 1


def test_cve_2024_26146_accept_is_not_parsed(app: Client) -> None:
    """CVE-2024-26146 (Rack): crafted Accept and Forwarded headers took long to parse."""
    for accept in ["text/html", "application/xml", "*/*;q=0", "text/html;q=1e9"]:
        headers = {"Accept": f"{accept}, " * 500, "Forwarded": 'for="a\\"b";' * 500}

        assert app.get("/api/about", headers=headers).content_type == "application/json"


def test_cve_2023_23969_accept_language_is_not_remembered(app: Client) -> None:
    """CVE-2023-23969 (Django): parsed values of Accept-Language filled the memory."""
    answers = {
        app.get("/api/about", headers={"Accept-Language": f"a{n}" * n}).body for n in range(99)
    }

    assert len(answers) == 1


def test_rfc_9110_lists_of_entity_tags_are_cheap(app: Client) -> None:
    """RFC 9110, section 17.5: long lists of entity tags are an attack on the parser."""
    for tags in ["*", 'W/"*"', '"a", ' * 2_000, '"' * 8_000, "W/" * 4_000, ',"' * 4_000]:
        app.get("/api/news", headers={"If-None-Match": tags}, status=[200, 304])


def test_kettle_2018_unkeyed_headers_change_no_cached_answer(app: Client, news: Desk) -> None:
    """Kettle, "Practical Web Cache Poisoning": answers depended on headers that caches ignore."""
    news.create_public()
    strange = {
        "X-Forwarded-Proto": "gopher",
        "X-Forwarded-Port": "99",
        "X-Forwarded-Scheme": "nothttps",
        "Origin": f"https://{EVIL}",
        "Cookie": "a=b",
        "User-Agent": "<script>",
    }
    for path in ("/api/news", "/api/feed/news", "/sitemap.xml", "/robots.txt", "/openapi.json"):
        poisoned = app.get(path, headers=strange)
        clean = app.get(path)
        assert poisoned.body == clean.body
        assert not [word for word in ("gopher", EVIL, "<script>") if word in poisoned.text]


@pytest.fixture
def image_path(upload: Callable[..., Any], picture: Callable[..., bytes]) -> str:
    """Return the address of an image."""
    return str(upload(picture())["url"])


def test_cve_2011_3192_many_ranges_are_one_answer(app: Client, image_path: str) -> None:
    """CVE-2011-3192 (Apache): many overlapping ranges of one file filled the memory."""
    size = len(app.get(image_path).body)
    ranges = ",".join(f"{n}-" for n in range(1_300))

    answer = app.get(image_path, headers={"Range": f"bytes=0-,{ranges}"})

    assert (answer.status_int, len(answer.body)) == (200, size)


def test_cve_2025_62727_long_ranges_are_cheap(app: Client, image_path: str) -> None:
    """CVE-2025-62727 (Starlette): parsing and merging a crafted Range took quadratic time."""
    odd = ["-" * 9_000, "9" * 300 + "-", "0-" + "9" * 300, "--1", "-" + "9" * 300, "1-0"]
    odd += ["0-0," * 5_000, "0-" + " " * 9_000]
    for value in ("0-" * 9_000, *(f"bytes={each}" for each in odd)):
        app.get(image_path, headers={"Range": value}, status=[200, 206, 416])
