"""Absolute addresses of the API, of the website and of content."""

from __future__ import annotations

from pathlib import Path

import pytest

from masthead import StartError, absolute_address, api_address, item_address, site_address
from masthead.core_plugin import plugin as core
from masthead.instance import open_instance
from masthead.settings import Settings

BASE = {"masthead.base_url": "https://api.example.org/"}


def read(tmp_path: Path, **settings: str) -> Settings:
    named = {f"masthead.{name}": value for name, value in settings.items()}
    ini = {"masthead.data": str(tmp_path), **BASE, **named}
    return open_instance(ini, {}, {"core": core}).settings


def test_the_website_is_where_the_api_is_unless_it_has_an_address_of_its_own(
    tmp_path: Path,
) -> None:
    same, other = read(tmp_path), read(tmp_path, site_url="https://www.example.org/")

    assert site_address(same, "/about") == "https://api.example.org/about"
    assert site_address(other, "/about") == "https://www.example.org/about"
    assert api_address(other, "/api/news") == "https://api.example.org/api/news"


def test_content_is_shown_below_its_types_name_unless_a_path_is_set(tmp_path: Path) -> None:
    settings = read(tmp_path, site_paths="news=/blog/{slug} plants=/?plant={slug}")

    shown = [item_address(settings, name, "a-b") for name in ("news", "plants", "events")]

    assert shown == [
        "https://api.example.org/blog/a-b",
        "https://api.example.org/?plant=a-b",
        "https://api.example.org/events/a-b",
    ]


@pytest.mark.parametrize(
    "paths",
    [
        "news",
        "news=",
        "news=/blog",
        "news=blog/{slug}",
        "news=//blog.example.org/{slug}",
        "news=https://blog.example.org/{slug}",
        "news=/{slug}/{slug}",
        "news=/{id}/{slug}",
        "News=/{slug}",
        "=/{slug}",
        'news=/"{slug}',
        "news = /blog/{slug}",
        "news=/a/{slug} news=/b/{slug}",
    ],
)
def test_a_path_that_leads_nowhere_stops_the_start(tmp_path: Path, paths: str) -> None:
    with pytest.raises(StartError) as error:
        read(tmp_path, site_paths=paths)

    assert str(error.value) == (
        "masthead.site_paths: expected words such as news=/blog/{slug}, one for each content type,"
        f" got {paths!r}"
    )


@pytest.mark.parametrize(
    ("address", "absolute"),
    [
        ("/api/images/images/1.jpg", "https://api.example.org/api/images/images/1.jpg"),
        ("/about", "https://www.example.org/site/about"),
        ("", "https://www.example.org/site/news/a"),
        ("#note", "https://www.example.org/site/news/a#note"),
        ("b?c", "https://www.example.org/site/news/b?c"),
        ("../x", "https://www.example.org/site/x"),
        ("//example.com/x", "https://example.com/x"),
        (" http://example.com/x ", "http://example.com/x"),
        ("http://[x", "http://[x"),
        ("//[x", "https://[x"),
        ("tel:+49", "tel:+49"),
    ],
)
def test_an_address_in_content_leads_where_it_leads_on_its_page(
    tmp_path: Path, address: str, absolute: str
) -> None:
    settings = read(tmp_path, site_url="https://www.example.org/site")
    page = item_address(settings, "news", "a")

    assert absolute_address(settings, page, address) == absolute


@pytest.mark.parametrize(
    ("address", "absolute"),
    [
        ("#note", "#note"),
        (" #note", "#note"),
        ("#", "#"),
        ("{{link}}", "{{link}}"),
        ("b", "https://www.example.org/site/b"),
        ("/about#note", "https://www.example.org/site/about#note"),
        ("//example.com/x", "https://example.com/x"),
        ("/api/images/images/1.jpg", "https://api.example.org/api/images/images/1.jpg"),
    ],
)
def test_an_address_in_a_mail_leads_to_the_website_or_to_a_place_in_the_mail(
    tmp_path: Path, address: str, absolute: str
) -> None:
    settings = read(tmp_path, site_url="https://www.example.org/site")

    assert absolute_address(settings, None, address) == absolute
