"""The revision that unifies the tags of contacts."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlalchemy import text

from masthead import Instance
from masthead.testing import Client


def test_links_to_tags_of_the_release_before_are_unified(
    instance: Instance,
    staff: Client,
    make_contact: Callable[..., Any],
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
        # Later revisions have run already and can't run again.
        revision = import_module("masthead_crm.migrations.versions.0002_keys_of_tags")
        with Operations.context(MigrationContext.configure(session.connection())):
            revision.upgrade()

    found = staff.get("/api/staff/contacts", {"tag": "climate change"})
    assert [each["id"] for each in found.json] == [one, both]
    assert found.headers["X-Total-Count"] == "2"
