"""Items that others refer to aren't deleted, and the refusal names what refers to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any

import pytest
from sqlalchemy import Column
from sqlalchemy.orm import Session

from masthead import (
    Choice,
    Email,
    Html,
    Instance,
    Int,
    ItemUse,
    ListOf,
    Plugin,
    Timestamp,
    hookimpl,
)
from masthead.plugins import installed
from masthead.schemas.field_types import FieldType
from masthead.testing import Client

TEMPLATES = "/api/staff/email-templates"
RULES = "/api/staff/follow-up-rules"
STAGES = "/api/staff/progression-stages"
SAMPLES: Mapping[type[FieldType], Any] = {
    Email: "someone@example.test",
    Html: "<p>Text</p>",
    Int: 1,
    Timestamp: "2036-01-01T00:00:00.000Z",
}
MORE: Mapping[str, dict[str, Any]] = {
    "static-images": {"id": "lantern"},
    "compose-emails": {"recipient_emails": ["ada@example.org"], "html_content": "<p>Hi</p>"},
    "newsletters": {"html_content": "<p>Hi</p>"},
    "email-templates": {"html_content": "<p>Hi</p>"},
    "webhooks": {"url": "https://example.org/hook", "events": ["*"]},
    "contact-import-mappings": {"columns": [{"column": "Who", "field": "name"}]},
}
"""Further values of new items, by resource."""
VISITORS: Mapping[str, tuple[str, dict[str, Any]]] = {
    "contact-messages": (
        "/api/contact",
        {"name": "Eve", "email": "eve@example.org", "subject": "Hi", "message": "Hi"},
    ),
    "proposals": (
        "/api/ycs/submit-action",
        {
            "title": "A",
            "description": "A",
            "contactName": "Eve",
            "contactEmail": "eve@example.org",
        },
    ),
}
"""The forms that create items of resources which staff don't create."""
NUMBERS = count(1)


class Users:
    """A plugin whose items refer to items of the resources in ``kinds``."""

    def __init__(self) -> None:
        self.kinds = set[str]()

    @hookimpl
    def masthead_uses(self, session: Session, kind: str, ids: Sequence[int | str]) -> list[ItemUse]:
        assert session.is_active
        if kind not in self.kinds:
            return []
        uses = [ItemUse(each, "shelves", 7, "Hall", "contacts.read") for each in ids]
        return [*uses, *(ItemUse(each, "vaults", 8, "Secret", "admin") for each in ids)]


@pytest.fixture
def users() -> Users:
    return Users()


@pytest.fixture
def plugins(users: Users) -> list[Plugin]:
    return [*installed().values(), Plugin(name="shelves", hooks=(users,))]


@pytest.fixture
def staff(app: Client) -> Client:
    return app.as_role("admin")


def sample(kind: Any) -> Any:
    kind = getattr(kind, "inner", kind) if not isinstance(kind, ListOf) else kind
    if isinstance(kind, Choice):
        return kind.options[0]
    return SAMPLES.get(type(kind), f"text-{next(NUMBERS)}")


def test_an_item_of_each_resource_is_kept_while_it_is_used(
    instance: Instance, app: Client, staff: Client, users: Users
) -> None:
    staff.post_json(STAGES, {"name": "First"})
    endpoints = {each.name: each for each in instance.endpoints}
    for name in instance.resources:
        if f"staff.{name}.delete" not in endpoints:
            continue
        path = f"/api/staff/{instance.resources[name].path}"
        if name in VISITORS:
            app.post_json(*VISITORS[name])
            [made] = staff.get(path).json
        else:
            body = endpoints[f"staff.{name}.create"].body or ()
            needed = {node.name: sample(node.typ) for node in body if node.required}
            made = staff.post_json(path, needed | MORE.get(name, {})).json

        users.kinds = {name}
        error = staff.delete(f"{path}/{made['id']}", status=400).json["error"]
        assert error.endswith(" is used: shelves 7 (Hall), vaults 8 (Secret)")
        users.kinds = set()
        if "list" in instance.resources[name].operations:
            assert made["id"] in [each["id"] for each in staff.get(path).json]
        staff.delete(f"{path}/{made['id']}")


@pytest.fixture
def template(staff: Client) -> Any:
    body = {"name": "Welcome", "subject": "Hi", "html_content": "<p>Hi</p>"}
    return staff.post_json(TEMPLATES, body).json


@pytest.fixture
def rule(staff: Client, template: Any) -> Any:
    stage = staff.post_json(STAGES, {"name": "Met"}).json
    body = {"name": "Write", "daysAfter": 0, "catchupType": "mail", "triggerStageId": stage["id"]}
    return staff.post_json(RULES, body | {"emailTemplateId": template["id"]}).json


def test_a_template_of_a_rule_is_kept_until_the_rule_has_another_one(
    staff: Client, template: Any, rule: Any
) -> None:
    path = f"{TEMPLATES}/{template['id']}"

    error = staff.delete(path, status=400).json["error"]

    assert error == f"Email template is used: follow-up-rules {rule['id']} (Write)"
    assert staff.get(TEMPLATES).json == [template]
    staff.put_json(f"{RULES}/{rule['id']}", {"emailTemplateId": None})
    staff.delete(path)


def test_users_who_may_not_read_rules_learn_their_number_only(
    app: Client, make_role: Callable[..., Any], template: Any, rule: Any
) -> None:
    make_role("writer", "email.read", "email.write")

    error = app.as_role("writer").delete(f"{TEMPLATES}/{template['id']}", status=400).json["error"]

    assert error == "Email template is used: once where you may not read"
    assert rule["name"] not in error


REFERENCES = {
    # Deleted together with the item that it refers to, as the documentation says.
    "part": {
        *("core_approver.role_id", "core_idempotency_key.user_id", "core_notification.user_id"),
        *("core_preview.user_id", "core_presence.user_id"),
        *("apitokens_token.user_id", "totp_enrolment.user_id", "totp_recovery_code.user_id"),
        "core_role_permission.role_id",
        *("core_tag_former_slug.tag_id", "core_user_role.user_id", "core_user_role.role_id"),
        *("actions_action_tag.item_id", "actions_action_tag.tag_id", "crm_contact_tag.item_id"),
        *("crm_entry.contact_id", "crm_follow_up.contact_id", "crm_follow_up.rule_id"),
        *("crm_distinct_contacts.contact_id", "crm_distinct_contacts.other_id"),
        *("events_event_tag.item_id", "events_event_tag.tag_id"),
        *("news_article_tag.item_id", "news_article_tag.tag_id", "site_entry.page_id"),
        "webhooks_delivery.webhook_id",
    },
    # Emptied when the item is deleted.
    "emptied": {"actions_proposal.action_id", "crm_entry.stage_id"},
    # Keeps the item: its delete is refused.
    "kept": {"crm_contact.stage_id", "crm_rule.trigger_stage_id", "crm_rule.email_template_id"},
    # The folder of an entry, whose service moves or keeps the entries in it.
    "tree": {"site_entry.parent_id"},
    # The user, who is then disabled instead of deleted.
    "user": {
        *("core_audit.actor_id", "core_revision.user_id", "core_trash.user_id"),
        *("core_comment.author_id", "core_comment.resolved_by_id"),
        *("core_approval_request.reviewer_id", "core_approval_vote.user_id"),
        *("crm_entry.created_by_id", "media_image.uploaded_by"),
        *(
            f"{table}.{column}"
            for table in ("actions_action", "events_event", "news_article", "email_newsletter")
            for column in (
                *("approval_requested_by", "approved_by", "rejected_by"),
                *("created_by", "edited_by"),
            )
        ),
    },
    # A record of the past or a copy, whose item may not exist any more.
    "record": {
        *("core_audit.content_id", "core_change.item_id"),
        *("core_external_id.external_id", "core_external_id.item_id"),
        *("core_former_slug.item_id", "core_job.leased_by"),
        *("core_reference.item_id", "core_reference.target_id"),
        *("core_known_address.item_id", "core_redirect.item_id"),
        *("core_notification.content_id", "core_search_outdated.item_id", "core_trash.item_id"),
        *("crm_contact_tag.stage_id", "email_delivery.message_id", "email_delivery.subscriber_id"),
        *("email_message.source_id", "email_outbox.database_id", "email_suppression.message_id"),
        *("email_refusal.delivery_id", "email_refusal.group_id"),
        *("events_withdrawal.event_id", "webhooks_delivery.message_id"),
    },
}
"""The columns that refer to items, by the effect of a delete of the item."""


def columns_that_refer() -> Iterator[Column[Any]]:
    for plugin in installed().values():
        if plugin.base is not None:
            for table in plugin.base.metadata.tables.values():
                named = (c for c in table.c if c.name.endswith(("_id", "_ids", "_by")))
                yield from {*named, *(c for c in table.c if c.foreign_keys)}


def test_each_column_that_refers_to_an_item_has_a_known_effect() -> None:
    found = {f"{each.table.name}.{each.name}": each for each in columns_that_refer()}

    assert found.keys() == {name for names in REFERENCES.values() for name in names}
    for effect, rule in (("part", "CASCADE"), ("emptied", "SET NULL")):
        for name in REFERENCES[effect]:
            assert {key.ondelete for key in found[name].foreign_keys} == {rule}, name
    for name in REFERENCES["user"]:
        [key] = found[name].foreign_keys
        assert key.column.table.name == "core_user", name
    for name in REFERENCES["record"]:
        assert not found[name].foreign_keys, name
