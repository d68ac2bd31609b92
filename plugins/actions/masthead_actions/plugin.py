"""How actions joins Masthead: a content type, and proposals of actions from outside."""

from __future__ import annotations

from masthead import (
    PUBLIC,
    Approvable,
    Demo,
    Endpoint,
    NavigationEntry,
    Plugin,
    Resource,
    hookimpl,
)
from masthead_actions import schemas, views
from masthead_actions.contenttype import ACTIONS
from masthead_actions.demo import show_actions
from masthead_actions.models import Base
from masthead_actions.resource import PROPOSALS


class Hooks:
    """What actions answers to core's hooks."""

    @hookimpl
    def masthead_content_types(self) -> list[Approvable]:
        """Actions."""
        return [ACTIONS]

    @hookimpl
    def masthead_resources(self) -> list[Resource]:
        """Proposals, as staff handle them."""
        return [PROPOSALS]

    @hookimpl
    def masthead_navigation(self) -> list[NavigationEntry]:
        """The page that lists actions."""
        return [NavigationEntry("actions", "Actions", "/actions", order=20)]

    @hookimpl
    def masthead_routes(self) -> list[Endpoint]:
        """Sending a proposal, and accepting one."""
        return [
            Endpoint(
                name="proposals.submit",
                method="POST",
                path="/api/ycs/submit-action",
                view=views.submit_proposal,
                permission=PUBLIC,
                summary="Propose an action",
                returns=schemas.RECEIVED,
                body=schemas.SUBMISSION,
            ),
            Endpoint(
                name="staff.proposals.accept",
                method="POST",
                path=f"/api/staff/{PROPOSALS.path}/{{id}}/accept",
                view=views.accept_proposal,
                permission=PROPOSALS.write_permission,
                summary="Make a draft action of a proposal",
                returns=schemas.ACCEPTED,
                refuses=frozenset({400}),
            ),
        ]

    @hookimpl
    def masthead_demo(self, demo: Demo) -> None:
        """Actions, and a proposal."""
        show_actions(demo)


plugin = Plugin(
    name="actions", hooks=(Hooks(),), base=Base, migrations="masthead_actions.migrations"
)
