"""How the approval workflow joins core."""

from __future__ import annotations

from functools import partial
from typing import Any

from masthead.approval import schemas, settings, views
from masthead.approval.transitions import APPROVE, REJECT, REQUEST
from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint
from masthead.http.paging import MOST_ROWS
from masthead.http.permissions import ADMIN, SIGNED_IN
from masthead.instance import Instance
from masthead.schemas.schema import SUCCESS
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
            name=f"approval.{transition.name}",
            method="POST",
            path=f"/api/staff/approval/{transition.name}",
            view=partial(views.move_item, transition),
            permission=SIGNED_IN,
            summary=summary,
            returns=SUCCESS,
            body=body,
            refuses=frozenset({403, 404}),
        )
        for transition, (summary, body) in offered.items()
    ]
    config = "/api/staff/approval-config"
    return [
        *moves,
        Endpoint(
            name="approval-config.list",
            method="GET",
            path=config,
            view=views.list_approvers,
            permission=ADMIN,
            summary="List which roles may approve which content types",
            returns=schemas.CONFIG,
            page=MOST_ROWS,
        ),
        Endpoint(
            name="approval-config.create",
            method="POST",
            path=config,
            view=views.create_approver,
            permission=ADMIN,
            summary="Let a role approve a content type",
            returns=schemas.CREATED,
            body=schemas.config_body(names),
        ),
        Endpoint(
            name="approval-config.delete",
            method="DELETE",
            path=config + "/{id}",
            view=views.delete_approver,
            permission=ADMIN,
            summary="Take a role's approval power for a content type away",
            returns=SUCCESS,
        ),
    ]
