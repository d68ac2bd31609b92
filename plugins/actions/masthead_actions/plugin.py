"""How actions joins Masthead: a content type, and proposals of actions from outside."""

from __future__ import annotations

from masthead import (
    PUBLIC,
    Approvable,
    Endpoint,
    NavigationEntry,
    Permission,
    Plugin,
    area_permissions,
    hookimpl,
)
from masthead_actions import schemas, views
from masthead_actions.contenttype import ACTIONS
from masthead_actions.models import Base

READ, WRITE = "proposals.read", "proposals.write"
MOST_ROWS = 10_000


class Hooks:
    """What actions answers to core's hooks."""

    @hookimpl
    def masthead_content_types(self) -> list[Approvable]:
        """Actions."""
        return [ACTIONS]

    @hookimpl
    def masthead_permissions(self) -> list[Permission]:
        """Reading and handling proposals."""
        return area_permissions("proposals", "proposals of actions")

    @hookimpl
    def masthead_navigation(self) -> list[NavigationEntry]:
        """The page that lists actions."""
        return [NavigationEntry("actions", "Actions", "/actions", order=10)]

    @hookimpl
    def masthead_routes(self) -> list[Endpoint]:
        """Proposals: sent by anybody, handled by staff."""
        return [submission(), *staff_endpoints()]


def submission() -> Endpoint:
    """Where anybody sends a proposal."""
    return Endpoint(
        name="actions.proposals.submit",
        method="POST",
        path="/api/ycs/submit-action",
        view=views.submit,
        permission=PUBLIC,
        summary="Propose an action",
        returns=schemas.RECEIVED,
        body=schemas.SUBMISSION,
    )


def staff_endpoints() -> list[Endpoint]:
    """Where staff handle them."""
    name, path = "staff.proposals", "/api/staff/action-proposals"
    return [
        Endpoint(
            name=f"{name}.list",
            method="GET",
            path=path,
            view=views.list_proposals,
            permission=READ,
            summary="List proposals of actions, newest first",
            returns=schemas.PROPOSALS,
            query=schemas.FILTER,
            page=MOST_ROWS,
        ),
        Endpoint(
            name=f"{name}.show",
            method="GET",
            path=path + "/{id}",
            view=views.show_proposal,
            permission=READ,
            summary="Show a proposal",
            returns=schemas.PROPOSAL,
        ),
        Endpoint(
            name=f"{name}.update",
            method="PUT",
            path=path + "/{id}",
            view=views.update_proposal,
            permission=WRITE,
            summary="Change a proposal's status or notes",
            returns=schemas.PROPOSAL,
            body=schemas.CHANGES,
        ),
        Endpoint(
            name=f"{name}.delete",
            method="DELETE",
            path=path + "/{id}",
            view=views.delete_proposal,
            permission=WRITE,
            summary="Delete a proposal for good",
            returns=schemas.DELETED,
        ),
        Endpoint(
            name=f"{name}.accept",
            method="POST",
            path=path + "/{id}/accept",
            view=views.accept_proposal,
            permission=WRITE,
            summary="Make a draft action of a proposal",
            returns=schemas.ACCEPTED,
            refuses=frozenset({400}),
        ),
    ]


plugin = Plugin(
    name="actions", hooks=(Hooks(),), base=Base, migrations="masthead_actions.migrations"
)
