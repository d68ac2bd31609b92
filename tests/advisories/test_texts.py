"""Reports about text: characters that databases, patterns and readers don't expect."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Any

import pytest

from masthead.testing import Client, Desk

NEWS, CONTACT = "/api/staff/news", "/api/contact"
MESSAGE = {"name": "Eve", "email": "eve@example.org", "subject": "Hello", "message": "Hello"}


def test_tabnews_731_a_nul_is_refused(news: Desk) -> None:
    """tabnews issue 731, Django ticket 28201: PostgreSQL refuses a NUL, which was an error 5xx."""
    for field in ["title", "description", "content", "category"]:
        body = {"title": "A", field: "a\0b"}

        assert field in news.client.post_json(NEWS, body, status=400).json["error"]


def test_tabnews_731_a_nul_in_an_address_is_no_error_of_the_server(app: Client) -> None:
    """tabnews issue 731: a NUL in a search or a slug was an error 5xx."""
    for path in [
        "/api/news?search=a%00b",
        "/api/news?tag=%00",
        "/api/news/a%00b",
        "/api/pages/%00",
    ]:
        app.get(path, status=[200, 400, 404])


def test_cve_2022_45061_long_host_names_are_cheap(app: Client, is_linear: Any) -> None:
    """CVE-2022-45061 (CPython), CVE-2024-3651 (idna): encoding a long host took quadratic time."""

    def send(size: int) -> None:
        address = "a@" + "\u0e40\u0301" * size + ".example"
        app.post_json(CONTACT, {**MESSAGE, "email": address}, status=400)

    assert is_linear(send)


def test_cve_2023_36053_long_addresses_are_cheap(app: Client) -> None:
    """CVE-2023-36053 (Django): patterns for addresses of mail and web took exponential time."""
    for text in [
        "a@" + "a." * 100,
        "a" * 190 + "@",
        "@" * 199,
        "a@a" + "-" * 190,
        '"' * 199,
        "a@" + "9" * 190,
    ]:
        app.post_json(CONTACT, {**MESSAGE, "email": text}, status=400)


def test_cve_2023_36053_long_links_are_cheap(app: Client) -> None:
    """CVE-2023-36053 (Django): patterns for addresses of mail and web took exponential time."""
    for piece in ["http://a", "http://" + "a." * 9, "//", "https://[", "mailto:"]:
        link = (piece * 500)[:1_990]

        Desk(app, "actions").as_role("editor").client.post_json(
            "/api/staff/actions", {"title": "A", "link": link}, status=[200, 400]
        )


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", ["<", "<a", "<!--", "</", "&", "&#", "<a b='", "<![CDATA[", "&#x", "<a <"]
)
def test_cve_2024_53907_unfinished_markup_is_cheap(
    stored: Callable[[str], str], is_linear: Any, piece: str
) -> None:
    """CVE-2024-53907, CVE-2025-32873 (Django): strip_tags took quadratic time for open markup."""
    assert is_linear(lambda size: stored("<p>a</p>" + piece * size))


def test_cve_2019_14232_slugs_of_long_titles_are_cheap(news: Desk) -> None:
    """CVE-2019-14232 (Django): shortening and cleaning a text took exponential time."""
    for piece in ["a ", "\u0301", "-", ".", "_", "\u200d", "ﬁ", "\u0e33", "a\u0338"]:
        made = news.client.post_json(NEWS, {"title": ("Ab" + piece * 200)[:120]}).json

        shown = news.publish(made["id"])
        assert 0 < len(shown["slug"]) <= 90


def test_cwe_176_one_text_has_one_form(news: Desk) -> None:
    """CWE-176: two spellings of the same characters were two different words."""
    for first in ["é", "ﾊﾞ", "Å", "한글"]:
        for form in ("NFC", "NFD"):
            title = unicodedata.normalize(form, f"{first} A")
            made = news.create(title=title)
            assert made["title"] == unicodedata.normalize("NFC", title)


def test_cve_2021_42574_invisible_characters_stay_in_their_text(app: Client, news: Desk) -> None:
    """CVE-2021-42574 (Trojan Source): marks of direction changed how the text around them looks."""
    for text in ["\u202egnp.exe", "\u2066a\u2069", "a\u200bb", "\ufeffa", "\U000e0041"]:
        made = news.client.post_json(NEWS, {"title": f"A {text}"}, status=[200, 400])

        if made.status_int == 200:
            item = news.publish(made.json["id"])
            assert item["slug"].isascii()
            assert text.strip("\ufeff") in app.get(f"/api/news/{item['slug']}").json["title"]


def test_cwe_41_no_title_makes_a_dangerous_slug(news: Desk) -> None:
    """CWE-41: a title became an address that a server or a file system reads as another one."""
    for name in ["CON", "..", ".", "~", "-", "%2e", "index.html", "null", "0", "new"]:
        item = news.create_public(title=name)

        assert item["slug"] not in ("", ".", "..", "~", "-")
        assert "/" not in item["slug"]
        assert news.public_item(item["slug"])["title"] == name


def test_wordpress_21212_characters_of_all_planes_are_kept(news: Desk) -> None:
    """WordPress ticket 21212: a text was cut at its first character beyond the basic plane."""
    text = "Before 🌍🏳️‍🌈 𝒜 after"

    assert news.create(title=text, content=f"<p>{text}</p>")["content"] == f"<p>{text}</p>"


def test_cwe_770_texts_of_visitors_have_limits(app: Client) -> None:
    """CWE-770: a visitor stored as much text as the server could receive."""
    limits = {"name": 200, "email": 200, "subject": 200, "message": 5_000}

    for field, limit in limits.items():
        text = "a" * (limit + 1) if field != "email" else "a" * limit + "@example.org"
        assert field in app.post_json(CONTACT, {**MESSAGE, field: text}, status=400).json["error"]
    app.post_json(CONTACT, {**MESSAGE, "message": "a" * 2_200_000}, status=400)
