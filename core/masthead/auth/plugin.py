"""Authentication as part of core: settings, permission, endpoints, commands, a job and a check."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import click
from sqlalchemy.orm import Session

from masthead.auth.caller import Caller
from masthead.auth.commands import user
from masthead.auth.policy import bearer_caller
from masthead.auth.sealed_columns import reseal, sealed_trouble
from masthead.auth.secrets_commands import secrets
from masthead.auth.services.logins import THROTTLE, forget_failures
from masthead.auth.services.recovery import RESET_PATH, answer_requests, delivers_mail, has_requests
from masthead.auth.services.restored import end_all_tokens
from masthead.auth.setup import sync_grants
from masthead.auth.tokens import SECRETS, TOKEN_DAYS, age_trouble, secrets_trouble
from masthead.auth.views import login, profile, recovery, roles, users
from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint, endpoints_in
from masthead.http.permissions import ADMIN, Permission
from masthead.http.request import Request
from masthead.instance import Check, Instance, instance_of
from masthead.settings import Setting
from masthead.worker.jobs import Job


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return the settings of logins and of account recovery."""
    return [SECRETS, TOKEN_DAYS, THROTTLE, RESET_PATH]


@hookimpl
def masthead_permissions() -> list[Permission]:
    """Return the permission that implies all others."""
    return [Permission(ADMIN, "Do everything.", editor=False)]


@hookimpl
def masthead_commands(group: click.Group) -> None:
    """Add ``masthead user`` and ``masthead secrets``."""
    group.add_command(user)
    group.add_command(secrets)


@hookimpl(trylast=True)
def masthead_identify(request: Request) -> Caller | None:
    """Return the user of a login token."""
    return bearer_caller(request)


@hookimpl
def masthead_jobs(instance: Instance) -> list[Job]:
    """Return the jobs: old login failures, encrypted values, and links for new passwords."""
    jobs = [
        Job("auth.login-failures", timedelta(hours=6), forget_failures),
        Job("auth.sealed", timedelta(minutes=10), reseal),
    ]
    mailing = Job("auth.recovery", timedelta(seconds=5), answer_requests, has_requests)
    return [*jobs, mailing] if delivers_mail(instance) else jobs


@hookimpl
def masthead_checks() -> list[Check]:
    """Return the checks of the secrets that sign tokens."""
    return [
        Check("secrets", secrets_trouble, remedy="set it, or masthead db upgrade makes the file"),
        Check(
            "secrets.age",
            age_trouble,
            readiness=False,
            level="warning",
            remedy="change the secret, see users and passwords in operations.md",
        ),
        Check(
            "secrets.sealed",
            sealed_trouble,
            readiness=False,
            remedy="add the secret with which they were encrypted, see secrets in operations.md",
        ),
    ]


@hookimpl
def masthead_imported(session: Session) -> None:
    """Grant permissions and approval powers that are new here to the imported roles."""
    sync_grants(session, instance_of(session))


@hookimpl
def masthead_restored(session: Session) -> str:
    """End all login tokens and links for new passwords."""
    end_all_tokens(session)
    return "All users have to log in again"


@hookimpl
def masthead_routes(instance: Instance) -> list[Endpoint]:
    """Return the endpoints; account recovery needs a plugin that delivers mail."""
    mailing = [recovery] if delivers_mail(instance) else []
    return endpoints_in(login, *mailing, profile, users, roles)
