"""How the approval workflow joins core."""

from __future__ import annotations

from functools import partial
from typing import Any

from masthead.approval import schemas, settings, views
from masthead.approval.transitions import APPROVE, REJECT, REQUEST
from masthead.auth.permissions import ADMIN
from masthead.hookspecs import hookimpl
from masthead.instance import Instance
from masthead.paging import MOST_ROWS
from masthead.routes import SIGNED_IN, Endpoint
from masthead.settings import Setting


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """How strict the workflow is."""
    return [settings.FOUR_EYES, settings.EDITS]


@hookimpl
def masthead_routes(instance: Instance) -> list[Endpoint]:
    """The three moves, and who may make them."""
    names = list(instance.content_types)
    offered = {
        REQUEST: ("Ask for an item's approval", schemas.item_body(names)),
        APPROVE: ("Approve an item, which publishes it", schemas.approve_body(names)),
        REJECT: ("Reject an item, and say why", schemas.reject_body(names)),
    }
    moves = [
        Endpoint(
            f"approval.{transition.name}",
            "POST",
            f"/api/staff/approval/{transition.name}",
            partial(views.move_item, transition),
            SIGNED_IN,
            summary,
            returns=schemas.SUCCESS,
            body=body,
            refuses=frozenset({403, 404}),
        )
        for transition, (summary, body) in offered.items()
    ]
    config = "/api/staff/approval-config"
    return [
        *moves,
        Endpoint(
            "approval-config.list",
            "GET",
            config,
            views.list_approvers,
            ADMIN,
            "List which roles may approve which content types",
            returns=schemas.CONFIG,
            page=MOST_ROWS,
        ),
        Endpoint(
            "approval-config.create",
            "POST",
            config,
            views.create_approver,
            ADMIN,
            "Let a role approve a content type",
            returns=schemas.CREATED,
            body=schemas.config_body(names),
        ),
        Endpoint(
            "approval-config.delete",
            "DELETE",
            config + "/{id}",
            views.delete_approver,
            ADMIN,
            "Take a role's approval power for a content type away",
            returns=schemas.SUCCESS,
        ),
    ]
