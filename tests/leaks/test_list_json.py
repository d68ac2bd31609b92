"""The stored list JSON of an item never differs from the item, after any sequence of changes."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from sqlalchemy import select, true

from masthead import ContentType, User
from masthead.content.jsonl_import import content_importer
from masthead.instance import Instance
from masthead.resources.jsonl import import_lines
from masthead.testing import Client, Clock, Desk

WALKS = int(os.environ.get("MASTHEAD_TEST_WALKS", "3"))
STEPS = 60


class Walk:
    """Random actions of staff that may change public lists."""

    def __init__(self, seed: int, instance: Instance, app: Client, authors: Sequence[User]) -> None:
        self.random = random.Random(seed)
        self.instance = instance
        self.admin = app.as_role("admin")
        self.app = app
        self.authors = authors
        self.made = 0
        self.content_type_names = [
            n for n, k in instance.content_types.items() if isinstance(k, ContentType)
        ]

    def step(self) -> str:
        """Perform one random action, which may be refused."""
        things = [name for name in dir(self) if name.startswith("do_")]
        chosen = self.random.choice(things)
        getattr(self, chosen)()
        return chosen

    def desk(self) -> Desk:
        author = self.random.choice(self.authors)
        return Desk(self.app, self.random.choice(self.content_type_names)).as_user(author)

    def name(self) -> str:
        """Return a new text, or a frequent one."""
        self.made += 1
        return self.random.choice([f'Näme "{self.made}"', "Water", "Air"])

    def some(self, items: Sequence[Any]) -> list[Any]:
        """Return none, one or a few of them."""
        return self.random.sample(items, min(len(items), self.random.randrange(3)))

    def tag_ids(self) -> list[int]:
        return [tag["id"] for tag in self.some(self.admin.get("/api/tags").json)]

    def day(self) -> str:
        return f"2026-03-{self.random.randrange(1, 29):02}"

    def values(self) -> dict[str, Any]:
        later = "2026-03-01T12:00:00.000Z"
        values = {
            "title": self.name(),
            "description": self.random.choice([None, "", self.name()]),
            "scheduledPublishAt": self.random.choice([None, None, later]),
            "scheduledUnpublishAt": self.random.choice([None, None, "2026-03-01T13:00:00.000Z"]),
            "tagIds": self.tag_ids(),
            "displayOrder": self.made,
            "startDate": self.day(),
            "fragile": self.random.choice([True, False]),
        }
        return dict(self.random.sample(sorted(values.items()), 3))

    def send(self, client: Client, method: str, path: str, body: Any = None) -> None:
        send = getattr(client, method if body is None else f"{method}_json")
        send(path, *([] if body is None else [body]), status="*")

    def do_create(self) -> None:
        desk = self.desk()
        item = desk.create(**{"title": self.name(), "startDate": self.day(), **self.values()})
        desk.publish(item["id"])

    def do_edit(self) -> None:
        desk = self.random.choice([self.desk(), self.desk().as_role("admin")])
        for item in self.some(desk.list()):
            self.send(desk.client, "put", f"/api/staff/{desk.content_type}/{item['id']}",
                      self.values())  # fmt: skip

    def do_publish_flag(self) -> None:
        desk = self.desk()
        for item in self.some(desk.list()):
            path = f"/api/staff/{desk.content_type}/{item['id']}"
            self.send(desk.client, "put", path, {"published": not item["published"]})

    def do_move(self) -> None:
        desk = self.desk().as_role("admin")
        for item in self.some(desk.list()):
            body = {"contentType": desk.content_type, "contentId": item["id"]}
            for move in self.random.choice([("request", "approve"), ("request", "reject")]):
                self.send(desk.client, "post", f"/api/staff/approval/{move}", body)

    def do_drop(self) -> None:
        desk = self.desk()
        for item in self.some(desk.list()):
            path = f"/api/staff/{desk.content_type}/{item['id']}"
            self.send(desk.client, "delete", self.random.choice([path, *[f"{path}/staged"] * 3]))

    def do_bulk(self) -> None:
        desk = self.desk()
        ids = [item["id"] for item in self.some(desk.list())]
        desk.bulk(self.random.choice(["publish", "unpublish"]), ids)

    def do_make_tag(self) -> None:
        self.send(self.admin, "post", "/api/staff/tags", {"name": self.name()})

    def do_rename_tag(self) -> None:
        for tag in self.some(self.admin.get("/api/tags").json):
            self.send(self.admin, "put", f"/api/staff/tags/{tag['id']}", {"name": self.name()})

    def do_delete_tag(self) -> None:
        for tag in self.some(self.admin.get("/api/tags").json)[:1]:
            self.send(self.admin, "delete", f"/api/staff/tags/{tag['id']}")

    def do_rename_author(self) -> None:
        author = self.random.choice(self.authors)
        body = {"displayName": self.random.choice([None, "", self.name()])}
        if self.random.random() < 0.5:
            self.send(self.app.as_user(author), "put", "/api/staff/profile", body)
        else:
            self.send(self.admin, "put", f"/api/staff/users/{author.id}", body)

    def do_import(self) -> None:
        content_type: Any = self.instance.content_types[self.random.choice(self.content_type_names)]
        lines = [
            {"title": self.name(), "tags": self.some(["Water", "Air"]), "startDate": self.day()}
            for _ in range(2)
        ]
        sent = [json.dumps(line).encode() for line in lines]
        list(
            import_lines(
                self.instance, content_importer(content_type), sent, publish=True, actor=None
            )
        )


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(WALKS))
def test_lists_show_each_item_as_it_is(
    seed: int,
    clock: Clock,
    instance: Instance,
    app: Client,
    make_user: Callable[..., User],
) -> None:
    authors = [make_user(display_name="Ada"), make_user(display_name="Ben")]
    walk = Walk(seed, instance, app, authors)

    done = []
    for _ in range(STEPS):
        done.append(walk.step())
        clock.shift(minutes=5)
        for name in walk.content_type_names:
            listed = app.get(f"/api/{name}").json
            alone = [app.get(f"/api/{name}/{item['slug']}").json for item in listed]

            assert listed == [
                {name: item[name] for name in shown}
                for item, shown in zip(alone, listed, strict=True)
            ], done
            assert {item["id"] for item in listed} == {
                item["id"]
                for item in Desk(app, name).as_role("admin").list()
                if item["published"] and is_public(app, name, item["slug"])
            }, done
    for name in walk.content_type_names:
        table = instance.content_types[name].model.__table__
        with instance.database.read() as connection:
            shown = table.c.published == true()
            missing = select(table.c.id).where(shown, table.c.listed.is_(None))
            assert connection.execute(missing).all() == []


def is_public(app: Client, name: str, slug: str) -> bool:
    """Whether the detail endpoint, which doesn't use the list JSON, shows an item."""
    return bool(app.get(f"/api/{name}/{slug}", status="*").status_int == 200)
