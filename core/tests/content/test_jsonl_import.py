"""The import of JSON lines: valid lines are stored, and mistakes are reported."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import Plugin, Refused, Transitioned, hookimpl
from masthead.audit.models import AuditEntry
from masthead.content.contenttype import ContentType
from masthead.content.jsonl_import import content_importer
from masthead.instance import Instance
from masthead.resources.external_ids import ExternalId
from masthead.resources.importing import ForeignItem, Origin
from masthead.resources.jsonl import import_lines
from masthead.testing import Desk

Import = Callable[..., list[ForeignItem]]


class Reluctant:
    """A plugin that refuses an item in the transaction that stores it."""

    @hookimpl
    def masthead_transitioned(self, event: Transitioned) -> None:
        if event.title == "Unwelcome":
            raise Refused("Not here")


RELUCTANT = Plugin(name="reluctant", hooks=(Reluctant(),))


@pytest.fixture
def plugins(plugins: list[Plugin]) -> list[Plugin]:
    return [*plugins, RELUCTANT]


@pytest.fixture
def do_import(instance: Instance, toys_type: ContentType) -> Import:
    def run(*lines: Any, publish: bool = False, **options: Any) -> list[ForeignItem]:
        texts = [x if isinstance(x, bytes) else json.dumps(x).encode() for x in lines]
        importer = content_importer(toys_type)
        return list(import_lines(instance, importer, texts, publish=publish, actor=None, **options))

    return run


def test_lines_become_drafts(toys: Desk, do_import: Import) -> None:
    lines = do_import(
        {"title": "One", "maker": "Ada", "minAge": 3, "content": "<p onclick=x>Text</p>"},
        {"title": "Two", "published": True, "nonsense": 1},
    )

    assert [(line.number, line.error, line.warnings) for line in lines] == [
        (1, None, []),
        (2, None, []),
    ]
    one, two = (toys.show(item["id"]) for item in toys.list())
    assert (one["maker"], one["minAge"], one["content"]) == ("Ada", 3, "<p>Text</p>")
    assert (two["approvalStatus"], two["published"], two["createdBy"]) == ("draft", False, None)
    assert toys.public_list() == []


def test_a_repeated_import_adds_nothing(toys: Desk, do_import: Import) -> None:
    lines = [
        {"externalId": "a-1", "title": "One"},
        {"id": 2, "title": "Two"},
        {"title": "Without id"},
        {"id": "2", "title": "Two again"},
        {"externalId": "2", "id": 9, "title": "The first id counts"},
    ]

    first, second = do_import(*lines), do_import(*lines, {"id": 3, "title": "Three"})

    assert [line.skipped for line in first] == [False, False, False, True, True]
    assert [line.skipped for line in second] == [True, True, False, True, True, False]
    titles = [toy["title"] for toy in toys.list()]
    assert titles == ["One", "Two", "Without id", "Without id", "Three"]


def test_the_same_id_of_another_system_is_another_item(toys: Desk, do_import: Import) -> None:
    for source in ("", "wordpress", "drupal", "wordpress"):
        do_import({"id": 1, "title": f"From {source}."}, origin=Origin(source))

    titles = sorted(toy["title"] for toy in toys.list())
    assert titles == ["From .", "From drupal.", "From wordpress."]


def test_a_deleted_item_is_imported_again(toys: Desk, do_import: Import, session: Session) -> None:
    do_import({"id": 1, "title": "One"}, {"id": 2, "title": "Two"})
    for toy in toys.list():
        toys.as_role("admin").delete(toy["id"])

    assert session.scalars(select(ExternalId)).all() == []
    assert [line.skipped for line in do_import({"id": 1, "title": "One"})] == [False]
    assert [toy["title"] for toy in toys.list()] == ["One"]


@pytest.mark.parametrize(
    ("sent", "error"),
    [
        ({"externalId": [1]}, "externalId: Must be a string"),
        ({"externalId": True}, "externalId: Must be a string"),
        ({"id": 1.5}, "id: Must be a string"),
        ({"id": "a" * 201}, "id: At most 200 characters"),
        ({"id": "a\x00"}, "id: Must not contain control characters"),
    ],
)
def test_an_invalid_external_id_is_an_error(do_import: Import, sent: Any, error: str) -> None:
    [line] = do_import({"title": "One", **sent})

    assert line.error == error


def test_concurrent_imports_store_each_external_id_once(toys: Desk, do_import: Import) -> None:
    lines = [{"title": f"Toy {n}", "id": n} for n in range(60)]

    with ThreadPoolExecutor(4) as pool:
        imports = list(pool.map(lambda _: do_import(*lines), range(4)))

    assert [line.error for each in imports for line in each] == [None] * 240
    assert len(toys.list()) == 60


def test_a_refused_line_leaves_its_external_id_to_a_later_one(
    toys: Desk, do_import: Import
) -> None:
    titles = ["Unwelcome", "Welcome", "Late"]

    lines = do_import(*({"title": title, "id": 1} for title in titles), publish=True)

    assert [(line.error, line.skipped) for line in lines] == [
        ("Not here", False),
        (None, False),
        (None, True),
    ]
    assert [toy["title"] for toy in toys.list()] == ["Welcome"]


@pytest.mark.slow
def test_a_dry_run_reports_as_an_import_and_stores_nothing(
    toys: Desk, do_import: Import, session: Session
) -> None:
    lines = [
        {"title": "One", "id": 1, "tags": ["New"]},
        {"title": "Unwelcome"},
        {"title": "One", "id": 1},
        {"title": 1},
        *({"title": f"Toy {n}", "id": n} for n in range(2, 450)),
        {"title": "One", "id": 1},
    ]

    tried = do_import(*lines, publish=True, dry_run=True)

    assert toys.list() == []
    assert toys.client.get("/api/tags").json == []
    assert session.scalars(select(AuditEntry.action)).all() == []
    assert session.scalars(select(ExternalId)).all() == []
    done = do_import(*lines, publish=True)
    outcomes = [[(line.error, line.skipped) for line in each] for each in (tried, done)]
    assert outcomes[0] == outcomes[1]
    assert [line.error for line in done if line.error] == ["Not here", "title: Must be a string"]


def test_times_of_other_systems_are_read(toys: Desk, do_import: Import) -> None:
    key = "scheduledPublishAt"
    lines = do_import(
        {"title": "A", key: "Wed, 01 May 2030 10:00:00 +0200"},
        {"title": "B", key: 1903852800},
        {"title": "C", key: "2030-05-01 10:00:00"},
        {"title": "D", key: "01/02/2030"},
        {"title": "E", key: ""},
        origin=Origin(zone=ZoneInfo("Europe/Berlin")),
    )

    assert [line.error for line in lines] == [None] * 5
    assert lines[3].warnings == [
        f"{key}: '01/02/2030' is ambiguous; write the year first: 2024-02-01"
    ]
    assert [toys.show(toy["id"])[key] for toy in toys.list()] == [
        *["2030-05-01T08:00:00.000Z"] * 3,
        None,
        None,
    ]


def test_a_byte_order_mark_is_ignored(toys: Desk, do_import: Import) -> None:
    [line] = do_import(b'\xef\xbb\xbf{"title": "One"}')

    assert (line.error, [toy["title"] for toy in toys.list()]) == (None, ["One"])


def test_lines_can_be_published_at_once(toys: Desk, do_import: Import, session: Session) -> None:
    lines = do_import(*({"title": "Same"} for _ in range(3)), publish=True)

    assert all(line.error is None for line in lines)
    shown = toys.public_list()
    assert [item["slug"] for item in shown] == ["same", "same-2", "same-3"]
    assert all(item["approvalStatus"] == "approved" for item in toys.list())
    actions = session.scalars(select(AuditEntry.action)).all()
    assert actions.count("approval.publish") == 3


def test_tags_are_found_by_name_or_created(
    toys: Desk, do_import: Import, make_tag: Callable[[str], Any]
) -> None:
    water = make_tag("Water")

    do_import(
        {"title": "One", "tags": ["WATER", "Air", "air", "Water"]},
        {"title": "Two", "tags": ["AIR"], "tagIds": [99]},
        {"title": "Three", "tags": []},
    )

    one, two, three = (toys.show(item["id"])["tags"] for item in toys.list())
    assert [tag["slug"] for tag in one] == ["air", "water"]
    assert one[1] == water
    assert (two, three) == ([one[0]], [])
    do_import({"title": "Four", "tags": ["water"]})
    assert len(toys.client.get("/api/tags").json) == 2


def test_an_absent_field_is_checked_with_its_default(toys: Desk, do_import: Import) -> None:
    lines = do_import({"title": "One"}, {"title": "Two", "displayOrder": -1_001})

    assert [line.error for line in lines] == [None, "displayOrder: Must not be less than -1000"]
    assert [toy["displayOrder"] for toy in toys.list()] == [0]


def test_an_invalid_line_is_reported_and_others_are_stored(toys: Desk, do_import: Import) -> None:
    lines = do_import(
        b'{"title": "Good"}\n',
        b"\n",
        b"  \r\n",
        b"nonsense\n",
        b"[]",
        {"maker": "Nobody"},
        {"title": " "},
        {"title": "Ages", "minAge": 5, "maxAge": 4},
        b'{"title": "\xff"}',
        b'{"title": "A", "title": "B"}',
        {"title": "Also good"},
    )

    assert [line.number for line in lines] == [1, 4, 5, 6, 7, 8, 9, 10, 11]
    assert [line.number for line in lines if line.error is None] == [1, 11]
    errors = {line.number: line.error for line in lines if line.error}
    assert errors[6] == errors[7] == "title: Required"
    assert str(errors[8]).startswith("maxAge")
    assert [item["title"] for item in toys.list()] == ["Good", "Also good"]


def test_an_invalid_optional_value_is_left_out(toys: Desk, do_import: Import) -> None:
    [line] = do_import(
        {"title": "One", "maker": "Ada", "photo": "javascript:x", "minAge": "3", "tags": "Air"}
    )

    assert line.error is None
    assert [warning.split(":")[0] for warning in line.warnings] == ["photo", "minAge", "tags"]
    [item] = toys.list()
    assert (item["maker"], item["photo"], item["minAge"]) == ("Ada", None, None)


def test_more_lines_than_a_batch_are_all_stored(toys: Desk, do_import: Import) -> None:
    lines = do_import(*({"title": f"Toy {n}", "displayOrder": n} for n in range(450)), publish=True)

    assert len(lines) == 450
    answer = toys.client.get("/api/toys?limit=1&offset=449")
    assert answer.headers["X-Total-Count"] == "450"
    assert answer.json[0]["title"] == "Toy 449"


def test_a_line_that_is_refused_when_stored_does_not_affect_others(
    toys: Desk, do_import: Import
) -> None:
    titles = ("One", "Unwelcome", "Three")

    lines = do_import(*({"title": title, "tags": ["New"]} for title in titles), publish=True)

    assert [line.error for line in lines] == [None, "Not here", None]
    assert sorted(item["title"] for item in toys.public_list(tag="new")) == ["One", "Three"]


def test_concurrent_imports_create_each_tag_once(toys: Desk, do_import: Import) -> None:
    lines = [{"title": f"Toy {n}", "tags": [f"Tag {n % 20}"]} for n in range(60)]

    with ThreadPoolExecutor(4) as pool:
        imports = list(pool.map(lambda _: do_import(*lines), range(4)))

    assert [line.error for each in imports for line in each] == [None] * 240
    assert len(toys.client.get("/api/tags").json) == 20


def test_many_lines_with_new_tags_each_are_stored_at_once(toys: Desk, do_import: Import) -> None:
    lines = do_import(
        *({"title": f"Toy {n}", "tags": [f"Tag {n} {k}" for k in range(3)]} for n in range(200))
    )

    assert {line.error for line in lines} == {None}
    tags = toys.client.get("/api/tags", {"limit": 1}).headers["X-Total-Count"]
    assert (len(toys.list()), tags) == (200, "600")


def test_a_slug_of_a_line_is_kept_or_the_line_says_why_not(toys: Desk, do_import: Import) -> None:
    lines = do_import(
        {"title": "One", "slug": "robot-2019"},
        {"title": "Two", "slug": "robot-2019"},
        {"title": "Three", "slug": "Blaue Vögel!"},
        {"title": "Four", "slug": 4},
        {"title": "Five", "slug": " "},
        publish=True,
    )

    assert [toys.show(line.item_id)["slug"] for line in lines] == [
        *("robot-2019", "robot-2019-2", "blaue-vogel", "four", "five")
    ]
    assert [line.warnings for line in lines] == [
        [],
        ["slug: robot-2019 is taken; the item has robot-2019-2"],
        ["slug: Blaue Vögel! is changed to blaue-vogel"],
        ["slug: Must be a string"],
        [],
    ]


def test_a_line_that_is_unpublished_stays_a_draft(toys: Desk, do_import: Import) -> None:
    lines = do_import(
        {"title": "One", "published": True},
        {"title": "Two", "published": False},
        {"title": "Three", "published": 0},
        {"title": "Four"},
        publish=True,
    )

    shown = [toys.show(line.item_id)["published"] for line in lines]
    assert shown == [True, False, False, True]


@pytest.mark.parametrize("words", ["harbour", "東京都", "boats ferry", "quay"])
def test_imported_items_are_found_by_their_texts_and_tags(
    toys: Desk, do_import: Import, words: str
) -> None:
    do_import(
        {
            "title": "Boats of the harbour",
            "content": "<p>東京都 and a <b>ferry</b></p>",
            "tags": ["Quay", "東京都港区"],
        },
        {"title": "Other"},
        publish=True,
    )

    assert [toy["title"] for toy in toys.public_list(search=words)] == ["Boats of the harbour"]
    assert [toy["title"] for toy in toys.list(search=words)] == ["Boats of the harbour"]
