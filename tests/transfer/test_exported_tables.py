"""The list of exported tables, in which every private table has to be added deliberately."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sqlalchemy import Table

from masthead import Instance
from masthead.db.exportable import IMPORT_DEFAULT, NOT_EXPORTED_KEY, REPLACED_KEY
from masthead.plugins import installed

INSTANCE_ONLY = {
    # The state and history of one instance.
    "core_audit",
    "core_change",
    "core_change_log",
    "core_content_version",
    "core_idempotency_key",
    "core_job",
    "core_kit_table",
    "core_login_failure",
    "core_notification",
    "core_presence",
    "core_preview",
    "core_recovery_request",
    "core_reference",
    "core_search_outdated",
    "core_worker",
    # The last backup of one instance.
    "core_backup",
    # Credentials: another instance must not accept them.
    "apitokens_token",
    "totp_enrolment",
    "totp_recovery_code",
    # Purges of caches: another instance must not make them.
    "cdn_cache",
    "cdn_purge",
    # Queued and sent e-mails: another instance must not send them again.
    "email_delivery",
    "email_handover",
    "email_message",
    "email_outbox",
    "email_refusal",
    "email_relay",
    "email_sender",
    # Refers to the storage of one instance.
    "media_leftover",
    # Counts towards quotas of 24 hours.
    "media_usage",
    # Calls of other programs: another instance must not make them again.
    "webhooks_delivery",
    "webhooks_progress",
}
PRIVATE_AND_EXPORTED = {
    "actions_proposal",
    # Keeps a repeated import of JSON lines from adding items twice.
    "core_external_id",
    # Leads to the data of a person under all their addresses.
    "core_known_address",
    # Requests would lose their reviewers and approvals.
    "core_approval_request",
    "core_approval_vote",
    # The thread beside an item is a part of the work on it.
    "core_comment",
    # Proves that the public sees what was approved.
    "core_approved",
    # Editors would lose the former states of what they move.
    "core_revision",
    "core_revision_value",
    # Editors would lose what they can still restore.
    "core_trash",
    "crm_contact",
    "crm_contact_tag",
    "crm_distinct_contacts",
    "crm_entry",
    "crm_follow_up",
    "crm_import_mapping",
    "crm_rule",
    "crm_stage",
    "email_composed",
    # Keeps the unsubscribe links in sent e-mails valid.
    "email_link_key",
    "email_newsletter",
    "email_subscriber",
    "email_suppression",
    "email_template",
    "site_message",
    "webhooks_webhook",
}
SECRET = ("password", "secret", "token", "lease")


def tables() -> Iterator[Table]:
    """Yield the tables of all installed plugins."""
    for plugin in installed().values():
        if plugin.metadata is not None:
            yield from plugin.metadata.tables.values()


def test_every_private_table_is_in_one_of_the_lists() -> None:
    private = {table.name for table in tables() if table.info.get("private")}
    not_exported = {table.name for table in tables() if table.info.get(NOT_EXPORTED_KEY)}

    assert not_exported - INSTANCE_ONLY == set()
    assert private - not_exported - PRIVATE_AND_EXPORTED == set()


def test_no_column_with_a_secret_is_exported() -> None:
    exported = [table for table in tables() if not table.info.get(NOT_EXPORTED_KEY)]
    named = [
        f"{table.name}.{column.name}"
        for table in exported
        for column in table.columns
        if any(word in column.name for word in SECRET) and IMPORT_DEFAULT not in column.info
    ]

    assert named == ["email_link_key.secret"]


def test_every_table_with_initial_rows_is_replaced_on_import(
    make_instance: Callable[[str], Instance],
) -> None:
    instance = make_instance("sqlite")
    with instance.database.read() as connection:
        filled = {t.name for t in tables() if connection.execute(t.select().limit(1)).first()}

    seeded = {table.name for table in tables() if table.info.get(REPLACED_KEY)}
    assert filled - INSTANCE_ONLY <= seeded
