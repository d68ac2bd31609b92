"""The hooks of the second step."""

from __future__ import annotations

from typing import Any

import click
from sqlalchemy.orm import Session

from masthead import (
    AuditAction,
    Check,
    Endpoint,
    Login,
    Plugin,
    SecondStep,
    Setting,
    endpoints_in,
    hookimpl,
)
from masthead_totp import views
from masthead_totp.commands import totp
from masthead_totp.diagnosis import checks
from masthead_totp.login import judge
from masthead_totp.models import Base
from masthead_totp.services import delete_recovery_codes, revoke, unreadable_apps
from masthead_totp.settings import REQUIRED


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return the setting of the plugin."""
    return [REQUIRED]


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """Return the endpoints."""
    return endpoints_in(views)


@hookimpl
def masthead_audit_actions() -> list[AuditAction]:
    """Return the actions of the second step."""
    return [
        AuditAction("totp.enrol", "A user set up the second step."),
        AuditAction("totp.recovery-code", "A user logged in with a recovery code."),
        AuditAction("totp.recovery-codes", "A user made new recovery codes."),
        AuditAction("totp.remove", "A user removed the second step."),
        AuditAction("totp.reset", "Somebody else removed the second step of a user."),
    ]


@hookimpl
def masthead_commands(group: click.Group) -> None:
    """Add ``masthead totp``."""
    group.add_command(totp)


@hookimpl
def masthead_checks() -> list[Check]:
    """Return the check of the setting."""
    return checks()


@hookimpl
def masthead_login(session: Session, login: Login) -> SecondStep | None:
    """Return the step that a login by password lacks."""
    return judge(session, login)


@hookimpl
def masthead_revoke_credentials(session: Session, user_id: int) -> None:
    """Remove the app of the user."""
    revoke(session, user_id)


@hookimpl
def masthead_restored(session: Session) -> str | None:
    """Delete the recovery codes, because some may have been used since the backup.

    Apps whose secret isn't there any more are named.
    """
    codes, apps = delete_recovery_codes(session), len(unreadable_apps(session))
    found = [f"Recovery codes are deleted ({codes}); their users make new ones"] if codes else []
    if apps:
        lost = f"Authenticator apps can't be checked ({apps}), because the secrets are others"
        found.append(f"{lost}: restore them, or run masthead totp reset --unreadable")
    return ". ".join(found) or None


plugin = Plugin(name="totp", hooks=(__name__,), base=Base, migrations="masthead_totp.migrations")
