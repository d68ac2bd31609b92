"""The hooks of API tokens."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlalchemy.orm import Session

from masthead import (
    AuditAction,
    Caller,
    Endpoint,
    Job,
    Plugin,
    Request,
    Setting,
    endpoints_in,
    hookimpl,
)
from masthead_apitokens import views
from masthead_apitokens.identity import identify
from masthead_apitokens.models import Base
from masthead_apitokens.notices import notify_of_ends
from masthead_apitokens.services import delete_expired, revoke_all, revoke_tokens_of
from masthead_apitokens.settings import MAX_DAYS, NOTICE_DAYS


@hookimpl
def masthead_settings() -> list[Setting[Any]]:
    """Return the settings of the plugin."""
    return [MAX_DAYS, NOTICE_DAYS]


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """Return the endpoints."""
    return endpoints_in(views)


@hookimpl
def masthead_audit_actions() -> list[AuditAction]:
    """Return the actions of tokens."""
    return [
        AuditAction("api-token.create", "A user created an API token."),
        AuditAction("api-token.rename", "An API token got another name."),
        AuditAction("api-token.revoke", "An API token was revoked."),
    ]


@hookimpl
def masthead_identify(request: Request) -> Caller | None:
    """Return the user of an API token."""
    return identify(request)


@hookimpl
def masthead_jobs() -> list[Job]:
    """Return the jobs that notify of the end of tokens, and that delete expired ones."""
    return [
        Job("apitokens.notices", timedelta(hours=1), notify_of_ends),
        Job("apitokens.expired", timedelta(hours=24), delete_expired),
    ]


@hookimpl
def masthead_revoke_credentials(session: Session, user_id: int) -> None:
    """Revoke the tokens of the user."""
    revoke_tokens_of(session, user_id)


@hookimpl
def masthead_restored(session: Session) -> str | None:
    """Revoke all tokens, because some may have been revoked since the backup."""
    number = revoke_all(session)
    return f"API tokens are revoked ({number}); their users make new ones" if number else None


plugin = Plugin(
    name="apitokens",
    hooks=(__name__,),
    base=Base,
    migrations="masthead_apitokens.migrations",
    texts="masthead_apitokens.texts",
)
