"""Reports about characters that readers don't see, or see as others."""

from __future__ import annotations

from typing import Any

import pytest

from masthead.testing import Client, Desk

USERS = "/api/staff/users"
PASSWORD = "another one of many words"
CONTACT = "/api/contact"
MESSAGE = {"name": "Eve", "email": "eve@example.org", "subject": "Hello", "message": "Hello"}


@pytest.mark.parametrize(
    "marks", ["\u0315\u0300", "\u0300\u0315", "\u05b0\u0327", "\U0001d165\u0300"]
)
def test_cve_2023_46695_runs_of_accents_are_cheap(app: Client, is_linear: Any, marks: str) -> None:
    """CVE-2023-46695 (Django): normalising a crafted text took quadratic time."""

    def send(size: int) -> None:
        app.post_json(CONTACT, {**MESSAGE, "message": "a" + marks * size}, status=400)

    assert is_linear(send, 2_600)


@pytest.mark.parametrize(
    "name",
    ["bo\u200bss", "b\u043ess", "bo\u00adss", "\u202eboss", "bos\u2060s", "boss\ufe0f", "ｂｏｓｓ"],
)
def test_cwe_1007_no_user_looks_like_another(admin: Client, make_user: Any, name: str) -> None:
    """CWE-1007: a user with invisible or foreign characters passed as somebody else."""
    make_user("boss")
    body = {"username": name, "email": "eve@example.org", "password": PASSWORD}

    assert "sername" in admin.post_json(USERS, body, status=400).json["error"]


@pytest.mark.parametrize("name", ["a\nb", "a\tb", "a\x85b", "a\u2028b", "a\rb"])
def test_cwe_117_user_names_have_no_line_ends(admin: Client, name: str) -> None:
    """CWE-117: a line end in a user name forged lines of lists and logs."""
    body = {"username": name, "email": "eve@example.org", "password": PASSWORD}

    assert "username" in admin.post_json(USERS, body, status=400).json["error"]


@pytest.mark.parametrize("title", ["\u200b", "\u00ad\u2060", "\u202e", "\ufeff"])
def test_cwe_1007_a_title_is_visible(news: Desk, title: str) -> None:
    """CWE-1007: a title of invisible characters was a link that nobody could see."""
    assert "title" in news.create(title=title, status=400)["error"]


@pytest.mark.parametrize("field", ["gradientClass", "accentClass", "icon"])
def test_cwe_83_names_of_classes_hold_no_markup(app: Client, field: str) -> None:
    """CWE-83: the name of a class ended its attribute, and added others with script."""
    actions = Desk(app, "actions").as_role("editor")

    for value in ('a" onload="alert(1)', "a<b", "a'b", 'a&b"', "<a>"):
        body = {"title": "A", field: value}
        error = actions.client.post_json("/api/staff/actions", body, status=400).json["error"]
        assert field in error


@pytest.mark.parametrize("text", ["\ufeff", "\ufeff<p>a</p>", "\ufeff\ufeffa", "a\ufeff"])
def test_cwe_182_stored_html_can_be_stored_again(news: Desk, text: str) -> None:
    """CWE-182: a mark at the beginning of a text was removed once per edit."""
    item = news.create(content=f"{text}<p>b</p>")

    assert news.edit(item["id"], content=item["content"])["content"] == item["content"]
