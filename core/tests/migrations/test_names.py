"""The revision that orders names and unifies tags, on rows of the release before."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Connection, text

from masthead.db import Database, migrate, utc_text, utcnow
from masthead.instance import Instance
from masthead.testing.client import Client
from masthead.testing.schema import schema_differences

TAGS = [
    ("Zoo", "zoo", "zoo"),
    ("climate  change", "climate  change", "climate-change"),
    ("Climate change", "climate change", "climate-change-2"),
    ("wa\u00adter  now", "wa\u00adter  now", "water-now"),
    ("water   now", "water   now", "water-now-2"),
    ("Äpfel", "äpfel", "apfel"),
]


def revert(connection: Connection) -> None:
    """Bring core's tables back to the revision before."""
    for column in ("changed_at", "tables", "tables_token", "tag_key"):
        connection.execute(text(f"ALTER TABLE core_content_version DROP COLUMN {column}"))
    for later in (
        "trash",
        "tag_former_slug",
        "recovery_request",
        "search_outdated",
        "external_id",
        "known_address",
        "redirect",
        "backup",
        "organisation",
        "former_slug",
        "idempotency_key",
        "preview",
        "presence",
        "change",
        "change_log",
        "comment",
        "reference",
        "approval_vote",
        "approval_request",
        "approved",
        "revision_value",
        "revision",
    ):
        connection.execute(text(f"DROP TABLE core_{later}"))
    for index in ("ix_core_tag_sort_key", "ix_core_notification_item"):
        connection.execute(text(f"DROP INDEX {index}"))
    connection.execute(text("ALTER TABLE core_user DROP COLUMN language"))
    for table in ("core_tag", "core_user", "core_role"):
        for column in ("sort_key", "revision"):
            connection.execute(text(f"ALTER TABLE {table} DROP COLUMN {column}"))
    connection.execute(text("UPDATE alembic_version_core SET version_num = '0004'"))


@pytest.fixture
def upgraded(instance: Instance) -> Database:
    """A database that had tags of the release before."""
    database = instance.database
    with database.transaction() as session:
        connection = session.connection()
        revert(connection)
        row = "INSERT INTO core_tag (name, name_key, slug, created_at)"
        for name, key, slug in TAGS:
            values: dict[str, Any] = {"name": name, "key": key, "slug": slug}
            values["at"] = utc_text(utcnow()) if database.dialect == "sqlite" else utcnow()
            connection.execute(text(f"{row} VALUES (:name, :key, :slug, :at)"), values)
    migrate.upgrade(database, instance.plugins)
    return database


@pytest.mark.usefixtures("upgraded")
def test_no_tag_is_lost_and_each_keeps_its_address(app: Client) -> None:
    tags = app.get("/api/tags").json

    assert sorted((tag["name"], tag["slug"]) for tag in tags) == sorted(
        (name, slug) for name, _, slug in TAGS
    )
    assert [tag["name"] for tag in tags][::5] == ["Äpfel", "Zoo"]


def test_of_tags_with_one_name_one_gets_the_new_key(upgraded: Database, app: Client) -> None:
    with upgraded.read() as connection:
        keys = list(connection.scalars(text("SELECT name_key FROM core_tag ORDER BY id")))

    assert keys == ["zoo", "climate  change", "climate change", "water now", "water   now", "äpfel"]
    editor = app.as_role("editor")
    for name in ("CLIMATE   change", "water now"):
        refused = editor.post_json("/api/staff/tags", {"name": name}, status=400)
        assert refused.json["error"] == "Tag already exists"


def test_the_upgraded_tables_are_those_of_the_models(
    instance: Instance, upgraded: Database
) -> None:
    assert migrate.pending(upgraded, instance.plugins) == []
    assert schema_differences(upgraded, instance.plugins) == []
