"""The approval workflow as part of core: its settings, endpoints, commands and check."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from masthead.approval import schemas, settings, views
from masthead.approval.bulk import OPERATIONS
from masthead.approval.commands import move_command
from masthead.approval.events import TransitionName
from masthead.approval.transitions import APPROVE, REJECT, REQUEST, WITHDRAW
from masthead.history.commands import approval
from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint, endpoints_in
from masthead.http.paging import MOST_ROWS
from masthead.http.permissions import ADMIN, SIGNED_IN
from masthead.instance import Check, Instance
from masthead.ports.audit import AuditAction
from masthead.schemas.common import CREATED
from masthead.schemas.schema import SUCCESS
from masthead.settings import Setting


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return the settings of the workflow."""
    return [
        settings.FOUR_EYES,
        settings.EDITS,
        settings.REQUIRED,
        settings.REMIND_HOURS,
        settings.ESCALATE_HOURS,
        settings.ESCALATE_TO,
    ]


_ACTIONS = {
    TransitionName.REQUEST: "The approval of an item was requested.",
    TransitionName.VOTE: "A user approved an item that needs further approvals.",
    TransitionName.APPROVE: "An item was approved.",
    TransitionName.REJECT: "An item was rejected.",
    TransitionName.WITHDRAW: "The request for an approval was withdrawn.",
    TransitionName.PUBLISH: "An import published an item at once.",
}


@hookimpl
def masthead_audit_actions() -> list[AuditAction]:
    """Return the actions of the transitions and of the configuration."""
    return [
        *(AuditAction(f"approval.{name}", _ACTIONS[name]) for name in TransitionName),
        AuditAction("approval-config.create", "A role became an approver of a content type."),
        AuditAction("approval-config.delete", "A role is no longer an approver of a type."),
    ]


@hookimpl
def masthead_commands() -> None:
    """Add ``move`` to ``masthead approval``."""
    approval.add_command(move_command)


@hookimpl
def masthead_checks() -> list[Check]:
    """Return the check of the content types that settings name."""
    return [
        Check(
            "approval.settings",
            unknown_types,
            readiness=False,
            level="warning",
            remedy="correct the name in the setting, or enable the plugin of the content type",
            status=False,
        )
    ]


def unknown_types(instance: Instance) -> str | None:
    """Return the names in settings that are no content types."""
    unknown = [
        f"{setting.name}: unknown content type {name}"
        for setting in (settings.REQUIRED, settings.REMIND_HOURS, settings.ESCALATE_HOURS)
        for name in instance.settings[setting].own
        if name not in instance.content_types
    ]
    return "; ".join(unknown) or None


@hookimpl
def masthead_routes(instance: Instance) -> list[Endpoint]:
    """Return the transitions and the configuration; some bodies name the content types."""
    names = list(instance.content_types)
    offered = {
        REQUEST: ("Request the approval of an item", schemas.request_body(names)),
        APPROVE: ("Approve an item, which publishes it", schemas.approve_body(names)),
        REJECT: ("Reject an item, optionally with a reason", schemas.reject_body(names)),
        WITHDRAW: ("Withdraw the request of an item", schemas.withdraw_body(names)),
    }
    answers = {REQUEST: schemas.REQUESTED, APPROVE: schemas.APPROVED}
    moves = [
        Endpoint(
            name=f"approval.{transition.name}",
            method="POST",
            path=f"/api/staff/approval/{transition.name}",
            view=partial(views.move_item, transition),
            permission=SIGNED_IN,
            summary=summary,
            returns=answers.get(transition, SUCCESS),
            body=body,
            refuses=frozenset({403, 404}),
        )
        for transition, (summary, body) in offered.items()
    ]
    create = Endpoint(
        name="approval-config.create",
        method="POST",
        path=views.CONFIG_PATH,
        view=views.create_approver,
        permission=ADMIN,
        needs_login=True,
        returns=CREATED,
        body=schemas.config_body(names),
    )
    return [*moves, _bulk(names), _list_of_pending(names), *endpoints_in(views), create]


def _bulk(names: Sequence[str]) -> Endpoint:
    return Endpoint(
        name="approval.bulk",
        method="POST",
        path="/api/staff/approval/bulk",
        view=views.move_items,
        permission=SIGNED_IN,
        summary="Request, approve, reject or withdraw many items",
        description="Each item is judged as if it were the only one. One that can't be moved is in"
        " `failed`; the others are moved.",
        returns=schemas.BULK_MOVED,
        body=schemas.bulk_body(names, OPERATIONS),
    )


def _list_of_pending(names: Sequence[str]) -> Endpoint:
    return Endpoint(
        name="approval.pending",
        method="GET",
        path="/api/staff/approval/pending",
        view=views.list_pending_items,
        permission=SIGNED_IN,
        returns=schemas.PENDING,
        query=schemas.pending_query(names),
        page=MOST_ROWS,
    )
