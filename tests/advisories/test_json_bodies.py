"""Reports about parsers of JSON: repeated keys, deep nesting, huge numbers, broken text."""

from __future__ import annotations

from typing import Any

import pytest

from masthead.testing import Client, Desk

USERS, NEWS, CONTACT = "/api/staff/users", "/api/staff/news", "/api/contact"
MESSAGE = {"name": "Eve", "email": "eve@example.org", "subject": "Hello", "message": "Hello"}


def post(client: Client, path: str, body: bytes | str, status: int = 400) -> Any:
    """Send a body as it is, and return the parsed answer."""
    return client.post(path, body, {"Content-Type": "application/json"}, status=status).json


def test_cve_2017_12635_repeated_keys_grant_no_role(admin: Client) -> None:
    """CVE-2017-12635 (CouchDB): of two keys "roles", one was checked and the other was stored."""
    body = """{"username": "eve", "email": "eve@example.org", "password": "long enough to pass",
               "roles": ["editor"], "roles": ["admin"]}"""

    assert post(admin, USERS, body) == {"error": "The body repeats a key"}
    assert "eve" not in [user["username"] for user in admin.get(USERS).json]


@pytest.mark.parametrize("start", ['{"a":', "["], ids=["objects", "arrays"])
@pytest.mark.parametrize("depth", [65, 5_000, 100_000])
def test_cve_2024_27454_deep_json_is_refused(app: Client, start: str, depth: int) -> None:
    """CVE-2024-27454 (orjson): deeply nested documents exhausted the stack of the parser."""
    end = "}" if start == '{"a":' else "]"
    nested = start * depth + "1" + end * depth

    post(app, CONTACT, f'{{"name": {nested}}}')


def test_cve_2025_67221_no_deep_value_is_stored_or_sent(editor: Client) -> None:
    """CVE-2025-67221 (orjson): writing a deeply nested value overflowed the stack."""
    nested: Any = "water"
    for _ in range(60):
        nested = [nested]

    body = {"name": "Ada", "tags": nested, "extra": nested}
    assert "tags" in editor.post_json("/api/staff/contacts", body, status=400).json["error"]


@pytest.mark.parametrize("escape", [r"\ud800", r"\udfff", r"\udc00\ud800", r"a\ud83d"])
def test_cve_2022_31116_lone_surrogates_are_refused(app: Client, escape: str) -> None:
    """CVE-2022-31116 (UltraJSON): lone surrogates were decoded to a different text."""
    body = f'{{"name": "{escape}", "email": "eve@example.org", "subject": "a", "message": "b"}}'

    assert post(app, CONTACT, body) == {"error": "The body has a lone surrogate"}


def test_cve_2022_31116_surrogate_pairs_are_one_character(news: Desk) -> None:
    """CVE-2022-31116 (UltraJSON): an escaped pair must be the character that it encodes."""
    made = post(news.client, NEWS, r'{"title": "Gro\u00df \ud83c\udf33"}', 200)

    assert made["title"] == "Groß 🌳"


@pytest.mark.parametrize("digits", [4_301, 100_000, 1_500_000])
def test_cve_2020_10735_long_integers_are_refused_early(app: Client, digits: int) -> None:
    """CVE-2020-10735 (CPython): the conversion of a long integer took quadratic time."""
    error = post(app, CONTACT, f'{{"name": {"9" * digits}}}')

    assert error == {"error": "The body has a number with too many digits"}


def test_seriot_2016_numbers_outside_of_json_are_refused(news: Desk) -> None:
    """Seriot, "Parsing JSON is a Minefield": some parsers accept NaN and infinite numbers."""
    for number in ["NaN", "Infinity", "-Infinity", "1e400", "-1e99999"]:
        post(news.client, NEWS, f'{{"title": "A", "displayOrder": {number}}}')


def test_cve_2019_10744_prototype_names_change_nothing(news: Desk) -> None:
    """CVE-2019-10744 (lodash): keys such as "constructor" changed the prototype of all objects."""
    for name in ["__proto__", "constructor", "prototype", "__class__", "__init__"]:
        extra: dict[str, Any] = {
            name: {"published": True, "approvalStatus": "approved", "prototype": {"admin": True}}
        }

        made = news.create(**extra)

        assert (made["published"], made["approvalStatus"]) == (False, "draft")
        assert name not in news.show(made["id"])


def test_cve_2023_26145_dotted_keys_reach_no_attribute(news: Desk) -> None:
    """CVE-2023-26145 (pydash): dotted paths of a client led to attributes of Python objects."""
    for path in ["__class__.__init__.__globals__", "tags.0.__class__", "user.roles", "$set"]:
        extra: dict[str, Any] = {path: "eve"}
        made = news.create(**extra)
        assert "eve" not in str(news.show(made["id"]))


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/xml", b"<user><name type='yaml'>--- !ruby/object:A {}</name></user>"),
        ("text/yaml", b"!!python/object/apply:os.system ['true']"),
        ("application/x-www-form-urlencoded", b"name=Eve&email=eve%40example.org"),
        ("application/x-python-pickle", b"\x80\x04N."),
    ],
)
def test_cve_2013_0156_only_json_is_parsed(app: Client, kind: str, body: bytes) -> None:
    """CVE-2013-0156 (Ruby on Rails): XML bodies were parsed, and YAML in them built objects."""
    app.post(CONTACT, body, {"Content-Type": kind}, status=400)


def test_cve_2003_1564_no_entity_is_expanded(app: Client) -> None:
    """CVE-2003-1564 (libxml2): nested entities of a small document grew to gigabytes."""
    entities = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
    bomb = f'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a0 "ha">{entities}]><a>&a9;</a>'

    post(app, CONTACT, bomb)


def test_seriot_2016_byte_order_marks_are_refused(app: Client) -> None:
    """Seriot, "Parsing JSON is a Minefield": parsers disagree about byte order marks."""
    for mark in [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"]:
        post(app, CONTACT, mark + b"{}")


def test_seriot_2016_a_body_is_one_object(app: Client) -> None:
    """Seriot, "Parsing JSON is a Minefield": parsers disagree about scalars and trailing text."""
    for body in [b"[]", b'"a"', b"1", b"null", b"true", b"", b" ", b"{", b"{} {}"]:
        post(app, CONTACT, body)


def test_cve_2021_22911_objects_are_no_texts(app: Client) -> None:
    """CVE-2021-22911 (Rocket.Chat): an object in place of a text became a query operator."""
    for field in MESSAGE:
        for value in [["a"], {"$gt": ""}, {"$ne": None}, 0, True, None]:
            error = app.post_json(CONTACT, {**MESSAGE, field: value}, status=400).json["error"]

            assert error.startswith(f"{field}: ")
