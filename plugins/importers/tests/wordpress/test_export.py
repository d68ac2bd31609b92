"""The import of WordPress exports."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from masthead import Invalid
from masthead_importers.report import Report
from masthead_importers.wordpress.export import WordPressExport

SITE = "https://old.example"
MoveIn = Callable[..., Report]
Read = Callable[..., Any]
ImportItems = Callable[..., Report]


@pytest.fixture
def do_import(move_in: MoveIn, export: Callable[..., Path], wp: SimpleNamespace) -> ImportItems:
    """Import items of WordPress, as an export."""

    def run(*items: str, permalinks: str = "", home: str = SITE, **options: Any) -> Report:
        file = export(wp.export(*items, home=home))
        return move_in(WordPressExport([file], permalinks, UTC), **options)

    return run


def test_a_post_arrives_with_all_that_a_reader_saw(
    do_import: ImportItems, read: Read, wp: SimpleNamespace, uploads: Path
) -> None:
    terms = wp.term("category", "garden", "Garden &amp; River") + wp.term("category", "b", "Bees")
    terms += wp.term("post_tag", "tea", "Tea") + wp.meta("_thumbnail_id", 9)

    report = do_import(
        wp.image(9, "2019/05/tree.png", "An old tree"),
        wp.item(
            *(17, "Rosa &amp; Otto", "First line\nsecond\n\nNext"),
            slug="garden-2019",
            excerpt__encoded="<b>Short</b> text",
            more=terms,
        ),
        media=uploads,
    )

    [item] = read("/api/news")
    assert list(report.lines()) == [
        "images: imported 1, skipped 0, errors 0",
        "news: imported 1, skipped 0, errors 0",
        "warning: an author is no user here (1)",
        "  Rosa Moss",
    ]
    assert (item["title"], item["slug"], item["description"]) == (
        *("Rosa & Otto", "garden-2019", "Short text"),
    )
    assert (item["category"], [tag["name"] for tag in item["tags"]]) == (
        *("Garden & River", ["Bees", "Tea"]),
    )
    assert item["publishedAt"] == "2019-05-01T08:00:00.000Z"
    assert item["imageUrl"].startswith("/api/images/")
    content = read("/api/news/garden-2019")["content"]
    assert content == "<p>First line<br>\nsecond</p>\n<p>Next</p>\n".strip()


def test_each_status_arrives_as_it_may_be_seen(
    do_import: ImportItems, read: Read, wp: SimpleNamespace
) -> None:
    report = do_import(
        wp.item(1, "Public"),
        wp.item(2, "Draft", wp__status="draft", wp__post_date_gmt="0000-00-00 00:00:00"),
        wp.item(3, "Pending", wp__status="pending"),
        wp.item(4, "Private", wp__status="private"),
        wp.item(5, "Password", wp__post_password="secret"),
        wp.item(6, "Future", wp__status="future", wp__post_date_gmt="2199-05-01 08:00:00"),
        wp.item(7, "Trash", wp__status="trash"),
        wp.item(8, "Auto", wp__status="auto-draft"),
        wp.item(9, "Revision", kind="revision", wp__status="inherit"),
        wp.item(10, "Menu", kind="nav_menu_item"),
    )

    assert [item["title"] for item in read("/api/news")] == ["Public"]
    assert report.outcomes["news"]["imported"] == 6
    assert report.left_out == {
        "post with the status trash": 1,
        "post with the status auto-draft": 1,
        "of the type revision": 1,
        "of the type nav_menu_item": 1,
    }


def test_nothing_is_published_without_the_option(
    do_import: ImportItems, read: Read, wp: SimpleNamespace
) -> None:
    do_import(wp.item(1, "One"), wp.item(2, "Two", kind="page"), publish=False)

    assert (read("/api/news"), read("/api/pages"), read("/api/redirects")) == ([], [], [])


def test_pages_become_pages_and_links_between_items_are_corrected(
    do_import: ImportItems, read: Read, wp: SimpleNamespace
) -> None:
    links = " ".join(
        f'<a href="{address}">x</a>'
        for address in (
            *(f"{SITE}/about-us/", "/about-us", "http://www.old.example/2019/05/two/?utm=1#part"),
            *("https://old.example/?p=2", "../two/", "#here", "https://other.example/about-us/"),
            *("mailto:a@b.example", f"{SITE}/gone/", f"{SITE}/"),
        )
    )

    report = do_import(
        wp.item(1, "One", links), wp.item(2, "Two"), wp.item(3, "About us", kind="page")
    )

    content = read("/api/news/one")["content"]
    assert [part.split('"')[1] for part in content.split("<a ")[1:]] == [
        *("/about-us", "/about-us", "/news/two#part", "/news/two", "/news/two", "#here"),
        *("https://other.example/about-us/", "mailto:a@b.example", f"{SITE}/gone/", f"{SITE}/"),
    ]
    assert "warning: a link leads to a page of the former website that is not imported (1)" in (
        list(report.lines())
    )
    assert [page["slug"] for page in read("/api/pages")] == ["about-us"]
    assert {(each["from"], each["to"]) for each in read("/api/redirects")} == {
        *(("/2019/05/one", "/news/one"), ("/?p=1", "/news/one")),
        *(("/2019/05/two", "/news/two"), ("/?p=2", "/news/two")),
        ("/?page_id=3", "/about-us"),
    }


def test_a_link_leads_to_the_slug_that_the_item_really_got(
    do_import: ImportItems, read: Read, wp: SimpleNamespace
) -> None:
    do_import(wp.item(7, "Taken", slug="two"), home="https://first.example")

    do_import(wp.item(1, "One", f'<a href="{SITE}/2019/05/two/">x</a>'), wp.item(2, "Two"))

    assert read("/api/news/one")["content"] == '<p><a href="/news/two-2">x</a></p>'
    assert read("/api/news/two-2")["title"] == "Two"


def test_images_are_stored_once_each_with_their_text(
    do_import: ImportItems, read: Read, wp: SimpleNamespace, uploads: Path, hooks: Any
) -> None:
    base = f"{SITE}/wp-content/uploads/2019/05"

    report = do_import(
        wp.image(9, "2019/05/tree.png", "An old tree"),
        wp.item(
            *(1, "One"),
            f'<a href="{base}/tree.png"><img src="{base}/tree-300x200.png" srcset="{base}/a 1x">'
            f'</a><img src="/wp-content/uploads/2019/05/bee.png"><img src="{base}/gone.png">'
            f'<a href="{base}/plan.pdf">Plan</a><img src="{base}/../../../secret.png">',
        ),
        media=uploads,
    )

    content = read("/api/news/one")["content"]
    [tree, bee] = sorted(hooks.images, key=lambda path: hooks.images[path] is None)
    assert hooks.images[tree] == "An old tree"
    assert content.count(tree) == 2
    assert content.count(bee) == 1
    assert "srcset" not in content
    assert f"{base}/gone.png" in content
    assert f"{base}/plan.pdf" in content
    assert report.outcomes["images"]["imported"] == 2
    redirects = {each["from"]: each["to"] for each in read("/api/redirects")}
    assert redirects["/wp-content/uploads/2019/05/tree.png"] == tree


def test_images_of_other_websites_stay_and_cached_ones_are_found(
    do_import: ImportItems, read: Read, wp: SimpleNamespace, uploads: Path, hooks: Any
) -> None:
    path = "/wp-content/uploads/2019/05/tree.png"
    images = (f"https://other.example{path}", f"https://i0.wp.com/old.example{path}?w=300")

    do_import(wp.item(1, "One", "".join(f'<img src="{each}">' for each in images)), media=uploads)

    [stored] = hooks.images
    assert read("/api/news/one")["content"] == (
        f'<p><img src="{images[0]}"><img src="{stored}"></p>'
    )


@pytest.mark.parametrize("folder", ["uploads", "."])
def test_the_folder_may_be_one_above(
    do_import: ImportItems, wp: SimpleNamespace, uploads: Path, folder: str, hooks: Any
) -> None:
    above = uploads.parent if folder == "." else uploads

    do_import(
        wp.item(1, "One", f'<img src="{SITE}/wp-content/uploads/2019/05/tree.png">'), media=above
    )

    assert len(hooks.images) == 1


def test_a_link_out_of_the_folder_is_not_followed(
    do_import: ImportItems, wp: SimpleNamespace, uploads: Path, hooks: Any, export: Any
) -> None:
    secret = export(b"\x89PNG\r\n\x1a\nsecret", "secret.png")
    (uploads / "link.png").symlink_to(secret)
    base = f"{SITE}/wp-content/uploads"

    do_import(
        wp.item(1, "One", f'<img src="{base}/link.png"><img src="{base}/%2e%2e/secret.png">'),
        media=uploads,
    )

    assert hooks.images == {}


def test_a_repeated_import_adds_nothing(
    do_import: ImportItems, read: Read, wp: SimpleNamespace, uploads: Path
) -> None:
    image = f'<img src="{SITE}/wp-content/uploads/2019/05/tree.png">'
    items = [wp.item(1, "One", image), wp.item(2, "Two", kind="page")]
    do_import(*items, media=uploads)

    again = do_import(*items, wp.item(3, "Three", '<a href="/?p=1">x</a>'), media=uploads)

    assert again.outcomes["news"] == {"imported": 1, "skipped": 1}
    assert again.outcomes["pages"] == {"skipped": 1}
    assert "images" not in again.outcomes
    assert read("/api/news/three")["content"] == '<p><a href="/news/one">x</a></p>'


def test_the_same_ids_of_another_website_are_other_items(
    do_import: ImportItems, read: Read, wp: SimpleNamespace
) -> None:
    do_import(wp.item(1, "One"))
    do_import(wp.item(1, "Other"), home="https://second.example")

    assert {item["title"] for item in read("/api/news")} == {"One", "Other"}


def test_a_dry_run_stores_nothing_and_reports_the_same(
    do_import: ImportItems, read: Read, wp: SimpleNamespace, uploads: Path, hooks: Any
) -> None:
    image = f'<img src="{SITE}/wp-content/uploads/2019/05/tree.png">'
    items = [wp.item(1, "One", image + "[foo_bar]"), wp.item(2, "", "")]

    dry = do_import(*items, media=uploads, dry_run=True)

    assert (hooks.images, read("/api/news"), read("/api/redirects")) == ({}, [], [])
    assert list(dry.lines()) == list(do_import(*items, media=uploads).lines())


def test_addresses_of_a_permalink_structure_are_kept(
    move_in: MoveIn, export: Any, read: Read, wp: SimpleNamespace
) -> None:
    item = wp.item(
        *(17, "One"),
        link=f"{SITE}/blog/?p=17",
        wp__post_date_gmt="2018-12-31 23:30:00",
        more=wp.term("category", "garden", "Garden"),
    )
    file = export(wp.export(item, home=f"{SITE}/blog"))
    structure = "/%year%/%monthnum%/%day%/%category%/%author%/%post_id%-%postname%/"

    move_in(WordPressExport([file], structure, ZoneInfo("Europe/Berlin")))

    assert {each["from"] for each in read("/api/redirects")} == {
        *("/blog?p=17", "/blog/2019/01/01/garden/rosa/17-one"),
    }


@pytest.mark.parametrize("structure", ["/%year%/%name%/", "%postname%", "/news/"])
def test_a_wrong_structure_is_refused(structure: str) -> None:
    with pytest.raises(Invalid, match="--permalinks"):
        WordPressExport([], structure, UTC)


def test_authors_are_users_with_their_address_or_are_created_on_request(
    do_import: ImportItems, read: Read, wp: SimpleNamespace
) -> None:
    do_import(wp.item(1, "One"))
    do_import(wp.item(2, "Two"), create_authors=True)
    do_import(wp.item(3, "Three"))

    authors = {item["title"]: item["author"] for item in read("/api/news")}
    assert authors == {
        "One": None,
        "Two": {"displayName": "Rosa Moss"},
        "Three": {"displayName": "Rosa Moss"},
    }


def test_foreign_letters_of_slugs_are_kept_as_redirects(
    do_import: ImportItems, read: Read, wp: SimpleNamespace
) -> None:
    escaped = "%d0%b4%d0%be%d0%bc"

    do_import(wp.item(1, "Дом", slug=escaped))

    assert read("/api/news")[0]["slug"] == "dom"
    found = read("/api/redirects", **{"from": "/2019/05/дом/"})
    assert found == [{"from": f"/2019/05/{escaped.upper()}", "to": "/news/dom"}]


def test_a_field_that_a_target_lacks_is_reported(
    do_import: ImportItems, wp: SimpleNamespace
) -> None:
    report = do_import(wp.item(1, "One", kind="page", more=wp.term("post_tag", "a", "A")))

    assert "warning: pages have no field tags (1)" in list(report.lines())


def test_content_is_cleaned_like_all_other(
    do_import: ImportItems, read: Read, wp: SimpleNamespace
) -> None:
    do_import(wp.item(1, "One", '<p onclick="x()">Hi<script>alert(1)</script></p>'))

    assert read("/api/news/one")["content"] == "<p>Hi</p>"


def test_content_that_cannot_be_used_is_an_error_and_the_rest_is_imported(
    do_import: ImportItems, read: Read, wp: SimpleNamespace
) -> None:
    report = do_import(
        wp.item(1, "Deep", "<!-- wp:html -->" + "<b>" * 300),
        wp.item(2, "Two"),
        wp.item(3, "x" * 300),
    )

    assert report.failed
    assert report.outcomes["news"] == {"imported": 2, "errors": 1}
    assert [item["slug"] for item in read("/api/news")] == ["x" * 80, "two"]


def test_damaged_and_endless_addresses_do_not_stop_an_import(
    do_import: ImportItems, read: Read, wp: SimpleNamespace, uploads: Path
) -> None:
    image = f"{SITE}/wp-content/uploads/2019/05/tree.png?{'x' * 3_000}"

    report = do_import(
        wp.item(1, "One", f'<a href="//[x">Link</a><img src="{image}">'), media=uploads
    )

    assert report.outcomes["news"] == {"imported": 1}
    assert "/wp-content/" not in read("/api/news/one")["content"]


def test_a_damaged_home_does_not_stop_an_import(
    do_import: ImportItems, wp: SimpleNamespace
) -> None:
    report = do_import(wp.item(1, "One", '<a href="/a">Link</a>'), home="https://[")

    assert report.outcomes["news"] == {"imported": 1}
