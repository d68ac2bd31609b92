"""The approval workflow as part of core: its settings and endpoints."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from masthead.approval import schemas, settings, views
from masthead.approval.bulk import OPERATIONS
from masthead.approval.transitions import APPROVE, REJECT, REQUEST
from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint, endpoints_in
from masthead.http.paging import MOST_ROWS
from masthead.http.permissions import ADMIN, SIGNED_IN
from masthead.instance import Instance
from masthead.schemas.common import CREATED
from masthead.schemas.schema import SUCCESS
from masthead.settings import Setting


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return the settings of the workflow."""
    return [settings.FOUR_EYES, settings.EDITS]


@hookimpl
def masthead_routes(instance: Instance) -> list[Endpoint]:
    """Return the transitions and the configuration; some bodies name the content types."""
    names = list(instance.content_types)
    offered = {
        REQUEST: ("Request the approval of an item", schemas.request_body(names)),
        APPROVE: ("Approve an item, which publishes it", schemas.approve_body(names)),
        REJECT: ("Reject an item, optionally with a reason", schemas.reject_body(names)),
    }
    moves = [
        Endpoint(
            name=f"approval.{transition.name}",
            method="POST",
            path=f"/api/staff/approval/{transition.name}",
            view=partial(views.move_item, transition),
            permission=SIGNED_IN,
            summary=summary,
            returns=schemas.REQUESTED if transition is REQUEST else SUCCESS,
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
        summary="Request, approve or reject many items",
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
