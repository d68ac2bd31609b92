"""Which tables travel: each that is added has to be judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sqlalchemy import Table

from masthead import Instance
from masthead.plugins import installed

KEPT_BACK = {
    # Belongs to one instance: who works, who waits, who was told, who did what.
    "core_audit",
    "core_content_version",
    "core_job",
    "core_login_failure",
    "core_notification",
    "core_worker",
    # What is about to be sent, or was: another instance must not send it again.
    "email_delivery",
    "email_message",
    "email_outbox",
    "email_sender",
    # Of the storage that one instance has: another one's holds none of it.
    "media_leftover",
}
NOT_PUBLIC_AND_TRAVELS = {
    "actions_proposal",
    "crm_contact",
    "crm_contact_tag",
    "crm_entry",
    "crm_follow_up",
    "crm_merged_address",
    "crm_rule",
    "crm_stage",
    "email_composed",
    # Else nobody could unsubscribe by the link in a mail of before.
    "email_link_key",
    "email_newsletter",
    "email_subscriber",
    "email_suppression",
    "email_template",
    "site_message",
}
SECRET = ("password", "secret", "token", "lease")


def tables() -> Iterator[Table]:
    """The tables of all plugins that are installed."""
    for plugin in installed().values():
        if plugin.metadata is not None:
            yield from plugin.metadata.tables.values()


def test_what_is_not_public_says_whether_it_travels() -> None:
    private = {table.name for table in tables() if table.info.get("private")}
    stays = {table.name for table in tables() if table.info.get("stays")}

    assert stays - KEPT_BACK == set()
    assert private - stays - NOT_PUBLIC_AND_TRAVELS == set()


def test_no_column_with_a_secret_travels() -> None:
    travelling = [table for table in tables() if not table.info.get("stays")]
    named = [
        f"{table.name}.{column.name}"
        for table in travelling
        for column in table.columns
        if any(word in column.name for word in SECRET) and "arrives as" not in column.info
    ]

    assert named == ["email_link_key.secret"]


def test_rows_that_are_there_from_the_start_can_be_replaced(
    make_instance: Callable[[str], Instance],
) -> None:
    instance = make_instance("sqlite")
    with instance.database.read() as connection:
        filled = {t.name for t in tables() if connection.execute(t.select().limit(1)).first()}

    seeded = {table.name for table in tables() if table.info.get("seeded")}
    assert filled - KEPT_BACK <= seeded
