"""Rows that are deleted with a user; a user with other references is disabled instead."""

from __future__ import annotations

import pytest
from sqlalchemy import inspect

from masthead import Instance, User

THEIR_OWN = {
    ("apitokens_token", "user_id"),
    ("core_idempotency_key", "user_id"),
    ("core_notification", "user_id"),
    ("core_presence", "user_id"),
    ("core_preview", "user_id"),
    ("core_user_role", "user_id"),
    ("totp_enrolment", "user_id"),
}


@pytest.mark.parametrize("source", ["models", "migrations"])
def test_only_what_is_a_users_own_goes_with_the_user(instance: Instance, source: str) -> None:
    found = modelled(instance) if source == "models" else migrated(instance)

    assert ("media_image", "uploaded_by") in {(table, column) for table, column, _ in found}
    assert {(table, column) for table, column, rule in found if rule} == THEIR_OWN
    assert {rule for _, _, rule in found if rule} == {"CASCADE"}


def modelled(instance: Instance) -> set[tuple[str, str, str | None]]:
    """Return the columns that refer to users, with the rule for the deletion of a user."""
    return {
        (table.name, key.parent.name, key.ondelete)
        for plugin in instance.plugins
        if plugin.metadata is not None
        for table in plugin.metadata.tables.values()
        for key in table.foreign_keys
        if key.column is User.__table__.c.id
    }


def migrated(instance: Instance) -> set[tuple[str, str, str | None]]:
    with instance.database.read() as connection:
        keys = inspect(connection).get_multi_foreign_keys()
    return {
        (table, column, key["options"].get("ondelete"))
        for (_, table), found in keys.items()
        for key in found
        if key["referred_table"] == User.__tablename__
        for column in key["constrained_columns"]
    }
