"""Actions as a plugin: a content type, and proposals of actions by visitors."""

from __future__ import annotations

from masthead import (
    Approvable,
    AuditAction,
    Demo,
    Endpoint,
    NavigationEntry,
    Plugin,
    Resource,
    endpoints_in,
    hookimpl,
)
from masthead_actions import views
from masthead_actions.contenttype import ACTIONS
from masthead_actions.demo import create_actions
from masthead_actions.models import Base
from masthead_actions.resource import PROPOSALS


@hookimpl
def masthead_content_types() -> list[Approvable]:
    """Return the content type of actions."""
    return [ACTIONS]


@hookimpl
def masthead_resources() -> list[Resource]:
    """Return the resource by which staff manage proposals."""
    return [PROPOSALS]


@hookimpl
def masthead_navigation() -> list[NavigationEntry]:
    """Return the page that lists actions."""
    return [NavigationEntry("actions", "Actions", "/actions", order=20)]


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """Return the endpoints that submit and accept proposals."""
    return endpoints_in(views)


@hookimpl
def masthead_audit_actions() -> list[AuditAction]:
    """Return the action of proposals."""
    return [AuditAction("proposal.accept", "A proposal of a visitor became an action.")]


@hookimpl
def masthead_demo(demo: Demo) -> None:
    """Create the demo's actions and a proposal."""
    create_actions(demo)


plugin = Plugin(
    name="actions",
    hooks=(__name__,),
    base=Base,
    migrations="masthead_actions.migrations",
    texts="masthead_actions.texts",
)
