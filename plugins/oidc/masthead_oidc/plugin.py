"""The hooks of single sign-on."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlalchemy.orm import Session

from masthead import (
    AuditAction,
    Check,
    Endpoint,
    Job,
    Login,
    Plugin,
    Setting,
    Unauthenticated,
    endpoints_in,
    hookimpl,
    instance_of,
)
from masthead_oidc import own_views, staff_views, views
from masthead_oidc.checks import checks
from masthead_oidc.links import delete_links
from masthead_oidc.logins import delete_expired
from masthead_oidc.models import Base
from masthead_oidc.registrations import registrations
from masthead_oidc.settings import PASSWORD_LOGINS, SETTINGS


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return the settings of the plugin."""
    return SETTINGS


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """Return the endpoints of logins, logouts and links."""
    return endpoints_in(views, own_views, staff_views)


@hookimpl
def masthead_audit_actions() -> list[AuditAction]:
    """Return the actions of logins and links."""
    return [
        AuditAction("oidc.link", "A user was linked to an account of the provider."),
        AuditAction("oidc.refuse", "A login at the provider was refused here."),
        AuditAction("oidc.unlink", "The link of a user to an account of the provider was removed."),
    ]


@hookimpl
def masthead_checks() -> list[Check]:
    """Return the checks of the settings and of the provider."""
    return checks()


@hookimpl
def masthead_jobs() -> list[Job]:
    """Return the job that deletes expired logins."""
    return [Job("oidc.logins", timedelta(hours=6), delete_expired)]


@hookimpl
def masthead_login(session: Session, login: Login) -> None:
    """Refuse passwords if the settings say so.

    :raises Unauthenticated: for a login by password.
    """
    instance = instance_of(session)
    allowed = instance.settings[PASSWORD_LOGINS] or not registrations(instance).all
    if login.method == "password" and not allowed:
        raise Unauthenticated("Log in at the provider of single sign-on")


@hookimpl
def masthead_revoke_credentials(session: Session, user_id: int) -> None:
    """Delete the links of the user."""
    delete_links(session, user_id)


plugin = Plugin(name="oidc", hooks=(__name__,), base=Base, migrations="masthead_oidc.migrations")
