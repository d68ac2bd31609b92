"""The revision that unifies the tags of contacts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import text

from masthead import Instance
from masthead.db import migrate
from masthead.testing import Client


def test_links_to_tags_of_the_release_before_are_unified(
    instance: Instance,
    staff: Client,
    make_contact: Callable[..., Any],
    undo_keys: Callable[..., Any],
) -> None:
    both, one = (make_contact(tags=["climate change"])["id"] for _ in "ab")
    copy = (
        "INSERT INTO crm_contact_tag (item_id, tag_key, created_at, status, stage_id)"
        " SELECT item_id, 'climate  change', created_at, status, stage_id FROM crm_contact_tag"
    )
    with instance.database.transaction() as session:
        session.execute(text(copy))
        session.execute(
            text("DELETE FROM crm_contact_tag WHERE item_id = :one AND tag_key = 'climate change'"),
            {"one": one},
        )
        undo_keys(session)
        session.execute(text("UPDATE alembic_version_crm SET version_num = '0001'"))

    migrate.upgrade(instance.database, instance.plugins)

    found = staff.get("/api/staff/contacts", {"tag": "climate change"})
    assert [each["id"] for each in found.json] == [one, both]
    assert found.headers["X-Total-Count"] == "2"
